// All cards, one after the other. One that is lost, or whose handle cannot be had, is a card with the driver's
// sentence; the others stay readable.
#include "driver/nvml/read.h"

#include <cstring>

namespace carve {

namespace {

constexpr unsigned most_cards = 1024;

Reading<std::string> driver_version(const NvmlLibrary& nvml) {
  char buffer[96] = {};
  const NvmlOutcome outcome = nvml.call(nvml_driver_version, static_cast<char*>(buffer), unsigned{sizeof buffer});
  if (!outcome.ok()) return nvml.missing(outcome);
  return std::string(buffer, ::strnlen(buffer, sizeof buffer));
}

LiveCard lost_card(unsigned index, std::string sentence) {
  LiveCard card;
  card.index = static_cast<int>(index);
  card.lost = std::move(sentence);
  return card;
}

// A card may also fall off while it is read; then half of its figures are missing, and the others are old.
std::optional<std::string> lost_meanwhile(const NvmlAsk& ask) {
  unsigned index = 0;
  const NvmlOutcome outcome = ask.nvml.call(nvml_index, ask.device, &index);
  if (outcome.code != NvmlCode::gpu_is_lost) return {};
  return ask.nvml.sentence(outcome);
}

void read_partitions(const NvmlAsk& ask, LiveCard& card) {
  std::vector<NvmlMigDevice> devices;
  if (!card.mig) {
    card.profiles = tl::unexpected<Missing>(card.mig.error());
    card.instances = tl::unexpected<Missing>(card.mig.error());
  } else {
    card.profiles = read_profiles(ask, card.memory);
    if (!card.mig->current) {
      card.instances = std::vector<LiveGpuInstance>();
    } else if (card.profiles) {
      NvmlInstances read = read_instances(ask, *card.profiles);
      card.instances = std::move(read.instances);
      devices = std::move(read.devices);
    } else {
      card.instances = tl::unexpected<Missing>(card.profiles.error());
    }
  }
  read_occupants(ask, devices, card);
}

}  // namespace

LiveCard read_card(const NvmlLibrary& nvml, unsigned index) {
  NvmlDevice device = nullptr;
  const NvmlOutcome outcome = nvml.call_either(nvml_by_index_v2, nvml_by_index, index, &device);
  if (!outcome.ok()) return lost_card(index, nvml.sentence(outcome));
  const NvmlAsk ask{nvml, device};
  LiveCard card;
  card.index = static_cast<int>(index);
  read_identity(ask, card);
  read_partitions(ask, card);
  const std::optional<std::string> lost = lost_meanwhile(ask);
  return lost ? lost_card(index, *lost) : card;
}

Result<unsigned> count_cards(const NvmlLibrary& nvml) {
  unsigned count = 0;
  const NvmlOutcome outcome = nvml.call_either(nvml_count_v2, nvml_count, &count);
  if (!outcome.ok())
    return fail(Error{Fault::environment,
                      fmt::format("the NVIDIA driver does not say which cards there are: {}", nvml.sentence(outcome)),
                      {},
                      "'nvidia-smi' shows whether other programs reach the driver",
                      {}});
  return std::min(count, most_cards);
}

Result<Machine> read_through_nvml(const NvmlLibrary& nvml, UseSince since) {
  Machine machine;
  machine.library = nvml.path();
  machine.driver = driver_version(nvml);
  TRY(const unsigned count, count_cards(nvml));
  for (unsigned index = 0; index < count; ++index) machine.cards.push_back(read_card(nvml, index));
  if (since) read_use(nvml, *since, machine);
  return machine;
}

}  // namespace carve
