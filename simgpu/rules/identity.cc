#include "simgpu/rules/identity.h"

#include <cstdio>

namespace carve::sim {

namespace {

// SplitMix64's finaliser, which spreads each bit of the input over the output.
std::uint64_t spread(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

template <int size, class... Values>
Text<size> formatted(const char* format, Values... values) {
  Text<size> text{};
  std::snprintf(text.bytes, size, format, values...);
  return text;
}

std::uint64_t seed_of(const Board& board) {
  std::uint64_t seed = 0;
  for (const char letter : board.uuid.view()) seed = spread(seed ^ static_cast<unsigned char>(letter));
  return seed;
}

}  // namespace

Text<40> uuid_from(std::uint64_t seed, std::uint64_t subject) {
  const std::uint64_t high = spread(spread(seed) ^ subject);
  const std::uint64_t low = spread(high ^ seed);
  return formatted<40>("%08x-%04x-5%03x-%04x-%012llx", static_cast<unsigned>(high >> 32),
                       static_cast<unsigned>((high >> 16) & 0xffff), static_cast<unsigned>(high & 0xfff),
                       static_cast<unsigned>(((low >> 48) & 0x3fff) | 0x8000),
                       static_cast<unsigned long long>(low & 0xffffffffffff));
}

Text<96> mig_uuid(const Board& board, InstancePlace place) {
  const std::uint64_t subject = 1 + place.gpu_instance * 16u + place.compute_start;
  return formatted<96>("MIG-%s", uuid_from(seed_of(board), subject).bytes);
}

Text<96> legacy_mig_uuid(const Board& board, std::uint32_t gpu_instance, std::uint32_t compute_instance) {
  return formatted<96>("MIG-%s/%u/%u", board.uuid.bytes, gpu_instance, compute_instance);
}

Text<48> compute_profile_name(const Profile& profile, int slices) {
  if (slices == profile.compute_slices) return formatted<48>("%s", profile.name.bytes);
  return formatted<48>("%dc.%s", slices, profile.name.bytes);
}

Text<136> mig_name(const Board& board, const GpuInstance& instance, const ComputeInstance& compute) {
  const Profile& profile = board.profiles[instance.profile];
  return formatted<136>("%s MIG %s", board.name.bytes, compute_profile_name(profile, compute.size).bytes);
}

Text<32> bus_id(const Board& board) { return formatted<32>("%08X:%02X:%02X.0", 0u, board.pci_bus & 0xff, 0u); }

Text<16> legacy_bus_id(const Board& board) { return formatted<16>("%04X:%02X:%02X.0", 0u, board.pci_bus & 0xff, 0u); }

int gpu_instance_minor(int gpu_minor, int gpu_instance) { return 3 + 135 * gpu_minor + 9 * gpu_instance; }

int compute_instance_minor(int gpu_minor, int gpu_instance, int compute_instance) {
  return gpu_instance_minor(gpu_minor, gpu_instance) + 1 + compute_instance;
}

}  // namespace carve::sim
