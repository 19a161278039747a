// What changes: instances, the mode, resets, time slices.
#include <unistd.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "simgpu/smi/smi.h"
#include "simgpu/tree/tree.h"

namespace carve::sim {

namespace {

bool among(const std::vector<unsigned>& wanted, unsigned id) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), id) != wanted.end();
}

std::string name_of_profile(const Nvml& nvml, Device device, unsigned id) {
  for (const GpuProfileInfoV2& profile : gpu_profiles(nvml, device)) {
    if (profile.id == id) return profile.name;
  }
  return "MIG";
}

int failed(const Request& request, const char* doing, Return code) {
  std::printf("Failed to %s: %s\n", doing, request.nvml->text(code));
  return exit_code(code);
}

Return create_compute(const Request& request, const Chosen& card, const GpuRow& gpu, unsigned profile) {
  ComputeInstanceHandle made = nullptr;
  const Return code = request.nvml->call("nvmlGpuInstanceCreateComputeInstance", gpu.handle, profile, &made);
  if (code != success) {
    std::printf("Unable to create a compute instance on GPU %2u GPU instance ID %2u using profile %u: %s\n", card.index,
                gpu.info.id, profile, request.nvml->text(code));
    return code;
  }
  ComputeInstanceInfo info{};
  request.nvml->call("nvmlComputeInstanceGetInfo_v2", made, &info);
  std::printf("Successfully created compute instance ID %2u on GPU %2u GPU instance ID %2u using profile ID %2u\n",
              info.id, card.index, gpu.info.id, profile);
  return code;
}

// The profile that has all slices, which listings mark with a star.
unsigned whole_profile(const Request& request, const GpuRow& gpu) {
  for (unsigned profile = 0; profile < compute_profile_count; ++profile) {
    ComputeProfileInfo info{};
    const char* name = "nvmlGpuInstanceGetComputeInstanceProfileInfo";
    if (request.nvml->call(name, gpu.handle, profile, 0u, &info) != success) continue;
    if (static_cast<int>(info.slices) == gpu.slices) return info.id;
  }
  return compute_profile_count;
}

// All places of a profile have one size.
Return create_at(const Request& request, const Chosen& card, unsigned profile, unsigned start,
                 GpuInstanceHandle& made) {
  const char* name = "nvmlDeviceGetGpuInstancePossiblePlacements_v2";
  unsigned count = 0;
  Placement* none = nullptr;
  Return code = request.nvml->call(name, card.device, profile, none, &count);
  std::vector<Placement> places(std::max(count, 1u));
  if (code == success) code = request.nvml->call(name, card.device, profile, places.data(), &count);
  if (code != success) return code;
  const Placement place{start, places[0].size};
  return request.nvml->call("nvmlDeviceCreateGpuInstanceWithPlacement", card.device, profile, &place, &made);
}

Return create_gpu(const Request& request, const Chosen& card, unsigned profile, std::optional<unsigned> start) {
  GpuInstanceHandle made = nullptr;
  const Return code = start ? create_at(request, card, profile, *start, made)
                            : request.nvml->call("nvmlDeviceCreateGpuInstance", card.device, profile, &made);
  if (code != success) {
    std::printf("Unable to create a GPU instance on GPU %2u using profile %u: %s\n", card.index, profile,
                request.nvml->text(code));
    return code;
  }
  GpuInstanceInfo info{};
  request.nvml->call("nvmlGpuInstanceGetInfo", made, &info);
  std::printf("Successfully created GPU instance ID %2u on GPU %2u using profile %s (ID %2u)\n", info.id, card.index,
              name_of_profile(*request.nvml, card.device, profile).c_str(), profile);
  if (!request.whole_compute) return code;
  for (const GpuRow& row : gpu_instances(*request.nvml, card.device)) {
    if (row.handle == made) return create_compute(request, card, row, whole_profile(request, row));
  }
  return not_found;
}

// One change of the machine itself, as the driver's own interface would make it.
template <class Change>
Return change_machine(const Change& change) {
  const auto store = std::make_unique<Store>();
  Access access(*store, std::getenv("CARVE_SIM_DIR"), LockKind::exclusive);
  if (access.fault() != StoreFault::none) return driver_not_loaded;
  const Return code = change(access.edit());
  if (code != success) return code;
  if (access.commit() != StoreFault::none) return no_permission;
  show_tree(std::getenv("CARVE_SIM_DIR"), newest_driver, access.machine());
  return success;
}

bool may_administer() {
  const char* privilege = std::getenv("CARVE_SIM_PRIVILEGE");
  return privilege == nullptr || std::string(privilege) == "root";
}

}  // namespace

int create_gpu_instances(const Request& request) {
  for (const Chosen& card : request.cards) {
    for (std::size_t i = 0; i < request.numbers.size(); ++i) {
      if (const Return code = create_gpu(request, card, request.numbers[i], request.starts[i]); code != success)
        return failed(request, "create GPU instances", code);
    }
  }
  return success;
}

int create_compute_instances(const Request& request) {
  int made = 0;
  for (const Chosen& card : request.cards) {
    for (const GpuRow& gpu : gpu_instances(*request.nvml, card.device)) {
      if (!among(request.gpu_ids, gpu.info.id)) continue;
      std::vector<unsigned> profiles = request.numbers;
      if (profiles.empty()) profiles = {whole_profile(request, gpu)};
      for (const unsigned profile : profiles) {
        if (const Return code = create_compute(request, card, gpu, profile); code != success)
          return failed(request, "create compute instances", code);
        ++made;
      }
    }
  }
  return made == 0 ? failed(request, "create compute instances", not_found) : success;
}

