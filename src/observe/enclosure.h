// The pod, container or job that a control group stands for.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace carve::observe_internal {

struct Enclosure {
  std::string_view kind;  // "pod", "container", "job"
  std::string id;
};

// From the path of a control group, as Kubernetes, Docker, Podman, containerd, CRI-O and Slurm make it. Nothing for
// what a login or a service runs in.
std::optional<Enclosure> enclosure_of(std::string_view cgroup);

}  // namespace carve::observe_internal
