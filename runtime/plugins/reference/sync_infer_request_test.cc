#include "runtime/plugins/reference/sync_infer_request.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/dimension.h"
#include "ir/model.h"
#include "ir/ops/assign.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/ops/read_value.h"
#include "ir/partial_shape.h"
#include "ir/runtime_info.h"
#include "ir/tensor.h"
#include "runtime/dev/compiled_model.h"
#include "runtime/dev/configuration.h"
#include "runtime/dev/profiling_info.h"
#include "runtime/dev/properties.h"
#include "runtime/dev/slot.h"
#include "runtime/dev/sync_infer_request.h"
#include "runtime/plugins/reference/compiled_model.h"
#include "runtime/plugins/reference/config.h"
#include "testing/gtest/status_matchers.h"

namespace burin::reference {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

Slot Input(size_t index) { return {Slot::Kind::kInput, index}; }
Slot Output(size_t index) { return {Slot::Kind::kOutput, index}; }

const ir::Dimension kN = ir::Dimension::Symbol("n");

// A request with the model that it runs.
struct Running {
  explicit Running(std::unique_ptr<ir::Model> model, bool perf_count = false) {
    Configuration configuration = DefaultConfiguration("REFERENCE");
    EXPECT_OK(configuration.Apply({burin::perf_count(perf_count)}));
    compiled = CompiledModel::Create(std::move(model), "REFERENCE", configuration).value();
    request = std::make_unique<SyncInferRequest>(static_cast<const CompiledModel*>(compiled.get()));
  }
  // As AsyncInferRequest does it.
  absl::Status Infer() const {
    BURIN_RETURN_IF_ERROR(request->PrepareInputs());
    return request->Infer();
  }
  std::map<std::string, ProfilingInfo> Profile() const {
    std::map<std::string, ProfilingInfo> by_name;
    const std::vector<ProfilingInfo> profile = request->GetProfilingInfo().value();
    for (const ProfilingInfo& info : profile) by_name[info.node_name] = info;
    return by_name;
  }