int destroy_gpu_instances(const Request& request) {
  int gone = 0;
  for (const Chosen& card : request.cards) {
    for (const GpuRow& gpu : gpu_instances(*request.nvml, card.device)) {
      if (!among(request.gpu_ids, gpu.info.id)) continue;
      const Return code = request.nvml->call("nvmlGpuInstanceDestroy", gpu.handle);
      if (code != success) {
        std::printf("Unable to destroy GPU instance ID %2u from GPU %2u: %s\n", gpu.info.id, card.index,
                    request.nvml->text(code));
        return failed(request, "destroy GPU instances", code);
      }
      std::printf("Successfully destroyed GPU instance ID %2u from GPU %2u\n", gpu.info.id, card.index);
      ++gone;
    }
  }
  return gone == 0 ? failed(request, "destroy GPU instances", not_found) : success;
}

int destroy_compute_instances(const Request& request) {
  int gone = 0;
  for (const Chosen& card : request.cards) {
    for (const GpuRow& gpu : gpu_instances(*request.nvml, card.device)) {
      if (!among(request.gpu_ids, gpu.info.id)) continue;
      for (const ComputeRow& row : compute_instances(*request.nvml, gpu)) {
        if (!among(request.compute_ids, row.info.id)) continue;
        const Return code = request.nvml->call("nvmlComputeInstanceDestroy", row.handle);
        if (code != success) {
          std::printf("Unable to destroy compute instance ID %2u from GPU instance ID %2u from GPU %2u: %s\n",
                      row.info.id, gpu.info.id, card.index, request.nvml->text(code));
          return failed(request, "destroy compute instances", code);
        }
        std::printf("Successfully destroyed compute instance ID %2u from GPU instance ID %2u from GPU %2u\n",
                    row.info.id, gpu.info.id, card.index);
        ++gone;
      }
    }
  }
  return gone == 0 ? failed(request, "destroy compute instances", not_found) : success;
}

int set_mode(const Request& request) {
  const unsigned mode = request.numbers.empty() ? 2 : request.numbers.front();
  const char* word = mode == mig_enabled ? "enable" : "disable";
  for (const Chosen& card : request.cards) {
    const std::string bus = bus_id_of(*request.nvml, card.device);
    Return activation = success;
    const Return code = request.nvml->call("nvmlDeviceSetMigMode", card.device, mode, &activation);
    if (code != success) {
      std::printf("Unable to %s MIG Mode for GPU %s: %s\n", word, bus.c_str(), request.nvml->text(code));
      return exit_code(code);
    }
    if (activation != success) {
      std::printf("Warning: MIG mode is in pending %s state for GPU %s:%s\n", word, bus.c_str(),
                  request.nvml->text(activation));
      continue;
    }
    std::printf("%s MIG Mode for GPU %s\n", mode == mig_enabled ? "Enabled" : "Disabled", bus.c_str());
  }
  std::printf("All done.\n");
  return success;
}

// Cards that NVSwitch ties together are reset only together: all of a group must be named, or none.
int reset(const Request& request) {
  if (!may_administer()) {
    std::printf("Unable to reset GPUs: Insufficient Permissions\n");
    return no_permission;
  }
  std::uint32_t named = 0;
  for (const Chosen& card : request.cards) named |= 1u << card.index;
  for (const Chosen& card : request.cards) {
    const std::string bus = bus_id_of(*request.nvml, card.device);
    bool alone = true;
    const Return code = change_machine([&](Machine& machine) {
      const std::uint32_t group = reset_group(machine.boards, static_cast<int>(card.index));
      alone = (group & ~named) == 0;
      if (!alone) return not_supported;
      forget_dead(machine.now, alive, now_us());
      return reset_card(machine, static_cast<int>(card.index), ::getpid());
    });
    if (!alone) {
      std::printf("GPU %s is tied to other GPUs by NVSwitch; reset all of them together.\n", bus.c_str());
      return not_supported;
    }
    if (code == in_use) {
      std::printf("The following GPUs could not be reset:\n  GPU %s: In use by another client\n", bus.c_str());
      return exit_code(code);
    }
    if (code != success) {
      std::printf("Unable to reset GPU %s: %s\n", bus.c_str(), request.nvml->text(code));
      return exit_code(code);
    }
    std::printf("GPU %s was successfully reset.\n", bus.c_str());
  }
  std::printf("All done.\n");
  return success;
}

namespace {
constexpr const char* timeslices[] = {"Default", "Short", "Medium", "Long"};
}

int list_policies(const Request& request) {
  const auto store = std::make_unique<Store>();
  const Access access(*store, std::getenv("CARVE_SIM_DIR"), LockKind::shared);
  if (access.fault() != StoreFault::none) return driver_not_loaded;
  for (const Chosen& card : request.cards) {
    const int slice = access.machine().now.cards[card.index].timeslice;
    std::printf("GPU %u: %s\n    Timeslice: %s\n", card.index, bus_id_of(*request.nvml, card.device).c_str(),
                timeslices[slice]);
  }
  return success;
}

int set_timeslice(const Request& request) {
  if (request.numbers.size() != 1 || request.numbers.front() > 3) {
    std::printf("A time slice is 0 (default), 1 (short), 2 (medium) or 3 (long).\n");
    return invalid_argument;
  }
  if (!may_administer()) {
    std::printf("Unable to set the time slice: Insufficient Permissions\n");
    return no_permission;
  }
  for (const Chosen& card : request.cards) {
    const Return code = change_machine([&](Machine& machine) {
      machine.now.cards[card.index].timeslice = static_cast<std::uint8_t>(request.numbers.front());
      return success;
    });
    if (code != success) return exit_code(code);
    std::printf("Timeslice of GPU %s was set to %s\n", bus_id_of(*request.nvml, card.device).c_str(),
                timeslices[request.numbers.front()]);
  }
  return success;
}

}  // namespace carve::sim
