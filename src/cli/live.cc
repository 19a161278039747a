#include "cli/live.h"

#include <array>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

namespace carve {

namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Beside the program as it is built, and where a package puts it.
constexpr std::array simulated_places{"simgpu/580/libnvidia-ml.so.1", "../lib/carve/simgpu/libnvidia-ml.so.1"};

Result<std::string> simulated_library() {
  std::error_code failed;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed);
  std::string tried;
  for (const char* place : simulated_places) {
    const std::filesystem::path path = (program.parent_path() / place).lexically_normal();
    if (std::filesystem::exists(path, failed)) return path.string();
    tried += (tried.empty() ? "" : ", ") + path.string();
  }
  return fail(
      Error{Fault::environment,
            fmt::format("the library of simulated cards, which CARVE_SIM_DIR asks for, is in none of {}", tried),
            {},
            "CARVE_NVML is the path of a libnvidia-ml.so.1 to use; without CARVE_SIM_DIR the real cards are read",
            {}});
}

}  // namespace

Result<Machine> read_live_machine() {
  ReadOptions options;
  if (const std::string named = variable("CARVE_NVML"); !named.empty()) {
    options.library = named;
  } else if (!variable("CARVE_SIM_DIR").empty()) {
    TRY(options.library, simulated_library());
  }
  return read_machine(options);
}

}  // namespace carve