  std::shared_ptr<ICompiledModel> compiled;
  std::unique_ptr<SyncInferRequest> request;
};

// y = relu(x * w), with x: f32[n,4] and w: f32[4,3], all ones.
std::unique_ptr<ir::Model> Product() {
  auto model = std::make_unique<ir::Model>("product");
  const ir::Value x = *model->AddParameter("x", ElementType::kF32, ir::PartialShape{kN, 4});
  const ir::Value w = *model->AddConstant(ir::F32({4, 3}, std::vector<double>(12, 1)), "w");
  const ir::Value product = *model->Add(ir::MatMulOp(), {x, w}, nullptr, "product");
  model->AddOriginalNames(product.node, {"first", "second"});
  EXPECT_OK(model->AddResult(*model->Add(ir::ReluOp(), {product}, nullptr, "relu"), "y"));
  return model;
}

// y = a + b, with a, b: f32[n].
std::unique_ptr<ir::Model> Sum() {
  auto model = std::make_unique<ir::Model>("sum");
  const ir::Value a = *model->AddParameter("a", ElementType::kF32, ir::PartialShape{kN});
  const ir::Value b = *model->AddParameter("b", ElementType::kF32, ir::PartialShape{kN});
  EXPECT_OK(model->AddResult(*model->Add(ir::AddOp(), {a, b}, nullptr, "add"), "y"));
  return model;
}

// old = v, v += x, with x and v: f32[n], and v starting from {10}.
std::unique_ptr<ir::Model> Accumulator() {
  auto model = std::make_unique<ir::Model>("accumulator");
  EXPECT_OK(model->AddVariable({"v", ElementType::kF32, ir::PartialShape{ir::Dimension()}}));
  const ir::Value x = *model->AddParameter("x", ElementType::kF32, ir::PartialShape{ir::Dimension()});
  auto read = std::make_unique<ir::ReadValueAttributes>();
  read->variable_id = "v";
  read->variable_type = ElementType::kF32;
  read->variable_shape = ir::PartialShape{ir::Dimension()};
  const ir::Value old = *model->Add(ir::ReadValueOp(), {*model->AddConstant(ir::F32({1}, {10}))}, std::move(read));
  auto assign = std::make_unique<ir::AssignAttributes>();
  assign->variable_id = "v";
  EXPECT_OK(model->Add(ir::AssignOp(), {*model->Add(ir::AddOp(), {old, x})}, std::move(assign)));
  EXPECT_OK(model->AddResult(old, "old"));
  return model;
}

TEST(SyncInferRequestTest, CostsComeFromTheShapesOfTheLastExecution) {
  Running running(Product(), /*perf_count=*/true);
  for (const int64_t n : {2, 5}) {
    ASSERT_OK(
        running.request->SetTensor(Input(0), ir::F32({n, 4}, std::vector<double>(static_cast<size_t>(4 * n), 1))));
    ASSERT_OK(running.Infer());
    const auto profile = running.Profile();
    // n x 3 sums of four products; everything is read and written once, four bytes an element.
    EXPECT_EQ(profile.at("product").flops, static_cast<double>(2 * n * 3 * 4));
    EXPECT_EQ(profile.at("product").bytes, static_cast<double>(4 * (n * 4 + 4 * 3 + n * 3)));
    EXPECT_EQ(profile.at("relu").flops, static_cast<double>(n * 3));
    EXPECT_EQ(profile.at("relu").bytes, static_cast<double>(4 * (n * 3 + n * 3)));
  }
}

TEST(SyncInferRequestTest, CostsOfADynamicInnerDimensionCount) {
  auto model = std::make_unique<ir::Model>();
  const ir::Value a = *model->AddParameter("a", ElementType::kF32, ir::PartialShape{2, ir::Dimension::Symbol("k")});
  const ir::Value b = *model->AddParameter("b", ElementType::kF32, ir::PartialShape{ir::Dimension::Symbol("k"), 3});
  EXPECT_OK(model->AddResult(*model->Add(ir::MatMulOp(), {a, b}, nullptr, "product"), "y"));
  Running running(std::move(model), /*perf_count=*/true);
  ASSERT_OK(running.request->SetTensor(Input(0), ir::F32({2, 5}, std::vector<double>(10, 1))));
  ASSERT_OK(running.request->SetTensor(Input(1), ir::F32({5, 3}, std::vector<double>(15, 1))));
  ASSERT_OK(running.Infer());
  EXPECT_EQ(running.Profile().at("product").flops, 2.0 * 2 * 3 * 5);
  EXPECT_EQ(running.Profile().at("product").bytes, 4.0 * (10 + 15 + 6));
}

TEST(SyncInferRequestTest, ProfilesEveryNodeButConstants) {
  Running running(Product(), /*perf_count=*/true);
  ASSERT_OK_AND_ASSIGN(const std::vector<ProfilingInfo> before, running.request->GetProfilingInfo());
  std::vector<std::string> names;
  for (const ProfilingInfo& info : before) {
    names.push_back(info.node_name);
    EXPECT_EQ(info.status, ProfilingInfo::Status::kNotRun);
    EXPECT_EQ(info.count, 0);
    EXPECT_EQ(info.real_time_ns, 0);
  }
  EXPECT_THAT(names, UnorderedElementsAre("x", "product", "relu", "y"));

  ASSERT_OK(running.request->SetTensor(Input(0), ir::F32({1, 4}, {1, 2, 3, 4})));
  for (int i = 0; i < 3; ++i) ASSERT_OK(running.Infer());
  const ProfilingInfo product = running.Profile().at("product");
  EXPECT_EQ(product.status, ProfilingInfo::Status::kExecuted);
  EXPECT_EQ(product.count, 3);
  EXPECT_EQ(product.op_type, "MatMul");
  EXPECT_THAT(product.op_names, ElementsAre("first", "second"));
  EXPECT_EQ(product.kernel, "reference");
  EXPECT_EQ(product.isa, "none");
  EXPECT_EQ(product.layout, "row-major");
  EXPECT_EQ(product.precision, "f32");
  EXPECT_GT(product.real_time_ns, 0);
}

TEST(SyncInferRequestTest, ThereIsNoProfileUnlessItWasAskedFor) {
  Running running(Product());
  ASSERT_OK(running.request->SetTensor(Input(0), ir::F32({1, 4}, {1, 2, 3, 4})));
  ASSERT_OK(running.Infer());
  EXPECT_THAT(running.request->GetProfilingInfo(),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("without PERF_COUNT=YES")));
}

