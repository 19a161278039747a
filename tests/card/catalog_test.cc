// The catalog that was built in, against what is known of it as a whole, and against its files for what the build
// dropped.
#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "card/card.h"
#include "card/catalog_table.h"

namespace carve {
namespace {

const CardModel& model(const char* id) {
  const Result<ModelMatch> match = find_model(id);
  EXPECT_TRUE(match.has_value()) << id;
  return *match->model;
}

TEST(Catalog, IsOrderedAndUnique) {
  EXPECT_TRUE(std::is_sorted(catalog().begin(), catalog().end(),
                             [](const CardModel& a, const CardModel& b) { return a.id < b.id; }));
  std::set<std::string> ids;
  for (const CardModel& card : catalog()) EXPECT_TRUE(ids.insert(card.id).second) << card.id;
  EXPECT_EQ(std::count_if(catalog().begin(), catalog().end(), [](const CardModel& c) { return c.has_mig(); }), 20);
}

TEST(Catalog, EverySourceIsExplained) {
  std::set<std::string> keys;
  for (const CatalogSource& source : catalog_sources()) {
    keys.insert(source.key);
    EXPECT_FALSE(source.citation.empty());
  }
  for (const CardModel& card : catalog()) {
    EXPECT_FALSE(card.sources.empty()) << card.id;
    for (const std::string& key : card.sources) EXPECT_TRUE(keys.contains(key)) << key;
    for (const Profile& profile : card.profiles) {
      EXPECT_FALSE(profile.sources.empty()) << card.id << ' ' << profile.name;
      for (const std::string& key : profile.sources) EXPECT_TRUE(keys.contains(key)) << key;
    }
  }
}

TEST(Catalog, FiguresOfOneBoard) {
  const CardModel& card = model("h100-sxm5-80gb");
  EXPECT_EQ(card.architecture, "Hopper");
  EXPECT_EQ(card.chip, "GH100");
  EXPECT_EQ(card.compute_capability, "9.0");
  EXPECT_EQ(card.nominal_memory_gb, 80);
  EXPECT_EQ(card.total_memory, Mib{81559});
  EXPECT_EQ(card.sms, 132);
  EXPECT_EQ(card.compute_slices, 7);
  EXPECT_EQ(card.memory_slices, 8);
  EXPECT_EQ(card.max_instances, 7);
  EXPECT_FALSE(card.mode_change_needs_reset);
  const Profile* profile = card.find_profile("1g.20gb");
  ASSERT_NE(profile, nullptr);
  EXPECT_EQ(profile->nvml_enum, 9);
  EXPECT_EQ(profile->id, 15);
  EXPECT_EQ(profile->compute_slices, 1);
  EXPECT_EQ(profile->memory_slices, 2);
  EXPECT_EQ(profile->memory, Mib{20096});
  EXPECT_EQ(profile->sms, 26);
  EXPECT_EQ(profile->max_instances, 4);
  EXPECT_THAT(profile->placements,
              testing::ElementsAre(Placement{0, 2}, Placement{2, 2}, Placement{4, 2}, Placement{6, 2}));
  EXPECT_EQ(profile->placement_evidence, Evidence::observed);
  EXPECT_EQ(card.find_profile("1g.5gb"), nullptr);
}

TEST(Catalog, WhatIsUnknownStaysUnknown) {
  EXPECT_EQ(model("a100-80gb").find_profile("1g.20gb")->memory, std::nullopt);
  EXPECT_EQ(model("gh200-144gb").total_memory, std::nullopt);
  EXPECT_EQ(model("gb200-186gb").sms, std::nullopt);
  EXPECT_EQ(model("a30-24gb").find_profile("1g.6gb")->engines.decoder, std::nullopt);
  EXPECT_EQ(model("a30-24gb").find_profile("1g.6gb")->engines.encoder, 0);  // known to be none
  EXPECT_EQ(model("thor-igpu").memory_slices, std::nullopt);
  EXPECT_EQ(model("thor-igpu").compute_capability, "");
  EXPECT_EQ(model("l40-48gb").sms, std::nullopt);
}

TEST(Catalog, InferredPlacementsSaySo) {
  const Profile* inferred = model("h200-141gb").find_profile("3g.71gb");
  EXPECT_EQ(inferred->placement_evidence, Evidence::inferred);
  EXPECT_THAT(inferred->placements, testing::ElementsAre(Placement{0, 4}, Placement{4, 4}));
  EXPECT_EQ(model("rtx-pro-5000-48gb").find_profile("1g.24gb")->placement_evidence, Evidence::unknown);
  EXPECT_TRUE(model("rtx-pro-5000-48gb").find_profile("1g.24gb")->placements.empty());
}

TEST(Catalog, WhatCanBeCut) {
  EXPECT_TRUE(model("a100-40gb").can_be_cut());
  EXPECT_TRUE(model("h200-141gb").can_be_cut());          // on an inferred grid
  EXPECT_FALSE(model("rtx-pro-5000-48gb").can_be_cut());  // nobody has published its grid
  EXPECT_FALSE(model("thor-igpu").can_be_cut());
  EXPECT_FALSE(model("t4").can_be_cut());
  EXPECT_FALSE(model("t4").has_mig());
  EXPECT_TRUE(model("rtx-pro-5000-48gb").has_mig());
}

TEST(Catalog, ProfilesAreConsistent) {
  for (const CardModel& card : catalog()) {
    for (const Profile& profile : card.profiles) {
      SCOPED_TRACE(card.id + ' ' + profile.name);
      EXPECT_TRUE(profile.name.starts_with(std::to_string(profile.compute_slices) + "g."));
      EXPECT_LE(profile.compute_slices, card.compute_slices);
      EXPECT_GE(profile.max_instances, 1);
      EXPECT_EQ(profile.placements.empty(), profile.placement_evidence == Evidence::unknown);
      if (profile.memory && card.total_memory) {
        EXPECT_LT(*profile.memory, *card.total_memory);
      }
      if (profile.sms && card.sms) {
        EXPECT_LE(*profile.sms, *card.sms);
      }
      for (const Placement& placement : profile.placements) {
        EXPECT_GE(placement.start, 0);
        EXPECT_LE(placement.start + placement.size, *card.memory_slices);
      }
    }
    const auto by_slices = [](const Profile& a, const Profile& b) {
      return std::pair(a.compute_slices, a.memory_slices.value_or(0)) <
             std::pair(b.compute_slices, b.memory_slices.value_or(0));
    };
    EXPECT_TRUE(std::is_sorted(card.profiles.begin(), card.profiles.end(), by_slices)) << card.id;
  }
}

// Simulated cards read the rows: what the values of this room leave out is there.
TEST(Catalog, RowsKnowPciIdsAndConfidence) {
  const auto rows = catalog_rows();
  ASSERT_EQ(rows.size(), catalog().size());
  const auto row = std::find_if(rows.begin(), rows.end(), [](const ModelRow& r) { return r.id == "a100-40gb"; });
  ASSERT_NE(row, rows.end());
  EXPECT_EQ(row->pci[0].device_id, 0x20B0);
  EXPECT_EQ(row->pci[0].name, "NVIDIA A100-SXM4-40GB");
  EXPECT_EQ(row->pci[1].from.confidence, Confidence::medium);
  EXPECT_EQ(row->profiles[0].p2p, PeerToPeer::no);
  EXPECT_EQ(row->mode_change, ModeChange::needs_reset);
  EXPECT_EQ(row->sms_from.sources[0], "forum-98sm");
}

}  // namespace
}  // namespace carve
