#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "burin/compiled_model.h"
#include "burin/core.h"
#include "burin/infer_request.h"
#include "burin/model.h"
#include "burin/tensor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gtest/status_matchers.h"
#include "testing/test_data.h"

namespace burin {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;

constexpr char kLibrary[] = "examples/plugin/libtrace_plugin.so";

// Returns x with the same values wherever it is called: of any model whose inputs are static floats.
std::vector<Tensor> Inputs(const CompiledModel& compiled) {
  std::vector<Tensor> tensors;
  for (const Port& port : compiled.inputs()) {
    EXPECT_EQ(port.element_type, ElementType::kF32);
    Tensor tensor = Tensor::Create(port.element_type, port.shape.ToShape()).value();
    for (int64_t i = 0; i < tensor.element_count(); ++i) {
      tensor.mutable_data_as<float>()[i] = static_cast<float>(std::sin(static_cast<double>(i)));
    }
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

std::vector<Tensor> Outputs(InferRequest& request, const CompiledModel& compiled) {
  std::vector<Tensor> tensors;
  for (size_t i = 0; i < compiled.outputs().size(); ++i) tensors.push_back(request.GetOutputTensor(i).value());
  return tensors;
}

InferRequest RequestWithInputs(const CompiledModel& compiled) {
  InferRequest request = compiled.CreateInferRequest().value();
  const std::vector<Tensor> inputs = Inputs(compiled);
  for (size_t i = 0; i < inputs.size(); ++i) EXPECT_OK(request.SetInputTensor(i, inputs[i]));
  return request;
}

class TracePluginTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!OnnxTestDataDir().has_value()) GTEST_SKIP() << "libonnx-testdata is not installed";
  }
  // Of the ONNX backend suite.
  static std::string Path(const std::string& name) {
    return absl::StrCat(*OnnxTestDataDir(), "/", name, "/model.onnx");
  }

  // Writes a plugins.xml that names the library by `location`; returns its path.
  static std::string WriteXml(const std::string& folder, const std::string& location, const std::string& properties) {
    const std::string path = absl::StrCat(folder, "/plugins.xml");
    EXPECT_OK(WriteFileAtomically(
        path, absl::StrCat("<burin><plugins><plugin name=\"TRACE\" location=\"", location, "\"><properties>",
                           properties, "</properties></plugin></plugins></burin>\n")));
    return path;
  }

  // A folder of the test's own with a copy of the library.
  static std::string FolderWithLibrary() {
    std::string folder = absl::StrCat(::testing::TempDir(), "/trace.XXXXXX");
    EXPECT_NE(mkdtemp(folder.data()), nullptr);
    EXPECT_OK(WriteFileAtomically(folder + "/libtrace_plugin.so", ReadFile(kLibrary).value()));
    return folder;
  }

  Core core_;
};

TEST_F(TracePluginTest, InfersAsReferenceDoes) {
  ASSERT_OK(core_.RegisterPlugin(kLibrary, "TRACE"));
  for (const char* name : {"node/test_relu", "pytorch-converted/test_Conv2d", "pytorch-converted/test_GLU",
                           "pytorch-converted/test_Linear", "pytorch-converted/test_BatchNorm2d_eval"}) {
    SCOPED_TRACE(name);
    ASSERT_OK_AND_ASSIGN(const Model model, core_.ReadModel(Path(name)));
    ASSERT_OK_AND_ASSIGN(const CompiledModel traced, core_.CompileModel(model, "TRACE"));
    ASSERT_OK_AND_ASSIGN(const CompiledModel reference, core_.CompileModel(model, "REFERENCE"));
    InferRequest request = RequestWithInputs(traced);
    InferRequest expected = RequestWithInputs(reference);
    ASSERT_OK(request.Infer());
    ASSERT_OK(expected.Infer());
    ASSERT_FALSE(traced.outputs().empty());
    for (size_t i = 0; i < traced.outputs().size(); ++i) {
      EXPECT_TRUE(ir::BitwiseEqual(request.GetOutputTensor(i).value(), expected.GetOutputTensor(i).value()));
    }
  }
}

TEST_F(TracePluginTest, ALinkedAndALoadedDeviceAnswerAlike) {
  ASSERT_OK(core_.RegisterPlugin(kLibrary, "TRACE"));
  EXPECT_THAT(core_.GetAvailableDevices(), Contains("TRACE"));
  ASSERT_OK_AND_ASSIGN(const auto versions, core_.GetVersions("TRACE"));
  EXPECT_EQ(versions.at("TRACE").description, "Burin example: TRACE plugin");
  EXPECT_EQ(versions.at("TRACE").build, core_.GetVersions("REFERENCE").value().at("REFERENCE").build);
  EXPECT_THAT(core_.GetProperty("TRACE", "FULL_DEVICE_NAME"), IsOkAndHolds("Tracing reference evaluator"));
  ASSERT_OK_AND_ASSIGN(const Model model, core_.ReadModel(Path("pytorch-converted/test_GLU")));
  ASSERT_OK_AND_ASSIGN(const auto traced, core_.QueryModel(model, "TRACE"));
  ASSERT_OK_AND_ASSIGN(const auto reference, core_.QueryModel(model, "REFERENCE"));
  ASSERT_FALSE(traced.empty());
  EXPECT_EQ(traced.size(), reference.size());
  for (const auto& [op, device] : traced) {
    EXPECT_EQ(device, "TRACE");
    EXPECT_EQ(reference.count(op), 1u);
  }
}

