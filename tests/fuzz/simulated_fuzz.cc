// The file of a simulated machine with any of its bytes changed, or cut short: it is read or refused with a sentence,
// and what is read can be used, without falling over.
//
// The first byte of an input says whether the file is cut short; then follow changes of five bytes each, the place and
// the value.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "simgpu/control/control.h"

namespace {

// A machine of two cards in a folder that stays as long as the program, and its file as it is when nothing is wrong.
struct Sound {
  std::string folder = (std::filesystem::temp_directory_path() / "carve-fuzz-XXXXXX").string();
  std::string bytes;
  Sound() {
    if (::mkdtemp(folder.data()) == nullptr) std::abort();
    const auto order = carve::sim::parse_cards("h100-80gb,a100-40gb");
    if (!order || !carve::sim::create_machine(folder, *order)) std::abort();
    std::ifstream file(folder + "/machine", std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
    if (bytes.empty()) std::abort();
  }
  ~Sound() {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
};

std::string damaged(std::string bytes, const std::uint8_t* data, std::size_t size) {
  const bool cut = size > 0 && data[0] % 2 == 1;
  for (std::size_t at = 1; at + 5 <= size; at += 5) {
    std::uint32_t place = 0;
    std::memcpy(&place, data + at, sizeof place);
    if (cut) {
      bytes.resize(place % (bytes.size() + 1));
      break;
    }
    bytes[place % bytes.size()] = static_cast<char>(data[at + 4]);
  }
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Sound sound;
  std::ofstream(sound.folder + "/machine", std::ios::binary | std::ios::trunc) << damaged(sound.bytes, data, size);
  carve::sim::Control control(sound.folder);
  const auto machine = control.look();
  if (!machine) {
    if (machine.error().message.empty()) std::abort();
    return 0;
  }
  carve::sim::ProcessOrder process;
  process.pid = 1;
  process.memory = carve::Mib{100};
  (void)control.add_process(process);
  (void)control.raise_xid({0}, 31);
  (void)control.lose(1);
  (void)control.reset(0);
  (void)control.reboot();
  if (!control.look()) std::abort();
  return 0;
}
