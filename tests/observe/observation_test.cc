// From readings of a machine to workloads. The machines are values: who holds what, and what the driver told of it.
#include <gmock/gmock.h>

#include "observe/names.h"
#include "observe/observe.h"

namespace carve::sample {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const std::string uid = "3f2b0c1d-0000-4000-8000-00000000000";  // of a pod, without its last digit

struct Runs {
  std::int32_t pid = 1;
  std::uint64_t started = 1;
  std::int32_t group = 0;  // 0: its own
  std::string command = "train";
  std::string user = "ana";
  std::string cgroup = "/user.slice";
  std::vector<std::int32_t> ancestors = {};
};

Occupant occupant(const Runs& runs, std::int64_t mib) {
  Occupant occupant;
  occupant.pid = runs.pid;
  occupant.compute = true;
  occupant.memory = Mib{mib};
  occupant.process = ProcessFacts{
      runs.user, runs.command, runs.cgroup, runs.started, runs.group == 0 ? runs.pid : runs.group, runs.ancestors};
  return occupant;
}

// A card without MIG whose driver tells of nobody that it used anything.
LiveCard card(std::vector<Occupant> occupants, int index = 0) {
  LiveCard card;
  card.index = index;
  card.name = "NVIDIA H100 80GB HBM3";
  card.memory = MemoryUse{Mib{81559}, Mib{700}, {}};
  card.mig = MigModes{};
  card.instances = std::vector<LiveGpuInstance>();
  card.occupants = std::move(occupants);
  card.use.sm = Permille{0};
  card.use.processes = std::vector<ProcessUse>();
  return card;
}

Machine machine(std::vector<LiveCard> cards) { return {"580", "", std::move(cards)}; }
Machine machine_of(std::vector<Occupant> occupants) { return machine({card(std::move(occupants))}); }

Observed observed(const std::vector<Machine>& readings) {
  Observation observation;
  for (const Machine& reading : readings) observation.add(reading);
  return observation.result();
}

TEST(Observation, NothingRan) {
  const Observed seen = observed({machine_of({}), machine_of({})});
  EXPECT_EQ(seen.samples, 2);
  EXPECT_THAT(seen.workloads, IsEmpty());
  EXPECT_FALSE(can_be_planned(seen));
}

TEST(Observation, TheHighestPeakAndTheMostAtTheSameTime) {
  const Runs first{.pid = 1}, second{.pid = 2}, third{.pid = 3};
  const Observed seen = observed({machine_of({occupant(first, 100), occupant(second, 300)}),
                                  machine_of({occupant(second, 200), occupant(third, 250)}), machine_of({})});
  ASSERT_THAT(seen.workloads, SizeIs(1));
  const SeenWorkload& workload = seen.workloads.front();
  EXPECT_EQ(workload.replicas, 2);
  EXPECT_EQ(workload.processes, 1);
  EXPECT_EQ(workload.memory, Mib{300});
  EXPECT_EQ(workload.samples, 2);
  EXPECT_EQ(workload.tenant, "ana");
  ASSERT_THAT(workload.members, SizeIs(3));
  EXPECT_EQ(workload.members.at(1).memory, Mib{300});
  EXPECT_EQ(workload.members.at(1).samples, 2);
}

// The same pid with another start is another process.
TEST(Observation, APidThatIsUsedAgain) {
  const Observed seen = observed({machine_of({occupant({.pid = 5, .started = 10}, 100)}),
                                  machine_of({occupant({.pid = 5, .started = 20, .command = "other"}, 50)})});
  ASSERT_THAT(seen.workloads, SizeIs(2));
  EXPECT_EQ(seen.workloads.at(0).command, "other");
  EXPECT_EQ(seen.workloads.at(0).memory, Mib{50});
  EXPECT_EQ(seen.workloads.at(1).memory, Mib{100});
}

TEST(Observation, ATreeIsOneReplica) {
  const Runs parent{.pid = 10, .started = 1, .command = "server"};
  const Runs child{.pid = 11, .started = 2, .command = "worker", .ancestors = {7, 10, 1}};
  const Observed seen = observed({machine_of({occupant(parent, 100), occupant(child, 50)})});
  ASSERT_THAT(seen.workloads, SizeIs(1));
  EXPECT_EQ(seen.workloads.front().command, "server");
  EXPECT_EQ(seen.workloads.front().processes, 2);
  EXPECT_EQ(seen.workloads.front().replicas, 1);
  EXPECT_EQ(seen.workloads.front().memory, Mib{150}) << "of both together";
}

TEST(Observation, AJobOfAShellIsOneReplica) {
  std::vector<Occupant> ranks;
  for (int pid = 20; pid < 28; ++pid) ranks.push_back(occupant({.pid = pid, .group = 19}, 10));
  const Observed seen = observed({machine_of(ranks)});
  ASSERT_THAT(seen.workloads, SizeIs(1));
  EXPECT_EQ(seen.workloads.front().processes, 8);
  EXPECT_EQ(seen.workloads.front().replicas, 1);
}

// A worker that goes on when the one that led it has ended belongs where it belonged.
TEST(Observation, AWorkerThatOutlivesItsLeader) {
  const Runs leader{.pid = 10, .started = 1, .group = 10, .command = "server"};
  const Runs worker{.pid = 11, .started = 2, .group = 10, .command = "worker"};
  const Observed seen =
      observed({machine_of({occupant(leader, 1), occupant(worker, 1)}), machine_of({occupant(worker, 9)})});
  ASSERT_THAT(seen.workloads, SizeIs(1));
  EXPECT_EQ(seen.workloads.front().command, "server");
  EXPECT_EQ(seen.workloads.front().memory, Mib{9});
}

// In pods everybody may be root, so nobody is taken for a friend.
TEST(Observation, PodsAreReplicasAndTrustNobody) {
  std::vector<Occupant> occupants;
  for (int pod = 0; pod < 3; ++pod)
    for (int process = 0; process < 2; ++process)
      occupants.push_back(
          occupant({.pid = 100 + 2 * pod + process,
                    .user = "root",
                    .cgroup = "/kubepods/burstable/pod" + uid + std::to_string(pod) + "/" + std::string(64, 'a')},
                   10));
  const Observed seen = observed({machine_of(occupants)});
  ASSERT_THAT(seen.workloads, SizeIs(1));
  EXPECT_EQ(seen.workloads.front().held_by, "pod");
  EXPECT_EQ(seen.workloads.front().replicas, 3);
  EXPECT_EQ(seen.workloads.front().processes, 2);
  EXPECT_EQ(seen.workloads.front().tenant, "each");
}

TEST(Observation, EachUserIsATenant) {
  const Observed seen = observed(
      {machine_of({occupant({.pid = 1, .user = "ana b"}, 1), occupant({.pid = 2, .user = "ana/b"}, 1),
                   occupant({.pid = 3, .user = "each"}, 1), occupant({.pid = 4, .command = "b", .user = "each"}, 1)})});
  std::vector<std::string> tenants;
  for (const SeenWorkload& workload : seen.workloads) tenants.push_back(workload.tenant);
  EXPECT_THAT(tenants, ElementsAre("ana-b", "ana-b-2", "each-2", "each-2")) << "alike is not the same";
}

TEST(Observation, SmUseOfProcesses) {
  const Occupant one = occupant({.pid = 1}, 1);
  std::vector<Machine> readings(4, machine_of({one}));
  readings[0].cards[0].use.processes = std::vector<ProcessUse>{{1, Permille{100}, Permille{400}}};
  readings[1].cards[0].use.processes = std::vector<ProcessUse>{{1, Permille{200}, Permille{200}}};
  readings[2].cards[0].use.processes = missing(Absence::failed, "a bad moment");
  readings[2].cards[0].use.sm = missing(Absence::failed, "a bad moment");
  const SeenWorkload workload = observed(readings).workloads.at(0);
  ASSERT_TRUE(workload.sm);
  EXPECT_EQ(workload.sm->told, 3);
  EXPECT_EQ(workload.sm->mean, Permille{100});
  EXPECT_EQ(workload.sm->peak, Permille{400});
  EXPECT_EQ(workload.sm->duty, Permille{667}) << "in two of three";
  ASSERT_THAT(workload.untold, SizeIs(1));
  EXPECT_EQ(workload.untold.front().missing.sentence, "a bad moment");
  EXPECT_EQ(workload.members.at(0).sm->peak, Permille{400});
}

TEST(Observation, OfACardThatTellsNoProcessesOneWhoIsAloneIsKnown) {
  LiveCard alone = card({occupant({.pid = 1}, 1)});
  alone.use.processes = missing(Absence::unsupported, "no such call");
  alone.use.sm = Permille{300};
  EXPECT_EQ(observed({machine({alone})}).workloads.at(0).sm->peak, Permille{300});
  alone.occupants->push_back(occupant({.pid = 2, .command = "b"}, 1));
  EXPECT_FALSE(observed({machine({alone})}).workloads.at(0).sm);
}

LiveCard cut_card(std::vector<Occupant> occupants) {
  LiveCard cut = card(std::move(occupants));
  cut.mig = MigModes{true, true};
  LiveProfile profile;
  profile.name = "3g.40gb";
  profile.sms = 60;
  cut.profiles = std::vector<LiveProfile>{profile};
  LiveGpuInstance instance;
  instance.id = {2};
  instance.profile = "3g.40gb";
  instance.memory = MemoryUse{Mib{40448}, Mib{500}, {}};
  cut.instances = std::vector<LiveGpuInstance>{instance};
  cut.use.processes = missing(Absence::unsupported, "not under MIG");
  cut.use.sm = missing(Absence::unsupported, "not under MIG");
  cut.use.instances = std::vector<InstanceUse>{{{2}, Permille{500}}};
  for (Occupant& occupant : *cut.occupants) occupant.gpu_instance = GpuInstanceId{2};
  return cut;
}

// Half of 60 of the 132 SMs of an H100.
TEST(Observation, AnInstanceIsAPartOfACard) {
  const SeenWorkload workload = observed({machine({cut_card({occupant({.pid = 1}, 1)})})}).workloads.at(0);
  EXPECT_EQ(workload.sm->peak, Permille{228});
}

TEST(Observation, WhoSharesAnInstanceIsNotToldApart) {
  const Observed seen =
      observed({machine({cut_card({occupant({.pid = 1}, 1), occupant({.pid = 2, .command = "b"}, 1)})})});
  EXPECT_FALSE(seen.workloads.at(0).sm);
  EXPECT_THAT(seen.workloads.at(0).untold.at(0).missing.sentence, HasSubstr("others were in it"));
}

TEST(Observation, MemoryThatIsNotToldIsWhatWasInUse) {
  Occupant untold = occupant({.pid = 1}, 1);
  untold.memory = missing(Absence::denied, "not for you");
  const SeenWorkload whole = observed({machine_of({untold})}).workloads.at(0);
  EXPECT_EQ(whole.memory, Mib{700});
  EXPECT_EQ(whole.memory_told, MemoryTold::of_partition);
  EXPECT_EQ(observed({machine({cut_card({untold})})}).workloads.at(0).memory, Mib{500});
  LiveCard blind = card({untold});
  blind.memory = missing(Absence::failed, "nor this");
  const Observed none = observed({machine({blind})});
  EXPECT_FALSE(none.workloads.at(0).memory);
  EXPECT_FALSE(can_be_planned(none));
}

TEST(Observation, SeveralWholeCards) {
  const Observed seen =
      observed({machine({card({occupant({.pid = 1}, 100)}, 0), card({occupant({.pid = 1}, 50)}, 1)})});
  EXPECT_EQ(seen.workloads.at(0).cards, 2);
  EXPECT_EQ(seen.workloads.at(0).memory, Mib{150});
  EXPECT_EQ(seen.workloads.at(0).processes, 1);
  EXPECT_FALSE(seen.workloads.at(0).sm);
}

TEST(Observation, AProcessThatEndsWhileItIsLookedUpIsTheOneBefore) {
  Occupant ended = occupant({.pid = 1}, 400);
  ended.process = missing(Absence::unsupported, "no such process here");
  const Observed seen = observed({machine_of({occupant({.pid = 1}, 100)}), machine_of({ended})});
  ASSERT_THAT(seen.workloads, SizeIs(1));
  EXPECT_EQ(seen.workloads.at(0).memory, Mib{400});
  const Observed stranger = observed({machine_of({ended})});
  EXPECT_EQ(stranger.workloads.at(0).tenant, "each");
  EXPECT_EQ(stranger.workloads.at(0).command, "process 1");
}

TEST(Observation, ServersAndWhatOnlyDrawsAreLeftOut) {
  Occupant drawing = occupant({.pid = 2}, 1);
  drawing.compute = false;
  drawing.graphics = true;
  const Observed seen =
      observed({machine_of({occupant({.pid = 1, .command = "/usr/bin/nvidia-cuda-mps-server"}, 30), drawing})});
  EXPECT_THAT(seen.workloads, IsEmpty());
  EXPECT_THAT(seen.notes, ElementsAre(HasSubstr("draw"), HasSubstr("MPS")));
}

TEST(Observation, ALostCardIsSaid) {
  LiveCard lost = card({});
  lost.lost = "GPU is lost (15)";
  lost.occupants = missing(Absence::failed, "");
  EXPECT_THAT(observed({machine({lost})}).notes, ElementsAre(AllOf(HasSubstr("card 0"), HasSubstr("lost"))));
}

TEST(Observation, WhatIsKeptIsBounded) {
  std::vector<Occupant> many;
  for (int pid = 1; pid <= 3000; ++pid)
    many.push_back(occupant({.pid = pid, .command = pid <= 1500 ? "x" : std::to_string(pid)}, 1));
  const Observed seen = observed({machine_of(many)});
  EXPECT_EQ(seen.workloads.size(), most_workloads);
  EXPECT_GT(seen.further_workloads, 0);
  for (const SeenWorkload& workload : seen.workloads) EXPECT_LE(workload.members.size(), most_members);
}

TEST(Names, OfPrograms) {
  using observe_internal::program_of;
  EXPECT_EQ(program_of("/usr/bin/python3.11 -u /srv/train.py --size 3"), "train.py");
  EXPECT_EQ(program_of("python -m torch.distributed.run x.py"), "torch.distributed.run");
  EXPECT_EQ(program_of("bash -c while"), "bash");
  EXPECT_EQ(program_of("/opt/tritonserver --port 1"), "tritonserver");
  EXPECT_EQ(program_of("python"), "python");
  EXPECT_EQ(program_of(""), "");
}

}  // namespace
}  // namespace carve::sample