TEST(SyncInferRequestTest, EachInferenceMayHaveOtherShapesThatAgreeAmongThemselves) {
  Running running(Sum());
  ASSERT_OK(running.request->SetTensor(Input(0), ir::F32({2}, {1, 2})));
  EXPECT_THAT(running.Infer(), StatusIs(absl::StatusCode::kInvalidArgument, Eq("Input \"b\" f32[n] has not been set")));
  ASSERT_OK(running.request->SetTensor(Input(1), ir::F32({1}, {10})));
  EXPECT_THAT(running.Infer(), StatusIs(absl::StatusCode::kInvalidArgument, AllOf(HasSubstr("'b'"), HasSubstr("'n'"))));
  ASSERT_OK(running.request->SetTensor(Input(1), ir::F32({2}, {10, 20})));
  ASSERT_OK(running.Infer());
  ir::ExpectTensorEq(running.request->GetTensor(Output(0)).value(), ir::F32({2}, {11, 22}));
  for (const size_t i : {0u, 1u}) ASSERT_OK(running.request->SetTensor(Input(i), ir::F32({3}, {1, 2, 3})));
  ASSERT_OK(running.Infer());
  ir::ExpectTensorEq(running.request->GetTensor(Output(0)).value(), ir::F32({3}, {2, 4, 6}));
  for (const size_t i : {0u, 1u}) ASSERT_OK(running.request->SetTensor(Input(i), ir::F32({0}, {})));
  ASSERT_OK(running.Infer());
  ir::ExpectTensorEq(running.request->GetTensor(Output(0)).value(), ir::F32({0}, {}));
}

TEST(SyncInferRequestTest, StaticInputsThatNobodySetAreZeroAndFillableInPlace) {
  auto model = std::make_unique<ir::Model>();
  const ir::Value x = *model->AddParameter("x", ElementType::kF32, ir::PartialShape{2});
  const ir::Value one = *model->AddConstant(ir::F32({1}, {1}));
  EXPECT_OK(model->AddResult(*model->Add(ir::AddOp(), {x, one}), "y"));
  Running running(std::move(model));
  ASSERT_OK(running.Infer());
  ASSERT_OK_AND_ASSIGN(const ir::Tensor output, running.request->GetTensor(Output(0)));
  ir::ExpectTensorEq(output, ir::F32({2}, {1, 1}));
  ASSERT_OK_AND_ASSIGN(const ir::Tensor input, running.request->GetTensor(Input(0)));
  input.mutable_data_as<float>()[1] = 5;
  ASSERT_OK(running.Infer());
  ir::ExpectTensorEq(output, ir::F32({2}, {1, 6}));  // The tensor obtained once shows every later result.
}

TEST(SyncInferRequestTest, UserOutputsMustHaveTheShapeOfTheResult) {
  Running running(Sum());
  for (const size_t i : {0u, 1u}) ASSERT_OK(running.request->SetTensor(Input(i), ir::F32({2}, {1, 2})));
  const ir::Tensor wrong = ir::F32({3}, {7, 7, 7});
  ASSERT_OK(running.request->SetTensor(Output(0), wrong));
  EXPECT_THAT(running.Infer(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       Eq("Output \"y\" f32[n]: the tensor that was set has shape [3], the result has [2]")));
  ir::ExpectTensorEq(wrong, ir::F32({3}, {7, 7, 7}));
  const ir::Tensor right = ir::F32({2}, {7, 7});
  ASSERT_OK(running.request->SetTensor(Output(0), right));
  ASSERT_OK(running.Infer());
  ir::ExpectTensorEq(right, ir::F32({2}, {2, 4}));
}

