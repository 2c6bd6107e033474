#include "burin/infer_request.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "burin/compiled_model.h"
#include "burin/core.h"
#include "burin/model.h"
#include "burin/properties.h"
#include "burin/tensor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/ops/ops.h"
#include "runtime/api/toy_model_testlib.h"
#include "runtime/dev/event_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

InferRequest RequestFor(const Model& model, const PropertyMap& properties = {}) {
  Core core;
  return core.CompileModel(model, "REFERENCE", properties)->CreateInferRequest().value();
}

// same = a, sum = a + b, with a, b: f32[1,3].
Model TwoInTwoOut() {
  auto graph = std::make_shared<ir::Model>("two");
  const ir::Value a = graph->AddParameter("a", ElementType::kF32, PartialShape({1, 3})).value();
  const ir::Value b = graph->AddParameter("b", ElementType::kF32, PartialShape({1, 3})).value();
  EXPECT_OK(graph->AddResult(a, "same"));
  EXPECT_OK(graph->AddResult(graph->Add(ir::AddOp(), {a, b}).value(), "sum"));
  return Model(graph);
}

TEST(InferRequestTest, UserOutputMemoryIsWrittenInPlace) {
  Core core;
  Model model = ToyModel();
  ASSERT_OK(model.Reshape(PartialShape({1, 3})));
  ASSERT_OK_AND_ASSIGN(CompiledModel compiled, core.CompileModel(model, "REFERENCE"));
  ASSERT_OK_AND_ASSIGN(InferRequest request, compiled.CreateInferRequest());
  Tensor mine = Row({0, 0, 0});
  ASSERT_OK(request.SetOutputTensor(mine));
  ASSERT_OK(request.SetInputTensor(0, Row({1, 2, 3})));
  ASSERT_OK(request.Infer());
  EXPECT_THAT(Elements(mine), ElementsAre(11, 22, 33));
}

TEST(InferRequestTest, InferWithoutADynamicInputIsAnError) {
  InferRequest request = RequestFor(ToyModel());
  EXPECT_THAT(request.Infer(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"x\" f32[n,3] has not been set")));
}

TEST(InferRequestTest, PortsAreFoundByNameAndIndexOrListed) {
  InferRequest toy = RequestFor(ToyModel());
  EXPECT_THAT(toy.SetTensor("z", Row({1, 2, 3})),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("inputs: \"x\"; outputs: \"y\"")));

  InferRequest request = RequestFor(TwoInTwoOut());
  ASSERT_OK(request.SetTensor("a", Row({1, 2, 3})));
  ASSERT_OK(request.SetInputTensor(1, Row({10, 20, 30})));
  const Tensor mine = Row({0, 0, 0});
  ASSERT_OK(request.SetOutputTensor(1, mine));
  ASSERT_OK(request.Infer());
  EXPECT_THAT(Elements(mine), ElementsAre(11, 22, 33));
  EXPECT_EQ(request.GetTensor("sum")->data(), mine.data());
  EXPECT_THAT(Elements(request.GetOutputTensor(0).value()), ElementsAre(1, 2, 3));
  EXPECT_THAT(Elements(request.GetInputTensor(1).value()), ElementsAre(10, 20, 30));
  EXPECT_THAT(Elements(request.GetTensor("b").value()), ElementsAre(10, 20, 30));

  const auto no_third = StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("there are 2: "));
  EXPECT_THAT(request.SetInputTensor(2, mine), no_third);
  EXPECT_THAT(request.SetOutputTensor(2, mine), no_third);
  EXPECT_THAT(request.GetInputTensor(2), no_third);
  EXPECT_THAT(request.GetOutputTensor(2), no_third);
  EXPECT_THAT(request.GetTensor("z"), StatusIs(absl::StatusCode::kNotFound, HasSubstr("inputs: \"a\", \"b\"")));
}

TEST(InferRequestTest, OneOfSeveralPortsMustBeNamed) {
  InferRequest request = RequestFor(TwoInTwoOut());
  const Tensor tensor = Row({1, 2, 3});
  const auto which_input = StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("there are: \"a\", \"b\""));
  EXPECT_THAT(request.SetInputTensor(tensor), which_input);
  EXPECT_THAT(request.GetInputTensor(), which_input);
  const auto which_output = StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("there are: \"same\", \"sum\""));
  EXPECT_THAT(request.SetOutputTensor(tensor), which_output);
  EXPECT_THAT(request.GetOutputTensor(), which_output);
}

TEST(InferRequestTest, TensorsAreCheckedWhenTheyAreSet) {
  InferRequest request = RequestFor(ToyModel());
  const Tensor narrow = Tensor::Create(ElementType::kF32, {1, 2}).value();
  EXPECT_THAT(request.SetInputTensor(narrow),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("expected shape [n,3], given [1,2]")));
  EXPECT_THAT(request.SetTensor("y", Tensor::Create(ElementType::kI64, {1, 3}).value()),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("expected element type f32, given i64")));
}

