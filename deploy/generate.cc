// deploy_generate FOLDER DATE: what is installed beside the program and follows from its commands: manual pages in
// FOLDER/man1, one a command, and completion scripts in FOLDER/completions. Runs when carve is built.
#include <fmt/format.h>
#include <cstdio>
#include <filesystem>
#include <span>

#include "base/base.h"
#include "cli/completion.h"
#include "manual.h"

namespace carve {

namespace {

Result<void> generate(const std::filesystem::path& folder, const std::string& date) {
  std::error_code failed;
  for (const char* part : {"man1", "completions"}) {
    std::filesystem::create_directories(folder / part, failed);
    if (failed)
      return fail(Error{Fault::environment, fmt::format("cannot make {}/{}", folder.string(), part), {}, {}, {}});
  }
  for (const ManualPage& page : manual_pages(date))
    TRY_VOID(write_file_atomically(folder / "man1" / (page.name + ".1"), page.text));
  for (const ShellScript& script : completion_scripts())
    TRY_VOID(write_file_atomically(folder / "completions" / script.shell, std::string(script.text)));
  return {};
}

}  // namespace

}  // namespace carve

int main(int argc, char** argv) {
  const std::span<char*> arguments(argv, static_cast<std::size_t>(argc));
  if (arguments.size() != 3) {
    fmt::print(stderr, "usage: deploy_generate FOLDER DATE\n");
    return 2;
  }
  const carve::Result<void> done = carve::generate(arguments[1], arguments[2]);
  if (done) return 0;
  fmt::print(stderr, "error: {}\n", done.error().message);
  return 1;
}