TEST(SyncInferRequestTest, UserTensorsMayBeStrided) {
  Running running(Product());
  // The first four of six columns, and the middle three of five.
  ASSERT_OK_AND_ASSIGN(const ir::Tensor input,
                       ir::F32({2, 6}, {1, 2, 3, 4, 99, 99, 5, 6, 7, 8, 99, 99}).Region({0, 0}, {2, 4}));
  const ir::Tensor target = ir::F32({2, 5}, {7, 7, 7, 7, 7, 7, 7, 7, 7, 7});
  ASSERT_OK_AND_ASSIGN(const ir::Tensor output, target.Region({0, 1}, {2, 4}));
  ASSERT_OK(running.request->SetTensor(Input(0), input));
  ASSERT_OK(running.request->SetTensor(Output(0), output));
  ASSERT_OK(running.Infer());
  ir::ExpectTensorEq(target, ir::F32({2, 5}, {7, 10, 10, 10, 7, 7, 26, 26, 26, 7}));
}

TEST(SyncInferRequestTest, WritingToAnOutputReachesNoConstantAndNoInput) {
  auto model = std::make_unique<ir::Model>();
  const ir::Value x = *model->AddParameter("x", ElementType::kF32, ir::PartialShape{kN});
  EXPECT_OK(model->AddResult(x, "same"));
  EXPECT_OK(model->AddResult(*model->AddConstant(ir::F32({1}, {5})), "constant"));
  Running running(std::move(model));
  const ir::Tensor input = ir::F32({1}, {3});
  ASSERT_OK(running.request->SetTensor(Input(0), input));
  for (int i = 0; i < 2; ++i) {
    ASSERT_OK(running.Infer());
    const std::vector<double> expected = {3, 5};
    for (const size_t k : {0u, 1u}) {
      ASSERT_OK_AND_ASSIGN(const ir::Tensor output, running.request->GetTensor(Output(k)));
      ir::ExpectTensorEq(output, ir::F32({1}, {expected[k]}));
      *output.mutable_data_as<float>() = -1;
    }
    ir::ExpectTensorEq(input, ir::F32({1}, {3}));
  }
}

// first = x + 1, second = x + x, both f32[n].
std::unique_ptr<ir::Model> TwoOutputs() {
  auto model = std::make_unique<ir::Model>("two");
  const ir::Value x = *model->AddParameter("x", ElementType::kF32, ir::PartialShape{kN});
  EXPECT_OK(model->AddResult(*model->Add(ir::AddOp(), {x, *model->AddConstant(ir::F32({1}, {1}))}), "first"));
  EXPECT_OK(model->AddResult(*model->Add(ir::AddOp(), {x, x}), "second"));
  return model;
}

TEST(SyncInferRequestTest, AnOutputOfAWrongShapeLeavesAllOutputsAsTheyWere) {
  Running running(TwoOutputs());
  ASSERT_OK(running.request->SetTensor(Input(0), ir::F32({2}, {3, 4})));
  const ir::Tensor first = ir::F32({2}, {7, 7});
  ASSERT_OK(running.request->SetTensor(Output(0), first));
  ASSERT_OK(running.request->SetTensor(Output(1), ir::F32({3}, {7, 7, 7})));
  EXPECT_THAT(running.Infer(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"second\"")));
  ir::ExpectTensorEq(first, ir::F32({2}, {7, 7}));
}

