// Models that are no rows of the catalog. Anybody can give a model the id of its figures, so the figures are judged.
#include <gmock/gmock.h>

#include <functional>

#include "card/card.h"

namespace carve {
namespace {

using testing::HasSubstr;

// An H100 whose seventh slice has no compute: as its driver would tell.
CardModel board() {
  CardModel model = *find_model("h100-pcie-80gb")->model;
  model.based_on = model.id;
  model.products.resize(1);
  std::erase_if(model.profiles, [](const Profile& profile) { return !profile.attribute().empty(); });
  model.total_memory = Mib{82000};
  return model;
}

Result<const CardModel*> registered(CardModel model, std::string_view stem = "h100-pcie-80gb") {
  model.id = live_model_id(stem, model);
  return register_model(std::move(model));
}

TEST(LiveModel, IsKnownByItsIdAndNothingElse) {
  const Result<const CardModel*> known = registered(board());
  ASSERT_TRUE(known) << known.error().message;
  EXPECT_TRUE((*known)->live);
  EXPECT_EQ(model_with_id((*known)->id), *known);
  EXPECT_EQ(find_model((*known)->id)->model, *known);
  EXPECT_EQ(find_model("h100-pcie")->model->id, "h100-pcie-80gb") << "a short name means the catalog's";
  EXPECT_EQ(*registered(board()), *known) << "once";
  EXPECT_TRUE((*known)->answers_to("h100-pcie-80gb"));
  EXPECT_FALSE((*known)->answers_to("h100-sxm5-80gb"));
}

TEST(LiveModel, TheIdHangsOnEveryFigure) {
  const std::string id = live_model_id("a", board());
  const std::function<void(CardModel&)> changes[] = {
      [](CardModel& m) { m.total_memory = Mib{82001}; },
      [](CardModel& m) { m.sms = 1; },
      [](CardModel& m) { m.based_on.clear(); },
      [](CardModel& m) { m.profiles[0].memory = Mib{1}; },
      [](CardModel& m) { m.profiles[0].sms = 1; },
      [](CardModel& m) { m.profiles[0].placements.pop_back(); },
      [](CardModel& m) { m.profiles[0].max_instances = 3; },
      [](CardModel& m) { m.profiles.pop_back(); },
  };
  for (const auto& change : changes) {
    CardModel other = board();
    change(other);
    EXPECT_NE(live_model_id("a", other), id);
  }
  CardModel renamed = board();
  renamed.id = "h100-pcie-80gb";
  EXPECT_FALSE(register_model(renamed));
  EXPECT_FALSE(registered(board(), "Not A Stem"));
  EXPECT_FALSE(registered(board(), ""));
}

struct Hostile {
  const char* words;
  void (*change)(CardModel&);
};
constexpr Hostile hostile[] = {
    {"memory must be from 1", [](CardModel& m) { m.total_memory = Mib{-1}; }},
    {"memory must be from 1", [](CardModel& m) { m.total_memory = Mib{std::int64_t{1} << 60}; }},
    {"its SMs", [](CardModel& m) { m.sms = -3; }},
    {"compute slices", [](CardModel& m) { m.compute_slices = 1000; }},
    {"profiles and no grid", [](CardModel& m) { m.compute_slices = 0; }},
    {"memory slices", [](CardModel& m) { m.memory_slices.reset(); }},
    {"most instances", [](CardModel& m) { m.max_instances = 0; }},
    {"no card of the catalog", [](CardModel& m) { m.based_on = "h999"; }},
    {"name of its product", [](CardModel& m) { m.products.clear(); }},
    {"no name of a profile", [](CardModel& m) { m.profiles[0].name = "1g\n"; }},
    {"two profiles", [](CardModel& m) { m.profiles.push_back(m.profiles[0]); }},
    {"memory slices", [](CardModel& m) { m.profiles[0].memory_slices = 9; }},
    {"memory must be", [](CardModel& m) { m.profiles[0].memory = Mib{90000}; }},
    {"SMs", [](CardModel& m) { m.profiles[0].sms = 100000; }},
    {"needs a place", [](CardModel& m) { m.profiles[0].placements.clear(); }},
    {"not within",
     [](CardModel& m) {
       m.profiles[0].placements = {{7, 2}};
     }},
    {"not within",
     [](CardModel& m) {
       m.profiles[0].placements = {{-1, 1}};
     }},
    {"not within",
     [](CardModel& m) {
       m.profiles[0].placements = {{2147483647, 1}};
     }},
    {"must ascend",
     [](CardModel& m) {
       m.profiles[0].placements = {{1, 1}, {1, 1}};
     }},
    {"without an attribute", [](CardModel& m) { m.profiles.clear(); }},
};

TEST(LiveModel, FiguresThatNoCardHasAreRefused) {
  for (const Hostile& row : hostile) {
    CardModel model = board();
    row.change(model);
    const Result<const CardModel*> refused = registered(std::move(model));
    ASSERT_FALSE(refused) << row.words;
    EXPECT_THAT(refused.error().message, HasSubstr(row.words));
  }
}

// Places by the dozen: no more than 64, and no more layouts than can be enumerated.
TEST(LiveModel, MoreLayoutsThanCanBeLookedAtAreRefused) {
  CardModel model = board();
  model.compute_slices = model.max_instances = 32;
  model.memory_slices = 32;
  model.profiles.resize(1);
  Profile& profile = model.profiles.front();
  profile.max_instances = 64;
  profile.placements.clear();
  for (int slice = 0; slice < 32; ++slice) profile.placements.push_back({slice, 1});
  EXPECT_THAT(registered(model).error().message, HasSubstr("ways to cut it"));
  model.profiles.push_back(model.profiles.front());
  model.profiles.push_back(model.profiles.front());
  model.profiles[1].name = "1g.11gb";
  model.profiles[2].name = "1g.12gb";
  EXPECT_THAT(registered(model).error().message, HasSubstr("96 places"));
}

TEST(LiveModel, EveryBoardOfTheCatalogWouldBeTaken) {
  for (const CardModel& row : catalog()) {
    if (!row.can_be_cut() || !row.total_memory) continue;
    CardModel model = row;
    model.products.resize(1);
    std::erase_if(model.profiles, [](const Profile& p) { return !p.attribute().empty() || !p.memory || !p.sms; });
    if (model.profiles.empty()) continue;
    const Result<const CardModel*> known = registered(std::move(model), "copy");
    EXPECT_TRUE(known) << row.id << ": " << (known ? "" : known.error().message);
  }
}

}  // namespace
}  // namespace carve
