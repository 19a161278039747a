#include "cli/live.h"

#include <cstdlib>

#include "cli/simulated.h"

namespace carve {

Result<ReadOptions> live_source(const Given& given) {
  ReadOptions options;
  const SimWish wish = sim_wish(given);
  if (wish.meant()) {
    TRY(const std::string folder, sim_folder(wish));
    if (!wish.cards.empty()) TRY_VOID(make_on_first_use(folder, wish.cards));
    TRY(options.library, sim_library(newest_sim_driver));
    ::setenv("CARVE_SIM_DIR", folder.c_str(), 1);  // where the library looks; nothing else runs yet
  }
  if (const char* named = std::getenv("CARVE_NVML"); named != nullptr && *named != '\0') options.library = named;
  return options;
}

Result<Machine> read_live_machine(const Given& given) {
  TRY(const ReadOptions options, live_source(given));
  return read_machine(options);
}

}  // namespace carve
