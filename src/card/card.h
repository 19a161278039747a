// card: what a card is and how it can be cut. Models and profiles from the catalog, placements, layouts, names.
//
//   Catalog    catalog(), find_model()          every model, and the one a person means by "h100-80gb"
//   Live       register_model()                 boards that only their driver knows
//   Geometry   Geometry(model, profiles)         all layouts of one model as bit masks
//   Names      profile_name(), resource_name()   one way to make a profile's name and what is derived from it
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"

namespace carve {

// ---------------------------------------------------------------------------------------------------------- catalog

// A start and a size on the card's memory grid, in memory slices.
struct Placement {
  int start = 0;
  int size = 0;
  auto operator<=>(const Placement&) const = default;
};

// How we know where a profile may be placed.
enum class Evidence {
  observed,  // printed by a driver, see the profile's sources
  inferred,  // the grid of a relative, applied because the driver uses the same table
  unknown,   // nobody has published it: carve does not plan with it
};

// Engines of a whole instance. Nothing means that the figure is not known; it never means zero.
struct Engines {
  std::optional<int> copy, decoder, encoder, jpeg, ofa;
};

// One MIG shape of one model.
struct Profile {
  std::string name;              // "1g.10gb+me"
  std::optional<int> nvml_enum;  // argument of nvmlDeviceGetGpuInstanceProfileInfo
  std::optional<int> id;         // what nvidia-smi shows and create calls take; another number space
  int compute_slices = 0;
  std::optional<int> memory_slices;  // units of the placement grid
  std::optional<Mib> memory;         // usable, as the driver reports it; not the number in the name
  std::optional<int> sms;
  int max_instances = 0;
  Engines engines;
  std::vector<Placement> placements;  // in ascending order; empty if unknown
  Evidence placement_evidence = Evidence::unknown;
  std::vector<std::string> sources;  // keys of catalog_sources()
  std::string note;

  // "+me", "-me", "+gfx", "+me.all" or "": what follows the memory in the name.
  std::string_view attribute() const;
};

// One board. compute_slices 0 means that it has no MIG.
struct CardModel {
  std::string id;                     // "h100-sxm5-80gb"
  std::string based_on;               // of a live model: the id of the catalog's whose measured figures hold for it too
  std::vector<std::string> products;  // "NVIDIA H100 80GB HBM3"
  std::string architecture;           // "Hopper"
  std::string chip;                   // "GH100"; empty if unknown
  std::string compute_capability;     // "9.0"; empty if unknown
  std::optional<int> nominal_memory_gb;
  std::optional<Mib> total_memory;  // as the driver reports it
  int compute_slices = 0;
  std::optional<int> memory_slices;
  std::optional<int> sms;
  int max_instances = 0;
  bool mode_change_needs_reset = false;
  std::vector<std::string> sources;
  std::vector<std::string> notes;
  std::vector<Profile> profiles;  // in the order of the catalog: by compute slices, then memory
  bool live = false;              // no row of the catalog: registered by register_model()

