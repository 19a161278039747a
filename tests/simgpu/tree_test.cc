// The files below /proc and /dev, against minors that NVIDIA's guide prints.
#include <filesystem>

#include <gmock/gmock.h>

#include "simgpu/loaded.h"
#include "simgpu/tree/tree.h"

namespace carve::sim {

namespace {

using ::testing::HasSubstr;

std::string content(const std::string& path) {
  auto bytes = read_file(path, 1 << 20);
  return bytes ? *bytes : "";
}

TEST(Tree, MinorsFollowTheFormula) {
  EXPECT_EQ(gpu_instance_minor(0, 1), 12);
  EXPECT_EQ(compute_instance_minor(31, 14, 6), 4321);
  EXPECT_EQ(compute_instance_minor(31, 14, 7), 4322);
}

TEST(Tree, ShowsInstancesWithTheirNodes) {
  CutMachine machine("2xh100-80gb");
  const Nvml& nvml = machine.nvml;
  const GpuInstanceHandle instance = nvml.create(nvml.device(0), 9);
  const ComputeInstanceHandle compute = nvml.create_compute(instance, 2);
  unsigned minor = 0;
  ASSERT_EQ(nvml.call("nvmlDeviceGetMinorNumber", nvml.device(0), &minor), success);
  const std::string root = machine.folder.path() + "/root";
  ASSERT_TRUE(machine.control.show_files());

  const int expected = 3 + 135 * static_cast<int>(minor) + 9 * 2;
  const std::string folder = root + "/proc/driver/nvidia/capabilities/gpu" + std::to_string(minor) + "/mig/gi2";
  EXPECT_THAT(content(folder + "/access"), HasSubstr("DeviceFileMinor: " + std::to_string(expected)));
  EXPECT_THAT(content(folder + "/ci0/access"), HasSubstr("DeviceFileMinor: " + std::to_string(expected + 1)));
  EXPECT_TRUE(std::filesystem::exists(root + "/dev/nvidia-caps/nvidia-cap" + std::to_string(expected)));
  EXPECT_TRUE(std::filesystem::exists(root + "/dev/nvidia" + std::to_string(minor)));
  EXPECT_THAT(content(root + "/proc/driver/nvidia/gpus/0000:07:00.0/information"),
              HasSubstr(nvml.uuid(nvml.device(0))));
  EXPECT_THAT(content(root + "/proc/driver/nvidia-caps/mig-minors"), HasSubstr("gpu31/gi14/ci6/access 4321\n"));

  ASSERT_EQ(nvml.call("nvmlComputeInstanceDestroy", compute), success);
  ASSERT_TRUE(machine.control.lose(1));
  EXPECT_TRUE(std::filesystem::exists(folder + "/access"));
  EXPECT_FALSE(std::filesystem::exists(folder + "/ci0")) << "what is gone is taken away";
  EXPECT_FALSE(std::filesystem::exists(root + "/proc/driver/nvidia/gpus/0000:0E:00.0"));
}

}  // namespace

}  // namespace carve::sim
