// Each part of the path is held against a table; a pod counts before the container that is in it.
#include "observe/enclosure.h"

#include <algorithm>
#include <array>

namespace carve::observe_internal {

namespace {

bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view without(std::string_view part, std::string_view suffix) {
  if (part.ends_with(suffix)) part.remove_suffix(suffix.size());
  return part;
}

// "pod3f2b...", "kubepods-burstable-pod3f2b_....slice": a UID, whose dashes systemd writes as underscores.
std::string_view pod_in(std::string_view part) {
  part = without(part, ".slice");
  const std::size_t at = part.rfind("pod");
  if (at == std::string_view::npos || (at > 0 && part[at - 1] != '-')) return {};
  part.remove_prefix(at + 3);
  constexpr std::size_t digits_of_uid = 32;
  const auto digits = static_cast<std::size_t>(std::count_if(part.begin(), part.end(), is_hex));
  const bool rest = std::all_of(part.begin(), part.end(), [](char c) { return is_hex(c) || c == '-' || c == '_'; });
  return rest && digits == digits_of_uid ? part : std::string_view();
}

// "docker-3f2b....scope", "cri-containerd-3f2b....scope", "3f2b...": 64 digits.
std::string_view container_in(std::string_view part) {
  part = without(part, ".scope");
  part.remove_prefix(part.rfind('-') + 1);
  constexpr std::size_t digits_of_id = 64;
  return part.size() == digits_of_id && std::all_of(part.begin(), part.end(), is_hex) ? part : std::string_view();
}

// "job_123", as Slurm names it.
std::string_view job_in(std::string_view part) {
  constexpr std::string_view prefix = "job_";
  if (!part.starts_with(prefix)) return {};
  part.remove_prefix(prefix.size());
  return !part.empty() && std::all_of(part.begin(), part.end(), is_digit) ? part : std::string_view();
}

struct Kind {
  std::string_view name;
  std::string_view (*find)(std::string_view part);
};
constexpr std::array kinds{Kind{"pod", pod_in}, Kind{"job", job_in}, Kind{"container", container_in}};

}  // namespace

std::optional<Enclosure> enclosure_of(std::string_view cgroup) {
  for (const Kind& kind : kinds) {
    for (std::string_view rest = cgroup; !rest.empty();) {
      const std::size_t end = std::min(rest.find('/'), rest.size());
      if (const std::string_view id = kind.find(rest.substr(0, end)); !id.empty())
        return Enclosure{kind.name, std::string(id)};
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return {};
}

}  // namespace carve::observe_internal
