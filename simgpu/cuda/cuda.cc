// All devices are listed once; an entry of the variable then picks one of them.
#include "simgpu/cuda/cuda.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace carve::sim {

namespace {

struct CudaDevice {
  Held where;
  std::string uuid, legacy;  // the second for MIG devices: "MIG-GPU-.../1/0"

  bool mig() const { return where.gpu_instance != no_instance; }
};

void list_mig_devices(const Machine& machine, int card, std::vector<CudaDevice>& devices) {
  const Board& board = machine.boards.rows[card];
  for (std::uint32_t index = 0; index < max_compute_instances; ++index) {
    const ComputeSlot slot = mig_device(machine, card, index);
    if (slot.compute < 0) continue;
    const std::uint32_t gpu = gpu_instance_at(machine, slot.gpu).id;
    const ComputeInstance& compute = compute_instance_at(machine, slot);
    devices.push_back({{card, gpu, compute.id},
                       std::string(mig_uuid(board, {gpu, compute.start}).view()),
                       std::string(legacy_mig_uuid(board, gpu, compute.id).view())});
  }
}

std::vector<CudaDevice> all_devices(const Machine& machine) {
  std::vector<CudaDevice> devices;
  if (machine.now.loaded == 0) return devices;
  for (int card = 0; card < machine.boards.count; ++card) {
    if (machine.now.cards[card].lost != 0) continue;
    if (machine.now.cards[card].mode == mig_disabled) {
      devices.push_back({{card}, std::string(machine.boards.rows[card].uuid.view()), {}});
    } else {
      list_mig_devices(machine, card, devices);
    }
  }
  return devices;
}

// What indices count: see cuda.h.
std::vector<const CudaDevice*> counted_devices(const std::vector<CudaDevice>& all) {
  std::vector<const CudaDevice*> list;
  for (const CudaDevice& device : all) {
    if (!device.mig()) list.push_back(&device);
  }
  if (list.empty() && !all.empty()) list.push_back(&all.front());
  return list;
}

// Null: no device, or several.
const CudaDevice* device_named(const std::vector<CudaDevice>& all, std::string_view name) {
  const CudaDevice* found = nullptr;
  for (const CudaDevice& device : all) {
    if (device.uuid == name || (!device.legacy.empty() && device.legacy == name)) return &device;
    if (!device.uuid.starts_with(name)) continue;
    if (found != nullptr) return nullptr;
    found = &device;
  }
  return found;
}

// Null: it ends the list.
const CudaDevice* device_of(const std::vector<CudaDevice>& all, std::string_view entry) {
  if (entry.starts_with("GPU-") || entry.starts_with("MIG-")) return device_named(all, entry);
  std::size_t index = 0;
  const auto [end, failed] = std::from_chars(entry.data(), entry.data() + entry.size(), index);
  const std::vector<const CudaDevice*> counted = counted_devices(all);
  const bool whole = failed == std::errc() && end == entry.data() + entry.size();
  return whole && index < counted.size() ? counted[index] : nullptr;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of(' '), text.size());
  text.remove_prefix(first);
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

// The entries as they stand, each split off at its comma.
std::vector<std::string_view> entries_of(std::string_view text) {
  std::vector<std::string_view> entries;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t comma = std::min(text.find(',', start), text.size());
    entries.push_back(trimmed(text.substr(start, comma - start)));
    start = comma + 1;
  }
  return entries;
}

}  // namespace

std::vector<Held> visible_devices(const Machine& machine, std::optional<std::string_view> visible) {
  const std::vector<CudaDevice> all = all_devices(machine);
  std::vector<Held> list;
  if (!visible) {
    for (const CudaDevice* device : counted_devices(all)) list.push_back(device->where);
    return list;
  }
  std::vector<const CudaDevice*> taken;
  for (const std::string_view entry : entries_of(*visible)) {
    const CudaDevice* device = device_of(all, entry);
    const bool twice = std::find(taken.begin(), taken.end(), device) != taken.end();
    if (device == nullptr || twice || (device->mig() && !taken.empty())) break;
    taken.push_back(device);
    list.push_back(device->where);
    if (device->mig()) break;
  }
  return list;
}

std::string uuid_of(const Machine& machine, Held where) {
  for (const CudaDevice& device : all_devices(machine)) {
    if (device.where == where) return device.uuid;
  }
  return {};
}

std::vector<std::string> nodes_of(const Machine& machine, Held where) {
  const int minor = static_cast<int>(machine.boards.rows[where.card].minor);
  std::vector<std::string> nodes{"/dev/nvidiactl", "/dev/nvidia-uvm", fmt::format("/dev/nvidia{}", minor)};
  if (where.gpu_instance == no_instance) return nodes;
  const int gpu = static_cast<int>(where.gpu_instance);
  const int compute = static_cast<int>(where.compute_instance);
  nodes.push_back(fmt::format("/dev/nvidia-caps/nvidia-cap{}", gpu_instance_minor(minor, gpu)));
  nodes.push_back(fmt::format("/dev/nvidia-caps/nvidia-cap{}", compute_instance_minor(minor, gpu, compute)));
  return nodes;
}

}  // namespace carve::sim
