// What the system knows about a process: who, what, and in which container, pod or job.
#pragma once

#include <string>

#include "driver/watch.h"
#include "machine/machine.h"

namespace carve {

// From ROOT/proc and ROOT/etc/passwd; `root` empty is the system itself, whose other directories of users (LDAP and the
// like) are asked as well.
Reading<ProcessFacts> read_process(std::int32_t pid, const std::string& root, Watch&);

// Fills in the processes of a card's occupants.
void look_up_occupants(LiveCard&, const std::string& root, Watch&);

}  // namespace carve
