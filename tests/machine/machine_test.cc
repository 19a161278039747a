// What follows from the values of a machine.
#include "machine/machine.h"

#include <gmock/gmock.h>

namespace carve {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

LiveCard card_named(std::string name, Mib total) {
  LiveCard card;
  card.name = std::move(name);
  card.memory = MemoryUse{total, Mib{}, {}};
  return card;
}

TEST(Reading, WithoutAFigureItSaysSo) {
  const Reading<int> none;
  EXPECT_FALSE(none);
  EXPECT_EQ(none.error().why, Absence::failed);
  EXPECT_THAT(none.error().sentence, Not(IsEmpty()));
}

TEST(CatalogModel, HasTheProductsName) {
  const CardModel* model = catalog_model(card_named("NVIDIA H100 80GB HBM3", Mib{81559}));
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(model->id, "h100-sxm5-80gb");
  EXPECT_EQ(catalog_model(card_named("NVIDIA H100", Mib{81559})), nullptr) << "part of a name is no name";
  EXPECT_EQ(catalog_model(card_named("Voodoo 2", Mib{12})), nullptr);
  EXPECT_EQ(catalog_model(LiveCard{}), nullptr);
}

// A name that several models of the catalog share is told by its memory, or not at all.
TEST(CatalogModel, OfSeveralTheOneWithThisMemory) {
  for (const CardModel& model : catalog()) {
    if (!model.total_memory || model.products.empty()) continue;
    const CardModel* found = catalog_model(card_named(model.products.front(), *model.total_memory));
    EXPECT_TRUE(found == nullptr || found->total_memory == model.total_memory) << model.id;
  }
}

TEST(MemoryGrid, ComesFromTheCardsOwnPlacements) {
  LiveCard card = card_named("NVIDIA H100 80GB HBM3", Mib{81559});
  EXPECT_EQ(memory_grid(card), 8);
  LiveProfile profile;
  profile.placements = std::vector<Placement>{{0, 6}, {6, 6}};
  card.profiles = std::vector<LiveProfile>{profile};
  EXPECT_EQ(memory_grid(card), 12) << "the driver knows better than the catalog";
  EXPECT_EQ(memory_grid(card_named("Voodoo 2", Mib{12})), std::nullopt);
}

TEST(DeviceName, TellsThePartOfAGpuInstance) {
  LiveGpuInstance instance;
  LiveComputeInstance compute;
  EXPECT_EQ(device_name(instance, compute), "profile not known");
  instance.profile = "3g.40gb";
  EXPECT_EQ(device_name(instance, compute), "3g.40gb");
  instance.compute_slices = 3;
  compute.compute_slices = 3;
  EXPECT_EQ(device_name(instance, compute), "3g.40gb");
  compute.compute_slices = 1;
  EXPECT_EQ(device_name(instance, compute), "1c.3g.40gb");
}

TEST(WaitsFor, NothingUnlessAModeIsPending) {
  LiveCard hopper = card_named("NVIDIA H100 80GB HBM3", Mib{81559});
  EXPECT_THAT(waits_for(hopper), IsEmpty()) << "a mode that is not known is not pending";
  hopper.mig = MigModes{true, true};
  EXPECT_THAT(waits_for(hopper), IsEmpty());
  hopper.mig = MigModes{false, true};
  EXPECT_THAT(waits_for(hopper), HasSubstr("held by nobody"));
  LiveCard ampere = card_named("NVIDIA A100-SXM4-40GB", Mib{40960});
  ampere.mig = MigModes{true, false};
  EXPECT_THAT(waits_for(ampere), HasSubstr("--gpu-reset"));
}

}  // namespace
}  // namespace carve
