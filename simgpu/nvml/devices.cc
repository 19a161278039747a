// Finding cards, and what they are called.
#include <cstdio>

#include "simgpu/nvml/call.h"

namespace carve::sim {

namespace {

bool same_text(std::string_view a, const char* b) { return b != nullptr && a == b; }

// The legacy form "MIG-GPU-<uuid>/<gi>/<ci>" is what drivers before 470 know, and newer ones still read.
bool names_mig_device(const Machine& machine, ComputeSlot slot, const char* uuid) {
  const Board& board = machine.boards.rows[slot.gpu.card];
  const GpuInstance& instance = gpu_instance_at(machine, slot.gpu);
  const ComputeInstance& compute = compute_instance_at(machine, slot);
  return same_text(legacy_mig_uuid(board, instance.id, compute.id).view(), uuid) ||
         (imitated.since >= 470000 && same_text(mig_uuid(board, {instance.id, compute.start}).view(), uuid));
}

Return device_with_uuid(const Machine& machine, const char* uuid, Device* device) {
  for (int card = 0; card < machine.boards.count; ++card) {
    if (same_text(machine.boards.rows[card].uuid.view(), uuid)) {
      *device = device_handle(machine, card);
      return machine.now.cards[card].lost != 0 ? gpu_is_lost : success;
    }
    for (std::uint32_t index = 0; index < max_compute_instances; ++index) {
      const ComputeSlot slot = mig_device(machine, card, index);
      if (slot.compute < 0 || !names_mig_device(machine, slot, uuid)) continue;
      *device = mig_handle(machine, card, index);
      return success;
    }
  }
  return not_found;
}

// "00000000:07:00.0" and "0000:07:00.0" mean the same, in either case of letters.
bool same_bus(const char* wanted, const Board& board) {
  unsigned domain = 0;
  unsigned bus = 0;
  unsigned device = 0;
  unsigned function = 0;
  char rest = '\0';
  const int got = std::sscanf(wanted, "%8x:%2x:%2x.%1x%c", &domain, &bus, &device, &function, &rest);
  return (got == 3 || got == 4) && domain == 0 && bus == board.pci_bus && device == 0 && function == 0;
}

Return handle_by_index(Function function, unsigned index, Device* device) {
  return look(function, [&](const Machine& machine) -> Return {
    if (device == nullptr || index >= static_cast<unsigned>(machine.boards.count)) return invalid_argument;
    if (machine.now.cards[index].lost != 0) return gpu_is_lost;
    *device = device_handle(machine, static_cast<int>(index));
    return success;
  });
}

Return handle_by_bus(Function function, const char* bus, Device* device) {
  return look(function, [&](const Machine& machine) -> Return {
    if (bus == nullptr || device == nullptr) return invalid_argument;
    for (int card = 0; card < machine.boards.count; ++card) {
      if (!same_bus(bus, machine.boards.rows[card])) continue;
      if (machine.now.cards[card].lost != 0) return gpu_is_lost;
      *device = device_handle(machine, card);
      return success;
    }
    return not_found;
  });
}

Return count_devices(Function function, unsigned* count) {
  return look(function, [&](const Machine& machine) -> Return {
    if (count == nullptr) return invalid_argument;
    *count = static_cast<unsigned>(machine.boards.count);
    return success;
  });
}

// A question to a board about itself; MIG devices answer for their card.
template <class Ask>
Return ask_board(Function function, Device device, const Ask& ask) {
  return look(function, [&](const Machine& machine) -> Return {
    DeviceTarget target;
    if (const Return found = find(machine, device, target); found != success) return found;
    return ask(machine.boards.rows[target.card]);
  });
}

// How much of the struct its version has: the first had no subsystem, the third added the long bus id.
Return pci_info(Function function, Device device, PciInfo* info, std::size_t size) {
  return ask_board(function, device, [&](const Board& board) -> Return {
    if (info == nullptr) return invalid_argument;
    PciInfo whole{};
    std::memcpy(whole.bus_id_legacy, legacy_bus_id(board).bytes, sizeof whole.bus_id_legacy);
    std::memcpy(whole.bus_id, bus_id(board).bytes, sizeof whole.bus_id);
    whole.bus = board.pci_bus;
    whole.device_id = board.pci_device << 16 | 0x10de;
    whole.subsystem_id = 0xffffffff;  // not known; what a bus reads where nothing answers
    std::memcpy(info, &whole, size);
    return success;
  });
}

}  // namespace

CARVE_SIM_API Return nvmlDeviceGetCount(unsigned* count) { return count_devices(Function::nvmlDeviceGetCount, count); }

CARVE_SIM_API Return nvmlDeviceGetCount_v2(unsigned* count) {
  return count_devices(Function::nvmlDeviceGetCount_v2, count);
}

CARVE_SIM_API Return nvmlDeviceGetHandleByIndex(unsigned index, Device* device) {
  return handle_by_index(Function::nvmlDeviceGetHandleByIndex, index, device);
}

CARVE_SIM_API Return nvmlDeviceGetHandleByIndex_v2(unsigned index, Device* device) {
  return handle_by_index(Function::nvmlDeviceGetHandleByIndex_v2, index, device);
}

CARVE_SIM_API Return nvmlDeviceGetHandleByPciBusId(const char* bus, Device* device) {
  return handle_by_bus(Function::nvmlDeviceGetHandleByPciBusId, bus, device);
}

CARVE_SIM_API Return nvmlDeviceGetHandleByPciBusId_v2(const char* bus, Device* device) {
  return handle_by_bus(Function::nvmlDeviceGetHandleByPciBusId_v2, bus, device);
}

CARVE_SIM_API Return nvmlDeviceGetHandleByUUID(const char* uuid, Device* device) {
  return look(Function::nvmlDeviceGetHandleByUUID, [&](const Machine& machine) -> Return {
    if (uuid == nullptr || device == nullptr) return invalid_argument;
    return device_with_uuid(machine, uuid, device);
  });
}

CARVE_SIM_API Return nvmlDeviceGetUUID(Device device, char* uuid, unsigned length) {
  return look(Function::nvmlDeviceGetUUID, [&](const Machine& machine) -> Return {
    DeviceTarget target;
    if (const Return found = find(machine, device, target); found != success) return found;
    const Board& board = machine.boards.rows[target.card];
    if (!target.is_mig()) return give_text(board.uuid.view(), uuid, length);
    const GpuInstance& instance = gpu_instance_at(machine, target.mig.gpu);
    const ComputeInstance& compute = compute_instance_at(machine, target.mig);
    if (imitated.since < 470000) return give_text(legacy_mig_uuid(board, instance.id, compute.id).view(), uuid, length);
    return give_text(mig_uuid(board, {instance.id, compute.start}).view(), uuid, length);
  });
}

CARVE_SIM_API Return nvmlDeviceGetPciInfo(Device device, PciInfo* info) {
  return pci_info(Function::nvmlDeviceGetPciInfo, device, info, offsetof(PciInfo, subsystem_id));
}

CARVE_SIM_API Return nvmlDeviceGetPciInfo_v2(Device device, PciInfo* info) {
  return pci_info(Function::nvmlDeviceGetPciInfo_v2, device, info, offsetof(PciInfo, bus_id));
}

CARVE_SIM_API Return nvmlDeviceGetPciInfo_v3(Device device, PciInfo* info) {
  return pci_info(Function::nvmlDeviceGetPciInfo_v3, device, info, sizeof(PciInfo));
}

CARVE_SIM_API Return nvmlDeviceGetName(Device device, char* name, unsigned length) {
  return look(Function::nvmlDeviceGetName, [&](const Machine& machine) -> Return {
    DeviceTarget target;
    if (const Return found = find(machine, device, target); found != success) return found;
    const Board& board = machine.boards.rows[target.card];
    if (!target.is_mig()) return give_text(board.name.view(), name, length);
    const auto text =
        mig_name(board, gpu_instance_at(machine, target.mig.gpu), compute_instance_at(machine, target.mig));
    return give_text(text.view(), name, length);
  });
}

CARVE_SIM_API Return nvmlDeviceGetSerial(Device device, char* serial, unsigned length) {
  return ask_board(Function::nvmlDeviceGetSerial, device,
                   [&](const Board& board) { return give_text(board.serial.view(), serial, length); });
}

CARVE_SIM_API Return nvmlDeviceGetIndex(Device device, unsigned* index) {
  return look(Function::nvmlDeviceGetIndex, [&](const Machine& machine) -> Return {
    DeviceTarget target;
    if (const Return found = find(machine, device, target); found != success) return found;
    if (index == nullptr) return invalid_argument;
    *index = static_cast<unsigned>(target.card);
    if (target.is_mig()) *index = compute_instance_at(machine, target.mig).mig_index;
    return success;
  });
}

CARVE_SIM_API Return nvmlDeviceGetMinorNumber(Device device, unsigned* minor) {
  return ask_board(Function::nvmlDeviceGetMinorNumber, device, [&](const Board& board) -> Return {
    if (minor == nullptr) return invalid_argument;
    *minor = board.minor;
    return success;
  });
}

CARVE_SIM_API Return nvmlDeviceGetArchitecture(Device device, std::uint32_t* architecture) {
  return ask_board(Function::nvmlDeviceGetArchitecture, device, [&](const Board& board) -> Return {
    if (architecture == nullptr) return invalid_argument;
    *architecture = board.architecture;
    return success;
  });
}

CARVE_SIM_API Return nvmlDeviceGetCudaComputeCapability(Device device, int* major, int* minor) {
  return ask_board(Function::nvmlDeviceGetCudaComputeCapability, device, [&](const Board& board) -> Return {
    if (major == nullptr || minor == nullptr) return invalid_argument;
    if (board.capability_major < 0) return unknown_error;  // no public source has it
    *major = board.capability_major;
    *minor = board.capability_minor;
    return success;
  });
}

}  // namespace carve::sim
