#include "snippets/tokenize/op_eligibility.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ir/model.h"
#include "ir/text.h"
#include "snippets/tokenize/anchor/checked_epilogues.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

using ::testing::HasSubstr;

OpEligibility Of(absl::string_view text, absl::string_view name) {
  const absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(text);
  EXPECT_OK(model.status());
  CheckedEpilogues checked;
  return EligibilityTest(**model, (*model)->TopologicalOrder().value(), &checked)
      .Of((*model)->node((*model)->FindNode(name)));
}

constexpr char kModel[] = R"(model "" {
  %0 "x" = Parameter() {element_type = f32, shape = [n, 12]}
  %1 "exp" = Exp(%0)
  %2 "order" = Constant() {value = i64[2]{1, 0}}
  %3 "turned" = Transpose(%1, %2)
  %4 "axis" = Constant() {value = i64[]{0}}
  %5 "scan" = CumSum(%3, %4)
  %6 "shape" = ShapeOf(%0) {output_type = i32}
  %7 "double" = Add(%6, %6)
  %8 "unread" = Relu(%0)
  %15 "target" = Parameter() {element_type = i64, shape = [2]}
  %9 "wide" = Broadcast(%0, %15)
  %10 "sum" = Add(%9, %9)
  %11 "nonzero" = NonZero(%0)
  %12 "out" = Result(%5)
  %13 "second" = Result(%10)
  %14 "third" = Result(%11)
  %17 "zeros" = Parameter() {element_type = f32, shape = [1]}
  %18 "filled" = Broadcast(%17, %7)
  %16 "fourth" = Result(%18)
})";

TEST(EligibilityTest, TellsRoles) {
  const OpEligibility exp = Of(kModel, "exp");
  EXPECT_EQ(exp.role, OpRole::kCompute);
  EXPECT_EQ(exp.space.axes().size(), 2u);
  EXPECT_EQ(Of(kModel, "turned").role, OpRole::kView);
  EXPECT_EQ(Of(kModel, "wide").role, OpRole::kConditional);
  EXPECT_EQ(Of(kModel, "scan").role, OpRole::kOutside);
}

TEST(EligibilityTest, SaysWhy) {
  EXPECT_THAT(Of(kModel, "scan").reason, HasSubstr("CumSum"));
  EXPECT_THAT(Of(kModel, "double").reason, HasSubstr("Shapes depend"));
  EXPECT_THAT(Of(kModel, "wide").reason, HasSubstr("How it moves elements"));
  EXPECT_THAT(Of(kModel, "unread").reason, HasSubstr("Nothing reads it"));
  EXPECT_THAT(Of(kModel, "nonzero").reason, HasSubstr("depends on values"));
  EXPECT_EQ(Of(kModel, "x").reason, "");
  EXPECT_EQ(Of(kModel, "out").reason, "");
}

constexpr char kAnchors[] = R"(model "" {
  %0 "x" = Parameter() {element_type = f32, shape = [n, 12, 12]}
  %1 "w" = Constant() {value = f32[12, 1]{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}}
  %2 "product" = MatMul(%0, %1)
  %3 "relu" = Relu(%2)
  %4 "half" = Parameter() {element_type = f16, shape = [12, 12]}
  %5 "halves" = MatMul(%4, %4)
  %6 "v" = Parameter() {element_type = f32, shape = [12]}
  %7 "by_vector" = MatMul(%0, %6)
  %8 "image" = Parameter() {element_type = f32, shape = [1, 3, 4, 4]}
  %9 "pool" = MaxPool(%8) {strides = [1,1], pads_begin = [0,0], pads_end = [0,0], kernel = [2,2]}
  %10 "weights" = Parameter() {element_type = f32, shape = [3, 2, 3, 3]}
  %11 "size" = Constant() {value = i64[2]{7, 7}}
  %12 "up" = ConvolutionBackpropData(%8, %10, %11) {strides = [2,2], dilations = [1,1]}
  %13 "out" = Result(%3)
  %14 "second" = Result(%5)
  %15 "third" = Result(%7)
  %16 "values" = Result(%9.0)
  %17 "places" = Result(%9.1)
  %18 "larger" = Result(%12)
})";

OpEligibility OfAnchor(absl::string_view name) {
  const absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(kAnchors);
  EXPECT_OK(model.status());
  CheckedEpilogues checked;
  return EligibilityTest(**model, (*model)->TopologicalOrder().value(), &checked, /*dense_anchors=*/true)
      .Of((*model)->node((*model)->FindNode(name)));
}

TEST(EligibilityTest, AnchorsAreAsked) {
  const OpEligibility product = OfAnchor("product");
  EXPECT_EQ(product.role, OpRole::kAnchor);
  // It has one column.
  ASSERT_EQ(product.space.axes().size(), 1u);
  EXPECT_TRUE(product.space.work().empty());
  EXPECT_EQ(Of(kAnchors, "product").role, OpRole::kOutside);
  EXPECT_EQ(OfAnchor("relu").role, OpRole::kCompute);
}

TEST(EligibilityTest, AnchorsWithoutKernelsStayOutside) {
  EXPECT_EQ(OfAnchor("halves").role, OpRole::kOutside);
  EXPECT_THAT(OfAnchor("halves").reason, HasSubstr("element type f16"));
  EXPECT_THAT(OfAnchor("by_vector").reason, HasSubstr("A product with a vector"));
  EXPECT_THAT(OfAnchor("pool").reason, HasSubstr("A second output"));
  EXPECT_THAT(OfAnchor("up").reason, HasSubstr("Its shape depends on values"));
}

TEST(EligibilityTest, KnownValuesStayOutside) {
  constexpr char kFolded[] = R"(model "" {
    %0 "two" = Constant() {value = i32[2]{2, 3}}
    %1 "four" = Add(%0, %0)
    %2 "out" = Result(%1)
  })";
  EXPECT_EQ(Of(kFolded, "four").role, OpRole::kOutside);
}

TEST(EligibilityTest, LikeOperationsHaveSpacesOfTheirOwnValues) {
  const absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [3, 4]}
    %1 "first" = Add(%0, %0)
    %2 "second" = Add(%1, %1)
    %3 "third" = Add(%1, %2)
    %4 "out" = Result(%3)
  })");
  ASSERT_OK(model);
  CheckedEpilogues checked;
  EligibilityTest test(**model, (*model)->TopologicalOrder().value(), &checked);
  const auto space_of = [&](const char* name) { return test.Of((*model)->node((*model)->FindNode(name))).space; };
  const IterationSpace first = space_of("first");
  const IterationSpace second = space_of("second");
  const IterationSpace third = space_of("third");
  EXPECT_EQ(IterationSpace::Between(first, second).size(), 1u);
  EXPECT_EQ(IterationSpace::Between(second, third).size(), 1u);
  EXPECT_EQ(IterationSpace::Between(first, third).size(), 1u);
}

}  // namespace
}  // namespace burin::snippets
