#include "ir/structural.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "base/hash.h"
#include "ir/attributes.h"
#include "ir/model.h"
#include "ir/ops/assign.h"
#include "ir/ops/constant.h"
#include "ir/ops/if.h"
#include "ir/ops/loop.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/ops/parameter.h"
#include "ir/partial_shape.h"
#include "ir/runtime_info.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

struct Options {
  float weight = 1.5f;
  PartialShape shape{Dimension::Symbol("n"), 2};
  bool swap_inputs = false;
  bool constant_first = false;
  const OpDef* last = &ReluOp();
};

// out = last(x + weight)
std::unique_ptr<Model> Build(const Options& options = {}) {
  auto model = std::make_unique<Model>("m");
  Value weight;
  if (options.constant_first) weight = *model->AddConstant(F32({1}, {options.weight}), "weight");
  const Value x = *model->AddParameter("x", ElementType::kF32, options.shape);
  if (!options.constant_first) weight = *model->AddConstant(F32({1}, {options.weight}), "w");
  const std::vector<Value> inputs = options.swap_inputs ? std::vector<Value>{weight, x} : std::vector<Value>{x, weight};
  const Value sum = *model->Add(AddOp(), inputs, nullptr, "sum");
  EXPECT_OK(model->AddResult(*model->Add(*options.last, {sum}, nullptr, "last"), "out"));
  return model;
}

Hash128 HashOk(const Model& model, const StructuralOptions& options = {}) {
  const absl::StatusOr<Hash128> hash = StructuralHash(model, options);
  EXPECT_OK(hash);
  return hash.value_or(Hash128{});
}

TEST(StructuralTest, IgnoresIdsInsertionOrderNamesAndDeadNodes) {
  const std::unique_ptr<Model> a = Build();
  Options other_order;
  other_order.constant_first = true;
  const std::unique_ptr<Model> b = Build(other_order);
  ASSERT_OK(b->Add(NegativeOp(), {Value{b->parameters()[0], 0}}));
  EXPECT_OK(CompareStructure(*a, *b));
  EXPECT_EQ(HashOk(*a), HashOk(*b));
}

TEST(StructuralTest, ComparesNamesWhereAskedTo) {
  const std::unique_ptr<Model> a = Build();
  const std::unique_ptr<Model> b = a->Clone();
  StructuralOptions names;
  names.compare_names = true;
  EXPECT_OK(CompareStructure(*a, *b, names));
  EXPECT_EQ(HashOk(*a, names), HashOk(*b, names));
  b->SetName(b->FindNode("sum"), "other");
  EXPECT_OK(CompareStructure(*a, *b));
  EXPECT_THAT(CompareStructure(*a, *b, names),
              StatusIs(absl::StatusCode::kInvalidArgument, AllOf(HasSubstr("'sum'"), HasSubstr("'other'"))));
  EXPECT_NE(HashOk(*a, names), HashOk(*b, names));
}