TEST(InferRequestTest, CopiesReferToOneRequest) {
  InferRequest request = RequestFor(ToyModel());
  InferRequest same = request;
  ASSERT_OK(request.SetInputTensor(Row({1, 2, 3})));
  ASSERT_OK(same.Infer());
  EXPECT_THAT(Elements(request.GetOutputTensor().value()), ElementsAre(11, 22, 33));
}

TEST(InferRequestTest, CallsBackWithTheStatusOfEachAsynchronousInference) {
  InferRequest request = RequestFor(ToyModel());
  std::vector<absl::StatusCode> codes;
  auto done = std::make_unique<Event>();
  ASSERT_OK(request.SetCallback([&](absl::Status status) {
    codes.push_back(status.code());
    done->Notify();
  }));
  ASSERT_OK(request.StartAsync());
  done->Wait();
  EXPECT_THAT(request.Wait(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("has not been set")));
  EXPECT_THAT(request.WaitFor(std::chrono::milliseconds(0)), StatusIs(absl::StatusCode::kInvalidArgument));

  done = std::make_unique<Event>();
  ASSERT_OK(request.SetInputTensor(Row({1, 2, 3})));
  ASSERT_OK(request.StartAsync());
  done->Wait();
  EXPECT_THAT(request.WaitFor(std::chrono::milliseconds(0)), IsOkAndHolds(true));
  ASSERT_OK(request.Infer());  // Not asynchronous: no call.
  EXPECT_THAT(codes, ElementsAre(absl::StatusCode::kInvalidArgument, absl::StatusCode::kOk));
}

TEST(InferRequestTest, WaitingNeedsAStartAndCancellingDoesNot) {
  InferRequest request = RequestFor(ToyModel());
  EXPECT_THAT(request.Wait(), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(request.WaitFor(std::chrono::milliseconds(1)), StatusIs(absl::StatusCode::kFailedPrecondition));
  request.Cancel();
  ASSERT_OK(request.SetInputTensor(Row({1, 2, 3})));
  EXPECT_OK(request.Infer());
}

TEST(InferRequestTest, ProfilesWhereAskedFor) {
  EXPECT_THAT(RequestFor(ToyModel()).GetProfilingInfo(), StatusIs(absl::StatusCode::kFailedPrecondition));

  InferRequest request = RequestFor(ToyModel(), {perf_count(true)});
  ASSERT_OK(request.SetInputTensor(Row({1, 2, 3})));
  ASSERT_OK(request.Infer());
  ASSERT_OK(request.Infer());
  ASSERT_OK_AND_ASSIGN(std::vector<ProfilingInfo> profile, request.GetProfilingInfo());
  bool found = false;
  for (const ProfilingInfo& info : profile) {
    if (info.node_name != "sum") continue;
    found = true;
    EXPECT_EQ(info.op_type, "Add");
    EXPECT_EQ(info.status, ProfilingInfo::Status::kExecuted);
    EXPECT_EQ(info.count, 2);
    EXPECT_EQ(info.precision, "f32");
    EXPECT_GT(info.real_time_ns, 0);
  }
  EXPECT_TRUE(found);
}

TEST(InferRequestTest, PortsOfTheModelLeadToTheirTensors) {
  const Model model = TwoInTwoOut();
  InferRequest request = RequestFor(model);
  const Port a = model.input("a").value();  // Of the model, and of what was compiled from it.
  const Port b = request.GetCompiledModel().input("b").value();
  const Port sum = model.output("sum").value();
  ASSERT_OK(request.SetTensor(a, Row({1, 2, 3})));
  ASSERT_OK(request.SetTensor(b, Row({10, 20, 30})));
  const Tensor mine = Row({0, 0, 0});
  ASSERT_OK(request.SetTensor(sum, mine));
  ASSERT_OK(request.Infer());
  EXPECT_THAT(Elements(mine), ElementsAre(11, 22, 33));
  EXPECT_EQ(request.GetTensor(sum)->data(), mine.data());
  EXPECT_THAT(Elements(request.GetTensor(a).value()), ElementsAre(1, 2, 3));
  EXPECT_THAT(request.SetTensor(a, Row({1, 2, 3, 4, 5, 6})),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("expected shape [1,3], given [2,3]")));
}

TEST(InferRequestTest, PortsOfAnotherModelAreRefused) {
  InferRequest request = RequestFor(TwoInTwoOut());
  const auto foreign = StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("of another model"));
  EXPECT_THAT(request.SetTensor(ToyModel().input(0).value(), Row({1, 2, 3})), foreign);
  EXPECT_THAT(request.GetTensor(ToyModel().output(0).value()), foreign);
  EXPECT_THAT(request.GetTensor(Port()), foreign);
  EXPECT_THAT(request.SetTensors(Port(), {}), foreign);
  Port beyond = TwoInTwoOut().input(1).value();
  beyond.index = 2;
  EXPECT_THAT(request.GetTensor(beyond), foreign);
}

