#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/rewrite.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"
#include "transformations/cleanup/decompression.h"
#include "transformations/constant_evaluator.h"
#include "transformations/driver.h"
#include "transformations/pass.h"
#include "transformations/passes.h"
#include "transformations/precision/computed_types.h"
#include "transformations/report.h"
#include "transformations/rewrite_testlib.h"

namespace burin::transformations {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

// Returns the names of the nodes that are marked once the passes have run.
std::vector<std::string> Marked(const std::string& text, bool fold = false) {
  absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(text);
  EXPECT_OK(model);
  const Pass marking = {"DecompressionMarking", "", nullptr, &DecompressionMarking};
  const Pass folding = {"ConstantFolding", "", &ConstantFolding, nullptr};
  std::vector<PassGroup> groups = {{&marking}};
  if (fold) groups.push_back({&folding});
  PipelineOptions options;
  options.verify_each_rewrite = true;
  CompileReport report;
  EXPECT_OK(RunPasses(model->get(), groups, {}, options, &report));
  std::vector<std::string> names;
  for (const ir::NodeId id : (*model)->NodeIds()) {
    if (IsKeptDecompression((*model)->node(id))) names.push_back((*model)->node(id).name());
  }
  // The pass is done after one run.
  EXPECT_OK(RunPasses(model->get(), {{&marking}}, {}, options, &report));
  EXPECT_EQ(report.Find("DecompressionMarking")->rewrites, names.empty() ? 0 : 1) << text;
  return names;
}

constexpr char kDequantised[] = R"(model "" {
  %0 "x" = Parameter() {shape = [?,2]}
  %1 "w" = Constant() {value = u8[2,4]{1, 2, 3, 4, 5, 6, 7, 8}}
  %2 "wide" = Convert(%1) {destination_type = f32}
  %3 "zp" = Constant() {value = u8[1,4]{1, 1, 2, 2}}
  %4 "zp_wide" = Convert(%3) {destination_type = f32}
  %5 "centred" = Subtract(%2, %4)
  %6 "half" = Constant() {value = f16[1,4]{0.5, 0.25, 0.5, 2}}
  %7 "scale" = Convert(%6) {destination_type = f32}
  %8 "scaled" = Multiply(%5, %7)
  %9 "shape" = Constant() {value = i64[2]{2, 4}}
  %10 "moved" = Reshape(%8, %9)
  %11 "y" = MatMul(%0, %10)
  %12 "out" = Result(%11)
})";

TEST(DecompressionMarkingTest, MarksFromTheWeightsToTheirReader) {
  EXPECT_THAT(Marked(kDequantised), UnorderedElementsAre("wide", "zp_wide", "centred", "scaled", "moved"));
}

TEST(DecompressionMarkingTest, FoldingLeavesTheMarkedAndFoldsTheScale) {
  EXPECT_THAT(Marked(kDequantised, /*fold=*/true),
              UnorderedElementsAre("wide", "zp_wide", "centred", "scaled", "moved"));
}

TEST(DecompressionMarkingTest, ChangesNothingElse) {
  ExpectRewrites(&DecompressionMarking, kDequantised, kDequantised);
}

TEST(DecompressionMarkingTest, WhereWeightsAreWidenedTheyAreFolded) {
  absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(kDequantised);
  ASSERT_OK(model);
  const Pass marking = {"DecompressionMarking", "", nullptr, &DecompressionMarking};
  const Pass folding = {"ConstantFolding", "", &ConstantFolding, nullptr};
  ComputedTypes types;
  types.widens_weights = true;
  FoldingLimits limits;
  limits.max_growth_bytes = 0;
  ir::PassContext context;
  context.Provide<ComputedTypes>(&types);
  context.Provide<FoldingLimits>(&limits);
  CompileReport report;
  // Once is enough: what is marked stays so.
  ASSERT_OK(RunPasses(model->get(), {{&marking}, {&marking}, {&folding}}, context, {}, &report));
  EXPECT_EQ(report.Find("DecompressionMarking")->rewrites, 1);
  std::vector<std::string> codes;
  for (const ir::NodeId id : (*model)->NodeIds()) codes.push_back((*model)->node(id).op().name);
  EXPECT_THAT(codes, UnorderedElementsAre("Parameter", "Constant", "MatMul", "Result"));
}

TEST(DecompressionMarkingTest, WeightsOfIntegerProductsAreFoldedToo) {
  const std::string text = R"(model "" {
    %0 "x" = Parameter() {element_type = i32, shape = [?,2]}
    %1 "w" = Constant() {value = i8[2,2]{1, 2, 3, 4}}
    %2 "wide" = Convert(%1) {destination_type = i32}
    %3 "y" = MatMul(%0, %2)
    %4 "out" = Result(%3)
  })";
  EXPECT_THAT(Marked(text), IsEmpty());
  absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(text);
  ASSERT_OK(model);
  const Pass marking = {"DecompressionMarking", "", nullptr, &DecompressionMarking};
  ComputedTypes types;
  types.widens_weights = true;
  ir::PassContext context;
  context.Provide<ComputedTypes>(&types);
  CompileReport report;
  ASSERT_OK(RunPasses(model->get(), {{&marking}}, context, {}, &report));
  EXPECT_TRUE(IsFoldedDecompression((*model)->node((*model)->FindNode("wide"))));
}

