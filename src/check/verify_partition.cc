// What is in one partition: memory, compute, clients and time add up; tenants do not meet; the mechanism gives what
// every workload in it needs; a measured workload runs a row of its table.
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "check/asks.h"
#include "check/rights.h"
#include "check/subject.h"
#include "check/verifier.h"

namespace carve {

namespace {

// A share with what it belongs to.
struct Member {
  const Share* share;
  const Workload* workload;
};

// Everything that the rules of one partition look at.
struct Room {
  const Limits& limits;
  const CardModel& model;
  const Piece& piece;
  const Partition& partition;
  std::string subject;
  std::vector<Member> members;
  Violations& found;

  void say(std::string message) const { found.add(subject, std::move(message)); }
  std::int64_t replicas() const {
    std::int64_t sum = 0;
    for (const Member& member : members) sum += member.share->count;
    return sum;
  }
};

std::vector<Member> members_of(const Plan& plan, const Partition& partition, const std::string& subject,
                               Violations& found) {
  std::vector<Member> members;
  for (const Share& share : partition.shares) {
    const Workload* workload = find_workload(plan, share.workload);
    if (workload == nullptr) {
      found.add(subject, fmt::format("holds `{}`, which is no workload of the plan", share.workload));
    } else if (share.count <= 0 || share.first < 0) {
      found.add(subject, fmt::format("holds {} replicas of {} from {} on", share.count, share.workload, share.first));
    } else {
      members.push_back({&share, workload});
    }
  }
  return members;
}

// ------------------------------------------------------------------------------------------- one share by itself

void verify_measured(const Room& room, const Member& member) {
  const auto& [share, workload] = member;
  const bool matches = std::any_of(workload->measured.begin(), workload->measured.end(), [&](const MeasuredRow& row) {
    return row_qualifies(row, *workload, room.model, room.piece) && row.processes == share->processes &&
           share->batch == row.batch && share->throughput == row.throughput &&
           share->memory == row.memory.value_or(room.partition.memory);
  });
  if (!matches) {
    room.say(fmt::format("{} of batch {} in {} processes is no row of its table that it may use here", share->workload,
                         share->batch.value_or(0), share->processes));
  }
  if (room.partition.mechanism != Mechanism::exclusive) {
    room.say(fmt::format("{} was measured alone in a partition and is not alone here", share->workload));
  }
}

void verify_memory_of(const Room& room, const Member& member) {
  const auto& [share, workload] = member;
  const std::optional<Mib> asked = memory_asked(*workload);
  if (workload->cards > 0) {  // its cards hold it together
    if (asked && share->memory.value * workload->cards < asked->value) {
      room.say(fmt::format("{} cards with {} each do not hold the {} of {}", workload->cards, to_string(share->memory),
                           to_string(*asked), share->workload));
    }
  } else if (!asked || share->memory != *asked) {
    room.say(fmt::format("counts {} for a replica of {}, which asks for {}", to_string(share->memory), share->workload,
                         asked ? to_string(*asked) : "an unknown amount"));
  }
}

void verify_compute_of(const Room& room, const Member& member) {
  const auto& [share, workload] = member;
  if (share->compute && share->compute != compute_share(*workload, room.model)) {
    room.say(fmt::format("counts {} of a card for a replica of {}, which asks for another share",
                         to_string(*share->compute), share->workload));
  }
  if (const auto misfit = compute_misfit(*workload, room.model, room.piece)) {
    room.say(fmt::format("{}: {}", share->workload, *misfit));
  }
}

void verify_whole_cards(const Room& room, const Member& member) {
  if (member.workload->cards == 0) return;
  if (room.partition.wall != Wall::card || room.partition.mechanism != Mechanism::exclusive) {
    room.say(fmt::format("{} asks for whole cards", member.share->workload));
  }
}

void verify_share(const Room& room, const Member& member) {
  const auto& [share, workload] = member;
  if (share->tenant_each != workload->tenant_each || share->tenant != workload->tenant) {
    room.say(fmt::format("{} stands under tenant `{}` and belongs to `{}`", share->workload, share->tenant,
                         workload->tenant));
  }
  verify_whole_cards(room, member);
  if (workload->is_measured()) {
    verify_measured(room, member);
  } else {
    verify_memory_of(room, member);
    verify_compute_of(room, member);
    if (share->processes != workload->processes) {
      room.say(fmt::format("runs {} processes for a replica of {}, which has {}", share->processes, share->workload,
                           workload->processes));
    }
  }
  if (const std::vector<std::string> missing = lacking(*workload, room.partition); !missing.empty()) {
    room.say(fmt::format("{} does not give {}: {}", to_string(room.partition.mechanism), share->workload,
                         fmt::join(missing, ", ")));
  } else if (room.partition.mechanism != Mechanism::exclusive &&
             sharing_mechanism(*workload) != room.partition.mechanism) {
    room.say(fmt::format("{} does not share by {}: a smaller share of a card gives it all it needs", share->workload,
                         to_string(room.partition.mechanism)));
  } else if (room.partition.mechanism != Mechanism::exclusive && takes_all_of_card(*workload, room.model)) {
    room.say(fmt::format("{} wants 90 % of a card or more and shares one", share->workload));
  }
}

// ------------------------------------------------------------------------------------------------ shares together

void verify_tenants(const Room& room) {
  for (const Member& member : room.members) {
    if (member.share->tenant_each && room.replicas() > 1) {
      room.say(fmt::format("every replica of {} is a tenant of its own and shares a partition here",
                           member.share->workload));
    }
  }
  for (std::size_t i = 1; i < room.members.size(); ++i) {
    const Workload& first = *room.members.front().workload;
    const Workload& other = *room.members[i].workload;
    if (first.tenant == other.tenant && !first.tenant_each && !other.tenant_each) continue;
    room.say(fmt::format("two tenants in one partition: `{}` of {} and `{}` of {}", first.tenant, first.name,
                         other.tenant, other.name));
    return;
  }
}

void verify_memory_sum(const Room& room) {
  Mib sum;
  for (const Member& member : room.members) sum += member.share->memory * member.share->count;
  if (sum > room.partition.memory) {
    room.say(fmt::format("its replicas need {} and it holds {}", to_string(sum), to_string(room.partition.memory)));
  }
}

void verify_exclusive(const Room& room) {
  if (room.replicas() > 1) room.say(fmt::format("is exclusive and holds {}", counted(room.replicas(), "replica")));
  for (const Member& member : room.members) {
    const std::int64_t limit = client_limit(room.limits, room.piece);
    if (member.share->processes > 1 && member.share->processes > limit) {
      room.say(fmt::format("{} runs {} processes and an MPS server here takes {} clients", member.share->workload,
                           member.share->processes, limit));
    }
  }
}

void verify_client(const Room& room, const Member& member) {
  const auto& [share, workload] = member;
  if (!share->thread_percent || !share->memory_limit) {
    room.say(fmt::format("{} needs a thread percentage and a memory limit under MPS", share->workload));
    return;
  }
  if (*share->memory_limit < share->memory) {
    room.say(fmt::format("{} is limited to {} and needs {}", share->workload, to_string(*share->memory_limit),
                         to_string(share->memory)));
  }
  const std::optional<std::int64_t> asked = threads_asked(*workload, room.model, room.piece);
  if (!asked) {
    room.say(fmt::format("what compute {} needs here cannot be known", share->workload));
  } else if (*share->thread_percent < *asked) {
    room.say(fmt::format("{} has {} % of the threads and needs {} %", share->workload, *share->thread_percent, *asked));
  }
}

void verify_mps(const Room& room) {
  std::int64_t threads = 0;
  std::int64_t clients = 0;
  Mib memory;
  for (const Member& member : room.members) {
    verify_client(room, member);
    threads += member.share->count * member.share->thread_percent.value_or(0);
    clients += member.share->count * member.share->processes;
    memory += member.share->memory_limit.value_or(Mib{0}) * member.share->count;
  }
  if (threads > room.limits.thread_percent) {
    room.say(fmt::format("its thread percentages sum to {} and {} is the limit", threads, room.limits.thread_percent));
  }
  if (const std::int64_t limit = client_limit(room.limits, room.piece); clients > limit) {
    room.say(fmt::format("has {} MPS clients and {} is the limit here", clients, limit));
  }
  if (memory > room.partition.memory) {
    room.say(fmt::format("its memory limits sum to {} and it holds {}", to_string(memory),
                         to_string(room.partition.memory)));
  }
}

void verify_time_slicing(const Room& room) {
  Permille duty;
  for (const auto& [share, workload] : room.members) {
    duty += duty_asked(*workload) * share->count;
    if (!workload->interruptible)
      room.say(fmt::format("{} has not accepted the stalls of time slicing", share->workload));
  }
  if (duty > room.limits.duty) {
    room.say(fmt::format("its duties sum to {} and {} is the limit", to_string(duty), to_string(room.limits.duty)));
  }
}

// In the order of Mechanism.
constexpr std::array<void (*)(const Room&), 3> mechanism_rules{verify_exclusive, verify_mps, verify_time_slicing};

}  // namespace

void verify_partition(const Plan& plan, const CardClass& cards, const CardModel& model, const Partition& partition,
                      Violations& found) {
  const std::optional<Piece> piece = piece_of(model, partition);
  if (!piece) return;  // verify_layout() named it
  const std::string subject = subject_of(cards, partition);
  const Room room{plan.limits, model, *piece, partition, subject, members_of(plan, partition, subject, found), found};
  for (const Member& member : room.members) verify_share(room, member);
  verify_tenants(room);
  verify_memory_sum(room);
  mechanism_rules[static_cast<std::size_t>(partition.mechanism)](room);
}

}  // namespace carve
