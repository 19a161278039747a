#include "show/box.h"

#include <algorithm>
#include <array>

namespace carve {

namespace {

// Whole numbers where they say enough, cut: what is shown never claims more than there is.
std::string rate_text(MilliPerSecond rate) {
  constexpr std::int64_t plenty = 100'000;
  return to_string(rate.value < plenty ? rate : MilliPerSecond{rate.value / 1000 * 1000});
}

constexpr std::size_t most_shares = 6;  // what is more is folded into "+n more"

// Pieces joined by " · " in as few lines as the width allows; a piece that is too long is shortened.
std::vector<Line> joined(const std::vector<std::string>& pieces, int width, const Style& style) {
  const std::string separator = style.unicode ? " · " : ", ";
  std::vector<Line> lines;
  std::string line;
  for (const std::string& piece : pieces) {
    const std::string shown = shortened(piece, width, style);
    if (!line.empty() && display_width(line) + display_width(separator) + display_width(shown) > width) {
      lines.push_back({Text(std::move(line))});
      line.clear();
    }
    line += (line.empty() ? "" : separator) + shown;
  }
  if (!line.empty()) lines.push_back({Text(std::move(line))});
  return lines;
}

// Left and right in one line if they fit, else in two; `tail` is the end of the left part that must stay readable.
struct Named {
  std::string name;
  std::string tail;  // "/3", " ×4"
};
std::vector<Line> left_and_right(const Named& left, const std::string& right, int width, const Style& style) {
  const int tail = display_width(left.tail);
  const std::string whole = left.name + left.tail;
  const int spare = width - display_width(whole) - display_width(right);
  if (spare >= 1) return {{Text(whole + repeated(" ", right.empty() ? 0 : spare) + right)}};
  const bool long_name = width >= 18;  // a name shortened in a line of its own says more than one beside a figure
  const int room = width - display_width(right) - 1 - tail;
  if (long_name && room >= 8) return {{Text(shortened(left.name, room, style) + left.tail + " " + right)}};
  std::string end = left.tail;
  if (display_width(whole) > width && end.starts_with(' ')) end.erase(0, 1);  // "reranker×4": a letter more of the name
  const int name = std::max(1, width - display_width(end));
  std::vector<Line> lines{{Text(shortened(left.name, name, style) + end)}};
  if (!right.empty()) lines.push_back({Text(fitted(right, width, Align::right, style))});
  return lines;
}

// The measured row that a share was sized by, if its workload has one.
const MeasuredRow* measured_row(const Share& share, const Partition& partition, const Plan& plan) {
  const Workload* workload = find_workload(plan, share.workload);
  if (workload == nullptr || !share.batch) return nullptr;
  for (const MeasuredRow& row : workload->measured)
    if (row.profile == partition.profile && row.processes == share.processes && row.batch == *share.batch &&
        row.throughput == share.throughput)
      return &row;
  return nullptr;
}

// `memory` is empty where the bar below says it already.
std::vector<Line> share_lines(const Share& share, const std::string& memory, Numbering numbering, int width,
                              const Style& style) {
  Named left{share.workload, ""};
  if (share.count > 1) left.tail = fmt::format(" {}{}", style.unicode ? "×" : "x", share.count);
  if (share.count == 1 && numbering == Numbering::replicas) left.tail = fmt::format("/{}", share.first);
  std::vector<Line> lines = left_and_right(left, memory, width, style);
  const std::vector<std::string> details = details_of(share, width < 12 ? "procs" : "processes");
  for (Line& line : joined(details, width, style)) lines.push_back(std::move(line));
  return lines;
}

// "▓▓▓▓▓▓░░ 36.0 / 39.5 GiB": what replicas use, what is stranded, and both as figures.
std::vector<Line> bar_lines(const Partition& partition, const Plan& plan, int width, const Style& style) {
  const Strokes& strokes = strokes_of(style);
  const bool known = memory_known(partition, plan);  // else there is nothing to fill a bar with
  const Mib used = partition.memory - stranded(partition);
  const std::string use = known ? gib(used) : "?";
  std::string figures = fmt::format("{} / {} GiB", use, gib(partition.memory));
  if (display_width(figures) > width) figures = fmt::format("{}/{}", use, gib(partition.memory));
  if (!known) return {{Text(fitted(figures, width, Align::right, style))}};
  constexpr int shortest_bar = 8;
  const int beside = width - display_width(figures) - 1;
  const int length = beside >= shortest_bar ? beside : width;
  const int filled = static_cast<int>(partition.memory.value > 0 ? used.value * length / partition.memory.value : 0);
  Line bar;
  bar.emplace_back(repeated(strokes.used, filled));
  bar.emplace_back(repeated(strokes.stranded, length - filled), Ink::yellow);
  if (beside < shortest_bar) return {bar, {Text(fitted(figures, width, Align::right, style))}};
  bar.emplace_back(" " + figures);
  return {bar};
}

// An exclusive partition needs no word for it: one replica is in it.
std::string mechanism_text(Mechanism mechanism, int width) {
  if (mechanism == Mechanism::exclusive) return "";
  const std::string name(to_string(mechanism));
  return mechanism == Mechanism::time_slicing && display_width(name) > width ? "slicing" : name;
}

std::vector<std::string> heading(const Partition& partition, int width) {
  std::vector<std::string> pieces{mechanism_text(partition.mechanism, width)};
  const Share& first = partition.shares.front();
  pieces.push_back(first.tenant_each ? "each" : first.tenant);
  std::erase(pieces, "");
  return pieces;
}

}  // namespace

std::vector<std::string> details_of(const Share& share, std::string_view processes) {
  std::vector<std::string> details;
  if (share.processes > 1) details.push_back(fmt::format("{} {}", share.processes, processes));
  if (share.batch) details.push_back(fmt::format("batch {}", *share.batch));
  if (share.throughput) details.push_back(rate_text(*share.throughput));
  return details;
}

std::string gib(Mib memory) { return fmt::format("{}.{}", memory.value / 1024, memory.value % 1024 * 10 / 1024); }

bool memory_known(const Partition& partition, const Plan& plan) {
  return std::none_of(partition.shares.begin(), partition.shares.end(), [&](const Share& share) {
    const MeasuredRow* row = measured_row(share, partition, plan);
    return row != nullptr && !row->memory;
  });
}

std::string title_of(const Partition& partition) {
  return partition.profile.empty() ? "whole card" : partition.profile;
}

std::vector<Line> contents(const Partition& partition, const Plan& plan, Numbering numbering, int width,
                           const Style& style) {
  if (partition.shares.empty()) return {{Text("unused", Ink::dim)}};
  std::vector<Line> lines = joined(heading(partition, width), width, style);
  const std::size_t shares = partition.shares.size();
  const std::size_t shown = shares > most_shares ? most_shares - 1 : shares;
  for (std::size_t i = 0; i < shown; ++i) {
    const Share& share = partition.shares[i];
    const std::string memory = shares == 1 || share.batch ? "" : gib(share.memory * share.count);
    for (Line& line : share_lines(share, memory, numbering, width, style)) lines.push_back(std::move(line));
  }
  if (shown < shares) lines.push_back({Text(shortened(fmt::format("+{} more", shares - shown), width, style))});
  for (Line& line : bar_lines(partition, plan, width, style)) lines.push_back(std::move(line));
  return lines;
}

}  // namespace carve
