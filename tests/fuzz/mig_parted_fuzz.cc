// Any bytes as a file of mig-parted: read, and each of its layouts resolved for a machine of three cards, or refused
// with a sentence, without falling over.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "exchange/exchange.h"
#include "show/show.h"

namespace {

carve::Machine machine() {
  carve::Machine machine;
  for (int index = 0; index < 3; ++index) {
    carve::LiveCard card;
    card.index = index;
    card.uuid = "GPU-" + std::to_string(index);
    card.pci = carve::PciAddress{};
    card.pci->device_id = 0x233010de;
    if (index < 2) card.mig = carve::MigModes{};
    machine.cards.push_back(std::move(card));
  }
  return machine;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const carve::Machine cards = machine();
  const auto file = carve::parse_mig_parted(std::string(reinterpret_cast<const char*>(data), size), "fuzz.yaml");
  if (!file) {
    if (carve::render_error(file.error(), carve::Style{}).empty()) std::abort();
    return 0;
  }
  for (const auto& [name, entries] : file->layouts) {
    const auto target = carve::resolve(*file, name, cards);
    if (!target && carve::render_error(target.error(), carve::Style{}).empty()) std::abort();
    if (target && target->cards.size() > cards.cards.size()) std::abort();
  }
  return 0;
}
