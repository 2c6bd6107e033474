#include "burin/model_builder.h"

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "burin/core.h"
#include "burin/model.h"
#include "burin/tensor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/api/toy_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Value = ModelBuilder::Value;

Tensor Floats(const Shape& shape, const std::vector<float>& values) {
  Tensor tensor = Tensor::Create(ElementType::kF32, shape).value();
  std::memcpy(tensor.mutable_data(), values.data(), values.size() * sizeof(float));
  return tensor;
}

Tensor Ints(const std::vector<int64_t>& values) {
  Tensor tensor = Tensor::Create(ElementType::kI64, {static_cast<int64_t>(values.size())}).value();
  std::memcpy(tensor.mutable_data(), values.data(), values.size() * sizeof(int64_t));
  return tensor;
}

TEST(ModelBuilderTest, BuildsAModelThatRuns) {
  ModelBuilder builder("linear");
  const Value x = builder.Parameter("x", ElementType::kF32, {Dimension(), 2});
  const Value w = builder.Constant(Floats({3, 2}, {1, 0, 0, 1, 1, 1}), "w");
  const Value y = builder.Op("MatMul", {x, w}, {{"transpose_b", "true"}}, "product");
  builder.SetTensorNames(y, {"y"});
  builder.Result(builder.Op("Relu", {y}), "scores");
  ASSERT_OK_AND_ASSIGN(const Model model, builder.Build());
  EXPECT_EQ(model.name(), "linear");
  EXPECT_OK(model.Validate());
  EXPECT_EQ(model.output("scores")->shape.ToString(), "[?,3]");
  EXPECT_EQ(model.GetOperation("product")->attributes.at("transpose_b"), "true");
  EXPECT_EQ(model.GetOperation("product")->attributes.at("transpose_a"), "false");
  EXPECT_EQ(model.GetOperation("w")->attributes.at("value"), "f32[3,2]{1, 0, 0, 1, 1, 1}");

  Core core;
  ASSERT_OK_AND_ASSIGN(CompiledModel compiled, core.CompileModel(model, "REFERENCE"));
  ASSERT_OK_AND_ASSIGN(InferRequest request, compiled.CreateInferRequest());
  ASSERT_OK(request.SetInputTensor(Floats({1, 2}, {2, -3})));
  ASSERT_OK(request.Infer());
  EXPECT_THAT(Elements(*request.GetOutputTensor()), ElementsAre(2, 0, 0));
}

TEST(ModelBuilderTest, OperationsMayHaveSeveralOutputs) {
  ModelBuilder builder;
  const Value x = builder.Parameter("x", ElementType::kF32, {4});
  const Value axis = builder.Op("Constant", {}, {{"value", "i64[]{0}"}});
  const Value halves = builder.Op("Split", {x, axis}, {{"num_splits", "2"}});
  builder.Result(builder.Op("Subtract", {halves.output(1), halves}), "difference");
  ASSERT_OK_AND_ASSIGN(const Model model, builder.Build());
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> outputs, model.Evaluate({Floats({4}, {1, 2, 30, 40})}));
  EXPECT_THAT(Elements(outputs[0]), ElementsAre(29, 38));
}

TEST(ModelBuilderTest, OptionalInputsMayBeAbsent) {
  ModelBuilder builder;
  const Value x = builder.Parameter("x", ElementType::kF32, {6});
  // Slice without its optional axes.
  const Value part = builder.Op(
      "Slice", {x, builder.Constant(Ints({1})), builder.Constant(Ints({6})), builder.Constant(Ints({2})), Value()});
  builder.Result(part, "part");
  ASSERT_OK_AND_ASSIGN(const Model model, builder.Build());
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> outputs, model.Evaluate({Floats({6}, {0, 1, 2, 3, 4, 5})}));
  EXPECT_THAT(Elements(outputs[0]), ElementsAre(1, 3, 5));
}