TEST(SyncInferRequestTest, OutputsMayLieInTheMemoryOfTheInputs) {
  // Both results are views of x; y overwrites the place that z is still to be read from.
  auto model = std::make_unique<ir::Model>();
  const ir::Value x = *model->AddParameter("x", ElementType::kF32, ir::PartialShape{kN});
  const ir::Value one = *model->AddConstant(ir::F32({1}, {1}));
  EXPECT_OK(model->AddResult(*model->Add(ir::AddOp(), {x, one}), "y"));
  EXPECT_OK(model->AddResult(x, "z"));
  Running running(std::move(model));
  const ir::Tensor input = ir::F32({3}, {1, 2, 3});
  const ir::Tensor shifted_memory = ir::F32({4}, {0, 0, 0, 0});
  ASSERT_OK_AND_ASSIGN(const ir::Tensor z, shifted_memory.Region({1}, {4}));
  ASSERT_OK(running.request->SetTensor(Input(0), input));
  ASSERT_OK(running.request->SetTensor(Output(0), input));
  ASSERT_OK(running.request->SetTensor(Output(1), z));
  ASSERT_OK(running.Infer());
  ir::ExpectTensorEq(input, ir::F32({3}, {2, 3, 4}));
  ir::ExpectTensorEq(z, ir::F32({3}, {1, 2, 3}));
}

TEST(SyncInferRequestTest, AnOutputMayOverlapTheInputThatItIs) {
  auto model = std::make_unique<ir::Model>();
  EXPECT_OK(model->AddResult(*model->AddParameter("x", ElementType::kF32, ir::PartialShape{3}), "y"));
  Running running(std::move(model));
  const ir::Tensor memory = ir::F32({4}, {1, 2, 3, 4});
  ASSERT_OK(running.request->SetTensor(Input(0), memory.Region({0}, {3}).value()));
  ASSERT_OK(running.request->SetTensor(Output(0), memory.Region({1}, {4}).value()));
  ASSERT_OK(running.Infer());
  ir::ExpectTensorEq(memory, ir::F32({4}, {1, 1, 2, 3}));
}

TEST(SyncInferRequestTest, StridedTensorsOfEveryKindAreReadAndWrittenInPlace) {
  // Columns of a transposed, reversed and broadcast view; the output goes to every second element.
  Running running(Sum());
  float values[] = {1, 2, 3, 4, 5, 6};
  ASSERT_OK_AND_ASSIGN(const ir::Tensor reversed, ir::Tensor::View(ElementType::kF32, {3}, values + 5, {-8}));
  ASSERT_OK_AND_ASSIGN(const ir::Tensor broadcast, ir::Tensor::View(ElementType::kF32, {3}, values, {0}));
  float results[] = {0, 0, 0, 0, 0, 0};
  ASSERT_OK_AND_ASSIGN(const ir::Tensor scattered, ir::Tensor::View(ElementType::kF32, {3}, results + 5, {-8}));
  ASSERT_OK(running.request->SetTensor(Input(0), reversed));
  ASSERT_OK(running.request->SetTensor(Input(1), broadcast));
  ASSERT_OK(running.request->SetTensor(Output(0), scattered));
  ASSERT_OK(running.Infer());
  EXPECT_THAT(results, ElementsAre(0, 3, 0, 5, 0, 7));
  values[0] = 10;  // Read in place: the next inference sees the change.
  ASSERT_OK(running.Infer());
  EXPECT_THAT(results, ElementsAre(0, 12, 0, 14, 0, 16));
}

TEST(SyncInferRequestTest, BatchesOfSeparateTensorsRun) {
  std::unique_ptr<ir::Model> model = Product();
  model->SetRuntimeInfo(model->parameters()[0], {{ir::kLayoutKey, "NC"}});
  Running running(std::move(model));
  const ir::Tensor a = ir::F32({1, 4}, {1, 2, 3, 4});
  const ir::Tensor b = ir::F32({1, 4}, {0, 0, 0, 1});
  ASSERT_OK(running.request->SetTensors(Input(0), {a, b}));
  ASSERT_OK(running.Infer());
  ir::ExpectTensorEq(running.request->GetTensor(Output(0)).value(), ir::F32({2, 3}, {10, 10, 10, 1, 1, 1}));
  b.mutable_data_as<float>()[0] = 5;  // Read anew.
  ASSERT_OK(running.Infer());
  ir::ExpectTensorEq(running.request->GetTensor(Output(0)).value(), ir::F32({2, 3}, {10, 10, 10, 6, 6, 6}));
}

