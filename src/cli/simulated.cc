#include "cli/simulated.h"

#include <array>
#include <cstdlib>
#include <filesystem>

#include "simgpu/control/control.h"

namespace carve {

namespace {

namespace files = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The option, else the variable.
std::string chosen(const Given& given, const Option& option, const char* name) {
  return given.has(option.name) ? given.text(option.name) : variable(name);
}

// Beside the program as it is built, and where a package puts it.
constexpr std::array library_places{"simgpu/{}/libnvidia-ml.so.1", "../lib/carve/simgpu/{}/libnvidia-ml.so.1"};

constexpr std::array sim_drivers{450, 525, newest_sim_driver};

// As the XDG base directory specification has it: what is not absolute does not count.
Result<files::path> state_folder() {
  if (const files::path state = variable("XDG_STATE_HOME"); state.is_absolute()) return state;
  if (const files::path home = variable("HOME"); home.is_absolute()) return home / ".local/state";
  return fail(Error{Fault::environment,
                    "there is no folder for simulated cards: HOME is not set",
                    {},
                    "--sim-dir or CARVE_SIM_DIR names one",
                    {}});
}

}  // namespace

SimWish sim_wish(const Given& given) {
  return {chosen(given, sim_option, "CARVE_SIM"), chosen(given, sim_dir_option, "CARVE_SIM_DIR")};
}

Result<std::string> sim_folder(const SimWish& wish) {
  std::error_code failed;
  if (!wish.folder.empty()) {
    const files::path folder = files::absolute(wish.folder, failed);
    return failed ? wish.folder : folder.string();
  }
  TRY(const files::path state, state_folder());
  files::create_directories(state / "carve", failed);
  if (failed)
    return fail(Error{Fault::environment,
                      fmt::format("cannot make the folder {}: {}", (state / "carve").string(), failed.message()),
                      {},
                      "--sim-dir or CARVE_SIM_DIR names another",
                      {}});
  return (state / "carve/sim").string();
}

Result<void> make_on_first_use(const std::string& folder, const std::string& cards) {
  TRY(const sim::MachineOrder order, sim::read_order(cards));
  TRY_VOID(sim::create_machine(folder, order, sim::IfThere::keep));
  std::error_code failed;
  if (files::exists(folder + "/root", failed)) return {};
  return sim::Control(folder).show_files();
}

Result<int> sim_driver(const std::string& typed) {
  if (typed.empty()) return newest_sim_driver;
  for (const int driver : sim_drivers) {
    if (typed == std::to_string(driver)) return driver;
  }
  return fail(Error{Fault::bad_input,
                    fmt::format("no driver {} is imitated", typed),
                    {},
                    fmt::format("there are {}", fmt::join(sim_drivers, ", ")),
                    {}});
}

Result<std::string> sim_library(int driver) {
  std::error_code failed;
  const files::path program = files::read_symlink("/proc/self/exe", failed);
  if (failed)
    return fail(Error{Fault::environment,
                      fmt::format("where this program lies cannot be told: /proc/self/exe: {}", failed.message()),
                      {},
                      "the library of simulated cards lies beside it: mount /proc, or CARVE_NVML names one",
                      {}});
  std::string tried;
  for (const char* place : library_places) {
    const files::path path = (program.parent_path() / fmt::format(fmt::runtime(place), driver)).lexically_normal();
    if (files::exists(path, failed)) return path.string();
    tried += (tried.empty() ? "" : ", ") + path.string();
  }
  return fail(Error{Fault::environment,
                    fmt::format("the library of simulated cards is in none of {}", tried),
                    {},
                    "CARVE_NVML is the path of a libnvidia-ml.so.1 to use; ./build makes this one",
                    {}});
}

// As it is built, and as a package has it.
Result<ResetTool> sim_reset_tool() {
  TRY(const std::string library, sim_library(newest_sim_driver));
  const files::path folder = files::path(library).parent_path();
  const std::array places{folder.parent_path() / "bin/nvidia-smi", folder / "nvidia-smi"};
  std::error_code failed;
  for (const files::path& place : places)
    if (files::exists(place, failed)) return ResetTool{place.string(), folder.string()};
  return fail(Error{
      Fault::environment,
      fmt::format("the nvidia-smi of simulated cards is neither {} nor {}", places[0].string(), places[1].string()),
      {},
      "./build makes it",
      {}});
}

}  // namespace carve