// Returns a model in which `reader` reads %2, an f32 [2,2,1,1] made of f16.
std::string ReadBy(const std::string& reader) {
  return absl::StrCat(R"(model "" {
    %0 "x" = Parameter() {shape = [1,2,2,2]}
    %1 "w" = Constant() {value = f16[2,2,1,1]{1, 2, 3, 4}}
    %2 "wide" = Convert(%1) {destination_type = f32}
    %3 "y" = )",
                      reader, R"(
    %4 "out" = Result(%3)
  })");
}

TEST(DecompressionMarkingTest, KnowsTheReadersOfWeights) {
  EXPECT_THAT(Marked(ReadBy("Convolution(%0, %2) {strides = [1,1], pads_begin = [0,0], pads_end = [0,0], "
                            "dilations = [1,1]}")),
              ElementsAre("wide"));
  EXPECT_THAT(Marked(ReadBy("ConvolutionBackpropData(%0, %2) {strides = [1,1], pads_begin = [0,0], "
                            "pads_end = [0,0], dilations = [1,1]}")),
              ElementsAre("wide"));
}

TEST(DecompressionMarkingTest, MarksTheTableOfAGather) {
  EXPECT_THAT(Marked(R"(model "" {
    %0 "i" = Parameter() {element_type = i64, shape = [?]}
    %1 "w" = Constant() {value = i8[3,2]{1, 2, 3, 4, 5, 6}}
    %2 "wide" = Convert(%1) {destination_type = f32}
    %3 "scale" = Constant() {value = f32[3,1]{1, 0.5, 2}}
    %4 "scaled" = Multiply(%3, %2)
    %5 "axis" = Constant() {value = i64[]{0}}
    %6 "y" = Gather(%4, %0, %5)
    %7 "out" = Result(%6)
  })"),
              UnorderedElementsAre("wide", "scaled"));
}

TEST(DecompressionMarkingTest, MarksWeightsOnTheLeftOfAMatMul) {
  EXPECT_THAT(Marked(R"(model "" {
    %0 "x" = Parameter() {shape = [2,?]}
    %1 "w" = Constant() {value = i4[4,2]{1, 2, 3, 4, 5, 6, 7, -8}}
    %2 "wide" = Convert(%1) {destination_type = f32}
    %3 "y" = MatMul(%2, %0)
    %4 "out" = Result(%3)
  })"),
              ElementsAre("wide"));
}

TEST(DecompressionMarkingTest, MarksQuantisationOfWeights) {
  EXPECT_THAT(Marked(R"(model "" {
    %0 "x" = Parameter() {shape = [?,2]}
    %1 "w" = Constant() {value = f32[2,2]{1, 2, 3, 4}}
    %2 "low" = Constant() {value = f32[]{0}}
    %3 "high" = Constant() {value = f32[]{4}}
    %4 "quantised" = FakeQuantize(%1, %2, %3, %2, %3) {levels = 256}
    %5 "y" = MatMul(%0, %4)
    %6 "out" = Result(%5)
  })"),
              ElementsAre("quantised"));
}

TEST(DecompressionMarkingTest, LeavesOtherReadersAlone) { EXPECT_THAT(Marked(ReadBy("Add(%0, %2)")), IsEmpty()); }

TEST(DecompressionMarkingTest, LeavesActivationsAlone) {
  EXPECT_THAT(Marked(R"(model "" {
    %0 "x" = Parameter() {element_type = u8, shape = [?,2]}
    %1 "wide" = Convert(%0) {destination_type = f32}
    %2 "scale" = Constant() {value = f32[]{0.5}}
    %3 "scaled" = Multiply(%1, %2)
    %4 "w" = Constant() {value = f32[2,2]{1, 2, 3, 4}}
    %5 "y" = MatMul(%3, %4)
    %6 "out" = Result(%5)
  })"),
              IsEmpty());
}

TEST(DecompressionMarkingTest, LeavesConversionsThatDoNotWidenAlone) {
  EXPECT_THAT(Marked(R"(model "" {
    %0 "x" = Parameter() {shape = [?,2]}
    %1 "w" = Constant() {value = f64[2,2]{1, 2, 3, 4}}
    %2 "narrow" = Convert(%1) {destination_type = f32}
    %3 "y" = MatMul(%0, %2)
    %4 "out" = Result(%3)
  })"),
              IsEmpty());
}

TEST(DecompressionMarkingTest, LeavesWeightsOfOneTypeAlone) {
  EXPECT_THAT(Marked(R"(model "" {
    %0 "x" = Parameter() {shape = [?,2]}
    %1 "w" = Constant() {value = f32[2,2]{1, 2, 3, 4}}
    %2 "scale" = Constant() {value = f32[]{0.5}}
    %3 "scaled" = Multiply(%1, %2)
    %4 "y" = MatMul(%0, %3)
    %5 "out" = Result(%4)
  })"),
              IsEmpty());
}

TEST(DecompressionMarkingTest, LeavesAScaleThatIsComputedAlone) {
  EXPECT_THAT(Marked(R"(model "" {
    %0 "x" = Parameter() {shape = [?,2]}
    %1 "s" = Parameter() {shape = [1,2]}
    %2 "w" = Constant() {value = i8[2,2]{1, 2, 3, 4}}
    %3 "wide" = Convert(%2) {destination_type = f32}
    %4 "scaled" = Multiply(%3, %1)
    %5 "y" = MatMul(%0, %4)
    %6 "out" = Result(%5)
  })"),
              IsEmpty());
}

}  // namespace
}  // namespace burin::transformations
