// cli: the program `carve`. Commands are data (one file each, see command.h); parse.cc turns arguments into a call of
// one of them; what a command returns becomes the exit code.
#pragma once

namespace carve {

// Runs the program: the exit code of README and `carve --help`.
int run_program(int argc, const char* const* argv);

}  // namespace carve
