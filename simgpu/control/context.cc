// A process opens a context and takes memory, as a CUDA program does: the device is chosen, its nodes are opened, the
// compute mode lets it in, the memory is there. All of it under one lock, so that two never take the same.
#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "simgpu/control/fault.h"
#include "simgpu/cuda/cuda.h"
#include "simgpu/tree/tree.h"

namespace carve::sim {

namespace {

Error refused(std::string message, std::string help) {
  return Error{Fault::environment, std::move(message), {}, std::move(help), {}};
}

Error no_device(const std::optional<std::string>& visible) {
  if (!visible) return refused("no device (CUDA error 100): the machine has none", "carve sim show lists its cards");
  return refused(fmt::format("no device (CUDA error 100): CUDA_VISIBLE_DEVICES={} names none", *visible),
                 "carve status lists the UUIDs of cards and MIG devices; a card in MIG mode is no device itself");
}

Result<void> open_node(const std::string& path) {
  const int node = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (node < 0)
    return fail(refused(fmt::format("no device (CUDA error 100): cannot open {}: {}", path, std::strerror(errno)),
                        "a program needs this node; whoever starts it in a container must hand it over"));
  ::close(node);
  return {};
}

std::string spaced(const Machine& machine, Held where) {
  const std::uint64_t total = memory_of(machine, where) >> 20, used = memory_used(machine.now, where) >> 20;
  return fmt::format("{} of {} are free", to_string(Mib{static_cast<std::int64_t>(total - used)}),
                     to_string(Mib{static_cast<std::int64_t>(total)}));
}

Error error_of_context(Return code, const Machine& machine, Held where, const ContextOrder& order) {
  const std::string device = uuid_of(machine, where);
  switch (code) {
    case in_use:
      return refused(fmt::format("{} is busy (CUDA error 46): its compute mode lets one process in", device),
                     "end that process, or set the mode to DEFAULT");
    case no_permission:
      return refused(fmt::format("{} is not available (CUDA error 46): its compute mode is PROHIBITED", device),
                     "set the mode to DEFAULT");
    case out_of_memory:
      return refused(fmt::format("out of memory (CUDA error 2): {} on {}, where {}", to_string(order.memory), device,
                                 spaced(machine, where)),
                     "ask for less with --memory, or use a larger partition");
    default:
      return refused(fmt::format("{} cannot be used: NVML error {}", device, static_cast<int>(code)), "");
  }
}

Process process_of(const ContextOrder& order, Held where) {
  Process process{};
  process.holder = holder_of(order.pid);
  process.memory_bytes = static_cast<std::uint64_t>(order.memory.value) << 20;
  process.gpu_instance = where.gpu_instance;
  process.compute_instance = where.compute_instance;
  process.card = static_cast<std::uint8_t>(where.card);
  process.kind = ProcessKind::compute;
  process.sm_percent = static_cast<std::uint8_t>(order.sm_percent);
  return process;
}

}  // namespace

Result<Context> Control::open_context(const ContextOrder& order) {
  Access access(*store_, folder_.c_str(), LockKind::exclusive);
  if (access.fault() != StoreFault::none) return fail(error_of(access.fault(), folder_));
  Machine& machine = access.edit();
  forget_dead(machine.now, alive, now_us());
  TRY_VOID(show(machine));
  std::optional<std::string_view> visible;
  if (order.visible) visible = *order.visible;
  const std::vector<Held> devices = visible_devices(machine, visible);
  if (devices.empty()) return fail(no_device(order.visible));
  const Held where = devices.front();
  for (const std::string& node : nodes_of(machine, where)) TRY_VOID(open_node(folder_ + "/root" + node));
  if (const Return code = sim::open_context(machine, process_of(order, where)); code != success)
    return fail(error_of_context(code, machine, where, order));
  Context context{where, uuid_of(machine, where)};
  if (const StoreFault fault = access.commit(); fault != StoreFault::none) return fail(error_of(fault, folder_));
  return context;
}

}  // namespace carve::sim
