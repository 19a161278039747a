// From cards to devices: first what Slurm cannot express is refused, all of it, then every device is looked up.
#include "exchange/slurm.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace carve {

namespace {

Error refused(std::string message, std::string help) {
  return {Fault::bad_input, std::move(message), {}, std::move(help), {}};
}

Error unreadable(const LiveCard& card, const std::string& why) {
  return {Fault::environment,
          fmt::format("card {} cannot be read: {}", card.index, why),
          {},
          "'carve status' shows what the driver says of it",
          {}};
}

bool is_word(std::string_view text, std::string_view also) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           also.find(c) != std::string_view::npos;
  });
}

Result<void> check_name(const std::string& node) {
  if (is_word(node, "-._") && node.size() <= 255) return {};
  return fail(refused(fmt::format("`{}` is no name of a node", node),
                      "--node-name: the NodeName of this machine in slurm.conf, letters, digits, '-', '.' and '_'"));
}

// "NVIDIA H100 80GB HBM3" as "nvidia_h100_80gb_hbm3": Slurm's detection compares its name with the configured type.
std::string type_of(const std::string& name) {
  std::string type;
  for (const char c : name) {
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    type += is_word({&lower, 1}, "-.+") ? lower : '_';
  }
  return type;
}

std::string place_of(const LiveGpuInstance& instance, const std::string& name) {
  return instance.placement ? fmt::format("{}@{}", name, instance.placement->start) : name;
}

class Devices {
 public:
  Devices(SlurmNode& node, const std::string& root) : node_(node), root_(root) {}

  // `planned` may be null: then the card is for one job at a time.
  Result<void> add(const LiveCard& card, const CardClass* planned) {
    if (card.lost) return fail(unreadable(card, *card.lost));
    if (!card.mig && card.mig.error().why != Absence::unsupported)
      return fail(unreadable(card, card.mig.error().sentence));
    return card.is_cut() ? add_instances(card) : add_whole(card, planned);
  }

 private:
  Result<void> add_whole(const LiveCard& card, const CardClass* planned) {
    if (!card.name) return fail(unreadable(card, card.name.error().sentence));
    if (!card.uuid) return fail(unreadable(card, card.uuid.error().sentence));
    TRY(std::string file, card_file(card, root_));
    SlurmDevice device{type_of(*card.name), *card.uuid, fmt::format("card {}", card.index), {std::move(file)}};
    if (planned != nullptr && !planned->partitions.empty()) {
      const Partition& whole = planned->partitions.front();
      device.mechanism = whole.mechanism;
      std::set<std::string> tenants;
      device.jobs = 0;
      for (const Share& share : whole.shares) {
        device.jobs += share.count;
        tenants.insert(share.tenant);
      }
      if (device.mechanism == Mechanism::exclusive) device.jobs = 1;
      device.tenants.assign(tenants.begin(), tenants.end());
    }
    node_.devices.push_back(std::move(device));
    return {};
  }

  Result<void> add_instances(const LiveCard& card) {
    if (!card.instances) return fail(unreadable(card, card.instances.error().sentence));
    std::size_t before = node_.devices.size();
    for (const LiveGpuInstance& instance : *card.instances) {
      if (!instance.profile) return fail(unreadable(card, instance.profile.error().sentence));
      if (!instance.compute) return fail(unreadable(card, instance.compute.error().sentence));
      for (const LiveComputeInstance& compute : *instance.compute) {
        if (!compute.uuid) return fail(unreadable(card, compute.uuid.error().sentence));
        TRY(std::vector<std::string> files, mig_device_files(card, instance, compute, root_));
        const std::string type = device_name(instance, compute);
        node_.devices.push_back(
            {type, *compute.uuid, fmt::format("card {}, {}", card.index, place_of(instance, type)), std::move(files)});
      }
    }
    if (node_.devices.size() == before)
      node_.left_out.push_back(fmt::format("card {}: MIG is on, and nothing is cut", card.index));
    return {};
  }

  SlurmNode& node_;
  const std::string& root_;
};

Result<SlurmNode> named(const SlurmPlace& place) {
  TRY_VOID(check_name(place.node));
  SlurmNode node;
  node.name = place.node;
  return node;
}

Result<SlurmNode> in_order(SlurmNode node) {
  std::stable_sort(node.devices.begin(), node.devices.end(),
                   [](const SlurmDevice& a, const SlurmDevice& b) { return a.type < b.type; });
  return node;
}

// ------------------------------------------------------------------------------------------- what Slurm does not take

