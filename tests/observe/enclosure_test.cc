// Control groups of pods, containers and jobs, and those that are none.
#include "observe/enclosure.h"

#include <gmock/gmock.h>

namespace carve::observe_internal {
namespace {

const std::string id(64, 'b');

std::string kind_of(const std::string& cgroup) {
  const auto found = enclosure_of(cgroup);
  return found ? std::string(found->kind) + " " + found->id : "";
}

TEST(Enclosure, Pods) {
  const std::string uid = "3f2b0c1d-1111-4000-8000-000000000001";
  std::string underscored = uid;
  for (char& c : underscored) c = c == '-' ? '_' : c;
  EXPECT_EQ(kind_of("/kubepods/burstable/pod" + uid + "/" + id), "pod " + uid);
  EXPECT_EQ(kind_of("/kubepods/pod" + uid + "/" + id), "pod " + uid);
  EXPECT_EQ(kind_of("/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" + underscored +
                    ".slice/cri-containerd-" + id + ".scope"),
            "pod " + underscored);
  EXPECT_EQ(kind_of("/kubepods/besteffort/pod" + std::string(32, '7')), "pod " + std::string(32, '7')) << "static pods";
}

TEST(Enclosure, Containers) {
  EXPECT_EQ(kind_of("/system.slice/docker-" + id + ".scope"), "container " + id);
  EXPECT_EQ(kind_of("/docker/" + id), "container " + id);
  EXPECT_EQ(kind_of("/machine.slice/libpod-" + id + ".scope/container"), "container " + id);
}

TEST(Enclosure, Jobs) {
  EXPECT_EQ(kind_of("/slurm/uid_1000/job_123/step_0/task_0"), "job 123");
  EXPECT_EQ(kind_of("/system.slice/slurmstepd.scope/job_7/step_batch/user/task_0"), "job 7");
}

TEST(Enclosure, NoneOfThem) {
  const std::vector<std::string> none{"",
                                      "/",
                                      "//",
                                      "/user.slice/user-1000.slice/session-3.scope",
                                      "/system.slice/reranker.service",
                                      "/podium",
                                      "/job_",
                                      "/job_x",
                                      "/tripod" + std::string(32, 'a'),
                                      "/docker/abc",
                                      "/../../" + std::string(63, 'a')};
  for (const std::string& cgroup : none) EXPECT_EQ(kind_of(cgroup), "") << cgroup;
}

}  // namespace
}  // namespace carve::observe_internal
