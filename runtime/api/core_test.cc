// The facade from outside: includes and names as a user writes them, on the devices that //runtime links.
#include "burin/core.h"

#include <chrono>
#include <cstring>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "burin/infer_request.h"
#include "burin/model.h"
#include "burin/tensor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/ops/ops.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

// y = relu(x) + b, with x: f32[?,3].
Model ToyModel() {
  auto graph = std::make_shared<ir::Model>("toy");
  ir::Value x = graph->AddParameter("x", ElementType::kF32, PartialShape({Dimension::Symbol("n"), 3})).value();
  Tensor bias = Tensor::Create(ElementType::kF32, {3}).value();
  const float values[] = {10, 20, 30};
  std::memcpy(bias.mutable_data(), values, sizeof(values));
  ir::Value b = graph->AddConstant(bias, "b").value();
  ir::Value relu = graph->Add(ir::ReluOp(), {x}, nullptr, "relu").value();
  ir::Value sum = graph->Add(ir::AddOp(), {relu, b}, nullptr, "sum").value();
  EXPECT_OK(graph->AddResult(sum, "y").status());
  return Model(graph);
}

Tensor Row(const std::vector<float>& values) {
  Tensor tensor = Tensor::Create(ElementType::kF32, {static_cast<int64_t>(values.size()) / 3, 3}).value();
  std::memcpy(tensor.mutable_data(), values.data(), values.size() * sizeof(float));
  return tensor;
}

std::vector<float> Elements(const Tensor& tensor) {
  const float* data = tensor.data_as<float>();
  return std::vector<float>(data, data + tensor.element_count());
}

TEST(CoreTest, ModelRunsThroughTheWholeChain) {
  Core core;
  const Model model = ToyModel();
  ASSERT_OK_AND_ASSIGN(CompiledModel compiled, core.CompileModel(model));
  EXPECT_THAT(compiled.GetProperty(execution_devices).value(), ElementsAre("REFERENCE"));
  ASSERT_OK_AND_ASSIGN(InferRequest request, compiled.CreateInferRequest());
  ASSERT_OK(request.SetInputTensor(Row({-1, 2, -3})));
  ASSERT_OK(request.Infer());
  ASSERT_OK_AND_ASSIGN(Tensor output, request.GetOutputTensor());
  EXPECT_THAT(Elements(output), ElementsAre(10, 22, 30));

  // Another shape in the same request, and asynchronously.
  ASSERT_OK(request.SetTensor("x", Row({1, 1, 1, 2, 2, 2})));
  ASSERT_OK(request.StartAsync());
  ASSERT_OK(request.Wait());
  ASSERT_OK_AND_ASSIGN(output, request.GetTensor("y"));
  EXPECT_EQ(output.shape(), (Shape{2, 3}));
  EXPECT_THAT(Elements(output), ElementsAre(11, 21, 31, 12, 22, 32));
}

TEST(CoreTest, UserOutputMemoryIsWrittenInPlace) {
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

TEST(CoreTest, RequestOutlivesCoreModelAndCompiledModel) {
  absl::StatusOr<InferRequest> request = absl::InternalError("unset");
  {
    Core core;
    ASSERT_OK_AND_ASSIGN(CompiledModel compiled, core.CompileModel(ToyModel(), ""));
    request = compiled.CreateInferRequest();
  }
  ASSERT_OK(request);
  ASSERT_OK(request->SetInputTensor(Row({1, 2, 3})));
  EXPECT_OK(request->Infer());
  EXPECT_EQ(request->GetCompiledModel().inputs().size(), 1u);
}

TEST(CoreTest, PortsAreFoundByNameAndIndexOrListed) {
  const Model model = ToyModel();
  EXPECT_EQ(model.input("x").value().index, 0u);
  EXPECT_EQ(model.output(0).value().name(), "y");
  EXPECT_TRUE(model.is_dynamic());
  EXPECT_THAT(model.input("z"), StatusIs(absl::StatusCode::kNotFound, HasSubstr("there are: \"x\"")));
  EXPECT_THAT(model.output(1), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("there are 1: \"y\"")));
  Core core;
  ASSERT_OK_AND_ASSIGN(CompiledModel compiled, core.CompileModel(model));
  ASSERT_OK_AND_ASSIGN(InferRequest request, compiled.CreateInferRequest());
  EXPECT_THAT(request.SetTensor("z", Row({1, 2, 3})),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("inputs: \"x\"; outputs: \"y\"")));
}

TEST(CoreTest, InferWithoutADynamicInputIsAnError) {
  Core core;
  ASSERT_OK_AND_ASSIGN(CompiledModel compiled, core.CompileModel(ToyModel()));
  ASSERT_OK_AND_ASSIGN(InferRequest request, compiled.CreateInferRequest());
  EXPECT_THAT(request.Infer(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"x\" f32[n,3] has not been set")));
}

