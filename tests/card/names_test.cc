#include <gtest/gtest.h>

#include "card/card.h"

namespace carve {
namespace {

TEST(Names, AllOfTheCatalogFollowFromTheirMemory) {
  int checked = 0;
  for (const CardModel& model : catalog()) {
    for (const Profile& profile : model.profiles) {
      if (!profile.memory || !model.total_memory) continue;
      EXPECT_EQ(profile_name(profile.compute_slices, *profile.memory, *model.total_memory, profile.attribute()),
                profile.name)
          << model.id;
      ++checked;
    }
  }
  EXPECT_EQ(checked, 71);  // those of which both figures are known
}

TEST(Names, HangOnTheTotalThatTheDriverReports) {
  EXPECT_EQ(profile_name(1, Mib{16384}, Mib{141 * 1024}, ""), "1g.18gb");        // an eighth of 141 GB is 17.6
  EXPECT_EQ(profile_name(1, Mib{22528}, Mib{186 * 1024}, ""), "1g.23gb");        // 23.25
  EXPECT_EQ(profile_name(1, Mib{22528}, Mib{189 * 1024 - 512}, ""), "1g.24gb");  // 23.6: the same board, another total
  EXPECT_EQ(profile_name(3, Mib{40448}, Mib{81559}, ""), "3g.40gb");
  EXPECT_EQ(profile_name(7, Mib{1024}, Mib{81559}, ""), "7g.10gb");  // never less than an eighth
}

TEST(Names, HalfAGigabyteIsRoundedUp) {
  EXPECT_EQ(profile_name(1, Mib{11 * 1024}, Mib{92 * 1024}, ""), "1g.12gb");  // 11.5
  EXPECT_EQ(profile_name(1, Mib{11 * 1024}, Mib{91 * 1024}, ""), "1g.11gb");  // 11.375
}

TEST(Names, CarryTheirAttribute) {
  EXPECT_EQ(profile_name(1, Mib{24192}, Mib{97887}, "+me.all"), "1g.24gb+me.all");
  EXPECT_EQ(profile_name(1, Mib{24192}, Mib{97887}, "-me"), "1g.24gb-me");
}

TEST(Names, AttributesAreReadFromTheName) {
  const std::pair<const char*, const char*> rows[] = {
      {"1g.10gb", ""},         {"1g.10gb+me", "+me"}, {"1g.24gb+me.all", "+me.all"}, {"1g.24gb-me", "-me"},
      {"1g.24gb+gfx", "+gfx"}, {"1c.3g.20gb", ""},    {"1g.0gb+gfx", "+gfx"},        {"", ""}};
  for (const auto& [name, attribute] : rows) {
    Profile profile;
    profile.name = name;
    EXPECT_EQ(profile.attribute(), attribute) << name;
  }
}

TEST(Names, OfKubernetesResources) {
  EXPECT_EQ(resource_name(""), "nvidia.com/gpu");
  EXPECT_EQ(resource_name("3g.40gb"), "nvidia.com/mig-3g.40gb");
  EXPECT_EQ(resource_name("1g.10gb+me"), "nvidia.com/mig-1g.10gb.me");
  EXPECT_EQ(resource_name("1g.24gb+me.all"), "nvidia.com/mig-1g.24gb.me.all");
  EXPECT_EQ(resource_name("1g.24gb-me"), "nvidia.com/mig-1g.24gb-me");
}

}  // namespace
}  // namespace carve
