// Smaller things that a card has or can be set to.
#include "simgpu/nvml/call.h"

namespace carve::sim {

namespace {

template <class Ask>
Return ask_card(Function function, Device device, const Ask& ask) {
  return look(function, [&](const Machine& machine) -> Return {
    int card = -1;
    if (const Return found = find_card(machine, device, card); found != success) return found;
    return ask(machine, card);
  });
}

template <class Set>
Return set_card(Function function, Device device, const Set& set) {
  return change(function, Needs::root, [&](Machine& machine) -> Return {
    int card = -1;
    if (const Return found = find_card(machine, device, card); found != success) return found;
    return set(machine.now.cards[card]);
  });
}

}  // namespace

CARVE_SIM_API Return nvmlDeviceGetCapabilities(Device device, Capabilities* capabilities) {
  return ask_card(Function::nvmlDeviceGetCapabilities, device, [&](const Machine&, int) -> Return {
    if (capabilities == nullptr) return invalid_argument;
    if (capabilities->version != version_of<Capabilities>(1)) return argument_version_mismatch;
    capabilities->mask = 0;
    return success;
  });
}

CARVE_SIM_API Return nvmlDeviceGetComputeMode(Device device, std::uint32_t* mode) {
  return ask_card(Function::nvmlDeviceGetComputeMode, device, [&](const Machine& machine, int card) -> Return {
    if (mode == nullptr) return invalid_argument;
    *mode = machine.now.cards[card].compute_mode;
    return success;
  });
}

CARVE_SIM_API Return nvmlDeviceSetComputeMode(Device device, std::uint32_t mode) {
  return set_card(Function::nvmlDeviceSetComputeMode, device, [&](Card& card) -> Return {
    if (mode > exclusive_process) return invalid_argument;
    if (mode == exclusive_thread) return not_supported;
    card.compute_mode = mode;
    return success;
  });
}

CARVE_SIM_API Return nvmlDeviceGetPersistenceMode(Device device, std::uint32_t* mode) {
  return ask_card(Function::nvmlDeviceGetPersistenceMode, device, [&](const Machine& machine, int card) -> Return {
    if (mode == nullptr) return invalid_argument;
    *mode = machine.now.cards[card].persistence;
    return success;
  });
}

CARVE_SIM_API Return nvmlDeviceSetPersistenceMode(Device device, std::uint32_t mode) {
  return set_card(Function::nvmlDeviceSetPersistenceMode, device, [&](Card& card) -> Return {
    if (mode > 1) return invalid_argument;
    card.persistence = mode;
    return success;
  });
}

// A simulated card has no error correction to switch.
CARVE_SIM_API Return nvmlDeviceGetEccMode(Device device, std::uint32_t* current, std::uint32_t* pending) {
  return ask_card(Function::nvmlDeviceGetEccMode, device, [&](const Machine&, int) -> Return {
    return current == nullptr || pending == nullptr ? invalid_argument : not_supported;
  });
}

// All cards hang at the bridges of one processor.
CARVE_SIM_API Return nvmlDeviceGetTopologyCommonAncestor(Device one, Device other, std::uint32_t* level) {
  return ask_card(Function::nvmlDeviceGetTopologyCommonAncestor, one, [&](const Machine& machine, int first) -> Return {
    int second = -1;
    if (const Return found = find_card(machine, other, second); found != success) return found;
    if (level == nullptr) return invalid_argument;
    *level = first == second ? topology_internal : topology_node;
    return success;
  });
}

// Cards that are cut up do not reach each other, nor others.
CARVE_SIM_API Return nvmlDeviceGetP2PStatus(Device one, Device other, std::uint32_t index, std::uint32_t* status) {
  return ask_card(Function::nvmlDeviceGetP2PStatus, one, [&](const Machine& machine, int first) -> Return {
    int second = -1;
    if (const Return found = find_card(machine, other, second); found != success) return found;
    if (status == nullptr || index >= p2p_index_count) return invalid_argument;
    const bool cut = machine.now.cards[first].mode == mig_enabled || machine.now.cards[second].mode == mig_enabled;
    const std::uint32_t group = machine.boards.rows[first].nvswitch_group;
    const bool tied = group != 0 && group == machine.boards.rows[second].nvswitch_group;
    *status = tied && !cut ? p2p_ok : p2p_not_supported;
    return success;
  });
}

}  // namespace carve::sim
