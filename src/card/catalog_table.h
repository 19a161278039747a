// The catalog as plain rows: constants of the program, generated from catalog/*.yaml when it is built
// (catalog_table.cc). Nothing runs at start-up to make them. catalog() turns them into CardModels; simulated cards read
// the rows themselves, so this header stands alone.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace carve {

// A figure in a row, or none: `no_figure` where no public source has it.
inline constexpr std::int32_t no_figure = -1;

enum class ModeChange : std::uint8_t { without_reset, needs_reset };
enum class RowEvidence : std::uint8_t { observed, inferred, unknown };
enum class Confidence : std::uint8_t { high, medium, low, unknown };
// The P2P column of a listing.
enum class PeerToPeer : std::uint8_t { no, yes, unknown };

// A claim about where figures come from: keys of catalog_source_rows().
struct Provenance {
  std::span<const std::string_view> sources = {};
  Confidence confidence = Confidence::unknown;
};

struct ProfileRow {
  std::string_view name = {};
  std::int32_t nvml_enum = no_figure;
  std::int32_t id = no_figure;
  std::int32_t compute_slices = 0;
  std::int32_t memory_slices = no_figure;
  std::int32_t memory_mib = no_figure;
  std::int32_t sms = no_figure;
  std::int32_t max_instances = 0;
  std::int32_t copy_engines = no_figure;
  std::int32_t decoders = no_figure;
  std::int32_t encoders = no_figure;
  std::int32_t jpeg_engines = no_figure;
  std::int32_t ofa_engines = no_figure;
  PeerToPeer p2p = PeerToPeer::unknown;
  std::int32_t placement_size = no_figure;
  std::span<const std::int32_t> placement_starts = {};  // ascending; empty if unknown
  RowEvidence placement_evidence = RowEvidence::unknown;
  Provenance placements_from = {};
  Provenance figures_from = {};
  std::string_view note = {};
};

struct PciRow {
  std::int32_t device_id = no_figure;
  std::string_view name = {};
  Provenance from = {};
};

struct ModelRow {
  std::string_view id = {};
  std::span<const std::string_view> products = {};
  std::string_view architecture = {};
  std::string_view chip = {};
  std::string_view compute_capability = {};  // empty if unknown
  Provenance board_from = {};
  std::span<const PciRow> pci = {};
  std::int32_t nominal_gb = no_figure;
  std::int32_t total_mib = no_figure;
  Provenance total_from = {};
  std::string_view total_note = {};
  std::int32_t sms = no_figure;
  Provenance sms_from = {};
  std::int32_t compute_slices = 0;  // 0: the card has no MIG
  std::int32_t memory_slices = no_figure;
  std::int32_t max_instances = 0;
  ModeChange mode_change = ModeChange::without_reset;
  RowEvidence grid_evidence = RowEvidence::unknown;
  std::span<const std::string_view> enum_sources = {};
  std::span<const std::string_view> notes = {};
  std::span<const ProfileRow> profiles = {};
};

struct SourceRow {
  std::string_view key = {};
  std::string_view citation = {};
};

// Ordered by id; ordered by key.
std::span<const ModelRow> catalog_rows();
std::span<const SourceRow> catalog_source_rows();

}  // namespace carve