Result<void> check_expressible(const std::vector<BoundCard>& cards) {
  std::vector<Error> wrong;
  std::map<Mechanism, int> shared_by;  // a card of each way of sharing
  std::optional<int> cut;
  for (const BoundCard& card : cards) {
    if (card.planned->mig && !cut) cut = card.live->index;
    for (const Partition& partition : card.planned->partitions) {
      if (partition.mechanism == Mechanism::exclusive) continue;
      if (partition.wall == Wall::card) {
        shared_by.emplace(partition.mechanism, card.live->index);
        continue;
      }
      wrong.push_back(refused(
          fmt::format("card {}, {}@{} is shared by {}: Slurm shares whole cards, never MIG devices", card.live->index,
                      partition.profile, partition.placement->start, to_string(partition.mechanism)),
          "let one job hold it and share it inside (`processes`), or plan these workloads on cards of their own"));
    }
  }
  if (cut && !shared_by.empty())
    wrong.push_back(refused(
        fmt::format(
            "card {} is cut, and card {} is shared: on one node Slurm takes the device files of MIG devices for "
            "cards as soon as something is shared",
            *cut, shared_by.begin()->second),
        "put the cards that are shared and those that are cut on different nodes"));
  if (shared_by.size() > 1)
    wrong.push_back(refused(fmt::format("card {} is shared by MPS, and card {} by time slicing: on one node Slurm does "
                                        "not tell jobs under MPS their card then",
                                        shared_by.at(Mechanism::mps), shared_by.at(Mechanism::time_slicing)),
                            "put them on different nodes"));
  if (wrong.empty()) return {};
  Error first = wrong.front();
  first.others.assign(wrong.begin() + 1, wrong.end());
  return fail(std::move(first));
}

// --------------------------------------------------------------------------------------------------- what jobs ask for

// `count` is that of whole cards of one job.
std::string gres_of(const BoundCard& card, const Partition& partition, const Share& share, int count) {
  if (partition.mechanism == Mechanism::mps) return fmt::format("mps:{}", share.thread_percent.value_or(100));
  if (partition.mechanism == Mechanism::time_slicing) return "shard:1";
  if (partition.wall == Wall::mig) return fmt::format("gpu:{}:1", partition.profile);
  return fmt::format("gpu:{}:{}", type_of(card.live->name.value_or("")), count);
}

std::string left_to_the_job(const Partition& partition, const Share& share) {
  if (partition.mechanism == Mechanism::exclusive)
    return share.processes > 1 ? fmt::format("{} processes, with an MPS daemon of its own", share.processes) : "";
  const bool mps = partition.mechanism == Mechanism::mps;
  return fmt::format("at most {} MiB{}", share.memory_limit.value_or(share.memory).value,
                     mps ? ", by CUDA_MPS_PINNED_DEVICE_MEM_LIMIT" : "");
}

// A replica that holds several cards has a share on each, and is one job.
std::vector<SlurmRequest> requests_of(const Plan& plan, const std::vector<BoundCard>& cards) {
  struct Asked {
    std::int64_t shares = 0;
    int cards = 1;  // that one job holds
    std::string left;
  };
  std::map<std::pair<std::string, std::string>, Asked> asked;
  for (const BoundCard& card : cards) {
    for (const Partition& partition : card.planned->partitions) {
      for (const Share& share : partition.shares) {
        const Workload* workload = find_workload(plan, share.workload);
        const int each = workload != nullptr ? std::max(workload->cards, 1) : 1;
        Asked& sum = asked[{share.workload, gres_of(card, partition, share, each)}];
        sum.shares += share.count;
        sum.cards = each;
        sum.left = left_to_the_job(partition, share);
      }
    }
  }
  std::vector<SlurmRequest> requests;
  for (const auto& [key, sum] : asked)
    requests.push_back({key.first, key.second, ceil_div(sum.shares, sum.cards), sum.left});
  return requests;
}

}  // namespace

Result<SlurmNode> slurm_node(const Machine& machine, const SlurmPlace& place) {
  TRY(SlurmNode node, named(place));
  Devices devices(node, place.root);
  for (const LiveCard& card : machine.cards) TRY_VOID(devices.add(card, nullptr));
  return in_order(std::move(node));
}

Result<SlurmNode> slurm_node(const Plan& plan, const std::vector<BoundCard>& cards, const Machine& machine,
                             const SlurmPlace& place) {
  TRY(SlurmNode node, named(place));
  TRY_VOID(check_expressible(cards));
  Devices devices(node, place.root);
  for (const BoundCard& card : cards) TRY_VOID(devices.add(*card.live, card.planned));
  for (const LiveCard& card : machine.cards)
    if (std::none_of(cards.begin(), cards.end(), [&](const BoundCard& bound) { return bound.live == &card; }))
      node.left_out.push_back(fmt::format("card {}: the plan does not use it", card.index));
  node.requests = requests_of(plan, cards);
  return in_order(std::move(node));
}

}  // namespace carve
