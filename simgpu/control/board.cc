// Boards from catalog rows, with an answer for every figure that the catalog does not have: see control.h.
#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "simgpu/control/model.h"

namespace carve::sim {

namespace {

Error refused(const ModelRow& row, const std::string& what) {
  return Error{Fault::bad_input,
               fmt::format("{} cannot be simulated: {}", row.id, what),
               {},
               "no public source has this figure; simulate another card, such as h100-sxm5-80gb",
               {}};
}

struct Suffix {
  std::string_view text;
  Media media;
};
constexpr Suffix suffixes[] = {
    {"+me.all", Media::all}, {"+me", Media::one}, {"-me", Media::none}, {"+gfx", Media::usual}, {"", Media::usual}};

std::string_view attribute_of(std::string_view name) {
  const std::size_t gigabytes = name.find("gb");
  return gigabytes == std::string_view::npos ? std::string_view() : name.substr(gigabytes + 2);
}

Media media_of(std::string_view name) {
  const std::string_view attribute = attribute_of(name);
  const auto found = std::find_if(std::begin(suffixes), std::end(suffixes),
                                  [&](const Suffix& suffix) { return attribute == suffix.text; });
  return found == std::end(suffixes) ? Media::usual : found->media;
}

struct ArchitectureRow {
  std::string_view name;
  Architecture number;
  std::uint8_t gpm;
};
constexpr ArchitectureRow architectures[] = {{"Volta", Architecture::volta, 0},
                                             {"Turing", Architecture::turing, 0},
                                             {"Ampere", Architecture::ampere, 0},
                                             {"Ada", Architecture::ada, 0},
                                             {"Hopper", Architecture::hopper, 1},
                                             {"Blackwell", Architecture::blackwell, 1},
                                             {"Blackwell Ultra", Architecture::blackwell, 1}};

// The profile that others are derived from: the plain one with the fewest slices.
const ProfileRow* smallest_of(const ModelRow& row) {
  const ProfileRow* smallest = nullptr;
  for (const ProfileRow& profile : row.profiles) {
    if (!attribute_of(profile.name).empty()) continue;
    const bool less =
        smallest == nullptr || profile.compute_slices < smallest->compute_slices ||
        (profile.compute_slices == smallest->compute_slices && profile.memory_slices < smallest->memory_slices);
    if (less) smallest = &profile;
  }
  return smallest;
}

using EngineOfRow = std::int32_t ProfileRow::*;
using EngineOfProfile = std::int32_t Profile::*;
struct EnginePair {
  EngineOfRow from;
  EngineOfProfile to;
};
constexpr EnginePair engines[] = {{&ProfileRow::copy_engines, &Profile::copy_engines},
                                  {&ProfileRow::decoders, &Profile::decoders},
                                  {&ProfileRow::encoders, &Profile::encoders},
                                  {&ProfileRow::jpeg_engines, &Profile::jpeg_engines},
                                  {&ProfileRow::ofa_engines, &Profile::ofa_engines}};

// At least what a plain profile of no more slices is known to have.
std::int32_t engines_at_least(const ModelRow& row, const ProfileRow& profile, EngineOfRow engine) {
  std::int32_t most = 0;
  for (const ProfileRow& other : row.profiles) {
    if (!attribute_of(other.name).empty() || other.compute_slices > profile.compute_slices) continue;
    most = std::max(most, other.*engine);
  }
  return most;
}

void fill_engines(Profile& profile, const ModelRow& row, const ProfileRow& from) {
  for (const EnginePair& pair : engines) {
    profile.*pair.to = from.*pair.from;
    if (from.*pair.from != no_figure) continue;
    profile.*pair.to = engines_at_least(row, from, pair.from);
    profile.derived |= derived_engines;
  }
}

Result<void> fill_sizes(Profile& profile, const ModelRow& row, const ProfileRow& from) {
  const ProfileRow& smallest = *smallest_of(row);
  profile.memory_mib = from.memory_mib;
  if (from.memory_mib == no_figure) {
    if (smallest.memory_mib == no_figure)
      return fail(refused(row, fmt::format("the memory of its profile {} is not known", smallest.name)));
    profile.memory_mib = smallest.memory_mib * (from.memory_slices / smallest.memory_slices);
    profile.derived |= derived_memory;
  }
  profile.multiprocessors = from.sms;
  if (from.sms == no_figure) {
    if (smallest.sms == no_figure)
      return fail(refused(row, fmt::format("the SMs of its profile {} are not known", smallest.name)));
    profile.multiprocessors = smallest.sms * from.compute_slices;
    profile.derived |= derived_multiprocessors;
  }
  return {};
}

// On a board whose gap is elsewhere: aligned starts whose span has enough slices with compute. With the gap at the last
// slice these are the recorded starts; one listing of an H100 with another gap agrees for 1g, the rest is inferred.
void move_gap(Profile& profile, int grid, int gap) {
  profile.start_count = 0;
  for (int start = 0; start + profile.size <= grid; start += profile.size) {
    const bool has_gap = gap >= start && gap < start + profile.size;
    if (profile.size - (has_gap ? 1 : 0) < profile.compute_slices) continue;
    profile.starts[profile.start_count++] = static_cast<std::uint8_t>(start);
  }
}

Result<void> fill_starts(Profile& profile, const ModelRow& row, const ProfileRow& from) {
  if (from.placement_starts.empty() || from.placement_size == no_figure || from.memory_slices == no_figure)
    return fail(refused(row, fmt::format("the placements of its profile {} are not known", from.name)));
  if (from.placement_starts.size() > max_starts)
    return fail(refused(row, fmt::format("its profile {} has over {} placements", from.name, max_starts)));
  profile.size = static_cast<std::uint8_t>(from.placement_size);
  for (const std::int32_t start : from.placement_starts)
    profile.starts[profile.start_count++] = static_cast<std::uint8_t>(start);
  return {};
}

Result<Profile> profile_of(const ModelRow& row, const ProfileRow& from) {
  Profile profile{};
  profile.name.assign(from.name);
  profile.enumerator = from.nvml_enum;
  profile.id = from.id;
  profile.compute_slices = from.compute_slices;
  profile.memory_slices = from.memory_slices;
  profile.max_instances = from.max_instances;
  profile.media = media_of(from.name);
  profile.p2p = from.p2p == PeerToPeer::yes ? 1 : 0;
  profile.graphics = attribute_of(from.name) == "+gfx" ? 1 : 0;
  TRY_VOID(fill_starts(profile, row, from));
  TRY_VOID(fill_sizes(profile, row, from));
  fill_engines(profile, row, from);
  return profile;
}

Result<void> add_profiles(Board& board, const ModelRow& row) {
  if (smallest_of(row) == nullptr) return fail(refused(row, "it has no plain profile"));
  for (const ProfileRow& from : row.profiles) {
    if (from.id == no_figure || from.nvml_enum == no_figure) {
      if (!attribute_of(from.name).empty()) continue;
      return fail(refused(row, fmt::format("the id of its profile {} is not known", from.name)));
    }
    TRY(board.profiles[board.profile_count], profile_of(row, from));
    ++board.profile_count;
  }
  return {};
}

Chooser usual_chooser(const ModelRow& row) {
  if (row.memory_slices != 8) return Chooser::ascending;
  return row.id == "h100-nvl-94gb" ? Chooser::near_gap_low_3g : Chooser::near_gap;
}

Result<void> set_gap(Board& board, const ModelRow& row, const CardOrder& order) {
  const bool has_gap = board.memory_slices == board.compute_slices + 1;
  board.gap = has_gap ? board.memory_slices - 1 : -1;
  if (!order.gap) return {};
  if (!has_gap || *order.gap < 0 || *order.gap >= board.memory_slices)
    return fail(Error{Fault::bad_input,
                      fmt::format("{} has no gap at memory slice {}", row.id, *order.gap),
                      {},
                      "a gap is one of 0 to 7, on boards with 8 memory and 7 compute slices",
                      {}});
  board.gap = *order.gap;
  for (int i = 0; i < board.profile_count; ++i) move_gap(board.profiles[i], board.memory_slices, board.gap);
  return {};
}

Result<void> set_profile_ids(Board& board, const CardOrder& order) {
  for (const auto& [name, id] : order.profile_ids) {
    const auto end = board.profiles + board.profile_count;
    const auto found = std::find_if(board.profiles, end, [&](const Profile& p) { return p.name.view() == name; });
    if (found == end)
      return fail(Error{Fault::bad_input, fmt::format("{} has no profile {}", board.model.view(), name), {}, "", {}});
    found->id = id;
  }
  for (int i = 0; i < board.profile_count; ++i) {
    for (int j = 0; j < i; ++j) {
      if (board.profiles[i].id != board.profiles[j].id) continue;
      return fail(Error{Fault::bad_input,
                        fmt::format("{} and {} have the same profile id {}", board.profiles[j].name.view(),
                                    board.profiles[i].name.view(), board.profiles[i].id),
                        {},
                        "give each its own",
                        {}});
    }
  }
  return {};
}

void set_architecture(Board& board, const ModelRow& row) {
  board.architecture = static_cast<std::uint32_t>(Architecture::unknown);
  for (const ArchitectureRow& architecture : architectures) {
    if (architecture.name != row.architecture) continue;
    board.architecture = static_cast<std::uint32_t>(architecture.number);
    board.gpm = architecture.gpm;
  }
  board.capability_major = board.capability_minor = -1;
  const std::size_t dot = row.compute_capability.find('.');
  if (dot == std::string_view::npos) return;
  const char* text = row.compute_capability.data();
  std::from_chars(text, text + dot, board.capability_major);
  std::from_chars(text + dot + 1, text + row.compute_capability.size(), board.capability_minor);
}

Result<void> set_mig(Board& board, const ModelRow& row, const CardOrder& order) {
  board.mode_change = ModeChange::none;
  board.gap = -1;
  if (row.compute_slices == 0) return {};
  if (row.memory_slices == no_figure) return fail(refused(row, "its memory grid is not known"));
  if (row.memory_slices > max_starts || row.compute_slices > max_compute_instances)
    return fail(refused(row, "its grid is larger than what is simulated"));
  board.compute_slices = row.compute_slices;
  board.memory_slices = row.memory_slices;
  board.max_instances = row.max_instances;
  board.mode_change = row.mode_change == carve::ModeChange::needs_reset ? ModeChange::needs_reset : ModeChange::at_once;
  if (order.mode_change) board.mode_change = *order.mode_change;
  board.chooser = order.chooser.value_or(usual_chooser(row));
  TRY_VOID(add_profiles(board, row));
  TRY_VOID(set_gap(board, row, order));
  return set_profile_ids(board, order);
}

}  // namespace

Result<Board> board_of(const ModelRow& row, const CardOrder& order) {
  Board board{};
  if (row.total_mib == no_figure) return fail(refused(row, "its total memory is not known"));
  board.total_mib = row.total_mib;
  board.pci_device = row.pci.empty() ? 0xffff : static_cast<std::uint32_t>(row.pci.front().device_id);
  board.nvswitch_group = static_cast<std::uint32_t>(order.nvswitch_group);
  if (!board.model.assign(row.id) || !board.name.assign(row.products.front()))
    return fail(refused(row, "its name is too long"));
  set_architecture(board, row);
  TRY_VOID(set_mig(board, row, order));
  return board;
}

}  // namespace carve::sim
