// Every process has its open files as links in /proc/PID/fd; those that lead to the card's node are counted.
#include "driver/openers.h"

#include <unistd.h>
#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

namespace carve {

namespace {

namespace fs = std::filesystem;

struct Known {
  std::string_view program;  // as /proc/PID/comm has it, at most 15 letters
  std::string_view meaning;
};
// Source: NVIDIA's MIG user guide, and the services that its MIG manager stops before a mode change.
constexpr std::array known{
    Known{"nv-hostengine", "DCGM, which monitors cards"},
    Known{"dcgm-exporter", "DCGM's exporter of metrics"},
    Known{"nvsm_core", "NVSM, which monitors DGX systems"},
    Known{"nvsm_api_gatewa", "NVSM, which monitors DGX systems"},
    Known{"nvidia-persiste", "the persistence daemon"},
    Known{"nvidia-smi", "a look at the cards"},
    Known{"nv-fabricmanage", "the fabric manager"},
    Known{"Xorg", "a display server"},
    Known{"Xwayland", "a display server"},
    Known{"gnome-shell", "a display server"},
};

std::string_view meaning_of(const std::string& program) {
  const auto* found =
      std::find_if(known.begin(), known.end(), [&](const Known& row) { return row.program == program; });
  return found == known.end() ? std::string_view() : found->meaning;
}

std::string name_of(const fs::path& process) {
  std::ifstream file(process / "comm");
  std::string name;
  std::getline(file, name);
  return name;
}

bool has_open(const fs::path& process, const std::string& node) {
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(process / "fd", failed)) {
    const fs::path target = fs::read_symlink(entry.path(), failed);
    if (!failed && target == node) return true;
  }
  return false;
}

}  // namespace

std::vector<Opener> openers_of(const LiveCard& card, const OpenerSearch& search) {
  std::vector<Opener> found;
  if (!card.minor) return found;
  std::error_code failed;
  const std::string named = fmt::format("{}/dev/nvidia{}", search.device_root, *card.minor);
  const fs::path real = fs::canonical(named, failed);
  const std::string node = failed ? named : real.string();
  for (const auto& entry : fs::directory_iterator(search.proc_root + "/proc", failed)) {
    const std::string name = entry.path().filename().string();
    std::int32_t pid = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (error != std::errc() || end != name.data() + name.size() || pid == ::getpid()) continue;
    if (!has_open(entry.path(), node)) continue;
    std::string program = name_of(entry.path());
    const std::string_view meaning = meaning_of(program);
    found.push_back({pid, std::move(program), meaning});
  }
  std::sort(found.begin(), found.end(), [](const Opener& a, const Opener& b) { return a.pid < b.pid; });
  return found;
}

std::string to_string(const std::vector<Opener>& openers) {
  std::string text;
  for (const Opener& opener : openers) {
    text += fmt::format("{}{} ({}{}{})", text.empty() ? " by " : ", ", opener.program, opener.pid,
                        opener.known_as.empty() ? "" : "; ", opener.known_as);
  }
  return text;
}

}  // namespace carve
