// The facade from outside: includes and names as a user writes them, on the devices that //runtime links.
#include "burin/core.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
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
  EXPECT_THAT(compiled.GetProperty(execution_devices).value(), ElementsAre("CPU"));
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
  EXPECT_THAT(core.GetAvailableDevices(), ElementsAre("CPU", "REFERENCE"));
  EXPECT_THAT(core.CompileModel(ToyModel(), "GPU").status(),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("there are: CPU, REFERENCE")));
  EXPECT_OK(core.CompileModel(ToyModel(), "(CPU)").status());
  for (const char* name : {"HETERO:REFERENCE", "BATCH:REFERENCE(4)", "AUTO", "MULTI:REFERENCE"}) {
    EXPECT_THAT(core.CompileModel(ToyModel(), name).status(),
                StatusIs(absl::StatusCode::kUnimplemented, HasSubstr(name)));
  }
  EXPECT_THAT(core.CompileModel(ToyModel(), "REFERENCE,").status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("at character 10")));
  ASSERT_OK_AND_ASSIGN(auto versions, core.GetVersions("REFERENCE"));
  EXPECT_THAT(versions["REFERENCE"].description, HasSubstr("REFERENCE"));
  EXPECT_THAT(core.GetVersions("GPU").status(), StatusIs(absl::StatusCode::kNotFound));
}

