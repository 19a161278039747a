// What Slurm reads, and beside it, as comments, what a person has to know: the order of a change, which device is
// which, what jobs ask for, and what nobody enforces.
#include <map>

#include <fmt/format.h>

#include "exchange/slurm.h"

namespace carve {

namespace {

// Cards that are shared are counted in a resource of their own.
struct Sharing {
  Mechanism mechanism;
  const char* gres;
  const char* unit;
  const char* not_enforced;
};
constexpr Sharing ways_to_share[] = {
    {Mechanism::mps, "mps", "percent of its threads",
     "Slurm sets the percentage of threads of each job. It limits no memory, so that one job can take all of\n"
     "# it, and starts no MPS daemon: that is for a Prolog. A fault of one job ends the others on its card."},
    {Mechanism::time_slicing, "shard", "jobs",
     "Slurm counts the jobs. It limits neither their memory nor their time: one job can take all of either."},
};

const Sharing* sharing_of(const SlurmNode& node) {
  for (const Sharing& way : ways_to_share)
    for (const SlurmDevice& device : node.devices)
      if (device.mechanism == way.mechanism) return &way;
  return nullptr;
}

// Percent for MPS, jobs for time slicing.
std::int64_t shares_of(const SlurmDevice& device) { return device.mechanism == Mechanism::mps ? 100 : device.jobs; }

std::string order_of_change(const SlurmNode& node) {
  return fmt::format(
      "# In this order, for Slurm drains a node that has fewer devices than Gres= says, and ends jobs whose devices "
      "go:\n"
      "#   1. scontrol update NodeName={0} State=DRAIN Reason=carve    and wait until 'squeue -w {0}' is empty\n"
      "#   2. carve apply PLAN                                         then 'carve export' anew: minors may be others\n"
      "#   3. gres.conf on {0}, and GresTypes= and Gres= in slurm.conf on every host\n"
      "#   4. restart slurmctld, then slurmd on {0}\n"
      "#   5. scontrol update NodeName={0} State=RESUME\n",
      node.name);
}

std::string left_out(const SlurmNode& node) {
  std::string text;
  for (const std::string& card : node.left_out) text += fmt::format("# Not for Slurm: {}.\n", card);
  return text;
}

std::string not_enforced(const SlurmNode& node) {
  const Sharing* way = sharing_of(node);
  if (way == nullptr) return "";
  std::string text = fmt::format("# Not enforced: {}\n", way->not_enforced);
  for (const SlurmDevice& device : node.devices)
    if (device.mechanism != Mechanism::exclusive)
      text += fmt::format(
          "# {} is for {} alone, and Slurm lets in whoever asks: allow {} to them only, by a partition or a QOS.\n",
          device.about, fmt::join(device.tenants, ", "), way->gres);
  text += fmt::format("# A job that asks for `gpu` gets such a card as a whole, once nobody has a part of it.\n");
  return text;
}

}  // namespace

std::string write_gres_conf(const SlurmNode& node) {
  std::string text = fmt::format("# gres.conf for {}: its cards as they are now, by carve.\n", node.name);
  text += order_of_change(node);
  text +=
      "# Only with ConstrainDevices=yes in cgroup.conf does a job open no devices but its own. Each is named by its "
      "number\n"
      "# in SLURM_JOB_GPUS.\n";
  text += left_out(node) + not_enforced(node);
  text += fmt::format("\nNodeName={} AutoDetect=off\n", node.name);
  for (std::size_t number = 0; number < node.devices.size(); ++number) {
    const SlurmDevice& device = node.devices[number];
    text +=
        fmt::format("# {}: {}, {}\nNodeName={} Name=gpu Type={} {}={}\n", number, device.about, device.uuid, node.name,
                    device.type, device.files.size() > 1 ? "MultipleFiles" : "File", fmt::join(device.files, ","));
  }
  const Sharing* way = sharing_of(node);
  if (way == nullptr) return text;
  for (const SlurmDevice& device : node.devices) {
    if (device.mechanism == Mechanism::exclusive) continue;
    // Without all_sharing Slurm has one card of a node shared by MPS at a time.
    text += fmt::format("NodeName={} Name={}{} Count={} File={}\n", node.name, way->gres,
                        device.mechanism == Mechanism::mps ? " Flags=all_sharing" : "", shares_of(device),
                        device.files.front());
  }
  return text;
}

std::string write_slurm_conf(const SlurmNode& node) {
  std::string text = fmt::format("# slurm.conf for {}, by carve.\n", node.name);
  text += order_of_change(node);
  text += "# Gres= belongs into the line that the node has already. Types need SelectType=select/cons_tres.\n";
  std::map<std::string, std::int64_t> counts;
  std::int64_t shares = 0;
  bool cut = false;
  for (const SlurmDevice& device : node.devices) {
    ++counts[device.type];
    cut = cut || device.files.size() > 1;
    if (device.mechanism != Mechanism::exclusive) shares += shares_of(device);
  }
  if (cut)
    text +=
        "# GresTypes must have neither mps nor shard: with either slurmd 22.05 takes every device file of a MIG device "
        "for\n"
        "# a card.\n";
  text += left_out(node) + not_enforced(node);
  if (!node.requests.empty()) text += "# What the jobs of the plan ask for:\n";
  for (const SlurmRequest& asked : node.requests)
    text += fmt::format("#   {}: {} x --gres={}{}\n", asked.workload, asked.jobs, asked.gres,
                        asked.left_to_the_job.empty() ? "" : "    has to see to itself: " + asked.left_to_the_job);
  const Sharing* way = sharing_of(node);
  std::string gres;
  for (const auto& [type, count] : counts) gres += fmt::format("{}gpu:{}:{}", gres.empty() ? "" : ",", type, count);
  if (way != nullptr) gres += fmt::format(",{}:{}", way->gres, shares);
  return text + fmt::format("\nGresTypes=gpu{}\nNodeName={} Gres={}\n",
                            way != nullptr ? fmt::format(",{}", way->gres) : "", node.name, gres);
}

std::string write_slurm_prolog(const SlurmNode& node) {
  std::string text = fmt::format(
      "#!/bin/sh\n"
      "# TaskProlog of Slurm on {}, by carve, for its cards as they are now: CUDA_VISIBLE_DEVICES by UUID.\n"
      "# Slurm itself writes numbers there, and they are those of gres.conf, or count what the job may open: CUDA "
      "takes\n"
      "# them for cards. What is a UUID already stays, and so does a part of the step's devices that Slurm bound to a\n"
      "# task.\n"
      "uuid() {{\n"
      "  case $1 in\n",
      node.name);
  for (std::size_t number = 0; number < node.devices.size(); ++number)
    text += fmt::format("    {}) echo {} ;;\n", number, node.devices[number].uuid);
  return text +
         "    *) return 1 ;;\n"
         "  esac\n"
         "}\n"
         "commas() { echo \"$1\" | tr -cd ,; }\n"
         "numbers=${SLURM_STEP_GPUS:-${SLURM_JOB_GPUS:-}}\n"
         "[ -n \"$numbers\" ] || exit 0\n"
         "case ${CUDA_VISIBLE_DEVICES:-} in *[!0-9,]*) exit 0 ;; esac\n"
         "[ \"$(commas \"$numbers\")\" = \"$(commas \"${CUDA_VISIBLE_DEVICES:-}\")\" ] || exit 0\n"
         "IFS=,\n"
         "list=\n"
         "for number in $numbers; do\n"
         "  one=$(uuid \"$number\") || {\n"
         "    echo \"carve: this TaskProlog knows no device $number: write it anew\" >&2\n"
         "    exit 1\n"
         "  }\n"
         "  list=${list:+$list,}$one\n"
         "done\n"
         "echo \"export CUDA_VISIBLE_DEVICES=$list\"\n";
}

}  // namespace carve
