// Names for workloads and tenants, as a workload file allows them, from what processes and users are called.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace carve::observe_internal {

// What runs, by the last part of its path: the program, or of an interpreter the script or module. May hold any bytes.
std::string_view program_of(std::string_view command);

// Whether the user of what is held like this says whose it is. In a container everybody may be root.
bool names_its_user(std::string_view held_by);

class Names {
 public:
  void reserve(std::string name) { taken_.insert(std::move(name)); }
  // A name that nobody had: from `wanted`, or `otherwise` if nothing of it is left, with a number if it is taken.
  std::string unique(std::string_view wanted, std::string_view otherwise);
  // The same name for the same `wanted`.
  const std::string& of(const std::string& wanted, std::string_view otherwise);

 private:
  std::set<std::string> taken_;
  std::map<std::string, std::string> given_;
};

}  // namespace carve::observe_internal
