// A simulated machine, its state folders below a root of its own, and the verbs of the room `change` on them.
#pragma once

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "change/change.h"
#include "simgpu/loaded.h"

namespace carve::changing {

inline std::string library_of(int branch) {
  return std::string(CARVE_SIM_LIBRARIES) + "/" + std::to_string(branch) + "/libnvidia-ml.so.1";
}

// A profile at a place, as tests write them: {"3g.40gb", 4}.
struct At {
  std::string profile;
  int start = 0;
  auto operator<=>(const At&) const = default;
};

class Bench {
 public:
  explicit Bench(std::string_view cards) : machine_(cards) { make_root(); }
  explicit Bench(const sim::MachineOrder& order) : machine_(order) { make_root(); }
  ~Bench();

  sim::Control control() const { return machine_.control(); }
  const std::string& root() const { return root_; }
  const std::string& folder() const { return machine_.path(); }

  Machine read() const;
  LiveCard card(int index = 0) const;
  std::string uuid(int index = 0) const { return *card(index).uuid; }
  std::vector<At> layout(int index = 0) const;  // by start; instances with a compute instance over all of them

  void mig_on(int index = 0);
  // Cuts a card afresh, not through the room that is tested.
  void cut(int index, const std::vector<At>&);
  // A process that holds the instance, and lives as long as the bench or until stop().
  std::int32_t occupy(int index, const At&);
  void occupy_card(int index);

  // Everything that stands there counts as made by carve.
  void own_all();

  WantedCard wants(int index, const std::vector<std::string>& profiles) const;
  Change plan(const std::vector<WantedCard>&, Permissions = {}) const;
  ApplyOptions options() const;
  Result<Applied> apply(const Change&) const;
  Result<Applied> apply(const Change&, const ApplyOptions&) const;

 private:
  void make_root();
  sim::MachineFolder machine_;
  std::string root_;
  std::vector<std::unique_ptr<sim::Sleeper>> sleepers_;
};

}  // namespace carve::changing
