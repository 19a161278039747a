#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "card/card.h"

namespace carve {
namespace {

using testing::HasSubstr;

struct Found {
  const char* name;
  const char* id;
  std::vector<std::string> also_fit = {};
};

TEST(FindModel, WhatANameMeans) {
  const Found rows[] = {
      {"h100-sxm5-80gb", "h100-sxm5-80gb"},
      {"H100-SXM5-80GB", "h100-sxm5-80gb"},
      {"h100-80gb", "h100-sxm5-80gb", {"h100-pcie-80gb"}},
      {"H100-80GB", "h100-sxm5-80gb", {"h100-pcie-80gb"}},
      {"h100-80", "h100-sxm5-80gb", {"h100-pcie-80gb"}},
      {"h100_80gb", "h100-sxm5-80gb", {"h100-pcie-80gb"}},
      {"h100-94gb", "h100-sxm5-94gb", {"h100-nvl-94gb"}},
      {"h100-sxm-80gb", "h100-sxm5-80gb"},
      {"h100-pcie", "h100-pcie-80gb"},
      {"h100-nvl", "h100-nvl-94gb"},
      {"v100-16gb", "v100-sxm2-16gb", {"v100-pcie-16gb"}},
      {"a100-40gb", "a100-40gb"},
      {"a100-pcie-80gb", "a100-80gb"},
      {"a100-sxm4-40gb", "a100-40gb"},
      {"a30", "a30-24gb"},
      {"t4", "t4-16gb"},
      {"l4", "l4-24gb"},
      {"l40", "l40-48gb"},
      {"L40S", "l40s-48gb"},
      {"a10", "a10-24gb"},
      {"h200", "h200-141gb"},
      {"b200", "b200-180gb"},
      {"gb200", "gb200-186gb"},
      {"rtx-pro-6000", "rtx-pro-6000-96gb"},
      {"rtx 6000 ada", "rtx-6000-ada-48gb"},
      {"NVIDIA H100 80GB HBM3", "h100-sxm5-80gb"},
      {"nvidia h100 pcie", "h100-pcie-80gb"},
      {"H100 PCIe", "h100-pcie-80gb"},
      {"NVIDIA A100-SXM4-80GB", "a100-80gb"},
      {"NVIDIA A100 80GB PCIe", "a100-80gb"},
      {"A100-PCIE-40GB", "a100-40gb"},
      {"Tesla T4", "t4-16gb"},
      {"Tesla V100-SXM2-32GB", "v100-sxm2-32gb"},
      {"NVIDIA GH200 480GB", "gh200-96gb"},
      {"NVIDIA H200", "h200-141gb"},
      {"NVIDIA H20", "h20-96gb"},
      {"NVIDIA RTX PRO 6000 Blackwell Server Edition", "rtx-pro-6000-96gb"},
      {"NVIDIA GeForce RTX 4090", "rtx-4090-24gb"},
  };
  for (const Found& row : rows) {
    const Result<ModelMatch> match = find_model(row.name);
    ASSERT_TRUE(match.has_value()) << row.name << ": " << match.error().message;
    EXPECT_EQ(match->model->id, row.id) << row.name;
    EXPECT_EQ(match->also_fit, row.also_fit) << row.name;
  }
}

TEST(FindModel, EveryIdAndProductIsFound) {
  for (const CardModel& model : catalog()) {
    const Result<ModelMatch> by_id = find_model(model.id);
    ASSERT_TRUE(by_id.has_value()) << model.id;
    EXPECT_EQ(by_id->model, &model);
    EXPECT_TRUE(by_id->also_fit.empty());
    for (const std::string& product : model.products) {
      const Result<ModelMatch> by_product = find_model(product);
      ASSERT_TRUE(by_product.has_value()) << product;
      EXPECT_EQ(by_product->model, &model) << product;
      EXPECT_TRUE(by_product->also_fit.empty()) << product;
    }
  }
}

TEST(FindModel, SeveralMemorySizesAreNeverGuessed) {
  const std::pair<const char*, std::vector<const char*>> rows[] = {
      {"a100", {"a100-40gb", "a100-80gb"}},
      {"h100", {"h100-sxm5-80gb", "h100-pcie-80gb", "h100-nvl-94gb", "h100-sxm5-94gb"}},
      {"h100-sxm5", {"h100-sxm5-80gb", "h100-sxm5-94gb"}},
      {"gh200", {"gh200-96gb", "gh200-144gb"}},
      {"v100", {"v100-sxm2-16gb", "v100-sxm2-32gb", "v100-pcie-16gb"}},
      {"h800", {"h100-sxm5-80gb", "h100-pcie-80gb", "h100-nvl-94gb"}},
      {"h20", {"h20-96gb", "h20-141gb"}},
      {"80gb", {"a100-80gb", "h100-sxm5-80gb"}},
      {"nvidia rtx 6000", {"rtx-6000-ada-48gb", "rtx-pro-6000-96gb"}},
  };
  for (const auto& [name, expected] : rows) {
    const Result<ModelMatch> match = find_model(name);
    ASSERT_FALSE(match.has_value()) << name;
    EXPECT_EQ(match.error().fault, Fault::bad_input);
    EXPECT_THAT(match.error().message, HasSubstr(std::string("\"") + name + "\" fits several cards"));
    for (const char* id : expected) EXPECT_THAT(match.error().help, HasSubstr(id)) << name;
  }
}

TEST(FindModel, UnknownNamesHaveNeighbours) {
  const std::pair<const char*, const char*> rows[] = {
      {"h100-40gb", "h100 exists as h100-nvl-94gb, h100-pcie-80gb, h100-sxm5-80gb, h100-sxm5-94gb"},
      {"h10-80gb", "did you mean \"h100-80gb\"?"},
      {"a100-80gbb", "a100 exists as a100-40gb, a100-80gb"},
      {"h200nvl", "`carve cards` lists all cards"},
      {"radeon", "`carve cards` lists all cards"},
      {"", "`carve cards` lists all cards"},
      {"nvidia", "`carve cards` lists all cards"},
      {"- -", "`carve cards` lists all cards"},
  };
  for (const auto& [name, help] : rows) {
    const Result<ModelMatch> match = find_model(name);
    ASSERT_FALSE(match.has_value()) << name;
    EXPECT_EQ(match.error().fault, Fault::bad_input);
    EXPECT_THAT(match.error().message, HasSubstr("the catalog has no card"));
    EXPECT_THAT(match.error().help, HasSubstr(help)) << name;
  }
}

}  // namespace
}  // namespace carve