TEST_F(TracePluginTest, CountsWhatWasExecuted) {
  ASSERT_OK(core_.RegisterPlugin(kLibrary, "TRACE"));
  ASSERT_OK_AND_ASSIGN(const Model model, core_.ReadModel(Path("node/test_relu")));
  ASSERT_OK_AND_ASSIGN(const CompiledModel compiled, core_.CompileModel(model, "TRACE"));
  InferRequest a = RequestWithInputs(compiled);
  InferRequest b = RequestWithInputs(compiled);
  ASSERT_OK(a.Infer());
  ASSERT_OK(b.Infer());
  ASSERT_OK(b.StartAsync());
  ASSERT_OK(b.Wait());
  EXPECT_THAT(compiled.GetProperty("TRACE_COUNTS"), IsOkAndHolds(HasSubstr("Relu=3")));
  EXPECT_THAT(a.GetProfilingInfo(), StatusIs(absl::StatusCode::kUnimplemented));
}

TEST_F(TracePluginTest, IsConfiguredAsAnyDevice) {
  ASSERT_OK(core_.RegisterPlugin(kLibrary, "TRACE", {{"TRACE_OPS", "MatMul"}}));
  EXPECT_THAT(core_.GetProperty("TRACE", "TRACE_OPS"), IsOkAndHolds("MatMul"));
  ASSERT_OK(core_.SetProperty("TRACE", {{"TRACE_OPS", "Add Relu"}}));
  ASSERT_OK_AND_ASSIGN(const Model model, core_.ReadModel(Path("node/test_relu")));
  for (const auto& [ops, counts] : std::map<std::string, std::string>{{"Relu", "Relu=1"}, {"Add", ""}}) {
    ASSERT_OK_AND_ASSIGN(const CompiledModel compiled, core_.CompileModel(model, "TRACE", {{"TRACE_OPS", ops}}));
    EXPECT_THAT(compiled.GetProperty("TRACE_OPS"), IsOkAndHolds(ops));
    ASSERT_OK(RequestWithInputs(compiled).Infer());
    EXPECT_THAT(compiled.GetProperty("TRACE_COUNTS"), IsOkAndHolds(counts));
  }
  EXPECT_THAT(core_.SetProperty("TRACE", {{"TRACE_OPS", "NoSuchOp"}}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("NoSuchOp")));
  EXPECT_THAT(core_.SetProperty("TRACE", {{"TRACE_OP", "Add"}}),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("TRACE_OPS")));
}

TEST_F(TracePluginTest, ABadDefaultIsReportedAtFirstUse) {
  ASSERT_OK(core_.RegisterPlugin(kLibrary, "TRACE", {{"TRACE_OPS", "NoSuchOp"}}));
  EXPECT_THAT(core_.GetVersions("REFERENCE").status(), IsOk());
  EXPECT_THAT(core_.GetProperty("TRACE", "TRACE_OPS"),
              StatusIs(absl::StatusCode::kInvalidArgument, AllOf(HasSubstr("TRACE"), HasSubstr("NoSuchOp"))));
}

TEST_F(TracePluginTest, APluginsXmlNamesIt) {
  const std::string folder = FolderWithLibrary();
  const std::string property = "<property key=\"TRACE_OPS\" value=\"Relu\"/>";
  ASSERT_OK_AND_ASSIGN(const Model model, core_.ReadModel(Path("node/test_relu")));
  // Beside the file, by name, by file name, by path from the file's folder, and absolutely.
  for (const std::string& location : {std::string("trace_plugin"), std::string("libtrace_plugin.so"),
                                      std::string("./libtrace_plugin.so"), folder + "/libtrace_plugin.so"}) {
    SCOPED_TRACE(location);
    ASSERT_OK_AND_ASSIGN(Core core, Core::Create(WriteXml(folder, location, property)));
    EXPECT_THAT(core.GetProperty("TRACE", "TRACE_OPS"), IsOkAndHolds("Relu"));
    ASSERT_OK_AND_ASSIGN(const CompiledModel compiled, core.CompileModel(model, "TRACE"));
    ASSERT_OK(RequestWithInputs(compiled).Infer());
    EXPECT_THAT(compiled.GetProperty("TRACE_COUNTS"), IsOkAndHolds("Relu=1"));
  }
  ASSERT_OK(core_.RegisterPlugins(WriteXml(folder, "trace_plugin", property)));
  EXPECT_THAT(core_.GetProperty("TRACE", "TRACE_OPS"), IsOkAndHolds("Relu"));
}