TEST(CoreTest, ReshapeIsAllOrNothing) {
  Model model = ToyModel();
  EXPECT_THAT(model.Reshape(PartialShape({1, 4})), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("sum")));
  EXPECT_EQ(model.input(0).value().shape.ToString(), "[n,3]");
  Model copy = model.Clone();
  ASSERT_OK(copy.Reshape(std::map<std::string, PartialShape>{{"x", PartialShape({5, 3})}}));
  EXPECT_EQ(copy.output(0).value().shape, PartialShape({5, 3}));
  EXPECT_TRUE(model.is_dynamic());
}

TEST(CoreTest, DevicesAndTheirErrors) {
  Core core;
  EXPECT_THAT(core.GetAvailableDevices(), ElementsAre("REFERENCE"));
  EXPECT_THAT(core.CompileModel(ToyModel(), "GPU").status(),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("there are: REFERENCE")));
  EXPECT_THAT(core.CompileModel(ToyModel(), "HETERO:REFERENCE").status(),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("HETERO")));
  ASSERT_OK_AND_ASSIGN(auto versions, core.GetVersions("REFERENCE"));
  EXPECT_THAT(versions["REFERENCE"].description, HasSubstr("REFERENCE"));
}

TEST(CoreTest, QueryModelNamesWhatIsSupported) {
  Core core;
  EXPECT_THAT(core.QueryModel(ToyModel(), "REFERENCE").value(),
              UnorderedElementsAre(Pair("x", "REFERENCE"), Pair("b", "REFERENCE"), Pair("relu", "REFERENCE"),
                                   Pair("sum", "REFERENCE"), Pair("y", "REFERENCE")));
}

TEST(CoreTest, PropertiesAreHonouredOrRefused) {
  Core core;
  ASSERT_OK_AND_ASSIGN(CompiledModel plain, core.CompileModel(ToyModel(), "REFERENCE"));
  EXPECT_FALSE(plain.GetProperty(perf_count).value());
  EXPECT_THAT(plain.CreateInferRequest()->GetProfilingInfo(), StatusIs(absl::StatusCode::kFailedPrecondition));

  ASSERT_OK_AND_ASSIGN(CompiledModel counting, core.CompileModel(ToyModel(), "REFERENCE", {perf_count(true)}));
  ASSERT_OK_AND_ASSIGN(InferRequest request, counting.CreateInferRequest());
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

  // A default for later compilations.
  ASSERT_OK(core.SetProperty("REFERENCE", {perf_count(true)}));
  EXPECT_TRUE(core.GetProperty("REFERENCE", perf_count).value());
  EXPECT_TRUE(core.CompileModel(ToyModel(), "REFERENCE")->GetProperty(perf_count).value());

  EXPECT_THAT(core.CompileModel(ToyModel(), "REFERENCE", {{"NUM_STREAMS", "2"}}).status(),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("NUM_STREAMS")));
  EXPECT_THAT(core.CompileModel(ToyModel(), "REFERENCE", {{"PERF_COUNT", "perhaps"}}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("perhaps")));
  EXPECT_THAT(core.GetProperty("REFERENCE", "NO_SUCH"),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("SUPPORTED_PROPERTIES")));
}

TEST(CoreTest, WhatIsNotThereYetSaysSo) {
  Core core;
  const auto unimplemented = StatusIs(absl::StatusCode::kUnimplemented);
  EXPECT_THAT(Core::Create("plugins.xml").status(), unimplemented);
  EXPECT_THAT(core.ReadModel("<net/>", Tensor()).status(), unimplemented);
  EXPECT_THAT(core.CompileModel(ToyModel(), RemoteContext("CPU")).status(), unimplemented);
  std::istringstream stream("blob");
  EXPECT_THAT(core.ImportModel(stream, "REFERENCE").status(), unimplemented);
  EXPECT_THAT(core.SetProperty(PropertyMap{{"A", "B"}}), unimplemented);
  EXPECT_THAT(core.RegisterPlugin("libx.so", "X"), unimplemented);
  EXPECT_THAT(core.UnloadPlugin("X"), unimplemented);
  EXPECT_THAT(core.RegisterPlugins("plugins.xml"), unimplemented);
  ASSERT_OK_AND_ASSIGN(CompiledModel compiled, core.CompileModel(ToyModel()));
  EXPECT_THAT(compiled.GetRuntimeModel().status(), unimplemented);
  EXPECT_THAT(compiled.GetContext().status(), unimplemented);
  EXPECT_THAT(compiled.ReleaseMemory(), unimplemented);
  EXPECT_THAT(compiled.SetProperty({{"A", "B"}}), unimplemented);
  std::ostringstream out;
  EXPECT_THAT(compiled.ExportModel(out), unimplemented);
  ASSERT_OK_AND_ASSIGN(InferRequest request, compiled.CreateInferRequest());
  EXPECT_THAT(request.SetTensors("x", {}), unimplemented);
  EXPECT_THAT(request.SetInputTensors(0, {}), unimplemented);
}

}  // namespace
}  // namespace burin
