#include "snippets/decompose/formula.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/element_type.h"
#include "ir/model.h"
#include "ir/ops/ops.h"
#include "ir/rewrite.h"
#include "ir/structural.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

// Parses a body whose node "f" a test replaces.
std::unique_ptr<ir::Model> Parse(absl::string_view text) {
  absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(text);
  EXPECT_OK(model);
  return *std::move(model);
}

const ir::Node& Function(const ir::Model& model) { return model.node(model.FindNode("f")); }

void ExpectBecomes(std::unique_ptr<ir::Model> model, ir::Patch patch, absl::string_view after) {
  ASSERT_OK(std::move(patch).Apply(model.get()));
  EXPECT_OK(ir::CompareStructure(*model, *Parse(after)));
}

constexpr char kF16[] = R"(model "" {
  %0 "x" = Parameter() {element_type = f16, shape = [n,3]}
  %1 "f" = Relu(%0)
  %2 = Result(%1)
})";
constexpr char kF32[] = R"(model "" {
  %0 "x" = Parameter() {shape = [n,3]}
  %1 "f" = Relu(%0)
  %2 = Result(%1)
})";

TEST(FormulaTest, ComputesNarrowFloatsInF32) {
  auto model = Parse(kF16);
  Formula f(*model, Function(*model));
  EXPECT_EQ(f.type(), ElementType::kF32);
  const ir::Value sum = f.Apply(ir::AddOp(), {f.Input(0), f.Number(0.5)});
  ExpectBecomes(std::move(model), std::move(f).ReplaceWith(sum), R"(model "" {
  %0 "x" = Parameter() {element_type = f16, shape = [n,3]}
  %1 = Convert(%0) {destination_type = f32}
  %2 = Constant() {value = f32[]{0.5}}
  %3 = Add(%1, %2)
  %4 = Convert(%3) {destination_type = f16}
  %5 = Result(%4)
})");
}

TEST(FormulaTest, ComputesOtherTypesInThemselves) {
  auto model = Parse(R"(model "" {
  %0 "x" = Parameter() {element_type = i32, shape = [n,3]}
  %1 "f" = Abs(%0)
  %2 = Result(%1)
})");
  Formula f(*model, Function(*model));
  EXPECT_EQ(f.type(), ElementType::kI32);
  const ir::Value sum = f.Apply(ir::AddOp(), {f.Input(0), f.Number(2)});
  ExpectBecomes(std::move(model), std::move(f).ReplaceWith(sum), R"(model "" {
  %0 "x" = Parameter() {element_type = i32, shape = [n,3]}
  %2 = Constant() {value = i32[]{2}}
  %3 = Add(%0, %2)
  %5 = Result(%3)
})");
}

TEST(FormulaTest, ReducesAndMovesOnes) {
  auto model = Parse(kF32);
  Formula f(*model, Function(*model));
  const ir::Value most = f.Unsqueeze(f.Squeeze(f.Reduce(ir::ReduceMaxOp(), f.Input(0), {1}), {1}), {1});
  ExpectBecomes(std::move(model), std::move(f).ReplaceWith(f.Apply(ir::SubtractOp(), {f.Input(0), most})),
                R"(model "" {
  %0 "x" = Parameter() {shape = [n,3]}
  %1 = Constant() {value = i64[1]{1}}
  %2 = ReduceMax(%0, %1) {keep_dims = true}
  %3 = Squeeze(%2, %1)
  %4 = Unsqueeze(%3, %1)
  %5 = Subtract(%0, %4)
  %6 = Result(%5)
})");
}

TEST(FormulaTest, OverNoAxesNothingIsAdded) {
  auto model = Parse(kF32);
  Formula f(*model, Function(*model));
  const ir::Value same = f.Unsqueeze(f.Squeeze(f.Reduce(ir::ReduceMaxOp(), f.Input(0), {}), {}), {});
  EXPECT_EQ(same, Function(*model).input(0));
}

TEST(FormulaTest, AnEpsilonDoesNotVanish) {
  auto model = Parse(kF16);
  Formula f(*model, Function(*model));
  const ir::Value tiny = f.Apply(ir::AddOp(), {f.Input(0), f.Epsilon(1e-60)});
  ExpectBecomes(std::move(model), std::move(f).ReplaceWith(f.Apply(ir::AddOp(), {tiny, f.Epsilon(0)})),
                R"(model "" {
  %0 "x" = Parameter() {element_type = f16, shape = [n,3]}
  %1 = Convert(%0) {destination_type = f32}
  %2 = Constant() {value = f32[]{1.1754944e-38}}
  %3 = Add(%1, %2)
  %4 = Constant() {value = f32[]{0}}
  %5 = Add(%3, %4)
  %6 = Convert(%5) {destination_type = f16}
  %7 = Result(%6)
})");
}

TEST(FormulaTest, RewiresInputsAlone) {
  auto model = Parse(R"(model "" {
  %0 "x" = Parameter() {shape = [n,3]}
  %1 "f" = Relu(%0)
  %2 "g" = Add(%1, %1)
  %3 = Result(%2)
})");
  Formula f(*model, Function(*model));
  const ir::Use second{model->FindNode("g"), 1};
  ExpectBecomes(std::move(model), std::move(f).RewireTo({second}, f.Apply(ir::AbsOp(), {f.Input(0)})), R"(model "" {
  %0 "x" = Parameter() {shape = [n,3]}
  %1 = Relu(%0)
  %2 = Abs(%0)
  %3 = Add(%1, %2)
  %4 = Result(%3)
})");
}

}  // namespace
}  // namespace burin::snippets