  bool has_mig() const { return compute_slices > 0; }
  // Has MIG, and the grid and the placements of its plain profiles are known (observed or inferred).
  bool can_be_cut() const;
  const Profile* find_profile(std::string_view name) const;
  // What a person wrote for the model with this id holds for this one.
  bool answers_to(std::string_view written) const { return written == id || (!written.empty() && written == based_on); }
};

// Every model, ordered by id.
const std::vector<CardModel>& catalog();

// What a source key means: a citation.
struct CatalogSource {
  std::string key;
  std::string citation;
};
const std::vector<CatalogSource>& catalog_sources();

// The model that a name means: an id, or a short name that fits several boards and then means the SXM board.
struct ModelMatch {
  const CardModel* model = nullptr;
  std::vector<std::string> also_fit;  // ids of the other boards that the short name fits; empty if it was exact
};
// Error: bad_input with the nearest names.
Result<ModelMatch> find_model(std::string_view name);

// ------------------------------------------------------------------------------------------------------ live models

// A board that is no row of the catalog, because its driver tells other figures than the row of its product, or because
// there is no such row. Its id hangs on all that planning uses of it: one id is one board, wherever a plan is read.

// "h100-pcie-80gb-live-1f2e3d4c" for the stem "h100-pcie-80gb".
std::string live_model_id(std::string_view stem, const CardModel&);

// Makes the model known to model_with_id(), and by its id to find_model(), until the program ends.
// Errors: bad_input: the id is not that of its content; figures that no card has; too many ways to cut it.
Result<const CardModel*> register_model(CardModel);

// The model with exactly this id, of the catalog or registered, or null.
const CardModel* model_with_id(std::string_view id);

// --------------------------------------------------------------------------------------------------------- geometry

// A profile at a place. `profile` indexes CardModel::profiles.
struct PlacedProfile {
  int profile = 0;
  Placement placement;
  auto operator<=>(const PlacedProfile&) const = default;
};

// A set of places of one Geometry: bit i is Geometry::places()[i]. The empty layout is 0.
using Layout = std::uint64_t;

// How many instances of each profile, by index into CardModel::profiles.
using ProfileCounts = std::vector<int>;

// What can be added to a layout: the slices of the largest further profile, and the places of all. More is greater.
struct FurtherRoom {
  int memory_slices = 0, compute_slices = 0, places = 0;
  auto operator<=>(const FurtherRoom&) const = default;
};

// All layouts of one model over a choice of its profiles. A layout is valid when no memory slice is used twice, the
// compute slices suffice, no profile exceeds its max_instances, at most one instance is "+me", and beside "+me.all"
// there are only "-me" instances.
class Geometry {
 public:
  // Requires model.can_be_cut() and at most 64 places over the profiles chosen. The model must outlive the geometry.
  Geometry(const CardModel& model, std::vector<int> profiles);

  const std::vector<PlacedProfile>& places() const { return places_; }
  // Every valid layout, the empty one included, in ascending order.
  const std::vector<Layout>& layouts() const { return layouts_; }
  bool valid(Layout) const;
  bool can_add(Layout, int place) const;
  // Nothing can be added.
  bool complete(Layout) const;
  ProfileCounts counts(Layout) const;

  // Multisets of profiles: of all layouts; of the complete ones; and those contained in no other, which are enough for
  // packing. In descending lexicographic order of (last profile .. first profile).
  std::vector<ProfileCounts> multisets() const;
  std::vector<ProfileCounts> complete_multisets() const;
  std::vector<ProfileCounts> largest_multisets() const;

  FurtherRoom room(Layout) const;
  // The layout with exactly these counts that leaves the most room; ties to the smallest layout. Nothing if no layout
  // has these counts.
  std::optional<Layout> best_layout(const ProfileCounts&) const;
  // The largest profile (by memory slices, then compute slices) that can be added, or nothing.
  std::optional<int> largest_addable(Layout) const;

  // The places that can be added to a valid layout.
  Layout addable(Layout) const;

 private:
  void find_places();
  void find_conflicts();
  void find_layouts();
  std::uint64_t key(Layout) const;
  ProfileCounts counts_of_key(std::uint64_t) const;

  // A chosen profile: its places and its limit. The counts of a layout are one number, a digit per chosen profile.
  struct Chosen {
    int profile = 0;  // index into CardModel::profiles
    Layout places = 0;
    int max_count = 0;
    std::uint64_t weight = 0;  // of its digit; the last profile's is the largest
  };

  const CardModel* model_;
  std::vector<Chosen> chosen_;
  std::vector<PlacedProfile> places_;
  std::vector<Layout> conflicts_;       // by place: the places that cannot stand beside it
  std::vector<std::uint64_t> weights_;  // by place
  std::vector<Layout> fitting_;         // by free compute slices: the places that need no more
  std::vector<Layout> layouts_;
  std::vector<std::uint64_t> keys_;  // of layouts_
};

// Indices of the profiles without an attribute: what packing cuts with.
std::vector<int> plain_profiles(const CardModel&);

// ------------------------------------------------------------------------------------------------------------ names

// The name that the driver's tools give to a profile. Source: NVIDIA go-nvlib, pkg/nvlib/device/mig_profile.go:
// gb = round(ceil(8 * instance / total) / 8 * ceil(total in GiB)), so it hangs on the total that the driver reports.
std::string profile_name(int compute_slices, Mib instance_memory, Mib total_memory, std::string_view attribute);

// "nvidia.com/mig-3g.40gb", "nvidia.com/mig-1g.10gb.me"; "nvidia.com/gpu" for the empty name.
std::string resource_name(std::string_view profile_name);

}  // namespace carve