TEST(ModelBuilderTest, BuildsModelsWithState) {
  ModelBuilder builder;
  builder.AddVariable(Variable{"total", ElementType::kF32, {1}});
  const Value x = builder.Parameter("x", ElementType::kF32, {1});
  const Value zero = builder.Constant(Floats({1}, {0}));
  const Value before = builder.Op("ReadValue", {zero}, {{"variable_id", "total"}});
  const Value after = builder.Op("Add", {before, x});
  builder.Op("Assign", {after}, {{"variable_id", "total"}});
  builder.Result(after, "total");
  ASSERT_OK_AND_ASSIGN(const Model model, builder.Build());
  ASSERT_EQ(model.variables().size(), 1u);
  EXPECT_EQ(model.variables()[0].id, "total");
  EXPECT_EQ(model.variables()[0].element_type, ElementType::kF32);
  EXPECT_EQ(model.variables()[0].shape, PartialShape({1}));

  Core core;
  ASSERT_OK_AND_ASSIGN(CompiledModel compiled, core.CompileModel(model, "REFERENCE"));
  ASSERT_OK_AND_ASSIGN(InferRequest request, compiled.CreateInferRequest());
  ASSERT_OK(request.SetInputTensor(Floats({1}, {5})));
  ASSERT_OK(request.Infer());
  ASSERT_OK(request.Infer());
  EXPECT_THAT(Elements(*request.GetOutputTensor()), ElementsAre(10));
}

TEST(ModelBuilderTest, BuildsModelsWithBodies) {
  const auto body = [](const char* op) {
    ModelBuilder builder(op);
    builder.Result(builder.Op(op, {builder.Parameter("in", ElementType::kF32, {2})}), "out");
    return builder.Build().value();
  };
  ModelBuilder builder;
  const Value condition = builder.Parameter("condition", ElementType::kBoolean, {});
  const Value x = builder.Parameter("x", ElementType::kF32, {2});
  const Value chosen =
      builder.Op("If", {condition, x},
                 {{"then_inputs", "[1]"}, {"else_inputs", "[1]"}, {"then_outputs", "[0]"}, {"else_outputs", "[0]"}},
                 "if", {body("Abs"), body("Negative")});
  builder.Result(chosen, "out");
  ASSERT_OK_AND_ASSIGN(const Model model, builder.Build());
  Tensor yes = Tensor::CreateZeroed(ElementType::kBoolean, {}).value();
  ASSERT_OK_AND_ASSIGN(std::vector<Tensor> outputs, model.Evaluate({yes, Floats({2}, {-1, 2})}));
  EXPECT_THAT(Elements(outputs[0]), ElementsAre(1, -2));
  *yes.mutable_data_as<bool>() = true;
  ASSERT_OK_AND_ASSIGN(outputs, model.Evaluate({yes, Floats({2}, {-1, 2})}));
  EXPECT_THAT(Elements(outputs[0]), ElementsAre(1, 2));
}

TEST(ModelBuilderTest, BuildingMayGoOn) {
  ModelBuilder builder;
  const Value x = builder.Parameter("x", ElementType::kF32, {2});
  builder.Result(x, "first");
  ASSERT_OK_AND_ASSIGN(const Model one, builder.Build());
  builder.Result(builder.Op("Abs", {x}), "second");
  ASSERT_OK_AND_ASSIGN(const Model two, builder.Build());
  EXPECT_EQ(one.outputs().size(), 1u);
  EXPECT_EQ(two.outputs().size(), 2u);
  ModelBuilder moved = std::move(builder);
  moved.Result(x, "third");
  EXPECT_EQ(moved.Build()->outputs().size(), 3u);
}

// Builds y = op(x) with these attributes.
absl::Status BuildStatus(const std::string& op, const ModelBuilder::Attributes& attributes, size_t inputs = 1) {
  ModelBuilder builder;
  const Value x = builder.Parameter("x", ElementType::kF32, {2, 3});
  builder.Result(builder.Op(op, std::vector<Value>(inputs, x), attributes, "node"), "y");
  return builder.Build().status();
}

