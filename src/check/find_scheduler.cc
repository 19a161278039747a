// scheduler.*: whether a scheduler can see each partition and tell it from others. Hosts whose cards are of the same
// classes are looked at once.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "check/finding_list.h"
#include "check/subject.h"

namespace carve {

namespace {

// ------------------------------------------------------------------------------------------------------ one host

// What is offered under one resource name on a host.
struct Offered {
  std::set<std::string_view> models;
  std::int64_t shared = 0;     // partitions
  std::int64_t exclusive = 0;  // partitions
};

struct Host {
  std::map<std::string, Offered> by_name;
  bool cut = false;    // it has cards in MIG mode
  bool whole = false;  // it has others
};

Host host_of(const std::vector<const CardClass*>& classes) {
  Host host;
  for (const CardClass* cards : classes) {
    (cards->mig ? host.cut : host.whole) = true;
    for (const Partition& partition : cards->partitions) {
      Offered& offered = host.by_name[resource_name(partition.profile)];
      offered.models.insert(cards->model);
      (partition.mechanism == Mechanism::exclusive ? offered.exclusive : offered.shared) += 1;
    }
  }
  return host;
}

// Hosts with cards of the same classes: the first, and how many.
struct Hosts {
  std::string_view first;
  std::int64_t count = 0;
};
using HostsByClasses = std::map<std::vector<std::size_t>, Hosts>;

HostsByClasses hosts_of(const Plan& plan) {
  std::map<std::string_view, std::vector<std::size_t>> classes_of_host;
  for (std::size_t c = 0; c < plan.cards.size(); ++c) {
    std::string_view last;
    for (const Position& position : plan.cards[c].positions) {
      if (position.node == last) continue;  // neighbours mostly share their host
      last = position.node;
      std::vector<std::size_t>& classes = classes_of_host[position.node];
      if (classes.empty() || classes.back() != c) classes.push_back(c);
    }
  }
  HostsByClasses result;
  for (const auto& [host, classes] : classes_of_host) {
    Hosts& hosts = result[classes];
    if (hosts.count++ == 0) hosts.first = host;
  }
  return result;
}

void find_on_host(const Host& host, const Hosts& alike, FindingList& found) {
  const std::string subject(alike.first);
  for (const auto& [name, offered] : host.by_name) {
    if (offered.models.size() > 1) {
      found.add("scheduler.same-name", subject,
                {fmt::format("{} is a partition of {}: a scheduler cannot tell them apart", name,
                             fmt::join(offered.models, " or of ")),
                 "keep cards of different models on hosts of their own, and choose the host by label"},
                alike.count);
    }
    if (offered.shared > 0 && offered.exclusive > 0) {
      found.add(
          "scheduler.partly-shared", subject,
          {fmt::format("some partitions called {} are shared and others are not: a device plugin that shares all of "
                       "a name or none, as NVIDIA's does, cannot offer both",
                       name),
           "offer the shared ones under a name of their tenant"},
          alike.count);
    }
  }
  const std::size_t names = host.by_name.size();
  if (host.cut && (host.whole || names > 1)) {
    found.add("scheduler.mixed-strategy", subject,
              {fmt::format("has {}: the MIG strategy must be `mixed`",
                           host.whole ? std::string("whole cards and cut ones") : "partitions of several profiles"),
               "set `migStrategy: mixed` for these hosts"},
              alike.count);
  }
}

// -------------------------------------------------------------------------------------------------- one partition

void find_mps_on_mig(const Seen& seen, FindingList& found) {
  if (seen.partition.mechanism != Mechanism::mps || seen.partition.wall != Wall::mig) return;
  found.add("scheduler.mps-on-mig", subject_of(seen.cards, seen.partition),
            {fmt::format("{} is shared by MPS: NVIDIA's k8s-device-plugin refuses MPS on MIG devices",
                         resource_name(seen.partition.profile)),
             "start the replicas with an MPS daemon of this partition, outside that plugin"},
            seen.cards.count());
}

void find_bad_name(const Seen& seen, FindingList& found) {
  if (seen.partition.mechanism == Mechanism::exclusive || seen.partition.shares.empty()) return;
  const std::string name = shared_name(seen.partition, seen.partition.shares.front().tenant);
  if (is_resource_name(name)) return;
  found.add("scheduler.bad-name", subject_of(seen.cards, seen.partition),
            {fmt::format("`{}` is no resource name: {} characters of at most 63, letters, digits, '-', '_' and '.'",
                         name, name.size()),
             "give the tenant a shorter name"},
            seen.cards.count());
}

}  // namespace

std::string shared_name(const Partition& partition, std::string_view tenant) {
  const std::string resource = resource_name(partition.profile);
  const std::size_t slash = resource.find('/');
  return fmt::format("{}.shared.{}", std::string_view(resource).substr(slash + 1), tenant);
}

bool is_resource_name(std::string_view name) {
  constexpr std::size_t longest = 63;
  const auto alphanumeric = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  if (name.empty() || name.size() > longest || !alphanumeric(name.front()) || !alphanumeric(name.back())) return false;
  return std::all_of(name.begin(), name.end(),
                     [&](char c) { return alphanumeric(c) || c == '-' || c == '_' || c == '.'; });
}

void find_scheduler(const Plan& plan, FindingList& found) {
  for (const Seen& seen : partitions_seen(plan)) {
    find_mps_on_mig(seen, found);
    find_bad_name(seen, found);
  }
  for (const auto& [classes, alike] : hosts_of(plan)) {
    std::vector<const CardClass*> cards;
    for (const std::size_t c : classes) cards.push_back(&plan.cards[c]);
    find_on_host(host_of(cards), alike, found);
  }
}

}  // namespace carve
