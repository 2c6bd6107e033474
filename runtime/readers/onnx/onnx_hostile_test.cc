// Files that break ONNX's rules in one way each, well formed otherwise.
#include <cstdint>
#include <string>
#include <vector>

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// x -> Relu -> y
OnnxFile SmallFile() {
  OnnxFile file(17);
  file.Input("x", kFloat, {2});
  file.Node("Relu", {"x"}, {"y"}).set_name("relu");
  file.Output("y", kFloat);
  return file;
}

void ExpectInvalid(const OnnxFile& file, const std::string& text) {
  EXPECT_THAT(ReadBytes(file.Bytes()), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(text)));
}

TEST(OnnxHostileTest, TruncatedAnywhere) {
  const std::string bytes = SmallFile().Bytes();
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THAT(ReadBytes(bytes.substr(0, size)), StatusIs(absl::StatusCode::kInvalidArgument)) << size;
  }
  EXPECT_OK(ReadBytes(bytes));
}

TEST(OnnxHostileTest, DanglingName) {
  OnnxFile file = SmallFile();
  file.Node("Relu", {"nowhere"}, {"z"}).set_name("lost");
  ExpectInvalid(file, "Node \"lost\" (Relu): nothing produces its input \"nowhere\"");
}

TEST(OnnxHostileTest, DanglingOutput) {
  OnnxFile file = SmallFile();
  file.Output("nowhere", kFloat);
  ExpectInvalid(file, "Nothing produces the graph's output \"nowhere\"");
}

TEST(OnnxHostileTest, DuplicateNames) {
  OnnxFile outputs = SmallFile();
  outputs.Node("Neg", {"x"}, {"y"});
  ExpectInvalid(outputs, "same name");
  OnnxFile shadowed_input = SmallFile();
  shadowed_input.Node("Neg", {"y"}, {"x"});
  EXPECT_THAT(ReadBytes(shadowed_input.Bytes()), StatusIs(absl::StatusCode::kInvalidArgument));
  OnnxFile inputs = SmallFile();
  inputs.Input("x", kFloat, {2});
  ExpectInvalid(inputs, "same name");
  OnnxFile initializers = SmallFile();
  initializers.Initializer("w", ir::F32({}, {1}));
  initializers.Initializer("w", ir::F32({}, {1}));
  ExpectInvalid(initializers, "same name");
}

TEST(OnnxHostileTest, Cycle) {
  OnnxFile file = SmallFile();
  file.Node("Neg", {"b"}, {"a"});
  file.Node("Neg", {"a"}, {"b"});
  ExpectInvalid(file, "cycle");
}

TEST(OnnxHostileTest, NegativeDimension) {
  OnnxFile file = SmallFile();
  file.graph().mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim(0)->set_dim_value(
      -5);
  ExpectInvalid(file, "negative dimension: -5");
}

TEST(OnnxHostileTest, TooManyDimensions) {
  OnnxFile file(17);
  file.Input("x", kFloat, std::vector<int64_t>(65, 1));
  ExpectInvalid(file, "too many dimensions");
}

