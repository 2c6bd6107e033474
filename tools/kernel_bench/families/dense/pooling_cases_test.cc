#include "tools/kernel_bench/families/dense/pooling_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "jit/kernels/pooling/pooling_spec.h"
#include "testing/gtest/status_matchers.h"
#include "tools/kernel_bench/case_set.h"

namespace burin::kernel_bench {
namespace {

TEST(PoolingCasesTest, NamesAreReadBack) {
  for (const PoolingCase& layer : UsualPoolings()) {
    const auto parsed = PoolingCase::Parse(layer.Name());
    ASSERT_TRUE(parsed.has_value()) << layer.Name();
    EXPECT_EQ(parsed->Name(), layer.Name());
    EXPECT_OK(layer.Spec().Validate());
  }
  for (const char* const text : {"", "max64/56/k2s2", "sum64/56/k2s2p0", "max64/2/k5s1p1", "max0/56/k2s2p0"}) {
    EXPECT_FALSE(PoolingCase::Parse(text).has_value()) << text;
  }
}

TEST(PoolingCasesTest, SpecsHaveTheWindows) {
  const jit::PoolingSpec spec = PoolingCase{true, 64, 112, 3, 2, 1}.Spec();
  EXPECT_EQ(spec.Windows(), 56 * 56);
  EXPECT_EQ(spec.axes[2].pad_begin, 1);
  EXPECT_EQ((PoolingCase{false, 2048, 7, 7, 1, 0}).output_size(), 1);
}

TEST(PoolingCasesTest, SetsHaveEachOnce) {
  std::set<std::string> names;
  const std::vector<PoolingCase> all = PoolingsOf({"all", {}});
  for (const PoolingCase& layer : all) names.insert(layer.Name());
  EXPECT_EQ(names.size(), all.size());
  EXPECT_GT(all.size(), 10u);
  EXPECT_EQ(PoolingsOf({"vgg19", {}}).size(), 5u);
  const std::vector<PoolingCase> drawn = PoolingsOf({"", 3});
  ASSERT_EQ(drawn.size(), CaseSet::kDrawn);
  for (const PoolingCase& layer : drawn) {
    EXPECT_TRUE(PoolingCase::Parse(layer.Name()).has_value()) << layer.Name();
    EXPECT_OK(layer.Spec().Validate());
  }
}

}  // namespace
}  // namespace burin::kernel_bench
