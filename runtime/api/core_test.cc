// The facade from outside: includes and names as a user writes them, on the devices that //runtime links.
#include "burin/core.h"

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "burin/compiled_model.h"
#include "burin/infer_request.h"
#include "burin/model.h"
#include "burin/properties.h"
#include "burin/remote_context.h"
#include "burin/tensor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/api/toy_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

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
  ASSERT_OK_AND_ASSIGN(CompiledModel counting, core.CompileModel(ToyModel(), "REFERENCE", {perf_count(true)}));
  EXPECT_TRUE(counting.GetProperty(perf_count).value());

  // A default for later compilations.
  ASSERT_OK(core.SetProperty("REFERENCE", {perf_count(true)}));
  EXPECT_TRUE(core.GetProperty("REFERENCE", perf_count).value());
  EXPECT_TRUE(core.CompileModel(ToyModel(), "REFERENCE")->GetProperty(perf_count).value());
  EXPECT_FALSE(plain.GetProperty(perf_count).value());
  // What a compilation is given goes before the default.
  EXPECT_FALSE(core.CompileModel(ToyModel(), {perf_count(false)})->GetProperty(perf_count).value());
  // The default is that Core's.
  EXPECT_FALSE(Core().GetProperty("REFERENCE", perf_count).value());

  EXPECT_THAT(core.CompileModel(ToyModel(), "REFERENCE", {{"NUM_STREAMS", "2"}}).status(),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("NUM_STREAMS")));
  EXPECT_THAT(core.CompileModel(ToyModel(), "REFERENCE", {{"PERF_COUNT", "perhaps"}}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("perhaps")));
  EXPECT_THAT(core.GetProperty("REFERENCE", "NO_SUCH"),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("SUPPORTED_PROPERTIES")));
  EXPECT_THAT(core.GetProperty("GPU", perf_count), StatusIs(absl::StatusCode::kNotFound));
}

TEST(CoreTest, CompilingAFileTellsWhatIsWrongWithTheFile) {
  Core core;
  const auto missing = StatusIs(absl::StatusCode::kNotFound, HasSubstr("/no/such/model.onnx"));
  EXPECT_THAT(core.ReadModel("/no/such/model.onnx"), missing);
  EXPECT_THAT(core.CompileModel(std::string("/no/such/model.onnx"), "REFERENCE"), missing);
}

TEST(CoreTest, CanBeMoved) {
  Core core;
  ASSERT_OK(core.SetProperty("REFERENCE", {perf_count(true)}));
  Core moved = std::move(core);
  EXPECT_TRUE(moved.GetProperty("REFERENCE", perf_count).value());
  Core assigned;
  assigned = std::move(moved);
  EXPECT_TRUE(assigned.GetProperty("REFERENCE", perf_count).value());
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
}

}  // namespace
}  // namespace burin