TEST(OnnxHostileTest, MissingInput) {
  OnnxFile file(17);
  file.Input("x", kFloat, {2});
  file.Node("Add", {"x"}, {"y"});
  file.Output("y", kFloat);
  EXPECT_THAT(ReadBytes(file.Bytes()), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(OnnxHostileTest, OutputThatTheOperatorLacks) {
  OnnxFile file(17);
  file.Input("x", kFloat, {2});
  file.Node("Relu", {"x"}, {"y", "z"});
  file.Output("z", kFloat);
  ExpectInvalid(file, "does not have this output");
}

TEST(OnnxHostileTest, AttributeOfAnotherType) {
  OnnxFile file(17);
  file.Input("x", kFloat, {2});
  SetFloat(file.Node("Softmax", {"x"}, {"y"}), "axis", 1);
  file.Output("y", kFloat);
  ExpectInvalid(file, "wrong type: axis");
}

TEST(OnnxHostileTest, OutputDeclaredWithAnotherType) {
  OnnxFile file(17);
  file.Input("x", kFloat, {2});
  file.Node("Relu", {"x"}, {"y"});
  file.Output("y", kInt64);
  ExpectInvalid(file, "another type than declared");
}

TEST(OnnxHostileTest, ConstantThatClaimsGigabytes) {
  OnnxFile file(17);
  ::onnx::TensorProto& tensor = *file.graph().add_initializer();
  tensor.set_name("w");
  tensor.set_data_type(kFloat);
  tensor.add_dims(1 << 29);
  tensor.add_float_data(1);
  file.Node("Relu", {"w"}, {"y"});
  file.Output("y", kFloat);
  ExpectInvalid(file, "fewer values than its shape says");
}

TEST(OnnxHostileTest, NumbersThatGrowAtReadingTime) {
  // Each asks for an enormous result, of which reading must make no element.
  OnnxFile file(17);
  file.Initializer("sizes", ir::I64({3}, {1 << 20, 1 << 20, 1 << 20}));
  file.Node("ConstantOfShape", {"sizes"}, {"a"});
  file.Initializer("start", ir::I64({}, {0}));
  file.Initializer("limit", ir::I64({}, {int64_t{1} << 40}));
  file.Initializer("delta", ir::I64({}, {1}));
  file.Node("Range", {"start", "limit", "delta"}, {"b"});
  file.Node("Expand", {"delta", "sizes"}, {"c"});
  file.Output("a", kFloat);
  file.Output("b", kInt64);
  file.Output("c", kInt64);
  EXPECT_OK(ReadBytes(file.Bytes()));
}

TEST(OnnxHostileTest, ExternalDataInAModelFromMemory) {
  OnnxFile file(17);
  ::onnx::TensorProto& tensor = *file.graph().add_initializer();
  tensor.set_name("w");
  tensor.set_data_type(kFloat);
  tensor.set_data_location(::onnx::TensorProto::EXTERNAL);
  ::onnx::StringStringEntryProto& entry = *tensor.add_external_data();
  entry.set_key("location");
  entry.set_value("/etc/passwd");
  file.Node("Relu", {"w"}, {"y"});
  file.Output("y", kFloat);
  ExpectInvalid(file, "read from memory without weights");
}

::onnx::FunctionProto& AddFunction(OnnxFile& file, const std::string& name) {
  ::onnx::FunctionProto& function = *file.model().add_functions();
  function.set_name(name);
  function.set_domain("f");
  function.add_input("a");
  function.add_output("b");
  ::onnx::OperatorSetIdProto& import = *function.add_opset_import();
  import.set_domain("");
  import.set_version(17);
  return function;
}

void AddCall(::onnx::FunctionProto& function, const std::string& callee, const std::string& input,
             const std::string& output) {
  ::onnx::NodeProto& call = *function.add_node();
  call.set_op_type(callee);
  call.set_domain("f");
  call.add_input(input);
  call.add_output(output);
}

TEST(OnnxHostileTest, FunctionThatCallsItself) {
  OnnxFile file(17);
  file.Input("x", kFloat, {2});
  AddCall(AddFunction(file, "F"), "F", "a", "b");
  file.Node("F", {"x"}, {"y"}).set_domain("f");
  file.Output("y", kFloat);
  ExpectInvalid(file, "endlessly");
}

TEST(OnnxHostileTest, FunctionsThatDoubleEachOther) {
  // 2^30 calls in a file of a few kilobytes.
  OnnxFile file(17);
  file.Input("x", kFloat, {2});
  for (int i = 0; i < 30; ++i) {
    ::onnx::FunctionProto& function = AddFunction(file, "F" + std::to_string(i));
    AddCall(function, "F" + std::to_string(i + 1), "a", "c");
    AddCall(function, "F" + std::to_string(i + 1), "c", "b");
  }
  ::onnx::FunctionProto& last = AddFunction(file, "F30");
  ::onnx::NodeProto& identity = *last.add_node();
  identity.set_op_type("Identity");
  identity.add_input("a");
  identity.add_output("b");
  file.Node("F0", {"x"}, {"y"}).set_domain("f");
  file.Output("y", kFloat);
  EXPECT_THAT(ReadBytes(file.Bytes()), StatusIs(absl::StatusCode::kResourceExhausted));
}

TEST(OnnxHostileTest, EverythingUnsupportedInOneError) {
  OnnxFile file(17);
  file.Input("x", kFloat, {2});
  file.Node("Unheard", {"x"}, {"a"}).set_name("first");
  file.Node("Relu", {"a"}, {"b"});
  file.Node("Unheard", {"b"}, {"c"}).set_name("second");
  ::onnx::NodeProto& other = file.Node("Custom", {"c"}, {"y"});
  other.set_domain("com.example");
  file.Output("y", kFloat);
  EXPECT_THAT(ReadBytes(file.Bytes()),
              StatusIs(absl::StatusCode::kUnimplemented,
                       AllOf(HasSubstr("Unheard (domain ai.onnx, opset 17): 2 nodes: first, second"),
                             HasSubstr("Custom (domain com.example, opset 1): 1 node: Custom_3"))));
}

}  // namespace
}  // namespace burin::onnx
