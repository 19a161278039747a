// `.shown` holds a number for what concerns the whole machine and one for each card, made from all that is shown of it.
// Where the number of a card differs, its files are walked: all that can be there are known, 15 ids of GPU instances
// with 8 of compute instances each. Where the machine's differs, everything is written anew.
#include "simgpu/tree/tree.h"

#include <cerrno>
#include <climits>
#include <cstdio>

#include "simgpu/tree/files.h"

namespace carve::sim {

namespace {

constexpr int gpu_ids = 15;
constexpr int compute_ids = 8;
constexpr std::size_t longest_minors = max_cards * gpu_ids * (1 + compute_ids) * 32 + 64;  // lines are shorter than 32
constexpr mode_t for_all = 0666, to_read = 0444, config_mode = 0400, stamp_mode = 0644;
constexpr const char* stamp = ".shown";

// A name or text that is put together; it always fits.
struct Words {
  char bytes[512];

  template <class... Parts>
  explicit Words(const char* form, Parts... parts) {
    std::snprintf(bytes, sizeof bytes, form, parts...);
  }
  std::string_view view() const { return {bytes, ::strnlen(bytes, sizeof bytes)}; }
};

// The path of a machine's folder may be long; nothing else is.
struct RootPath {
  char bytes[PATH_MAX];
  explicit RootPath(const char* folder) { std::snprintf(bytes, sizeof bytes, "%s/root", folder); }
};

// ------------------------------------------------------------------------------------------------------ what is shown

struct Shown {
  std::uint64_t machine = 0;
  std::uint64_t cards[max_cards] = {};
  bool operator==(const Shown&) const = default;
};

class Number {
 public:
  void add(std::uint64_t value) { number_ = (number_ ^ value) * 0x100000001b3u + (number_ >> 29); }
  void add(std::string_view text) {
    for (const char letter : text) add(static_cast<std::uint64_t>(static_cast<unsigned char>(letter)));
  }
  std::uint64_t value() const { return number_; }

