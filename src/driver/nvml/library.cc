#include "driver/nvml/library.h"

#include <link.h>
#include <algorithm>
#include <array>

namespace carve {

namespace {

Error environment(std::string message, std::string help) {
  return {Fault::environment, std::move(message), {}, std::move(help), {}};
}

struct InitHelp {
  NvmlCode code;
  std::string_view help;
};
constexpr std::array init_helps{
    InitHelp{NvmlCode::driver_not_loaded,
             "the kernel module is not loaded: 'modprobe nvidia' as root loads it; 'dmesg' says why it would not"},
    InitHelp{NvmlCode::version_mismatch,
             "the library is of another driver version than the kernel module: after an update, reboot the machine"},
    InitHelp{NvmlCode::no_permission, "this user may not open the driver's device nodes, /dev/nvidia*"},
};

std::string help_for(NvmlCode code) {
  const auto* found =
      std::find_if(init_helps.begin(), init_helps.end(), [&](const InitHelp& row) { return row.code == code; });
  return found == init_helps.end() ? "'nvidia-smi' shows whether other programs reach the driver"
                                   : std::string(found->help);
}

Absence absence_of(NvmlCode code) {
  switch (code) {
    case NvmlCode::not_supported:
    case NvmlCode::function_not_found:
      return Absence::unsupported;
    case NvmlCode::no_permission:
      return Absence::denied;
    default:
      return Absence::failed;
  }
}

}  // namespace

Result<NvmlLibrary> NvmlLibrary::load(const std::string& path, Watch& watch) {
  watch.begin("loading NVML");
  if (void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) return NvmlLibrary(library, watch);
  const char* reason = ::dlerror();
  const bool by_name = path.find('/') == std::string::npos;
  return fail(environment(
      fmt::format("there is no NVIDIA driver to ask: {} cannot be loaded ({})", path,
                  reason == nullptr ? "no reason given" : reason),
      by_name ? fmt::format("{} comes with the driver and was looked for where the system keeps its libraries; "
                            "CARVE_NVML names one that lies elsewhere",
                            path)
              : "CARVE_NVML is the path of the libnvidia-ml.so.1 to load; without it the system's own is used"));
}

std::string NvmlLibrary::sentence(const NvmlOutcome& outcome) const {
  if (outcome.code == NvmlCode::function_not_found) return fmt::format("this driver has no {}", outcome.function);
  const auto text = reinterpret_cast<const char* (*)(int)>(find("nvmlErrorString"));
  const int code = static_cast<int>(outcome.code);
  const char* words = text == nullptr ? nullptr : text(code);
  return fmt::format("{}: {} ({})", outcome.function, words == nullptr ? "error" : words, code);
}

tl::unexpected<Missing> NvmlLibrary::missing(const NvmlOutcome& outcome) const {
  return carve::missing(absence_of(outcome.code), sentence(outcome));
}

std::string NvmlLibrary::path() const {
  const ::link_map* map = nullptr;
  if (::dlinfo(library_.get(), RTLD_DI_LINKMAP, static_cast<void*>(&map)) != 0 || map == nullptr) return {};
  return map->l_name;
}

Result<NvmlSession> NvmlSession::open(const NvmlLibrary& library) {
  if (!library.has(nvml_init_v2) && !library.has(nvml_init))
    return fail(environment(fmt::format("{} is no NVML: it has no {}", library.path(), nvml_init_v2.name),
                            "CARVE_NVML is the path of the driver's libnvidia-ml.so.1"));
  const NvmlOutcome outcome = library.call_either(nvml_init_v2, nvml_init);
  if (outcome.ok()) return NvmlSession(library);
  return fail(environment(fmt::format("the NVIDIA driver does not answer: {}", library.sentence(outcome)),
                          help_for(outcome.code)));
}

NvmlSession::~NvmlSession() {
  if (library_ != nullptr) library_->call(nvml_shutdown);
}

}  // namespace carve
