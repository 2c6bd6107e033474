#include "testing/conformance/case_runner.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "onnx/onnx.pb.h"
#include "testing/gtest/status_matchers.h"

namespace burin::conformance {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Floats(const std::vector<float>& values) {
  ::onnx::TensorProto tensor;
  tensor.set_data_type(::onnx::TensorProto::FLOAT);
  tensor.add_dims(static_cast<int64_t>(values.size()));
  for (const float value : values) tensor.add_float_data(value);
  return tensor.SerializeAsString();
}

std::string Bits16(const std::vector<int32_t>& values) {
  ::onnx::TensorProto tensor;
  tensor.set_data_type(::onnx::TensorProto::UINT16);
  tensor.add_dims(static_cast<int64_t>(values.size()));
  for (const int32_t value : values) tensor.add_int32_data(value);
  return tensor.SerializeAsString();
}

// y = op(x), with x and y of three elements; an op of another domain where `domain` is given.
std::string OneOpModel(const std::string& op, const std::string& domain = "",
                       ::onnx::TensorProto::DataType type = ::onnx::TensorProto::FLOAT) {
  ::onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(14);
  if (!domain.empty()) {
    ::onnx::OperatorSetIdProto* import = model.add_opset_import();
    import->set_domain(domain);
    import->set_version(1);
  }
  ::onnx::GraphProto* graph = model.mutable_graph();
  graph->set_name("one");
  ::onnx::NodeProto* node = graph->add_node();
  node->set_op_type(op);
  node->set_domain(domain);
  node->add_input("x");
  node->add_output("y");
  const auto describe = [type](::onnx::ValueInfoProto* value, const char* name) {
    value->set_name(name);
    ::onnx::TypeProto::Tensor* tensor = value->mutable_type()->mutable_tensor_type();
    tensor->set_elem_type(type);
    tensor->mutable_shape()->add_dim()->set_dim_value(3);
  };
  describe(graph->add_input(), "x");
  describe(graph->add_output(), "y");
  return model.SerializeAsString();
}

// Each test has a folder of its own for a suite.
class CaseRunnerTest : public ::testing::Test {
 protected:
  CaseRunnerTest()
      : root_(::testing::TempDir() + "/" + ::testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::filesystem::remove_all(root_);
    std::filesystem::create_directories(root_);
  }

  void Write(const std::string& name, const std::string& bytes) {
    const std::filesystem::path path = root_ + "/" + name;
    std::filesystem::create_directories(path.parent_path());
    ASSERT_OK(WriteFileAtomically(path.string(), bytes));
  }

  // Runs a case with one data set.
  Result RunOne(const std::string& model, const std::string& input, const std::string& output) {
    Write("case/model.onnx", model);
    Write("case/test_data_set_0/input_0.pb", input);
    Write("case/test_data_set_0/output_0.pb", output);
    return RunCase({"node/case", root_ + "/case"});
  }

