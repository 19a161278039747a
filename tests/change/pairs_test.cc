// From every full layout of a card with 8 memory and 7 compute slices to every other full multiset of profiles: the
// right layout is read back, and no more instances are destroyed than an exhaustive search says.
// CARVE_CHANGE_STRIDE=1 does all pairs.
#include <algorithm>
#include <cstdlib>
#include <set>

#include "base/base.h"
#include "change/bench.h"
#include "change/enumeration.h"

namespace carve::changing {
namespace {

using testing::SizeIs;

int stride() {
  const char* text = std::getenv("CARVE_CHANGE_STRIDE");
  return text == nullptr ? 41 : std::max(1, std::atoi(text));
}

TEST(Pairs, TheEnumerationIsThePublishedOne) {
  std::size_t layouts = 0;
  for (const auto& [multiset, list] : all_layouts().by_multiset) layouts += list.size();
  EXPECT_EQ(layouts, 723u);
  EXPECT_EQ(all_layouts().full.size(), 78u);
  EXPECT_EQ(all_layouts().full_multisets.size(), 38u);
}

TEST(Pairs, EachIsReachedWithTheFewestDestroys) {
  Bench bench("1xh100-80gb");
  bench.mig_on();
  int pairs = 0, destroys = 0, everything = 0, number = 0;
  for (const Layout& from : all_layouts().full) {
    for (const Multiset& to : all_layouts().full_multisets) {
      if (to == multiset_of(from) || number++ % stride() != 0) continue;
      bench.cut(0, from);
      bench.own_all();
      const Change change = bench.plan({bench.wants(0, to)});
      ASSERT_TRUE(change.possible());
      const int planned = change.cards.front().count(Act::destroy);
      ASSERT_EQ(planned, fewest_lost(from, to));
      const auto applied = bench.apply(change);
      ASSERT_TRUE(applied) << applied.error().message;
      ASSERT_EQ(applied->outcome, Outcome::done) << applied->cards.front().message;
      const Layout reached = bench.layout();
      ASSERT_EQ(multiset_of(reached), to);
      ASSERT_EQ(lost(from, reached), planned);
      ++pairs;
      destroys += planned;
      everything += static_cast<int>(from.size());
    }
  }
  std::printf("%d of %d pairs; destroyed %.2f on average, of %.2f\n", pairs, number,
              static_cast<double>(destroys) / pairs, static_cast<double>(everything) / pairs);
}

// Random pairs with running work on some of the instances: nobody is lost who can stay.
TEST(Pairs, RunningWorkOnWhatBothHaveLivesOn) {
  constexpr int rounds = 2000;
  Random random(7);
  const auto& layouts = all_layouts();
  const std::vector<Multiset> targets(layouts.full_multisets.begin(), layouts.full_multisets.end());
  int tried = 0, refused = 0, kept = 0;
  for (int round = 0; round < rounds; ++round) {
    const Layout& from = layouts.full[static_cast<std::size_t>(random.between(0, 77))];
    const Multiset& to = targets[static_cast<std::size_t>(random.between(0, 37))];
    const auto busy = static_cast<std::uint64_t>(random.between(0, 127));
    if (round % stride() != 0) continue;
    Bench bench("1xh100-80gb");
    bench.mig_on();
    bench.cut(0, from);
    bench.own_all();
    std::set<At> occupied;
    for (std::size_t i = 0; i < from.size(); ++i)
      if ((busy >> i & 1) != 0) {
        bench.occupy(0, from[i]);
        occupied.insert(from[i]);
      }
    // The most that any layout with these profiles keeps of those who run.
    bool all_can_stay = false;
    for (const Layout& layout : layouts.by_multiset.at(to))
      all_can_stay = all_can_stay || std::all_of(occupied.begin(), occupied.end(), [&](const At& at) {
                       return std::find(layout.begin(), layout.end(), at) != layout.end();
                     });
    const Change change = bench.plan({bench.wants(0, to)});
    ASSERT_EQ(change.possible(), all_can_stay);
    ++tried;
    const auto applied = bench.apply(change);
    ASSERT_TRUE(applied) << applied.error().message;
    ASSERT_EQ(applied->outcome, all_can_stay ? Outcome::done : Outcome::rolled_back);
    const Layout reached = bench.layout();
    ASSERT_EQ(multiset_of(reached), all_can_stay ? to : multiset_of(from));
    if (!all_can_stay) {
      ASSERT_EQ(reached, from);
    }
    refused += all_can_stay ? 0 : 1;
    kept += static_cast<int>(occupied.size());
    ASSERT_THAT(*bench.card().occupants, SizeIs(occupied.size()));
  }
  std::printf("%d random pairs: %d refused, %d processes lived on\n", tried, refused, kept);
}

}  // namespace
}  // namespace carve::changing
