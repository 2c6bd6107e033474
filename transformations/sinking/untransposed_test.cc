#include "transformations/sinking/untransposed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "ir/attributes.h"
#include "ir/model.h"
#include "ir/ops/concat.h"
#include "ir/ops/op_code.h"
#include "ir/rewrite.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"
#include "transformations/cleanup/permutation.h"
#include "transformations/matcher/explain.h"

namespace burin::transformations {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::SizeIs;

// "t" is "x" by the order {0, 2, 3, 1}; `nodes` has the node under test, "f".
std::unique_ptr<ir::Model> Parse(const std::string& nodes, const char* mark = "") {
  absl::StatusOr<std::unique_ptr<ir::Model>> model =
      ir::ParseModel(absl::StrCat(R"(model "" {
  %0 "x" = Parameter() {shape = [?,3,2,4]}
  %1 "p" = Constant() {value = i64[4]{0, 2, 3, 1}}
  %2 "t" = Transpose(%0, %1))",
                                  mark, "\n", nodes, "  %99 \"out\" = Result(%9)\n}"));
  EXPECT_OK(model.status());
  return model.ok() ? *std::move(model) : std::make_unique<ir::Model>();
}

class UntransposedTest : public ::testing::Test {
 protected:
  std::optional<Untransposed> UntransposeF() {
    patch_.emplace(*model_);
    absl::StatusOr<std::optional<Untransposed>> result =
        Untranspose(*model_, model_->node(model_->FindNode("f")), context_, &*patch_);
    EXPECT_OK(result.status());
    return result.ok() ? *std::move(result) : std::nullopt;
  }
  ir::Value ValueOf(const char* name) const { return ir::Value{model_->FindNode(name), 0}; }

  std::unique_ptr<ir::Model> model_;
  std::optional<ir::Patch> patch_;
  ir::PassContext context_;
};

TEST_F(UntransposedTest, TransposedByAKnownOrder) {
  model_ = Parse("  %9 \"f\" = Relu(%2)\n");
  EXPECT_THAT(TransposedBy(*model_, ValueOf("t")), Optional(ElementsAre(0, 2, 3, 1)));
  EXPECT_EQ(TransposedBy(*model_, ValueOf("x")), std::nullopt);
  EXPECT_EQ(TransposedBy(*model_, ir::Value{}), std::nullopt);
}

TEST_F(UntransposedTest, TransposedByNoOtherOrder) {
  model_ = Parse("  %9 \"f\" = Relu(%2)\n", " info(\"decompression\" = \"kept\")");
  EXPECT_EQ(TransposedBy(*model_, ValueOf("t")), std::nullopt);
  model_ = Parse(R"(  %3 = Constant() {value = i64[4]{0, 1, 2, 3}}
  %4 "same" = Transpose(%2, %3)
  %5 "q" = Parameter() {element_type = i64, shape = [4]}
  %6 "unknown" = Transpose(%2, %5)
  %9 = Add(%4, %6)
)");
  EXPECT_EQ(TransposedBy(*model_, ValueOf("same")), std::nullopt);
  EXPECT_EQ(TransposedBy(*model_, ValueOf("unknown")), std::nullopt);
}

TEST_F(UntransposedTest, KnowsOperations) {
  model_ = Parse(R"(  %3 = Constant() {value = i64[1]{1}}
  %4 "reduction" = ReduceMax(%2, %3) {keep_dims = true}
  %5 "elementwise" = Relu(%4)
  %6 "concat" = Concat(%5, %4) {axis = 1}
  %9 "shape" = ShapeOf(%6)
)");
  for (const char* const name : {"reduction", "elementwise", "concat"}) {
    EXPECT_TRUE(MayUntranspose(model_->node(model_->FindNode(name)))) << name;
  }
  for (const char* const name : {"x", "p", "t", "shape", "out"}) {
    EXPECT_FALSE(MayUntranspose(model_->node(model_->FindNode(name)))) << name;
  }
}

TEST_F(UntransposedTest, AnElementwiseOperationReadsTheDataThemselves) {
  model_ = Parse("  %9 \"f\" = Relu(%2)\n");
  const std::optional<Untransposed> result = UntransposeF();
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->spec.op->code, ir::OpCode::kRelu);
  EXPECT_THAT(result->spec.inputs, ElementsAre(ValueOf("x")));
  EXPECT_THAT(result->orders, ElementsAre(ElementsAre(0, 2, 3, 1)));
  EXPECT_THAT(patch_->added(), IsEmpty());
}

