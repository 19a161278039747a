#include "simgpu/rules/occupants.h"

#include <algorithm>

#include "simgpu/rules/instances.h"

namespace carve::sim {

namespace {

bool matches(std::uint32_t wanted, std::uint32_t actual) { return wanted == no_instance || wanted == actual; }

bool same(Holder a, Holder b) { return a.pid == b.pid && a.started == b.started; }

int count(const Situation& now, Held where) {
  return static_cast<int>(std::count_if(std::begin(now.processes), std::end(now.processes),
                                        [&](const Process& process) { return holds(process, where); }));
}

template <class Rows>
auto free_row(Rows& rows) {
  return std::find_if(std::begin(rows), std::end(rows), [](const auto& row) { return row.holder.pid == 0; });
}

void note_leaving(Situation& now, const Process& process, std::uint64_t now_us) {
  const int slot = gpu_instance_with_id(now.cards[process.card], process.gpu_instance);
  if (slot >= 0) now.cards[process.card].instances[slot].left_us = now_us;
}

Return check_target(const Machine& machine, const Process& process) {
  const Card& card = machine.now.cards[process.card];
  if (card.lost != 0) return gpu_is_lost;
  if (card.mode == mig_disabled) {
    const bool whole = process.gpu_instance == no_instance && process.compute_instance == no_instance;
    return whole ? success : invalid_argument;
  }
  const int gpu = gpu_instance_with_id(card, process.gpu_instance);
  if (gpu < 0) return invalid_argument;
  const int compute = compute_instance_with_id(card.instances[gpu], process.compute_instance);
  return compute < 0 ? invalid_argument : success;
}

}  // namespace

bool holds(const Process& process, Held where) {
  return process.holder.pid != 0 && process.card == where.card && matches(where.gpu_instance, process.gpu_instance) &&
         matches(where.compute_instance, process.compute_instance);
}

int holders_of_card(const Situation& now, int card) { return count(now, {card}); }

int holders_of_gpu_instance(const Situation& now, int card, std::uint32_t gpu_instance) {
  return count(now, {card, gpu_instance});
}

int holders_of_compute_instance(const Situation& now, int card, std::uint32_t gpu_instance,
                                std::uint32_t compute_instance) {
  return count(now, {card, gpu_instance, compute_instance});
}

std::uint64_t memory_of(const Machine& machine, Held where) {
  const Board& board = machine.boards.rows[where.card];
  std::int64_t mib = board.total_mib;
  if (where.gpu_instance != no_instance) {
    const int slot = gpu_instance_with_id(machine.now.cards[where.card], where.gpu_instance);
    mib = slot < 0 ? 0 : board.profiles[machine.now.cards[where.card].instances[slot].profile].memory_mib;
  }
  return static_cast<std::uint64_t>(mib) << 20;
}

std::uint64_t memory_used(const Situation& now, Held where) {
  std::uint64_t used = 0;
  for (const Process& process : now.processes) {
    if (holds(process, {where.card, where.gpu_instance})) used += process.memory_bytes;
  }
  return used;
}

Return add_process(Machine& machine, const Process& process) {
  if (process.holder.pid <= 0 || process.card >= machine.boards.count) return invalid_argument;
  if (const Return target = check_target(machine, process); target != success) return target;
  const Held where{process.card, process.gpu_instance};
  const std::uint64_t total = memory_of(machine, where);
  if (process.memory_bytes > total || memory_used(machine.now, where) > total - process.memory_bytes)
    return out_of_memory;
  const auto row = free_row(machine.now.processes);
  if (row == std::end(machine.now.processes)) return insufficient_resources;
  *row = process;
  return success;
}

Return open_context(Machine& machine, const Process& process) {
  const bool asked = process.kind == ProcessKind::compute || process.kind == ProcessKind::mps_server;
  const std::uint32_t mode = process.card < machine.boards.count && asked ? machine.now.cards[process.card].compute_mode
                                                                          : std::uint32_t{shared_mode};
  if (mode == prohibited) return no_permission;
  const Held where{process.card, process.gpu_instance, process.compute_instance};
  const bool taken =
      std::any_of(std::begin(machine.now.processes), std::end(machine.now.processes), [&](const Process& other) {
        return holds(other, where) && other.kind != ProcessKind::graphics && !same(other.holder, process.holder);
      });
  if (mode == exclusive_process && taken) return in_use;
  return add_process(machine, process);
}

bool remove_process(Situation& now, Holder holder, std::uint64_t now_us) {
  bool found = false;
  for (Process& process : now.processes) {
    if (holder.pid == 0 || !same(process.holder, holder)) continue;
    note_leaving(now, process, now_us);
    process = {};
    found = true;
  }
  return found;
}

bool add_client(Situation& now, Holder holder) {
  for (const Client& client : now.clients) {
    if (same(client.holder, holder)) return true;
  }
  const auto row = free_row(now.clients);
  if (row == std::end(now.clients)) return false;
  row->holder = holder;
  return true;
}

void remove_client(Situation& now, Holder holder) {
  for (Client& client : now.clients) {
    if (same(client.holder, holder)) client = {};
  }
}

bool busy(const Situation& now, int card, std::int32_t self) {
  const auto other = [&](const Client& client) { return client.holder.pid != 0 && client.holder.pid != self; };
  const auto blocks = [&](const Blocker& blocker) {
    return !blocker.name.view().empty() && ((blocker.cards >> card) & 1) != 0;
  };
  return holders_of_card(now, card) > 0 || std::any_of(std::begin(now.clients), std::end(now.clients), other) ||
         std::any_of(std::begin(now.blockers), std::end(now.blockers), blocks);
}

bool forget_dead(Situation& now, Alive alive, std::uint64_t now_us) {
  for (const Process& process : now.processes) {
    if (process.holder.pid != 0 && !alive(process.holder)) note_leaving(now, process, now_us);
  }
  bool found = false;
  const auto forget = [&](auto& rows) {
    for (auto& row : rows) {
      if (row.holder.pid == 0 || alive(row.holder)) continue;
      row = {};
      found = true;
    }
  };
  forget(now.processes);
  forget(now.clients);
  return found;
}

}  // namespace carve::sim
