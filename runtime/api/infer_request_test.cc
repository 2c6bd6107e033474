#include "burin/infer_request.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/synchronization/notification.h"
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
  auto done = std::make_unique<absl::Notification>();
  ASSERT_OK(request.SetCallback([&](absl::Status status) {
    codes.push_back(status.code());
    done->Notify();
  }));
  ASSERT_OK(request.StartAsync());
  done->WaitForNotification();
  EXPECT_THAT(request.Wait(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("has not been set")));
  EXPECT_THAT(request.WaitFor(std::chrono::milliseconds(0)), StatusIs(absl::StatusCode::kInvalidArgument));

  done = std::make_unique<absl::Notification>();
  ASSERT_OK(request.SetInputTensor(Row({1, 2, 3})));
  ASSERT_OK(request.StartAsync());
  done->WaitForNotification();
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

TEST(InferRequestTest, WhatIsNotThereYetSaysSo) {
  InferRequest request = RequestFor(ToyModel());
  const auto unimplemented = StatusIs(absl::StatusCode::kUnimplemented);
  EXPECT_THAT(request.SetTensors("x", {}), unimplemented);
  EXPECT_THAT(request.SetInputTensors(0, {}), unimplemented);
}

}  // namespace
}  // namespace burin