TEST_F(UntransposedTest, AConstantIsTransposedBack) {
  model_ = Parse("  %3 \"c\" = Constant() {value = f32[3]{1, 2, 3}}\n  %9 \"f\" = Add(%3, %2)\n");
  const std::optional<Untransposed> result = UntransposeF();
  ASSERT_TRUE(result.has_value());
  // Lists of axes, Unsqueeze and Transpose.
  EXPECT_THAT(patch_->added(), SizeIs(4));
  EXPECT_THAT(result->spec.inputs, ElementsAre(ir::Value{patch_->added().back(), 0}, ValueOf("x")));
}

TEST_F(UntransposedTest, AnAxisMoves) {
  model_ = Parse("  %9 \"f\" = Concat(%2, %2) {axis = -1}\n");
  const std::optional<Untransposed> result = UntransposeF();
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(ir::AttributesAs<ir::ConcatAttributes>(*result->spec.attributes)->axis, 1);
  EXPECT_THAT(result->spec.inputs, ElementsAre(ValueOf("x"), ValueOf("x")));
}

TEST_F(UntransposedTest, DimensionsThatGoLeaveTheOrderOfTheRest) {
  model_ = Parse("  %3 = Constant() {value = i64[1]{1}}\n  %9 \"f\" = ReduceMax(%2, %3)\n");
  const std::optional<Untransposed> result = UntransposeF();
  ASSERT_TRUE(result.has_value());
  EXPECT_THAT(result->orders, ElementsAre(ElementsAre(0, 2, 1)));
}

TEST_F(UntransposedTest, EachOutputHasAnOrder) {
  model_ = Parse(
      "  %3 = Constant() {value = i64[]{3}}\n  %4 \"f\" = Split(%2, %3) {num_splits = 3}\n  %9 = Add(%4.0, %4.2)\n");
  const std::optional<Untransposed> result = UntransposeF();
  ASSERT_TRUE(result.has_value());
  EXPECT_THAT(result->orders, SizeIs(3));
  EXPECT_THAT(result->orders, Each(ElementsAre(0, 2, 3, 1)));
}

struct Refused {
  const char* name;
  const char* nodes;
  const char* why;
};
class UntransposedRefusalTest : public UntransposedTest, public ::testing::WithParamInterface<Refused> {};

TEST_P(UntransposedRefusalTest, SaysWhy) {
  const Explainer explainer;
  context_.Provide(&explainer);
  model_ = Parse(GetParam().nodes);
  EXPECT_FALSE(UntransposeF().has_value());
  ASSERT_THAT(explainer.failures(), SizeIs(1));
  EXPECT_EQ(explainer.failures().front().at, model_->FindNode("f"));
  EXPECT_THAT(explainer.failures().front().why, HasSubstr(GetParam().why));
}

const Refused kRefused[] = {
    {"NoTranspose", "  %9 \"f\" = Relu(%0)\n", "no data come from a Transpose"},
    {"Decompression", "  %9 \"f\" = Relu(%2) info(\"decompression\" = \"kept\")\n", "decompression of weights"},
    {"AWiderType", "  %9 \"f\" = Convert(%2) {destination_type = f64}\n", "move down themselves"},
    {"AnotherOperand", "  %3 = Parameter() {shape = [?,2,4,3]}\n  %9 \"f\" = Add(%2, %3)\n",
     "neither transposed alike nor a constant"},
    {"AnUnknownAxis",
     "  %3 = Parameter() {element_type = i64, shape = [1]}\n  %9 \"f\" = ReduceMax(%2, %3) {keep_dims = true}\n",
     "an axis is not known"},
    {"AnotherOrderOfSums", "  %3 = Constant() {value = i64[2]{1, 3}}\n  %9 \"f\" = ReduceSum(%2, %3)\n",
     "through several axes in another order"},
    {"AnUnknownRank",
     "  %3 = Parameter() {shape = [...]}\n  %4 = Transpose(%3, %1)\n  %9 \"f\" = Softmax(%4) {axis = 1}\n",
     "the rank of what is transposed is not known"},
};
INSTANTIATE_TEST_SUITE_P(Guards, UntransposedRefusalTest, ::testing::ValuesIn(kRefused),
                         [](const ::testing::TestParamInfo<Refused>& info) { return info.param.name; });

TEST_F(UntransposedTest, RefusesAnOperationThatItDoesNotKnow) {
  model_ = Parse("  %9 \"f\" = ShapeOf(%2)\n");
  EXPECT_FALSE(UntransposeF().has_value());
}

}  // namespace
}  // namespace burin::transformations