TEST_F(TracePluginTest, CoresHavePluginsOfTheirOwn) {
  Core other;
  ASSERT_OK(core_.RegisterPlugin(kLibrary, "TRACE"));
  ASSERT_OK(other.RegisterPlugin(kLibrary, "TRACE"));
  ASSERT_OK(core_.SetProperty("TRACE", {{"TRACE_OPS", "Relu"}}));
  EXPECT_THAT(other.GetProperty("TRACE", "TRACE_OPS"), IsOkAndHolds(""));
  // The same library under another name is another device.
  ASSERT_OK(core_.RegisterPlugin(kLibrary, "TRACE2"));
  ASSERT_OK_AND_ASSIGN(const Model model, core_.ReadModel(Path("node/test_relu")));
  ASSERT_OK_AND_ASSIGN(const CompiledModel compiled, core_.CompileModel(model, "TRACE2"));
  EXPECT_THAT(compiled.GetProperty("EXECUTION_DEVICES"), IsOkAndHolds("TRACE2"));
}

TEST_F(TracePluginTest, ALibraryOfAnotherKindIsRefused) {
  const std::string path = absl::StrCat(::testing::TempDir(), "/libno_elf.so");
  ASSERT_OK(WriteFileAtomically(path, "not a library"));
  ASSERT_OK(core_.RegisterPlugin(path, "TRACE"));  // Nothing is loaded before its first use.
  EXPECT_THAT(core_.GetVersions("TRACE").status(),
              StatusIs(absl::StatusCode::kInvalidArgument, AllOf(HasSubstr("TRACE"), HasSubstr(path))));
}

TEST_F(TracePluginTest, UnloadingLeavesWhatIsInUse) {
  ASSERT_OK(core_.RegisterPlugin(kLibrary, "TRACE"));
  EXPECT_THAT(core_.UnloadPlugin("TRACE"), StatusIs(absl::StatusCode::kFailedPrecondition));
  ASSERT_OK_AND_ASSIGN(const Model model, core_.ReadModel(Path("node/test_relu")));
  std::optional<CompiledModel> compiled = core_.CompileModel(model, "TRACE").value();
  std::optional<InferRequest> request = RequestWithInputs(*compiled);
  ASSERT_OK(core_.UnloadPlugin("TRACE"));
  EXPECT_THAT(core_.UnloadPlugin("TRACE"), StatusIs(absl::StatusCode::kFailedPrecondition));

  ASSERT_OK(request->Infer());
  EXPECT_THAT(compiled->GetProperty("TRACE_COUNTS"), IsOkAndHolds(HasSubstr("Relu=1")));
  InferRequest second = RequestWithInputs(*compiled);
  ASSERT_OK(second.StartAsync());
  ASSERT_OK(second.Wait());
  // The next use makes a new plugin.
  ASSERT_OK_AND_ASSIGN(const CompiledModel again, core_.CompileModel(model, "TRACE"));
  EXPECT_THAT(again.GetProperty("TRACE_COUNTS"), IsOkAndHolds(""));

  compiled.reset();
  ASSERT_OK(request->Infer());
  const std::vector<Tensor> outputs = Outputs(*request, again);
  request.reset();
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_EQ(outputs[0].data_as<float>()[1], std::sin(1.0f));
}

TEST_F(TracePluginTest, EverythingOutlivesItsCore) {
  std::optional<Core> core(std::in_place);
  ASSERT_OK(core->RegisterPlugin(kLibrary, "TRACE"));
  ASSERT_OK_AND_ASSIGN(const Model model, core->ReadModel(Path("node/test_relu")));
  std::optional<InferRequest> request = RequestWithInputs(core->CompileModel(model, "TRACE").value());
  const absl::Status refused = core->SetProperty("TRACE", {{"TRACE_OPS", "NoSuchOp"}});
  std::atomic<int> calls{0};
  ASSERT_OK(request->SetCallback([&](absl::Status status) {
    EXPECT_OK(status);
    ++calls;
  }));
  core.reset();
  ASSERT_OK(request->StartAsync());
  ASSERT_OK(request->Wait());
  const Tensor output = request->GetOutputTensor().value();
  request.reset();
  EXPECT_EQ(output.data_as<float>()[1], std::sin(1.0f));
  EXPECT_THAT(refused, StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_LE(calls, 1);
}

TEST_F(TracePluginTest, PluginsComeAndGoWhileModelsRun) {
  ASSERT_OK(core_.RegisterPlugin(kLibrary, "TRACE"));
  ASSERT_OK_AND_ASSIGN(const Model model, core_.ReadModel(Path("node/test_relu")));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int k = 0; k < 20; ++k) {
        std::optional<CompiledModel> compiled = core_.CompileModel(model, "TRACE").value();
        InferRequest request = RequestWithInputs(*compiled);
        EXPECT_OK(request.StartAsync());
        core_.UnloadPlugin("TRACE").IgnoreError();  // Another thread may have been faster.
        if (k % 2 == 0) compiled.reset();
        if (k % 3 == 0) continue;  // The request goes while it runs.
        EXPECT_OK(request.Wait());
        EXPECT_EQ(request.GetOutputTensor().value().data_as<float>()[1], std::sin(1.0f));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace burin
