// `carve status --watch`: the machine again and again, on a terminal in place, else as lines of JSON.
#pragma once

#include <chrono>

#include "cli/command.h"

namespace carve {

// Until somebody ends it. A driver that cannot be read is shown as that, and asked again.
Result<Exit> watch_status(std::chrono::seconds interval, const Style&, const Given&);
// Until nobody reads any more.
Result<Exit> watch_as_json(std::chrono::seconds interval, const Given&);

}  // namespace carve