TEST(SyncInferRequestTest, ACancelledInferenceChangesNothing) {
  Running running(Accumulator(), /*perf_count=*/true);
  ASSERT_OK(running.request->SetTensor(Input(0), ir::F32({1}, {1})));
  ASSERT_OK(running.Infer());
  running.request->Cancel();
  EXPECT_THAT(running.Infer(), StatusIs(absl::StatusCode::kCancelled));
  ir::ExpectTensorEq(running.request->QueryState()[0]->GetState().value(), ir::F32({1}, {11}));
  ir::ExpectTensorEq(running.request->GetTensor(Output(0)).value(), ir::F32({1}, {10}));
  EXPECT_EQ(running.Profile().at("x").count, 1);
  running.request->ClearCancel();
  ASSERT_OK(running.Infer());
  ir::ExpectTensorEq(running.request->GetTensor(Output(0)).value(), ir::F32({1}, {11}));
}

TEST(SyncInferRequestTest, StateStaysWhereTheResultsCouldNotBeDelivered) {
  Running running(Accumulator());
  ASSERT_OK(running.request->SetTensor(Input(0), ir::F32({1}, {1})));
  ASSERT_OK(running.Infer());
  ASSERT_OK(running.request->SetTensor(Output(0), ir::F32({2}, {0, 0})));
  EXPECT_THAT(running.Infer(), StatusIs(absl::StatusCode::kInvalidArgument));
  ir::ExpectTensorEq(running.request->QueryState()[0]->GetState().value(), ir::F32({1}, {11}));
}

TEST(SyncInferRequestTest, StateIsACopyOfWhatWasSetAndFitsTheVariable) {
  Running running(Accumulator());
  const std::vector<std::shared_ptr<IVariableState>> states = running.request->QueryState();
  ASSERT_EQ(states.size(), 1u);
  EXPECT_EQ(states[0]->name(), "v");
  EXPECT_THAT(states[0]->GetState(),
              StatusIs(absl::StatusCode::kFailedPrecondition, Eq("Variable has no value yet: v")));
  EXPECT_THAT(states[0]->SetState(ir::F16({1}, {1})),
              StatusIs(absl::StatusCode::kInvalidArgument, Eq("Variable v: expected f32[?], given f16[1]")));
  EXPECT_THAT(states[0]->SetState(ir::F32({}, {1})),
              StatusIs(absl::StatusCode::kInvalidArgument, Eq("Variable v: expected f32[?], given f32[]")));
  EXPECT_THAT(states[0]->SetState(ir::Tensor()),
              StatusIs(absl::StatusCode::kInvalidArgument, Eq("Variable v: expected f32[?], given no tensor")));
  const ir::Tensor mine = ir::F32({2}, {100, 200});
  ASSERT_OK(states[0]->SetState(mine));
  mine.mutable_data_as<float>()[0] = -1;
  ASSERT_OK(running.request->SetTensor(Input(0), ir::F32({2}, {1, 2})));
  ASSERT_OK(running.Infer());
  ir::ExpectTensorEq(running.request->GetTensor(Output(0)).value(), ir::F32({2}, {100, 200}));
  // Handles refer to the request's one state, and outlive the request.
  ASSERT_OK(running.request->QueryState()[0]->Reset());
  EXPECT_THAT(states[0]->GetState(), StatusIs(absl::StatusCode::kFailedPrecondition));
  ASSERT_OK(states[0]->SetState(mine));
  // What is handed out is a copy too.
  ASSERT_OK_AND_ASSIGN(const ir::Tensor handed_out, states[0]->GetState());
  handed_out.mutable_data_as<float>()[1] = -5;
  running.request.reset();
  ir::ExpectTensorEq(states[0]->GetState().value(), ir::F32({2}, {-1, 200}));
}

}  // namespace
}  // namespace burin::reference