 private:
  std::uint64_t number_ = 0xcbf29ce484222325u;
};

bool here(const Machine& machine, int card) { return machine.now.loaded != 0 && machine.now.cards[card].lost == 0; }

std::uint64_t number_of_card(const Machine& machine, int card) {
  Number number;
  number.add(here(machine, card) ? 1 : 0);
  for (const GpuInstance& gpu : machine.now.cards[card].instances) {
    if (gpu.used == 0) continue;
    number.add(256u + gpu.id);
    for (const ComputeInstance& compute : gpu.compute) {
      if (compute.used != 0) number.add(1024u + gpu.id * 64u + compute.id);
    }
  }
  return number.value();
}

Shown shown_of(const Machine& machine) {
  Shown shown;
  Number number;
  number.add(machine.now.loaded);
  number.add(machine.now.boot);
  for (int card = 0; card < machine.boards.count; ++card) {
    const Board& board = machine.boards.rows[card];
    number.add(board.uuid.view());
    number.add(board.name.view());
    number.add(board.minor);
    number.add(legacy_bus_id(board).view());
    shown.cards[card] = number_of_card(machine, card);
  }
  shown.machine = number.value();
  return shown;
}

// ---------------------------------------------------------------------------------------------------------- one card

// The folders in which the files of all cards are.
struct Places {
  Places(const Folder& root, Failure& failure)
      : dev(root.inner("dev", failure)),
        nodes(dev.inner("nvidia-caps", failure)),
        proc(root.inner("proc", failure)),
        driver(proc.inner("driver", failure)),
        nvidia(driver.inner("nvidia", failure)),
        capabilities(nvidia.inner("capabilities", failure)) {}
  Folder dev, nodes, proc, driver, nvidia, capabilities;
};

// A capability: the file that describes its device node, and the node. Modes as NVIDIA's guide and listings have them:
// config is for root alone, the others can be read by everybody.
struct Capability {
  const char* file;
  int minor;
};

void keep_capability(const Places& places, const Folder& folder, Capability capability, Failure& failure) {
  const mode_t mode = capability.minor == config_minor ? config_mode : to_read;
  folder.keep(capability.file,
              Words("DeviceFileMinor: %d\nDeviceFileMode: %u\nDeviceFileModify: 1\n", capability.minor,
                    static_cast<unsigned>(mode))
                  .view(),
              to_read, failure);
  places.nodes.keep(Words("nvidia-cap%d", capability.minor).bytes, "", mode, failure);
}

void remove_capability(const Places& places, const Folder& folder, int minor, Failure& failure) {
  places.nodes.remove_file(Words("nvidia-cap%d", minor).bytes, failure);
  if (folder.valid()) folder.remove_file("access", failure);
}

void show_compute(const Places& places, const Folder& gpu_folder, int minor, int id, Failure& failure) {
  const Folder folder = gpu_folder.inner(Words("ci%d", id).bytes, failure);
  keep_capability(places, folder, {"access", minor}, failure);
}

void hide_compute(const Places& places, const Folder& gpu_folder, int minor, int id, Failure& failure) {
  const Words name("ci%d", id);
  {
    const Folder folder = gpu_folder.existing(name.bytes);
    remove_capability(places, folder, minor, failure);
  }
  gpu_folder.remove_folder(name.bytes);
}

// Null: there is no GPU instance with this id.
const GpuInstance* instance_of(const Card& card, int id) {
  const int slot = gpu_instance_with_id(card, static_cast<std::uint32_t>(id));
  return slot < 0 ? nullptr : &card.instances[slot];
}

void show_gpu_instance(const Places& places, const Folder& mig, const GpuInstance& instance, int gpu_minor,
                       Failure& failure) {
  const Folder folder = mig.inner(Words("gi%d", instance.id).bytes, failure);
  keep_capability(places, folder, {"access", gpu_instance_minor(gpu_minor, instance.id)}, failure);
  for (int id = 0; id < compute_ids; ++id) {
    const int minor = compute_instance_minor(gpu_minor, instance.id, id);
    if (compute_instance_with_id(instance, static_cast<std::uint32_t>(id)) >= 0) {
      show_compute(places, folder, minor, id, failure);
    } else {
      hide_compute(places, folder, minor, id, failure);
    }
  }
}

void hide_gpu_instance(const Places& places, const Folder& mig, int id, int gpu_minor, Failure& failure) {
  const Words name("gi%d", id);
  {
    const Folder folder = mig.existing(name.bytes);
    remove_capability(places, folder, gpu_instance_minor(gpu_minor, id), failure);
    if (folder.valid()) {
      for (int compute = 0; compute < compute_ids; ++compute)
        hide_compute(places, folder, compute_instance_minor(gpu_minor, id, compute), compute, failure);
    }
  }
  mig.remove_folder(name.bytes);
}

void show_instances(const Places& places, const Folder& mig, const Machine& machine, int card, Failure& failure) {
  const int minor = static_cast<int>(machine.boards.rows[card].minor);
  for (int id = 0; id < gpu_ids; ++id) {
    const GpuInstance* instance = here(machine, card) ? instance_of(machine.now.cards[card], id) : nullptr;
    if (instance != nullptr) {
      show_gpu_instance(places, mig, *instance, minor, failure);
    } else {
      hide_gpu_instance(places, mig, id, minor, failure);
    }
  }
}

void show_card(const Places& places, const Machine& machine, int card, Failure& failure) {
  const Board& board = machine.boards.rows[card];
  const int minor = static_cast<int>(board.minor);
  const bool shown = here(machine, card);
  const Folder gpus = places.nvidia.inner("gpus", failure);
  const Text<16> bus = legacy_bus_id(board);
  if (shown) {
    gpus.inner(bus.bytes, failure)
        .keep("information",
              Words("Model: \t\t %s\nGPU UUID: \t %s\nBus Location: \t %s\nDevice Minor: \t %d\n", board.name.bytes,
                    board.uuid.bytes, bus.bytes, minor)
                  .view(),
              to_read, failure);
    places.dev.keep(Words("nvidia%d", minor).bytes, "", for_all, failure);
  } else {
    gpus.remove_all(bus.bytes, failure);
    places.dev.remove_file(Words("nvidia%d", minor).bytes, failure);
  }
  const Words name("gpu%d", minor);
  {
    const Folder own = places.capabilities.inner(name.bytes, failure);
    show_instances(places, own.inner("mig", failure), machine, card, failure);
    own.remove_folder("mig");  // if there are none
  }
  places.capabilities.remove_folder(name.bytes);
}

// ------------------------------------------------------------------------------------------------------- the machine

// Every minor that can ever be, whatever instances there are: 32 cards, ids 0 to 14 and 0 to 7.
void write_minors(const Folder& folder, Failure& failure) {
  static char text[longest_minors];  // whoever writes holds the lock of the library
  std::size_t size = 0;
  const auto add = [&](const Words& line) {
    std::memcpy(text + size, line.bytes, line.view().size());
    size += line.view().size();
  };
  add(Words("config %d\nmonitor %d\n", config_minor, monitor_minor));
  for (int gpu = 0; gpu < max_cards; ++gpu) {
    for (int gi = 0; gi < gpu_ids; ++gi) {
      add(Words("gpu%d/gi%d/access %d\n", gpu, gi, gpu_instance_minor(gpu, gi)));
      for (int ci = 0; ci < compute_ids; ++ci)
        add(Words("gpu%d/gi%d/ci%d/access %d\n", gpu, gi, ci, compute_instance_minor(gpu, gi, ci)));
    }
  }
  folder.keep("mig-minors", {text, size}, to_read, failure);
}

void clear(const Folder& root, Failure& failure) {
  const Folder driver = root.existing("proc").existing("driver");
  if (driver.valid()) {
    driver.remove_all("nvidia", failure);
    driver.remove_all("nvidia-caps", failure);
  }
  const Folder dev = root.existing("dev");
  if (!dev.valid()) return;
  dev.remove_all("nvidia-caps", failure);
  for (int minor = 0; minor < max_cards; ++minor) dev.remove_file(Words("nvidia%d", minor).bytes, failure);
  for (const char* name : {"nvidiactl", "nvidia-uvm"}) dev.remove_file(name, failure);
}

// Of the kernel, not of the driver: by it programs know what they wrote before the last start of the machine.
void show_boot(const Folder& root, std::uint64_t boot, Failure& failure) {
  root.inner("proc", failure)
      .inner("sys", failure)
      .inner("kernel", failure)
      .inner("random", failure)
      .replace("boot_id", Words("00000000-0000-4000-8000-%012llx\n", static_cast<unsigned long long>(boot)).view(),
               to_read, failure);
}

void show_machine(const Places& places, const char* driver, Failure& failure) {
  places.nvidia.keep("version", Words("NVRM version: NVIDIA UNIX x86_64 Kernel Module  %s\n", driver).view(), to_read,
                     failure);
  write_minors(places.driver.inner("nvidia-caps", failure), failure);
  const Folder mig = places.capabilities.inner("mig", failure);
  keep_capability(places, mig, {"config", config_minor}, failure);
  keep_capability(places, mig, {"monitor", monitor_minor}, failure);
  places.dev.keep("nvidiactl", "", for_all, failure);
  places.dev.keep("nvidia-uvm", "", for_all, failure);
}

}  // namespace

int show_tree(const char* folder, const char* driver, const Machine& machine) {
  const Folder root(RootPath(folder).bytes);
  if (!root.valid()) return errno == ENOENT ? 0 : errno;
  const Shown wanted = shown_of(machine);
  Shown found;
  if (!root.read(stamp, &found, sizeof found)) found = {};
  if (found == wanted) return 0;
  Failure failure = 0;
  const bool anew = found.machine != wanted.machine;
  if (anew) {
    clear(root, failure);
    show_boot(root, machine.now.boot, failure);
  }
  if (machine.now.loaded != 0) {
    const Places places(root, failure);
    if (anew) show_machine(places, driver, failure);
    for (int card = 0; card < machine.boards.count; ++card) {
      if (anew || found.cards[card] != wanted.cards[card]) show_card(places, machine, card, failure);
    }
  }
  if (failure == 0) root.replace(stamp, {reinterpret_cast<const char*>(&wanted), sizeof wanted}, stamp_mode, failure);
  return failure;
}

int remove_tree(const char* folder) {
  const Folder above(folder);
  Failure failure = 0;
  {
    const Folder root = above.existing("root");
    if (!root.valid()) return 0;
    clear(root, failure);
    root.remove_file(stamp, failure);
    root.existing("proc").remove_folder("driver");
    root.existing("proc").remove_all("sys", failure);
    for (const char* above_state : {"var", "run"}) root.remove_all(above_state, failure);
    for (const char* name : {"proc", "dev"}) root.remove_folder(name);
  }
  above.remove_folder("root");
  return failure;
}

}  // namespace carve::sim
