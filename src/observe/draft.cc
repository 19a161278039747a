// A workload file from what was seen. Every figure has its source above it, and where there is none, why.
#include <algorithm>

#include <fmt/format.h>

#include "observe/observe.h"

namespace carve {

namespace {

constexpr std::int64_t most_processes = 64;  // of a replica, in a workload file
constexpr std::size_t longest_command = 300;

// Without the bytes of a character that is cut in two, which would show as several.
std::string shortened(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0) == 0x80) --most;
  return text.substr(0, most) + " ...";
}

std::string sentences(const SeenWorkload& workload, std::string_view figure) {
  std::string text;
  for (const Untold& untold : workload.untold)
    if (untold.figure == figure) text += (text.empty() ? "" : "; ") + untold.missing.sentence;
  return text;
}

std::string seconds(std::chrono::milliseconds time) {
  const std::int64_t tenths = (time.count() + 50) / 100;
  return to_string(Micros{100'000 * tenths});
}

std::string who(const SeenWorkload& workload) {
  const std::string facts = sentences(workload, "user and command");
  if (workload.user.empty()) return fmt::format("{}; user and command not told: {}", workload.command, facts);
  return fmt::format("{}: {}", workload.user, shortened(workload.command, longest_command));
}

std::string tenant_comment(const SeenWorkload& workload) {
  if (workload.tenant != "each") return "one tenant for each user: write the team, if its members trust each other";
  return workload.user.empty()
             ? "whose it is was not told, so nobody is trusted: write the team"
             : fmt::format("whose {} it is, its user does not say, so nobody is trusted: write the team",
                           workload.held_by);
}

// What the processes of a replica have in common, as a sentence goes on.
std::string together(const SeenWorkload& workload) {
  const std::string article =
      workload.held_by == "process" ? "of one process" : fmt::format("in one {}", workload.held_by);
  return article;
}

void add_size(const SeenWorkload& workload, YamlItem& item) {
  if (workload.cards > 0)
    return item.push_back({fmt::format("a replica held {} cards at the same time, and is given whole ones; its {} and "
                                       "its SM use are not for less",
                                       workload.cards, counted(workload.processes, "process")),
                           "cards", fmt::format("{}", std::min<std::int64_t>(workload.cards, 64))});
  if (workload.processes <= 1) return;
  const std::string most = workload.processes > most_processes
                               ? fmt::format("; a workload file takes at most {}", most_processes)
                               : std::string();
  item.push_back({fmt::format("{} at the same time {}, taken for one replica; independent copies are `replicas`, with "
                              "the memory of one{}",
                              counted(workload.processes, "process"), together(workload), most),
                  "processes", fmt::format("{}", std::min(workload.processes, most_processes))});
}

void add_memory(const SeenWorkload& workload, YamlItem& item) {
  std::string comment;
  if (workload.memory_told == MemoryTold::of_partition)
    comment = fmt::format("not told of its processes ({}): this is all that was in use where it ran, at least at times",
                          sentences(workload, "memory"));
  item.push_back({comment, "memory", written(std::max(*workload.memory, Mib{1}))});
}

void add_compute(const SeenWorkload& workload, YamlItem& item) {
  if (workload.cards > 0) return;
  const std::string untold = sentences(workload, "SM use");
  if (!workload.sm) return item.push_back({fmt::format("compute and duty were not told: {}", untold), "", ""});
  const SmUse& use = *workload.sm;
  std::string source =
      fmt::format("SM use of a card: mean {}, peak {}; above zero in {} of {} that told it", to_string(use.mean),
                  to_string(use.peak), to_string(use.duty), counted(use.told, "sample"));
  if (!untold.empty()) source += fmt::format("; others did not: {}", untold);
  if (use.peak == Permille{})
    return item.push_back({source + ". It was not seen to compute, so compute and duty are left out", "", ""});
  item.push_back({source, "compute", written(use.peak)});
  item.push_back({"", "duty", written(use.duty)});
}

YamlItem item_of(const SeenWorkload& workload) {
  YamlItem item;
  item.push_back({who(workload), "name", yaml_text(workload.name)});
  item.push_back({tenant_comment(workload), "tenant", yaml_text(workload.tenant)});
  item.push_back({"", "replicas", fmt::format("{}", workload.replicas)});
  add_size(workload, item);
  add_memory(workload, item);
  add_compute(workload, item);
  item.push_back({"what it needs of time cannot be seen from outside: throughput, or a latency as {p99: 60ms}",
                  "objective", "best-effort"});
  return item;
}

std::string heading(const Observed& observed, const ObservedSpan& span) {
  std::string text = fmt::format(
      "What ran on the cards, seen in {} within {}, one every {}.\nTo start from: what did not run then, or was not "
      "under load, is not in it.\nreplicas: the most at the same time. memory: the highest peak of one "
      "replica.\ncompute: "
      "the highest share of a card's SMs that was busy; duty: the share of samples in which any was.",
      counted(observed.samples, "sample"), seconds(span.seen), seconds(span.every));
  if (!span.cut_short.empty()) text += "\nEnded early: " + span.cut_short;
  for (const std::string& note : observed.notes) text += "\nNote: " + note;
  if (observed.further_workloads > 0)
    text += fmt::format("\nNote: more than {} workloads; the others are left out", most_workloads);
  for (const SeenWorkload& workload : observed.workloads)
    if (!workload.memory)
      text += fmt::format("\nLeft out, because its memory was not told ({}): {}", sentences(workload, "memory"),
                          who(workload));
  return text;
}

}  // namespace

std::string workload_draft(const Observed& observed, const ObservedSpan& span) {
  std::vector<YamlItem> items;
  for (const SeenWorkload& workload : observed.workloads)
    if (workload.memory) items.push_back(item_of(workload));
  return write_yaml(heading(observed, span), "workloads", items);
}

}  // namespace carve
