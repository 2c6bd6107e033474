#include "tools/benchmark/worker/worker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "base/element_type.h"
#include "base/file.h"
#include "ir/tensor.h"
#include "nlohmann/json.hpp"
#include "onnx/onnx.pb.h"
#include "testing/gtest/status_matchers.h"
#include "tools/benchmark/data/npy.h"

namespace burin::benchmark {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

// Adds an f32[?,2] that `info` describes.
void Describe(const char* name, ::onnx::ValueInfoProto* info) {
  info->set_name(name);
  ::onnx::TypeProto::Tensor* const type = info->mutable_type()->mutable_tensor_type();
  type->set_elem_type(::onnx::TensorProto::FLOAT);
  type->mutable_shape()->add_dim()->set_dim_param("N");
  type->mutable_shape()->add_dim()->set_dim_value(2);
}

// Writes a model of which output `y` is twice input `x`.
std::string WriteModel(const std::string& folder) {
  ::onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(17);
  model.mutable_graph()->set_name("double");
  Describe("x", model.mutable_graph()->add_input());
  Describe("y", model.mutable_graph()->add_output());
  ::onnx::NodeProto* const node = model.mutable_graph()->add_node();
  node->set_op_type("Add");
  node->add_input("x");
  node->add_input("x");
  node->add_output("y");
  const std::string path = folder + "/double.onnx";
  EXPECT_OK(WriteFileAtomically(path, model.SerializeAsString()));
  return path;
}

class WorkerTest : public ::testing::Test {
 protected:
  Json Ask(const Json& request) { return Json::parse(worker_.Answer(request.dump())); }
  std::string ErrorOf(const Json& request) { return Ask(request).value("error", "none"); }

  void Feed(const std::vector<float>& values) {
    ASSERT_OK_AND_ASSIGN(const ir::Tensor tensor,
                         ir::Tensor::Create(ElementType::kF32, {static_cast<int64_t>(values.size()) / 2, 2}));
    std::copy(values.begin(), values.end(), tensor.mutable_data_as<float>());
    ASSERT_OK_AND_ASSIGN(const std::string bytes, SerializeNpy(tensor));
    ASSERT_OK(WriteFileAtomically(folder_ + "/x.npy", bytes));
    EXPECT_EQ(Ask({{"do", "feed"}, {"inputs", {{"x", folder_ + "/x.npy"}}}}), Json::object());
  }