TEST(ModelBuilderTest, ErrorsNameOperationAndAttribute) {
  EXPECT_OK(BuildStatus("Softmax", {{"axis", "1"}}));
  EXPECT_THAT(BuildStatus("Softmaxx", {}),
              StatusIs(absl::StatusCode::kInvalidArgument, AllOf(HasSubstr("'node'"), HasSubstr("'Softmaxx'"))));
  EXPECT_THAT(BuildStatus("Softmax", {{"axis", "one"}}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("Node 'node' (Softmax)"), HasSubstr("Attribute 'axis'"))));
  EXPECT_THAT(BuildStatus("Softmax", {{"axes", "1"}}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("Node 'node' (Softmax)"), HasSubstr("'axes'; it has: axis"))));
  EXPECT_THAT(BuildStatus("Softmax", {{"axis", "7"}}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Node 'node' (Softmax)")));
  EXPECT_THAT(BuildStatus("MatMul", {}, 2),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Node 'node' (MatMul)")));
  EXPECT_THAT(BuildStatus("Relu", {}, 2),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("number of inputs is wrong: 2")));
}

TEST(ModelBuilderTest, TheFirstErrorIsKept) {
  ModelBuilder builder;
  const Value x = builder.Parameter("x", ElementType::kF32, {2});
  EXPECT_OK(builder.status());
  const Value bad = builder.Op("NoSuchOp", {x}, {}, "first");
  builder.Op("NeitherThis", {bad}, {}, "second");
  builder.SetTensorNames(bad, {"name"});
  builder.Result(builder.Op("Abs", {bad.output(1)}), "y");
  EXPECT_THAT(builder.status(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("first")));
  EXPECT_EQ(builder.Build().status(), builder.status());
}

TEST(ModelBuilderTest, RefusesWhatIsNotItsOwn) {
  ModelBuilder other;
  const Value foreign = other.Parameter("x", ElementType::kF32, {2});
  ModelBuilder builder;
  builder.Result(builder.Op("Abs", {foreign}, {}, "abs"), "y");
  EXPECT_THAT(builder.Build(),
              StatusIs(absl::StatusCode::kInvalidArgument, AllOf(HasSubstr("'abs'"), HasSubstr("another builder"))));
  ModelBuilder third;
  third.SetTensorNames(foreign, {"x"});
  EXPECT_THAT(third.status(), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(ModelBuilderTest, RefusesOutputsVariablesAndConstantsThatThereAreNot) {
  const auto build = [](void (*add)(ModelBuilder & builder, Value x)) {
    ModelBuilder builder;
    add(builder, builder.Parameter("x", ElementType::kF32, {2}));
    return builder.Build().status();
  };
  EXPECT_THAT(build([](ModelBuilder&, Value) {}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("no output")));
  EXPECT_THAT(build([](ModelBuilder& builder, Value x) { builder.Result(x.output(1), "y"); }),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("'y'")));
  EXPECT_THAT(build([](ModelBuilder& builder, Value x) { builder.SetTensorNames(x.output(1), {"y"}); }),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("'x'")));
  EXPECT_THAT(build([](ModelBuilder& builder, Value) { builder.Result(Value(), "y"); }),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("'y'")));
  EXPECT_THAT(build([](ModelBuilder& builder, Value) { builder.Constant(Tensor(), "c"); }),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("'c'")));
  EXPECT_THAT(build([](ModelBuilder& builder, Value) {
                builder.AddVariable(Variable{"v", ElementType::kF32, {}});
                builder.AddVariable(Variable{"v", ElementType::kF32, {}});
              }),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("'v'")));
  EXPECT_THAT(build([](ModelBuilder& builder, Value x) {
                builder.Op("ReadValue", {x}, {{"variable_id", "none"}}, "read");
              }),
              StatusIs(absl::StatusCode::kInvalidArgument, AllOf(HasSubstr("'read'"), HasSubstr("'none'"))));
}

}  // namespace
}  // namespace burin