TEST(CoreTest, AnInstanceIsADeviceToo) {
  Core core;
  ASSERT_OK_AND_ASSIGN(CompiledModel compiled, core.CompileModel(ToyModel(), "REFERENCE.0"));
  EXPECT_EQ(compiled.GetProperty(device_id).value(), "0");
  EXPECT_EQ(core.CompileModel(ToyModel(), "REFERENCE", device_id("0"))->GetProperty(device_id).value(), "0");
  EXPECT_THAT(core.CompileModel(ToyModel(), "REFERENCE.0", device_id("1")).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("mismatch")));
  EXPECT_THAT(core.CompileModel(ToyModel(), "REFERENCE.1").status(), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(core.GetProperty("REFERENCE.1", perf_count), StatusIs(absl::StatusCode::kNotFound));
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

TEST(CoreTest, EveryCallTakesEntriesInThePlaceOfAMap) {
  Core core;
  const Model model = ToyModel();
  const PropertyMap map = {perf_count(true)};
  const auto counts = [](const absl::StatusOr<CompiledModel>& compiled) {
    return compiled.ok() && compiled->GetProperty(perf_count).value();
  };
  EXPECT_TRUE(counts(core.CompileModel(model, map)));
  EXPECT_TRUE(counts(core.CompileModel(model, perf_count(true))));
  EXPECT_TRUE(counts(core.CompileModel(model, "REFERENCE", map)));
  EXPECT_TRUE(counts(core.CompileModel(model, "REFERENCE", perf_count(true), device_id("0"))));
  ASSERT_OK_AND_ASSIGN(const RemoteContext context, core.GetDefaultContext("REFERENCE"));
  EXPECT_TRUE(counts(core.CompileModel(model, context, map)));
  EXPECT_TRUE(counts(core.CompileModel(model, context, perf_count(true))));
  EXPECT_EQ(core.QueryModel(model, "REFERENCE", perf_count(true))->size(), 5u);
  ASSERT_OK(core.SetProperty("REFERENCE", perf_count(true)));
  EXPECT_TRUE(counts(core.CompileModel(model, "REFERENCE")));
  ASSERT_OK(core.SetProperty(enable_mmap(false), allow_auto_batching(false)));
  EXPECT_FALSE(core.GetProperty(enable_mmap).value());
  EXPECT_EQ(core.GetProperty("ALLOW_AUTO_BATCHING").value(), "NO");

  // The same for what reads; a wrong one tells that it arrived.
  const auto unknown = StatusIs(absl::StatusCode::kNotFound, HasSubstr("PERF_COUNT"));
  EXPECT_THAT(core.ReadModel("/no/such", "", perf_count(true)).status(), unknown);
  EXPECT_THAT(core.CreateContext("REFERENCE", perf_count(true)).status(), unknown);
  const auto missing = StatusIs(absl::StatusCode::kNotFound, HasSubstr("/no/such"));
  EXPECT_THAT(core.CompileModel("/no/such", enable_mmap(false)).status(), missing);
  EXPECT_THAT(core.CompileModel("/no/such", "REFERENCE", enable_mmap(false)).status(), missing);
  const std::string bytes = "no model";
  const auto broken = StatusIs(absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(core.CompileModel(bytes, Tensor(), "REFERENCE", enable_mmap(false)).status(), broken);
  std::istringstream stream;
  EXPECT_THAT(core.ImportModel(stream, "REFERENCE", perf_count(true)).status(),
              StatusIs(absl::StatusCode::kUnimplemented));
}

TEST(CoreTest, PropertiesForSingleDevices) {
  Core core;
  const std::string all = R"({"REFERENCE": {"PERF_COUNT": true}})";
  EXPECT_TRUE(core.CompileModel(ToyModel(), "REFERENCE", device_properties(all))->GetProperty(perf_count).value());
  EXPECT_TRUE(core.CompileModel(ToyModel(), "REFERENCE", {{"DEVICE_PROPERTIES_REFERENCE", R"({"PERF_COUNT": "YES"})"}})
                  ->GetProperty(perf_count)
                  .value());
  EXPECT_TRUE(core.CompileModel(ToyModel(), "REFERENCE", PropertiesFor("REFERENCE", perf_count(true), device_id("0")))
                  ->GetProperty(perf_count)
                  .value());
  EXPECT_THAT(
      core.CompileModel(ToyModel(), "REFERENCE", device_properties(R"({"REFERENCE": {"NO_SUCH": 1}})")).status(),
      StatusIs(absl::StatusCode::kNotFound, HasSubstr("NO_SUCH")));
  EXPECT_THAT(core.SetProperty(device_properties(all)), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(CoreTest, PropertiesOfAllDevices) {
  Core core;
  ASSERT_OK(core.SetProperty(perf_count(true)));
  EXPECT_TRUE(core.GetProperty("REFERENCE", perf_count).value());
  EXPECT_TRUE(core.CompileModel(ToyModel())->GetProperty(perf_count).value());
  EXPECT_THAT(core.SetProperty(PropertyMap{{"NO_SUCH", "1"}}),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("NO_SUCH")));
  EXPECT_THAT(core.SetProperty(auto_batch_timeout(5)), StatusIs(absl::StatusCode::kNotFound));
}

TEST(CoreTest, ContextsOfTheHost) {
  Core core;
  ASSERT_OK_AND_ASSIGN(const RemoteContext context, core.CreateContext("REFERENCE"));
  EXPECT_EQ(context.device_name(), "REFERENCE");
  ASSERT_OK_AND_ASSIGN(CompiledModel compiled, core.CompileModel(ToyModel(), context));
  ASSERT_OK_AND_ASSIGN(InferRequest request, compiled.CreateInferRequest());
  ASSERT_OK_AND_ASSIGN(Tensor input, context.CreateHostTensor(ElementType::kF32, {1, 3}));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(input.data()) % 64, 0u);
  ASSERT_OK(Row({-1, 2, -3}).CopyTo(input));
  ASSERT_OK(request.SetInputTensor(input));
  ASSERT_OK(request.Infer());
  EXPECT_THAT(Elements(request.GetOutputTensor().value()), ElementsAre(10, 22, 30));
  EXPECT_OK(core.CreateContext("REFERENCE.0"));
  EXPECT_THAT(core.CreateContext("GPU").status(), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(core.GetDefaultContext("HETERO:REFERENCE").status(), StatusIs(absl::StatusCode::kUnimplemented));
}

TEST(CoreTest, CompilingAFileTellsWhatIsWrongWithTheFile) {
  Core core;
  const auto missing = StatusIs(absl::StatusCode::kNotFound, HasSubstr("/no/such/model.onnx"));
  EXPECT_THAT(core.ReadModel("/no/such/model.onnx"), missing);
  EXPECT_THAT(core.CompileModel("/no/such/model.onnx", "REFERENCE"), missing);
  EXPECT_THAT(core.CompileModel("/no/such/model.onnx"), missing);
}

// An ONNX file of the graph g: y = Relu(x), with x: f32[3].
std::string ReluFile() {
  const std::string node = "\x0a\x01x\x12\x01y\"\x04Relu";
  const std::string type = std::string("\x0a\x08\x08\x01\x12\x04\x0a\x02\x08\x03");
  const std::string input = "\x0a\x01x\x12\x0a" + type;
  const std::string graph = "\x0a\x0c" + node + "\x12\x01g" + "\x5a\x0f" + input + "\x62\x03\x0a\x01y";
  return "\x08\x08\x3a" + std::string(1, static_cast<char>(graph.size())) + graph + "\x42\x02\x10\x11";
}

TEST(CoreTest, ReadsAndCompilesFromMemoryAndFile) {
  Core core;
  ASSERT_OK_AND_ASSIGN(const Model model, core.ReadModel(ReluFile(), Tensor()));
  EXPECT_EQ(model.name(), "g");
  const std::string path = ::testing::TempDir() + "/core_test_relu.onnx";
  std::ofstream(path) << ReluFile();
  for (absl::StatusOr<CompiledModel> compiled :
       {core.CompileModel(model), core.CompileModel(ReluFile(), Tensor(), "REFERENCE"), core.CompileModel(path),
        core.CompileModel(path, "REFERENCE", enable_mmap(false)), core.CompileModel(core.ReadModel(path).value())}) {
    ASSERT_OK(compiled.status());
    ASSERT_OK_AND_ASSIGN(InferRequest request, compiled->CreateInferRequest());
    Tensor input = Tensor::Create(ElementType::kF32, {3}).value();
    ASSERT_OK(Row({-1, 2, -3}).Reshaped({3})->CopyTo(input));
    ASSERT_OK(request.SetInputTensor(input));
    ASSERT_OK(request.Infer());
    EXPECT_THAT(Elements(request.GetOutputTensor().value()), ElementsAre(0, 2, 0));
  }
  EXPECT_THAT(core.ReadModel("no model", Tensor()).status(), StatusIs(absl::StatusCode::kInvalidArgument));
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

TEST(CoreTest, ImportIsTheDevicesToRefuse) {
  Core core;
  std::istringstream stream("blob");
  const auto unimplemented = StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("REFERENCE"));
  EXPECT_THAT(core.ImportModel(stream, "REFERENCE").status(), unimplemented);
  EXPECT_THAT(core.ImportModel(Row({1, 2, 3}), "REFERENCE").status(), unimplemented);
  EXPECT_THAT(core.ImportModel(Tensor(), "REFERENCE").status(), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(core.ImportModel(stream, "GPU").status(), StatusIs(absl::StatusCode::kNotFound));
}

// A plugin library for tests, with a property LEVEL.
constexpr const char* kLibrary = "runtime/core/test_plugins/libgood_plugin.so";

TEST(CoreTest, PluginsFromALibrary) {
  Core core;
  ASSERT_OK(core.RegisterPlugin(kLibrary, "GOOD", {{"LEVEL", "2"}}));
  EXPECT_EQ(core.GetProperty("GOOD", "LEVEL").value(), "2");
  EXPECT_THAT(core.RegisterPlugin(kLibrary, "GOOD"), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("GOOD")));
  EXPECT_THAT(core.RegisterPlugin(kLibrary, "REFERENCE", perf_count(true)),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("REFERENCE")));
  ASSERT_OK(core.SetProperty("GOOD", {{"LEVEL", "3"}}));
  ASSERT_OK(core.UnloadPlugin("GOOD"));
  EXPECT_THAT(core.UnloadPlugin("GOOD"), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_EQ(core.GetProperty("GOOD", "LEVEL").value(), "3");
  ASSERT_OK(core.RegisterPlugin("/no/such/libx.so", "MISSING"));
  EXPECT_THAT(core.GetVersions("MISSING").status(),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("/no/such/libx.so")));
  EXPECT_THAT(core.GetAvailableDevices(), ElementsAre("CPU", "REFERENCE"));
}

TEST(CoreTest, PluginsFromAList) {
  const std::string path = ::testing::TempDir() + "/core_test_plugins.xml";
  std::ofstream(path) << "<burin><plugins><plugin name=\"GOOD\" location=\""
                      << std::filesystem::absolute(kLibrary).string()
                      << "\"><properties><property key=\"LEVEL\" value=\"7\"/></properties></plugin></plugins></burin>";
  ASSERT_OK_AND_ASSIGN(Core core, Core::Create(path));
  EXPECT_EQ(core.GetProperty("GOOD", "LEVEL").value(), "7");
  EXPECT_TRUE(core.CompileModel(ToyModel(), "REFERENCE").ok());
  EXPECT_THAT(core.RegisterPlugins(path), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("GOOD")));
  Core other;
  EXPECT_THAT(other.GetVersions("GOOD").status(), StatusIs(absl::StatusCode::kNotFound));
  ASSERT_OK(other.RegisterPlugins(path));
  EXPECT_EQ(other.GetProperty("GOOD", "LEVEL").value(), "7");
  EXPECT_THAT(Core::Create("/no/such/plugins.xml").status(),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("/no/such/plugins.xml")));
}

}  // namespace
}  // namespace burin
