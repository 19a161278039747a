#include "simgpu/tree/tree.h"

#include <filesystem>

#include <fmt/format.h>

namespace carve::sim {

namespace {

namespace files = std::filesystem;

Error failed(const files::path& path, const std::error_code& code) {
  return Error{Fault::environment, fmt::format("cannot write {}: {}", path.string(), code.message()), {}, "", {}};
}

// Writes below one root; the first failure stays.
class Tree {
 public:
  explicit Tree(std::string root) : root_(std::move(root)) {}

  void write(const std::string& path, const std::string& text) {
    if (!result_) return;
    const files::path file = root_ / path;
    std::error_code code;
    files::create_directories(file.parent_path(), code);
    if (code) {
      result_ = fail(failed(file, code));
      return;
    }
    if (auto written = write_file_atomically(file.string(), text); !written) result_ = fail(std::move(written).error());
  }

  // A capability: the file that describes its device node, and the node. Modes as NVIDIA's guide and listings have
  // them: config is for root alone, the others can be read by everybody.
  void write_capability(const std::string& path, int minor) {
    const int mode = minor == config_minor ? 0400 : 0444;
    write("proc/driver/nvidia/capabilities/" + path,
          fmt::format("DeviceFileMinor: {}\nDeviceFileMode: {}\nDeviceFileModify: 1\n", minor, mode));
    write(fmt::format("dev/nvidia-caps/nvidia-cap{}", minor), "");
  }

  void clear() {
    for (const char* path : {"proc/driver/nvidia", "proc/driver/nvidia-caps", "dev/nvidia-caps"}) remove(path);
    for (int minor = 0; minor < max_cards; ++minor) remove(fmt::format("dev/nvidia{}", minor));
    for (const char* path : {"dev/nvidiactl", "dev/nvidia-uvm"}) remove(path);
  }

  Result<void> result() const { return result_; }

 private:
  void remove(const std::string& path) {
    std::error_code code;
    files::remove_all(root_ / path, code);
    if (code && result_) result_ = fail(failed(root_ / path, code));
  }

  files::path root_;
  Result<void> result_ = {};
};

void write_card(Tree& tree, const Board& board) {
  tree.write(fmt::format("proc/driver/nvidia/gpus/{}/information", legacy_bus_id(board).view()),
             fmt::format("Model: \t\t {}\nGPU UUID: \t {}\nBus Location: \t {}\nDevice Minor: \t {}\n",
                         board.name.view(), board.uuid.view(), legacy_bus_id(board).view(), board.minor));
  tree.write(fmt::format("dev/nvidia{}", board.minor), "");
}

void write_instances(Tree& tree, const Board& board, const Card& card) {
  const int minor = static_cast<int>(board.minor);
  for (const GpuInstance& gpu : card.instances) {
    if (gpu.used == 0) continue;
    const std::string path = fmt::format("gpu{}/mig/gi{}", minor, gpu.id);
    tree.write_capability(path + "/access", gpu_instance_minor(minor, gpu.id));
    for (const ComputeInstance& compute : gpu.compute) {
      if (compute.used == 0) continue;
      tree.write_capability(fmt::format("{}/ci{}/access", path, compute.id),
                            compute_instance_minor(minor, gpu.id, compute.id));
    }
  }
}

// Every minor that can ever be, whatever instances there are: 32 cards, ids 0 to 14 and 0 to 7.
std::string minors_text() {
  std::string text = fmt::format("config {}\nmonitor {}\n", config_minor, monitor_minor);
  for (int gpu = 0; gpu < 32; ++gpu) {
    for (int gi = 0; gi < 15; ++gi) {
      text += fmt::format("gpu{}/gi{}/access {}\n", gpu, gi, gpu_instance_minor(gpu, gi));
      for (int ci = 0; ci < 8; ++ci)
        text += fmt::format("gpu{}/gi{}/ci{}/access {}\n", gpu, gi, ci, compute_instance_minor(gpu, gi, ci));
    }
  }
  return text;
}

}  // namespace

Result<void> write_tree(const std::string& root, const std::string& driver, const Machine& machine) {
  Tree tree(root);
  tree.clear();
  if (machine.now.loaded == 0) return tree.result();
  tree.write("proc/driver/nvidia/version", fmt::format("NVRM version: NVIDIA UNIX x86_64 Kernel Module  {}\n", driver));
  tree.write("proc/driver/nvidia-caps/mig-minors", minors_text());
  tree.write_capability("mig/config", config_minor);
  tree.write_capability("mig/monitor", monitor_minor);
  tree.write("dev/nvidiactl", "");
  tree.write("dev/nvidia-uvm", "");
  for (int card = 0; card < machine.boards.count; ++card) {
    if (machine.now.cards[card].lost != 0) continue;
    write_card(tree, machine.boards.rows[card]);
    write_instances(tree, machine.boards.rows[card], machine.now.cards[card]);
  }
  return tree.result();
}

}  // namespace carve::sim
