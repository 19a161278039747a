// NVML, loaded at run time: a function is looked up by its name when it is called, because drivers differ in what they
// have. NvmlLibrary owns the library, NvmlSession what lies between nvmlInit and nvmlShutdown.
#pragma once

#include <dlfcn.h>
#include <memory>
#include <string>

#include "driver/nvml/abi.h"
#include "driver/watch.h"
#include "machine/machine.h"

namespace carve {

// What became of a call.
struct NvmlOutcome {
  const char* function = "";
  NvmlCode code = NvmlCode::success;
  bool ok() const { return code == NvmlCode::success; }
};

class NvmlLibrary {
 public:
  // Error: environment, with what was looked for and what the loader says. `watch` must outlive the library.
  static Result<NvmlLibrary> load(const std::string& path, Watch& watch);

  template <class... Arguments>
  bool has(const NvmlFunction<Arguments...>& function) const {
    return find(function.name) != nullptr;
  }

  // function_not_found if this driver does not have it.
  template <class... Arguments, class... Given>
  NvmlOutcome call(const NvmlFunction<Arguments...>& function, Given... given) const {
    using Pointer = int (*)(Arguments...);
    const auto pointer = reinterpret_cast<Pointer>(find(function.name));
    if (pointer == nullptr) return {function.name, NvmlCode::function_not_found};
    watch_->begin(function.name);
    return {function.name, static_cast<NvmlCode>(pointer(given...))};
  }

  // The newer of two functions of one signature, or the older if this driver lacks it.
  template <class... Arguments, class... Given>
  NvmlOutcome call_either(const NvmlFunction<Arguments...>& newer, const NvmlFunction<Arguments...>& older,
                          Given... given) const {
    return has(newer) ? call(newer, given...) : call(older, given...);
  }

  // "nvmlDeviceGetUUID: GPU is lost (15)", "this driver has no nvmlDeviceGetUUID".
  std::string sentence(const NvmlOutcome&) const;
  // Why there is no figure. Requires !outcome.ok().
  tl::unexpected<Missing> missing(const NvmlOutcome&) const;

  // The path of the file that was loaded.
  std::string path() const;

 private:
  struct Close {
    void operator()(void* library) const { ::dlclose(library); }
  };
  NvmlLibrary(void* library, Watch& watch) : library_(library), watch_(&watch) {}
  void* find(const char* name) const { return ::dlsym(library_.get(), name); }

  std::unique_ptr<void, Close> library_;
  Watch* watch_;
};

class NvmlSession {
 public:
  // Error: environment: no driver, another version of it, no permission. The library must outlive the session.
  static Result<NvmlSession> open(const NvmlLibrary&);
  ~NvmlSession();
  NvmlSession(NvmlSession&& other) noexcept : library_(std::exchange(other.library_, nullptr)) {}
  NvmlSession& operator=(NvmlSession&&) = delete;

 private:
  explicit NvmlSession(const NvmlLibrary& library) : library_(&library) {}
  const NvmlLibrary* library_;
};

}  // namespace carve
