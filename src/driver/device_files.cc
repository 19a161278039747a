// Minors are asked for, never computed: the driver gives them out, and others than those of NVIDIA's guide have been
// seen. A file is looked for before it is named, since whoever is told of one that is not there fails later and worse.
#include "driver/device_files.h"

#include <charconv>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

namespace carve {

namespace {

Error unavailable(std::string message, std::string help) {
  return {Fault::environment, std::move(message), {}, std::move(help), {}};
}

Result<std::string> existing(std::string path, const std::string& help) {
  std::error_code failed;
  if (std::filesystem::exists(path, failed)) return path;
  return fail(
      unavailable(fmt::format("{}: {}", path, failed ? failed.message() : "there is no such device file"), help));
}

// N of the line "DeviceFileMinor: N". Files of /proc have no size: they are read line by line.
std::optional<int> minor_in(const std::string& path) {
  constexpr std::string_view key = "DeviceFileMinor:";
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key)) continue;
    const std::size_t digits = line.find_first_of("0123456789", key.size());
    if (digits == std::string::npos) return {};
    int minor = 0;
    const auto read = std::from_chars(line.data() + digits, line.data() + line.size(), minor);
    if (read.ec == std::errc()) return minor;
    return {};
  }
  return {};
}

Result<std::string> capability_file(const std::string& access, const std::string& root) {
  const std::string described = root + access;
  const auto minor = minor_in(described);
  if (!minor)
    return fail(unavailable(fmt::format("{} tells no minor", described),
                            "the driver writes it when a MIG device is made; 'carve status' shows what it has made"));
  return existing(fmt::format("{}/dev/nvidia-caps/nvidia-cap{}", root, *minor),
                  fmt::format("'nvidia-modprobe -f {}' makes it", access));
}

}  // namespace

Result<std::string> card_file(const LiveCard& card, const std::string& root) {
  if (!card.minor)
    return fail(unavailable(fmt::format("card {} tells no minor: {}", card.index, card.minor.error().sentence),
                            "'carve status' shows what the driver says of it"));
  return existing(fmt::format("{}/dev/nvidia{}", root, *card.minor), "'nvidia-modprobe -c 0' makes those of all cards");
}

Result<std::vector<std::string>> mig_device_files(const LiveCard& card, const LiveGpuInstance& instance,
                                                  const LiveComputeInstance& compute, const std::string& root) {
  TRY(std::string whole, card_file(card, root));
  const std::string folder =
      fmt::format("/proc/driver/nvidia/capabilities/gpu{}/mig/gi{}", *card.minor, instance.id.value);
  TRY(std::string gpu_instance, capability_file(folder + "/access", root));
  TRY(std::string compute_instance, capability_file(fmt::format("{}/ci{}/access", folder, compute.id.value), root));
  return std::vector<std::string>{std::move(whole), std::move(gpu_instance), std::move(compute_instance)};
}

}  // namespace carve