TEST(StructuralTest, TellsDifferencesApart) {
  std::vector<std::pair<std::string, Options>> variants(5);
  variants[0].first = "weight";
  variants[0].second.weight = 2;
  variants[1].first = "shape";
  variants[1].second.shape = {Dimension::Symbol("n"), 3};
  variants[2].first = "symbol";
  variants[2].second.shape = {Dimension::Symbol("m"), 2};
  variants[3].first = "input order";
  variants[3].second.swap_inputs = true;
  variants[4].first = "op";
  variants[4].second.last = &NegativeOp();
  const std::unique_ptr<Model> base = Build();
  for (const auto& [what, options] : variants) {
    const std::unique_ptr<Model> other = Build(options);
    EXPECT_THAT(CompareStructure(*base, *other), StatusIs(absl::StatusCode::kInvalidArgument)) << what;
    EXPECT_NE(HashOk(*base), HashOk(*other)) << what;
  }
  const std::unique_ptr<Model> more = Build();
  ASSERT_OK(more->AddResult(Value{more->parameters()[0], 0}, "second"));
  EXPECT_THAT(CompareStructure(*base, *more), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_NE(HashOk(*base), HashOk(*more));
}

TEST(StructuralTest, SharedAndRepeatedNodesDiffer) {
  Model shared;
  const Value x = *shared.AddParameter("x", ElementType::kF32, PartialShape{1});
  const Value once = *shared.Add(ReluOp(), {x});
  ASSERT_OK(shared.AddResult(*shared.Add(AddOp(), {once, once}), "out"));
  Model repeated;
  const Value y = *repeated.AddParameter("x", ElementType::kF32, PartialShape{1});
  const Value first = *repeated.Add(ReluOp(), {y});
  const Value second = *repeated.Add(ReluOp(), {y});
  ASSERT_OK(repeated.AddResult(*repeated.Add(AddOp(), {first, second}), "out"));
  EXPECT_THAT(CompareStructure(shared, repeated), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(CompareStructure(repeated, shared), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_NE(HashOk(shared), HashOk(repeated));
}

TEST(StructuralTest, CanLeaveOutTheContentOfConstants) {
  Options other_weight;
  other_weight.weight = 2;
  StructuralOptions without;
  without.compare_constants = false;
  const std::unique_ptr<Model> a = Build();
  const std::unique_ptr<Model> b = Build(other_weight);
  EXPECT_OK(CompareStructure(*a, *b, without));
  EXPECT_EQ(HashOk(*a, without), HashOk(*b, without));
}

TEST(StructuralTest, ComparesBodies) {
  const auto with_body = [](const OpDef& op) {
    auto model = std::make_unique<Model>();
    const Value c = *model->AddParameter("c", ElementType::kBoolean, PartialShape{});
    const Value x = *model->AddParameter("x", ElementType::kF32, PartialShape{2});
    NodeSpec spec;
    spec.op = &IfOp();
    spec.inputs = {c, x};
    auto attributes = std::make_unique<IfAttributes>();
    attributes->then_inputs = attributes->else_inputs = {1};
    spec.attributes = std::move(attributes);
    for (const OpDef* body_op : {&op, &ReluOp()}) {
      auto body = std::make_unique<Model>();
      const Value p = *body->AddParameter("p", ElementType::kF32, PartialShape{2});
      EXPECT_OK(body->AddResult(*body->Add(*body_op, {p}), "r"));
      spec.bodies.push_back(std::move(body));
    }
    EXPECT_OK(model->AddResult(Value{*model->AddNode(std::move(spec)), 0}, "out"));
    return model;
  };
  const auto a = with_body(ReluOp());
  const auto b = with_body(NegativeOp());
  EXPECT_OK(CompareStructure(*a, *a->Clone()));
  EXPECT_THAT(CompareStructure(*a, *b), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Body 0")));
  EXPECT_NE(HashOk(*a), HashOk(*b));
}

TEST(StructuralTest, ComparesVariablesAndSinksByVariable) {
  const auto with_variables = [](std::vector<std::string> ids, ElementType type) {
    auto model = std::make_unique<Model>();
    for (const std::string& id : ids) EXPECT_OK(model->AddVariable(Variable{id, type, {1}}));
    const Value x = *model->AddParameter("x", ElementType::kF32, PartialShape{1});
    for (const std::string& id : ids) {
      auto attributes = std::make_unique<AssignAttributes>();
      attributes->variable_id = id;
      EXPECT_OK(model->Add(AssignOp(), {x}, std::move(attributes)));
    }
    return model;
  };
  const auto a = with_variables({"u", "v"}, ElementType::kF32);
  const auto b = with_variables({"v", "u"}, ElementType::kF32);
  const auto c = with_variables({"v", "w"}, ElementType::kF32);
  const auto d = with_variables({"v", "u"}, ElementType::kF16);
  EXPECT_OK(CompareStructure(*a, *b));
  EXPECT_EQ(HashOk(*a), HashOk(*b));
  EXPECT_THAT(CompareStructure(*a, *c), Not(IsOk()));
  EXPECT_NE(HashOk(*a), HashOk(*c));
  EXPECT_THAT(CompareStructure(*a, *d), Not(IsOk()));
  EXPECT_NE(HashOk(*a), HashOk(*d));
}

TEST(StructuralTest, RefusesACycle) {
  const std::unique_ptr<Model> model = Build();
  const NodeId sum = model->FindNode("sum");
  model->SetInput(Use{sum, 0}, Value{model->FindNode("last"), 0});
  EXPECT_THAT(StructuralHash(*model), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(CompareStructure(*model, *model), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(StructuralTest, SurvivesAVeryLongChain) {
  Model model;
  Value value = *model.AddParameter("x", ElementType::kF32, PartialShape{1});
  for (int i = 0; i < 100000; ++i) value = *model.Add(ReluOp(), {value});
  ASSERT_OK(model.AddResult(value, "out"));
  EXPECT_OK(StructuralHash(model));
  EXPECT_OK(CompareStructure(model, model));
}

// The value is part of cache keys: if it changes, caches written before are misses.
TEST(StructuralTest, TheHashIsTheSameInEveryBuild) {
  const Hash128 hash = HashOk(*Build());
  EXPECT_EQ(hash.ToHex(), "4191bb73b982194bdea4c1abe7fe52bf");
}

TEST(StructuralTest, ComparesAttributesByTypeAndValue) {
  LoopAttributes a;
  LoopAttributes b;
  EXPECT_TRUE(AttributesEqual(a, b));
  a.slices = {1, 2};
  EXPECT_FALSE(AttributesEqual(a, b));
  b.slices = {1, 2};
  EXPECT_TRUE(AttributesEqual(a, b));
  a.slices = {};
  a.back_edges = {1, 2};
  EXPECT_FALSE(AttributesEqual(a, b));
  EXPECT_FALSE(AttributesEqual(NoAttributes(), a));
}

TEST(StructuralTest, ComparesTensorAttributesByBits) {
  const auto constant = [](const Tensor& value) {
    ConstantAttributes attributes;
    attributes.value = value;
    return attributes;
  };
  EXPECT_TRUE(AttributesEqual(constant(F32({1}, {NAN})), constant(F32({1}, {NAN}))));
  EXPECT_FALSE(AttributesEqual(constant(F32({1}, {0.0})), constant(F32({1}, {-0.0}))));
  EXPECT_FALSE(AttributesEqual(constant(F32({2}, {1, 1})), constant(F32({1, 2}, {1, 1}))));
  EXPECT_FALSE(AttributesEqual(constant(Tensor()), constant(F32({}, {1}))));
}

TEST(StructuralTest, RuntimeInfoDoesNotCount) {
  const std::unique_ptr<Model> plain = Build();
  const std::unique_ptr<Model> told = Build();
  told->set_runtime_info({{"origin", "here"}});
  told->SetRuntimeInfo(told->parameters()[0], {{kLayoutKey, "NC"}});
  StructuralOptions options;
  options.compare_names = true;
  EXPECT_OK(CompareStructure(*plain, *told, options));
  EXPECT_EQ(HashOk(*plain, options), HashOk(*told, options));
}

}  // namespace
}  // namespace burin::ir
