// Return codes by the names that nvml.h gives them.
#include <algorithm>
#include <charconv>
#include <string>

#include <fmt/format.h>

#include "simgpu/control/control.h"

namespace carve::sim {

namespace {

struct CodeName {
  std::string_view name;
  Return code;
};
constexpr CodeName code_names[] = {{"UNINITIALIZED", uninitialized},
                                   {"INVALID_ARGUMENT", invalid_argument},
                                   {"NOT_SUPPORTED", not_supported},
                                   {"NO_PERMISSION", no_permission},
                                   {"ALREADY_INITIALIZED", already_initialized},
                                   {"NOT_FOUND", not_found},
                                   {"INSUFFICIENT_SIZE", insufficient_size},
                                   {"INSUFFICIENT_POWER", insufficient_power},
                                   {"DRIVER_NOT_LOADED", driver_not_loaded},
                                   {"TIMEOUT", timeout},
                                   {"IRQ_ISSUE", irq_issue},
                                   {"LIBRARY_NOT_FOUND", library_not_found},
                                   {"FUNCTION_NOT_FOUND", function_not_found},
                                   {"CORRUPTED_INFOROM", corrupted_inforom},
                                   {"GPU_IS_LOST", gpu_is_lost},
                                   {"RESET_REQUIRED", reset_required},
                                   {"OPERATING_SYSTEM", operating_system},
                                   {"LIB_RM_VERSION_MISMATCH", version_mismatch},
                                   {"IN_USE", in_use},
                                   {"MEMORY", out_of_memory},
                                   {"NO_DATA", no_data},
                                   {"VGPU_ECC_NOT_SUPPORTED", vgpu_ecc_not_supported},
                                   {"INSUFFICIENT_RESOURCES", insufficient_resources},
                                   {"FREQ_NOT_SUPPORTED", frequency_not_supported},
                                   {"ARGUMENT_VERSION_MISMATCH", argument_version_mismatch},
                                   {"DEPRECATED", deprecated},
                                   {"NOT_READY", not_ready},
                                   {"GPU_NOT_FOUND", gpu_not_found},
                                   {"INVALID_STATE", invalid_state},
                                   {"RESET_TYPE_NOT_SUPPORTED", reset_type_not_supported},
                                   {"UNKNOWN", unknown_error}};

constexpr std::string_view prefix = "NVML_ERROR_";

}  // namespace

Result<Return> return_named(std::string_view typed) {
  std::string_view name = typed;
  if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  int number = 0;
  const auto [end, failed] = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool numeric = failed == std::errc() && end == name.data() + name.size();
  std::vector<std::string> names;
  for (const CodeName& row : code_names) {
    if (row.name == name || (numeric && row.code == number)) return row.code;
    names.emplace_back(row.name);
  }
  const auto near = nearest(std::string(name), names);
  return fail(Error{Fault::bad_input,
                    fmt::format("'{}' is no error of NVML", typed),
                    {},
                    near ? fmt::format("did you mean {}?", *near) : "names are as in nvml.h: IN_USE, NOT_SUPPORTED ...",
                    {}});
}

}  // namespace carve::sim
