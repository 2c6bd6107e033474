#include "tools/kernel_bench/families/dense/convolution_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "jit/kernels/convolution/convolution_spec.h"
#include "jit/kernels/depthwise/depthwise_spec.h"
#include "testing/gtest/status_matchers.h"
#include "tools/kernel_bench/case_set.h"

namespace burin::kernel_bench {
namespace {

TEST(ConvolutionCasesTest, NamesAreReadBack) {
  for (const ConvolutionCase& layer : UsualConvolutions()) {
    const auto parsed = ConvolutionCase::Parse(layer.Name());
    ASSERT_TRUE(parsed.has_value()) << layer.Name();
    EXPECT_EQ(parsed->Name(), layer.Name());
  }
  for (const char* const text : {"", "64/56/k1s1", "64x64/56/k2s1", "0x64/56/k1s1", "dw0/1/k3s1", "64x64/56/k1s1/g2"}) {
    EXPECT_FALSE(ConvolutionCase::Parse(text).has_value()) << text;
  }
}

TEST(ConvolutionCasesTest, SpecsAreValid) {
  const ConvolutionCase stem = {3, 64, 224, 7, 2};
  ASSERT_OK_AND_ASSIGN(const jit::ConvolutionSpec spec, stem.Direct());
  EXPECT_OK(spec.Check());
  EXPECT_EQ(spec.height.output, 112);
  EXPECT_EQ(spec.multiply_adds(), 112 * 112 * 64 * stem.products());
  const ConvolutionCase depthwise = {96, 96, 112, 3, 2, true};
  EXPECT_EQ(depthwise.Name(), "dw96/112/k3s2");
  ASSERT_OK_AND_ASSIGN(const jit::DepthwiseSpec thin, depthwise.Depthwise());
  EXPECT_OK(thin.Check());
  EXPECT_EQ(thin.multiply_adds(), 56 * 56 * 96 * 9);
}

TEST(ConvolutionCasesTest, AllHasEachOnce) {
  std::set<std::string> of_sets;
  for (const std::string& name : SetNames()) {
    for (const ConvolutionCase& layer : ConvolutionsOf({name, {}})) of_sets.insert(layer.Name());
  }
  std::set<std::string> names;
  const std::vector<ConvolutionCase> all = ConvolutionsOf({"all", {}});
  for (const ConvolutionCase& layer : all) names.insert(layer.Name());
  EXPECT_EQ(names.size(), all.size());
  EXPECT_EQ(names, of_sets);
}

TEST(ConvolutionCasesTest, DrawnOnesAreInTheirRanges) {
  const std::vector<ConvolutionCase> drawn = ConvolutionsOf({"", 3});
  ASSERT_EQ(drawn.size(), CaseSet::kDrawn);
  int depthwise = 0;
  for (const ConvolutionCase& layer : drawn) {
    EXPECT_TRUE(layer.input_channels >= 16 && layer.input_channels <= 1024) << layer.Name();
    EXPECT_TRUE(layer.output_channels >= 16 && layer.output_channels <= 1024) << layer.Name();
    EXPECT_TRUE(layer.size >= 7 && layer.size <= 112) << layer.Name();
    depthwise += layer.depthwise ? 1 : 0;
  }
  EXPECT_GT(depthwise, 5);
  EXPECT_LT(depthwise, 80);
}

}  // namespace
}  // namespace burin::kernel_bench