// As ToyModel, with a layout that says which axis is the batch.
Model BatchedToyModel() {
  Model model = ToyModel();
  EXPECT_OK(model.SetLayout("x", "NC"));
  return model;
}

TEST(InferRequestTest, SeparateTensorsAreOneBatch) {
  InferRequest request = RequestFor(BatchedToyModel());
  const Tensor first = Row({1, 2, 3});
  const std::vector<Tensor> items = {first, Row({4, 5, 6}), Row({-1, -1, -1})};
  ASSERT_OK(request.SetInputTensors(0, items));
  ASSERT_OK(request.Infer());
  EXPECT_EQ(request.GetOutputTensor()->shape(), (Shape{3, 3}));
  EXPECT_THAT(Elements(request.GetOutputTensor().value()), ElementsAre(11, 22, 33, 14, 25, 36, 10, 20, 30));
  EXPECT_THAT(request.GetInputTensor(), StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("as a batch")));

  first.mutable_data_as<float>()[0] = 7;  // Each inference reads them anew.
  ASSERT_OK(request.StartAsync());
  ASSERT_OK(request.Wait());
  EXPECT_THAT(Elements(request.GetOutputTensor().value()), ElementsAre(17, 22, 33, 14, 25, 36, 10, 20, 30));

  for (const auto& set : std::vector<std::function<absl::Status(const std::vector<Tensor>&)>>{
           [&](const std::vector<Tensor>& tensors) { return request.SetTensors("x", tensors); },
           [&](const std::vector<Tensor>& tensors) { return request.SetInputTensors(tensors); },
           [&](const std::vector<Tensor>& tensors) {
             return request.SetTensors(request.GetCompiledModel().inputs()[0], tensors);
           }}) {
    ASSERT_OK(set({Row({0, 0, 0}), Row({1, 1, 1})}));
    ASSERT_OK(request.Infer());
    EXPECT_THAT(Elements(request.GetOutputTensor().value()), ElementsAre(10, 20, 30, 11, 21, 31));
    ASSERT_OK(set({first}));  // One tensor is a tensor.
    EXPECT_EQ(request.GetInputTensor()->data(), first.data());
  }
}

TEST(InferRequestTest, BatchesThatDoNotFitAreRefused) {
  const Tensor item = Row({1, 2, 3});
  EXPECT_THAT(RequestFor(ToyModel()).SetTensors("x", {item, item}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("needs a layout with N")));
  InferRequest request = RequestFor(BatchedToyModel());
  const auto is = [](const char* text) { return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(text)); };
  EXPECT_THAT(request.SetInputTensors({}), is("\"x\""));
  EXPECT_THAT(request.SetInputTensors({item, Row({1, 2, 3, 4, 5, 6})}), is("item 1: expected batch dimension 1"));
  EXPECT_THAT(request.SetTensors("y", {item, item}), is("only an input"));
  EXPECT_THAT(request.SetInputTensors(1, {item, item}), is("there are 1"));
  EXPECT_THAT(request.SetTensors("z", {item, item}), StatusIs(absl::StatusCode::kNotFound));
}

TEST(InferRequestTest, StridedTensorsAreReadAndWrittenInPlace) {
  InferRequest request = RequestFor(ToyModel());
  // Columns 1 to 3 of five, in both.
  const std::vector<float> wide = {0, 1, 2, 3, 0, 0, 4, 5, 6, 0};
  const auto make = [](const std::vector<float>& values) {
    Tensor tensor = Tensor::Create(ElementType::kF32, {2, 5}).value();
    std::copy(values.begin(), values.end(), tensor.mutable_data_as<float>());
    return tensor;
  };
  const Tensor from = make(wide);
  const Tensor to = make(std::vector<float>(10, -1));
  ASSERT_OK(request.SetInputTensor(from.Region({0, 1}, {2, 4}).value()));
  ASSERT_OK(request.SetOutputTensor(to.Region({0, 1}, {2, 4}).value()));
  ASSERT_OK(request.Infer());
  EXPECT_THAT(Elements(to), ElementsAre(-1, 11, 22, 33, -1, -1, 14, 25, 36, -1));
  EXPECT_EQ(request.GetOutputTensor()->data(), to.data_as<float>() + 1);
}

TEST(InferRequestTest, CallbackMayHoldTheLastHandle) {
  auto done = std::make_shared<Event>();
  {
    InferRequest request = RequestFor(ToyModel());
    ASSERT_OK(request.SetInputTensor(Row({1, 2, 3})));
    ASSERT_OK(
        request.SetCallback([holder = std::make_shared<InferRequest>(request), done](absl::Status status) mutable {
          EXPECT_OK(status);
          EXPECT_THAT(Elements(holder->GetOutputTensor().value()), ElementsAre(11, 22, 33));
          holder.reset();
          done->Notify();
        }));
    ASSERT_OK(request.StartAsync());
  }
  done->Wait();
}

}  // namespace
}  // namespace burin