  const std::string root_;
};

TEST_F(CaseRunnerTest, FindsFoldersAndLightModelsInOrderOfName) {
  Write("node/test_b/model.onnx", "");
  Write("node/test_a/model.onnx", "");
  Write("node/no_case/readme", "");
  Write("light/light_z.onnx", "");
  Write("light/light_z_output_0.pb", "");
  Write("stray.onnx", "");  // Not in a group.
  ASSERT_OK_AND_ASSIGN(const std::vector<Case> cases, FindCases(root_));
  std::vector<std::string> names;
  std::vector<std::string> paths;
  for (const Case& test_case : cases) {
    names.push_back(test_case.name);
    paths.push_back(test_case.path);
  }
  EXPECT_THAT(names, ElementsAre("light/light_z", "node/test_a", "node/test_b"));
  EXPECT_THAT(paths, ElementsAre(root_ + "/light/light_z.onnx", root_ + "/node/test_a", root_ + "/node/test_b"));
}

TEST_F(CaseRunnerTest, AFolderWithoutCasesIsNoSuite) {
  EXPECT_THAT(FindCases(root_), StatusIs(absl::StatusCode::kNotFound, HasSubstr(root_)));
  EXPECT_THAT(FindCases(root_ + "/missing"), StatusIs(absl::StatusCode::kNotFound));
}

TEST_F(CaseRunnerTest, PassesOnTheRightResult) {
  const Result result = RunOne(OneOpModel("Relu"), Floats({-1, 0, 2}), Floats({0, 0, 2}));
  EXPECT_EQ(result.outcome, Outcome::kPassed) << result.detail;
  EXPECT_EQ(result.detail, "");
}

TEST_F(CaseRunnerTest, FailsOnAWrongResultAndSaysWhichOutput) {
  const Result result = RunOne(OneOpModel("Relu"), Floats({-1, 0, 2}), Floats({0, 0, 3}));
  EXPECT_EQ(result.outcome, Outcome::kFailed);
  EXPECT_THAT(result.detail, HasSubstr("\"y\""));
}

TEST_F(CaseRunnerTest, EveryDataSetCounts) {
  Write("case/test_data_set_1/input_0.pb", Floats({1, 1, 1}));
  Write("case/test_data_set_1/output_0.pb", Floats({1, 1, 2}));
  EXPECT_EQ(RunOne(OneOpModel("Relu"), Floats({-1, 0, 2}), Floats({0, 0, 2})).outcome, Outcome::kFailed);
}

TEST_F(CaseRunnerTest, AllowsTheSuitesRelativeErrorAndNoMore) {
  const std::string model = OneOpModel("Relu");
  EXPECT_EQ(RunOne(model, Floats({1, 1, 2}), Floats({1, 1, 2.0015f})).outcome, Outcome::kPassed);
  EXPECT_EQ(RunOne(model, Floats({1, 1, 2}), Floats({1, 1, 2.003f})).outcome, Outcome::kFailed);
}

TEST_F(CaseRunnerTest, AnUnsupportedOperationIsNoFailure) {
  const Result result = RunOne(OneOpModel("Frobnicate", "com.example"), Floats({1, 2, 3}), Floats({1, 2, 3}));
  EXPECT_EQ(result.outcome, Outcome::kOpNotYet);
  EXPECT_THAT(result.detail, AllOf(HasSubstr("Frobnicate"), HasSubstr("com.example")));
}

TEST_F(CaseRunnerTest, FailsOnABrokenModel) {
  const Result result = RunOne("not a model", Floats({1, 2, 3}), Floats({1, 2, 3}));
  EXPECT_EQ(result.outcome, Outcome::kFailed);
  EXPECT_THAT(result.detail, HasSubstr("INVALID_ARGUMENT"));
}

TEST_F(CaseRunnerTest, FailsWithoutData) {
  Write("case/model.onnx", OneOpModel("Relu"));
  const Result none = RunCase({"node/case", root_ + "/case"});
  EXPECT_EQ(none.outcome, Outcome::kFailed);
  EXPECT_THAT(none.detail, HasSubstr("NOT_FOUND"));
}

TEST_F(CaseRunnerTest, FailsOnAnotherNumberOfOutputs) {
  Write("case/test_data_set_0/output_1.pb", Floats({1, 2, 3}));
  const Result result = RunOne(OneOpModel("Relu"), Floats({1, 2, 3}), Floats({1, 2, 3}));
  EXPECT_EQ(result.outcome, Outcome::kFailed);
  EXPECT_THAT(result.detail, HasSubstr("the data has 2 outputs, the model 1"));
}

TEST_F(CaseRunnerTest, TakesTheShapesOfTheDataWhereTheModelDeclaresOthers) {
  EXPECT_EQ(RunOne(OneOpModel("Relu"), Floats({-1, 2}), Floats({0, 2})).outcome, Outcome::kPassed);
}

TEST_F(CaseRunnerTest, ReadsTheBitsOfBf16FromU16) {
  // 0xBF80 is -1, 0x3F80 is 1 and 0x4000 is 2: as integers they would be other values.
  const std::string model = OneOpModel("Relu", "", ::onnx::TensorProto::BFLOAT16);
  const Result right = RunOne(model, Bits16({0xBF80, 0x3F80, 0x4000}), Bits16({0, 0x3F80, 0x4000}));
  EXPECT_EQ(right.outcome, Outcome::kPassed) << right.detail;
  EXPECT_EQ(RunOne(model, Bits16({0xBF80, 0x3F80, 0x4000}), Bits16({0, 0x3F80, 0x4080})).outcome, Outcome::kFailed);
}

TEST_F(CaseRunnerTest, LightModelsReadFractionsOfTheirSize) {
  Write("light/light_relu.onnx", OneOpModel("Relu"));
  Write("light/light_relu_output_0.pb", Floats({0, 1.f / 3, 2.f / 3}));
  const Case test_case = {"light/light_relu", root_ + "/light/light_relu.onnx"};
  const Result result = RunCase(test_case);
  EXPECT_EQ(result.outcome, Outcome::kPassed) << result.detail;
  Write("light/light_relu_output_0.pb", Floats({0, 1, 2}));
  EXPECT_EQ(RunCase(test_case).outcome, Outcome::kFailed);
  std::filesystem::remove(root_ + "/light/light_relu_output_0.pb");
  EXPECT_THAT(RunCase(test_case).detail, HasSubstr("light_relu_output_0.pb"));
}

}  // namespace
}  // namespace burin::conformance
