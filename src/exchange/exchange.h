// exchange: layouts in the files of other tools.
//
//   read_mig_parted()    a file of nvidia-mig-parted: named layouts for cards by index and PCI device
//   resolve()            one of its layouts, for the cards of a machine
//   write_mig_parted()   the layouts of a machine as such a file
//   slurm_node()         the cards of a machine, and of a plan, as Slurm counts them (slurm.h)
//   write_gres_conf(), write_slurm_conf(), write_slurm_prolog()   and its files
#pragma once

#include <map>
#include <string>
#include <vector>

#include "change/change.h"
#include "exchange/slurm.h"

namespace carve {

// Cards of one PCI device, and of one subsystem if the file says so; device in the high half, vendor in the low.
struct DeviceFilter {
  std::uint32_t device = 0;
  std::optional<std::uint32_t> subsystem;
};

// What some cards shall be. Later entries overrule earlier ones for the same card.
struct MigPartedEntry {
  std::optional<std::vector<int>> devices;  // indices; nothing: all
  std::vector<DeviceFilter> filters;        // one must fit; none: every card
  bool mig = false;
  std::map<std::string, int> counts;  // instances, by profile
  Place place;
};

struct MigPartedFile {
  std::string path;
  std::vector<std::pair<std::string, std::vector<MigPartedEntry>>> layouts;  // in the order of the file
};

// Errors: bad_input, with their places; keys that mig-parted does not have are errors, as it refuses them too.
Result<MigPartedFile> read_mig_parted(const std::string& path);
Result<MigPartedFile> parse_mig_parted(std::string text, const std::string& path);

// The cards that the layout means, by UUID; cards that no entry means are left out. An empty name means the only
// layout. Errors: bad_input: no such layout, an index without a card, MIG for a card without, compute instances of a
// part.
Result<Target> resolve(const MigPartedFile&, const std::string& layout, const Machine&);

// The machine's cards as one layout of this name. Error: environment: a card cannot be read.
Result<std::string> write_mig_parted(const Machine&, const std::string& layout);

}  // namespace carve
