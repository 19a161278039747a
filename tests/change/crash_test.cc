// carve killed at NVML calls of a change, and run again: it always ends in the old or the new layout, nothing half-made
// stays, and nobody who was to stay is lost. One harness over the calls: each point is a forked process, which the
// library kills with all its children at the n-th call.
//
// CARVE_CHANGE_CRASHES is the number of changes, CARVE_CHANGE_CRASH_STRIDE how many calls lie between two points.
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "base/base.h"
#include "change/bench.h"
#include "change/enumeration.h"

namespace carve::changing {
namespace {

int setting(const char* name, int usual) {
  const char* text = std::getenv(name);
  return text == nullptr ? usual : std::max(1, std::atoi(text));
}

struct Case {
  Layout from;
  std::set<At> occupied;  // all of them can stay
  Multiset to;
};

std::vector<Case> chosen_cases() {
  return {
      {{{"3g.40gb", 4}, {"1g.10gb", 0}, {"1g.10gb", 1}}, {{"1g.10gb", 0}}, {"1g.10gb", "2g.20gb", "3g.40gb"}},
      {{{"1g.10gb", 0}, {"1g.10gb", 1}, {"1g.10gb", 2}, {"1g.10gb", 3}, {"3g.40gb", 4}},
       {{"3g.40gb", 4}},
       {"3g.40gb", "3g.40gb"}},
      {{{"2g.20gb", 0}, {"2g.20gb", 2}, {"3g.40gb", 4}},
       {{"2g.20gb", 0}, {"2g.20gb", 2}},
       {"1g.10gb", "2g.20gb", "2g.20gb", "2g.20gb"}},
      {{{"1g.10gb", 6}, {"4g.40gb", 0}}, {{"4g.40gb", 0}}, {"3g.40gb", "4g.40gb"}},
      {{}, {}, {"7g.80gb"}},
  };
}

Case random_case(Random& random) {
  const Enumeration& layouts = all_layouts();
  const auto any = [&](const auto& list) {
    return *std::next(list.begin(), static_cast<std::ptrdiff_t>(random.between(0, std::ssize(list) - 1)));
  };
  Case one{any(layouts.full), {}, any(layouts.full_multisets)};
  const std::vector<Layout>& ends = layouts.by_multiset.at(one.to);
  const Layout& end = *std::min_element(ends.begin(), ends.end(), [&](const Layout& a, const Layout& b) {
    return lost(one.from, a) < lost(one.from, b);
  });
  for (const At& at : one.from)
    if (lost({at}, end) == 0 && random.between(0, 1) == 0) one.occupied.insert(at);
  return one;
}

std::vector<Case> cases(int count) {
  Random random(3);
  std::vector<Case> list = chosen_cases();
  while (std::ssize(list) < count) list.push_back(random_case(random));
  list.resize(static_cast<std::size_t>(count));
  return list;
}

class Harness {
 public:
  explicit Harness(const Case& one) : case_(one) {
    bench_.mig_on();
    bench_.cut(0, one.from);
    bench_.own_all();
    for (const At& at : one.occupied) bench_.occupy(0, at);
    before_ = bench_.layout();
    save();
  }

  // False: the change ended before that call.
  bool kill_at(std::uint64_t call, sim::FaultAction action) {
    restore();
    sim::FaultOrder fault;
    fault.action = action;
    fault.skip = call;
    EXPECT_TRUE(bench_.control().arm(fault));
    const bool killed = run_in_child();
    EXPECT_TRUE(bench_.control().disarm());
    if (killed) recover(call);
    return killed;
  }

 private:
  // True: it was killed.
  bool run_in_child() {
    const pid_t child = ::fork();
    if (child == 0) {
      ::setpgid(0, 0);
      ::setenv("CARVE_SIM_KILL", "group", 1);
      const Change change = bench_.plan({bench_.wants(0, case_.to)});
      (void)bench_.apply(change);
      ::_exit(0);
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0) {
    }
    return WIFSIGNALED(status);
  }

  void recover(std::uint64_t call) {
    SCOPED_TRACE("killed at call " + std::to_string(call));
    const bool back = call % 2 == 1;
    const auto journal = last_journal({bench_.root()});
    ASSERT_TRUE(journal) << journal.error().message;
    const bool begun = journal->has_value() && !(*journal)->outcome;
    const std::vector<WantedCard> wanted =
        back && begun ? (*journal)->opening.before.cards : std::vector{bench_.wants(0, case_.to)};
    const Change change = bench_.plan(wanted);
    ASSERT_TRUE(change.possible()) << change.cards.front().obstacles.front().message;
    const auto applied = bench_.apply(change);
    ASSERT_TRUE(applied) << applied.error().message;
    ASSERT_EQ(applied->outcome, Outcome::done) << applied->cards.front().message;
    EXPECT_EQ(multiset_of(bench_.layout()), back && begun ? multiset_of(before_) : case_.to);
    const LiveCard card = bench_.card();
    EXPECT_EQ(card.occupants->size(), case_.occupied.size());
    for (const LiveGpuInstance& instance : *card.instances) EXPECT_EQ(instance.compute->size(), 1u);
  }

  // The machine and the state as they are, to begin again from.
  void save() {
    namespace fs = std::filesystem;
    fs::copy(bench_.folder() + "/machine", bench_.root() + ".machine", fs::copy_options::overwrite_existing);
    fs::copy(bench_.root(), bench_.root() + ".saved", fs::copy_options::recursive);
  }
  void restore() {
    namespace fs = std::filesystem;
    fs::copy(bench_.root() + ".machine", bench_.folder() + "/machine", fs::copy_options::overwrite_existing);
    fs::remove_all(bench_.root());
    fs::copy(bench_.root() + ".saved", bench_.root(), fs::copy_options::recursive);
  }

 public:
  ~Harness() {
    std::filesystem::remove(bench_.root() + ".machine");
    std::filesystem::remove_all(bench_.root() + ".saved");
  }
  Harness(const Harness&) = delete;
  Harness& operator=(const Harness&) = delete;

 private:
  Case case_;
  Bench bench_{"1xh100-80gb"};
  std::vector<At> before_;
};

TEST(Crash, KilledAtAnyCallTheNextRunEndsInOneOfTheTwoLayouts) {
  const int changes = setting("CARVE_CHANGE_CRASHES", 3);
  const auto stride = static_cast<std::uint64_t>(setting("CARVE_CHANGE_CRASH_STRIDE", 67));
  const std::vector<Case> list = cases(changes);
  int points = 0;
  for (int i = 0; i < changes; ++i) {
    Harness harness(list[static_cast<std::size_t>(i)]);
    constexpr std::array actions{sim::FaultAction::kill_before, sim::FaultAction::kill_midway,
                                 sim::FaultAction::kill_after};
    for (std::uint64_t call = static_cast<std::uint64_t>(i) % stride;; call += stride) {
      const auto action = actions[(call / stride) % actions.size()];
      if (!harness.kill_at(call, action) || testing::Test::HasFailure()) break;
      ++points;
    }
  }
  std::printf("%d crash points in %d changes\n", points, changes);
}

}  // namespace
}  // namespace carve::changing
