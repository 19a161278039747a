// nvmlInit and nvmlShutdown, which count; and what the library and the driver say about themselves.
#include <pthread.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>

#include "simgpu/nvml/call.h"

namespace carve::sim {

namespace {

void before_fork() { pthread_mutex_lock(&library.mutex); }
void after_fork() { pthread_mutex_unlock(&library.mutex); }

void watch_forks() {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, [] { pthread_atfork(before_fork, after_fork, after_fork); });
}

Privilege privilege_from_environment() {
  const char* value = std::getenv("CARVE_SIM_PRIVILEGE");
  if (value == nullptr || std::string_view(value) == "root") return Privilege::root;
  return std::string_view(value) == "mig-config" ? Privilege::mig_config : Privilege::none;
}

Return enter(Access& access) {
  if (access.fault() != StoreFault::none) return return_of(access.fault());
  if (access.machine().now.loaded == 0) return driver_not_loaded;
  library.self = holder_of(::getpid());
  Situation& now = access.edit().now;
  forget_dead(now, alive, now_us());
  if (!add_client(now, library.self)) return insufficient_resources;
  library.boot = now.boot;
  if (const StoreFault fault = access.commit(); fault != StoreFault::none) return return_of(fault);
  show_files(access);
  return success;
}

// A second nvmlInit only counts, unless the machine was started anew in between.
Return initialize() noexcept {
  watch_forks();
  Guard guard;
  Access access(library.store, machine_folder(), LockKind::exclusive);
  const bool inside = library.users > 0 && access.fault() == StoreFault::none && access.machine().now.loaded != 0 &&
                      access.machine().now.boot == library.boot && library.self.pid == ::getpid();
  if (!inside) {
    if (const Return entered = enter(access); entered != success) return entered;
    library.users = 0;
    library.privilege = privilege_from_environment();
  }
  ++library.users;
  write_log(Function::nvmlInit_v2, access.changes(), success);
  return success;
}

Return shut_down() noexcept {
  Guard guard;
  if (library.users == 0) return uninitialized;
  if (--library.users > 0) return success;
  for (EventSetRow& row : library.event_sets) row.used = false;
  Access access(library.store, machine_folder(), LockKind::exclusive);
  if (access.fault() != StoreFault::none) return success;  // the machine is gone, and with it our row
  remove_client(access.edit().now, holder_of(::getpid()));
  access.commit();
  return success;
}

struct ErrorText {
  Return code;
  const char* text;
};
constexpr ErrorText error_texts[] = {
    {success, "Success"},
    {uninitialized, "Uninitialized"},
    {invalid_argument, "Invalid Argument"},
    {not_supported, "Not Supported"},
    {no_permission, "Insufficient Permissions"},
    {already_initialized, "Already Initialized"},
    {not_found, "Not Found"},
    {insufficient_size, "Insufficient Size"},
    {insufficient_power, "Insufficient External Power"},
    {driver_not_loaded, "Driver Not Loaded"},
    {timeout, "Timeout"},
    {irq_issue, "Interrupt Request Issue"},
    {library_not_found, "NVML Shared Library Not Found"},
    {function_not_found, "Function Not Found"},
    {corrupted_inforom, "Corrupted infoROM"},
    {gpu_is_lost, "GPU is lost"},
    {reset_required, "GPU requires reset"},
    {operating_system, "Blocked by the operating system"},
    {version_mismatch, "Driver/library version mismatch"},
    {in_use, "In use by another client"},
    {out_of_memory, "Insufficient Memory"},
    {no_data, "No data"},
    {insufficient_resources, "Insufficient Resources"},
    {argument_version_mismatch, "Argument version mismatch"},
    {deprecated, "Deprecated"},
    {not_ready, "Not ready"},
    {gpu_not_found, "No GPUs found"},
    {invalid_state, "Invalid state"},
    {reset_type_not_supported, "Reset type not supported"},
};

}  // namespace

CARVE_SIM_API Return nvmlInit_v2() { return initialize(); }
CARVE_SIM_API Return nvmlInit() { return initialize(); }
CARVE_SIM_API Return nvmlInitWithFlags(unsigned) { return initialize(); }
CARVE_SIM_API Return nvmlShutdown() { return shut_down(); }

CARVE_SIM_API const char* nvmlErrorString(Return code) {
  for (const ErrorText& row : error_texts) {
    if (row.code == code) return row.text;
  }
  return "Unknown Error";
}

CARVE_SIM_API Return nvmlSystemGetDriverVersion(char* version, unsigned length) {
  return look(Function::nvmlSystemGetDriverVersion,
              [&](const Machine&) { return give_text(imitated.version, version, length); });
}

// These two do not ask for nvmlInit first.
CARVE_SIM_API Return nvmlSystemGetNVMLVersion(char* version, unsigned length) {
  char text[96];
  const int major = imitated.cuda / 1000;
  const int size = std::snprintf(text, sizeof text, "%d.%s", major, imitated.version);
  return give_text({text, static_cast<std::size_t>(size)}, version, length);
}

CARVE_SIM_API Return nvmlSystemGetCudaDriverVersion_v2(int* version) {
  if (version == nullptr) return invalid_argument;
  *version = imitated.cuda;
  return success;
}

CARVE_SIM_API Return nvmlSystemGetCudaDriverVersion(int* version) { return nvmlSystemGetCudaDriverVersion_v2(version); }

}  // namespace carve::sim