  const std::string folder_ = ::testing::TempDir();
  Core core_;
  Worker worker_{&core_, WriteModel(folder_), "REFERENCE", {}};
};

TEST_F(WorkerTest, CompilesInfersAndWritesOutputs) {
  const Json compiled = Ask({{"do", "compile"}});
  EXPECT_GT(compiled["milliseconds"], 0);
  EXPECT_GT(compiled["processor_milliseconds"], 0);
  EXPECT_EQ(compiled["inputs"], Json::parse(R"([{"name": "x", "type": "f32", "shape": [-1, 2]}])"));
  EXPECT_EQ(compiled["outputs"], Json::parse(R"([{"name": "y", "type": "f32", "shape": [-1, 2]}])"));
  // The inputs of another inference may have another shape.
  for (const std::vector<float>& values : {std::vector<float>{1, -2}, std::vector<float>{3, 4, 5, 6}}) {
    Feed(values);
    const Json inferred = Ask({{"do", "infer"}, {"count", 3}});
    ASSERT_EQ(inferred["milliseconds"].size(), 3u) << inferred;
    for (const Json& milliseconds : inferred["milliseconds"]) EXPECT_GT(milliseconds, 0);
    EXPECT_GT(inferred["processor_milliseconds"], 0);
    const Json written = Ask({{"do", "outputs"}, {"folder", folder_}});
    ASSERT_EQ(written["outputs"].size(), 1u) << written;
    EXPECT_EQ(written["outputs"][0]["name"], "y");
    ASSERT_OK_AND_ASSIGN(const ir::Tensor y, ReadNpy(written["outputs"][0]["file"].get<std::string>()));
    ASSERT_EQ(y.element_count(), static_cast<int64_t>(values.size()));
    for (size_t i = 0; i < values.size(); ++i) EXPECT_EQ(y.data_as<float>()[i], 2 * values[i]);
  }
}

TEST_F(WorkerTest, TellsMemory) {
  EXPECT_THAT(ErrorOf({{"do", "memory"}}), HasSubstr("not compiled yet"));
  Ask({{"do", "compile"}});
  const Json memory = Ask({{"do", "memory"}});
  EXPECT_GT(memory["before"], 0);
  EXPECT_GE(memory["peak"], memory["before"]);
}

TEST_F(WorkerTest, TellsTheVersion) { EXPECT_NE(Ask({{"do", "version"}}).value("version", ""), ""); }

TEST_F(WorkerTest, ErrorsAreAnswers) {
  EXPECT_THAT(Json::parse(worker_.Answer("infer"))["error"].get<std::string>(), HasSubstr("Expected a JSON object"));
  EXPECT_THAT(ErrorOf(Json::array()), HasSubstr("Expected a JSON object"));
  EXPECT_THAT(ErrorOf({{"do", 7}}), HasSubstr("a text as \"do\""));
  EXPECT_THAT(ErrorOf({{"do", "dance"}}), HasSubstr("found \"dance\""));
  EXPECT_THAT(ErrorOf({{"do", "infer"}, {"count", 1}}), HasSubstr("not compiled yet"));
  EXPECT_THAT(ErrorOf({{"do", "outputs"}, {"folder", folder_}}), HasSubstr("not compiled yet"));
  Ask({{"do", "compile"}});
  EXPECT_THAT(ErrorOf({{"do", "infer"}}), HasSubstr("an integer from 1 to 1000000 as \"count\""));
  EXPECT_THAT(ErrorOf({{"do", "infer"}, {"count", 0}}), HasSubstr("\"count\""));
  EXPECT_THAT(ErrorOf({{"do", "infer"}, {"count", 1}}), HasSubstr("x"));
  EXPECT_THAT(ErrorOf({{"do", "feed"}, {"inputs", {{"x", 1}}}}), HasSubstr("object of texts"));
  EXPECT_THAT(ErrorOf({{"do", "feed"}, {"inputs", {{"x", "/no/x.npy"}}}}), HasSubstr("/no/x.npy"));
  Feed({1, 2});
  EXPECT_THAT(ErrorOf({{"do", "feed"}, {"inputs", {{"z", folder_ + "/x.npy"}}}}), HasSubstr("\"z\""));
  Ask({{"do", "infer"}, {"count", 1}});
  EXPECT_THAT(ErrorOf({{"do", "outputs"}, {"folder", "/no"}}), HasSubstr("/no"));
  Worker lost(&core_, "/no/model.onnx", "REFERENCE", {});
  EXPECT_THAT(lost.Answer(R"({"do": "compile"})"), HasSubstr("/no/model.onnx"));
}

TEST_F(WorkerTest, TellsWhetherProcessorsShareACore) {
  const Json cores = Ask({{"do", "cores"}});
  ASSERT_TRUE(cores.contains("pairs")) << cores;
  for (const Json& pair : cores["pairs"]) {
    EXPECT_EQ(pair["cpus"].size(), 2u);
    EXPECT_GT(pair["ratio"], 0);
    EXPECT_TRUE(pair["shared"].is_boolean());
  }
}

TEST_F(WorkerTest, EachLineIsAnsweredUntilOneQuits) {
  std::istringstream in("{\"do\": \"compile\"}\nnonsense\n{\"do\": \"quit\"}\n{\"do\": \"memory\"}\n");
  std::ostringstream out;
  Serve(worker_, in, out);
  EXPECT_TRUE(worker_.quits());
  std::istringstream answers(out.str());
  std::vector<Json> parsed;
  for (std::string line; std::getline(answers, line);) parsed.push_back(Json::parse(line));
  ASSERT_EQ(parsed.size(), 3u);
  EXPECT_TRUE(parsed[0].contains("milliseconds"));
  EXPECT_TRUE(parsed[1].contains("error"));
  EXPECT_EQ(parsed[2], Json::object());
}

}  // namespace
}  // namespace burin::benchmark
