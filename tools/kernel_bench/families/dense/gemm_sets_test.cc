#include "tools/kernel_bench/families/dense/gemm_sets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tools/kernel_bench/case_set.h"
#include "tools/kernel_bench/families/dense/gemm_work.h"

namespace burin::kernel_bench {
namespace {

TEST(GemmSetsTest, NamesAreReadBack) {
  for (const GemmCase& product : UsualGemms()) {
    const auto parsed = GemmCase::Parse(product.Name());
    ASSERT_TRUE(parsed.has_value()) << product.Name();
    EXPECT_EQ(parsed->Name(), product.Name());
  }
  for (const char* const text : {"", "constant", "constant/1x2", "constant/0x2x3", "other/1x2x3", "plain/1x2x3x4"}) {
    EXPECT_FALSE(GemmCase::Parse(text).has_value()) << text;
  }
}

TEST(GemmSetsTest, AllHasEachOnce) {
  std::set<std::string> of_sets;
  for (const std::string& name : SetNames()) {
    for (const GemmCase& product : GemmsOf({name, {}})) of_sets.insert(product.Name());
  }
  std::set<std::string> names;
  const std::vector<GemmCase> all = GemmsOf({"all", {}});
  for (const GemmCase& product : all) names.insert(product.Name());
  EXPECT_EQ(names.size(), all.size());
  EXPECT_EQ(names, of_sets);
  EXPECT_EQ(GemmsOf({"mobilenet_v2", {}}).front().Name(), "constant/1x1000x1280");
}

TEST(GemmSetsTest, DrawnOnesAreInTheirRanges) {
  const std::vector<GemmCase> drawn = GemmsOf({"", 3});
  ASSERT_EQ(drawn.size(), CaseSet::kDrawn);
  for (const GemmCase& product : drawn) {
    EXPECT_TRUE(product.m >= 1 && product.m <= 2048) << product.Name();
    EXPECT_TRUE(product.n >= 64 && product.n <= 4096) << product.Name();
    EXPECT_TRUE(product.k >= 64 && product.k <= 4096) << product.Name();
  }
  EXPECT_NE(GemmsOf({"", 4}).front().Name(), drawn.front().Name());
}

}  // namespace
}  // namespace burin::kernel_bench
