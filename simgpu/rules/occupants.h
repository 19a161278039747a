// Who holds a card: processes with memory on it, programs that have NVML open, and named others.
#pragma once

#include "simgpu/abi/abi.h"
#include "simgpu/state/state.h"

namespace carve::sim {

// What a process holds: a card without MIG, or a compute instance.
struct Held {
  int card = 0;
  std::uint32_t gpu_instance = no_instance;
  std::uint32_t compute_instance = no_instance;
  bool operator==(const Held&) const = default;
};

bool holds(const Process&, Held where);  // gpu or compute instance no_instance: any on the card or GPU instance

int holders_of_card(const Situation&, int card);
int holders_of_gpu_instance(const Situation&, int card, std::uint32_t gpu_instance);
int holders_of_compute_instance(const Situation&, int card, std::uint32_t gpu_instance, std::uint32_t compute_instance);

// Memory of a card (gpu_instance no_instance) or of a GPU instance, which its compute instances share.
std::uint64_t memory_of(const Machine&, Held);
std::uint64_t memory_used(const Situation&, Held);

// invalid_argument: no such instance, or a card with MIG on; out_of_memory; insufficient_resources: the table is full.
Return add_process(Machine&, const Process&);
// The same, if the compute mode of the card lets it in. in_use: exclusive, and another process computes on this card or
// compute instance; no_permission: prohibited. Drawing and clients of an MPS server are not asked.
Return open_context(Machine&, const Process&);
// Takes it out everywhere, and notes on its instances that somebody left; false if it holds nothing.
bool remove_process(Situation&, Holder, std::uint64_t now_us);

// A program that calls nvmlInit. False if the table is full.
bool add_client(Situation&, Holder);
void remove_client(Situation&, Holder);

// Others than `self` who keep the card from being reset or changing its mode.
bool busy(const Situation&, int card, std::int32_t self);

// Removes the rows of processes and clients that `alive` denies. True if there were any.
using Alive = bool (*)(Holder);
bool forget_dead(Situation&, Alive, std::uint64_t now_us);

}  // namespace carve::sim
