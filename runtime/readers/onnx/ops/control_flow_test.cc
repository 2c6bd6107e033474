#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ir::F32;
using ir::I64;

TEST(ControlFlowTest, SubGraphsReadWhatIsAroundThem) {
  OnnxFile file(17);
  file.Input("c", kBool, {});
  file.Input("x", kFloat, {2});
  file.Initializer("ten", F32({}, {10}));
  ::onnx::NodeProto& node = file.Node("If", {"c"}, {"y"});
  ::onnx::GraphProto& then_branch = AddGraph(node, "then_branch");
  AddNode(then_branch, "Add", {"x", "ten"}, {"t"});
  then_branch.add_output()->set_name("t");
  ::onnx::GraphProto& else_branch = AddGraph(node, "else_branch");
  // The name of a value outside may be taken again inside.
  AddNode(else_branch, "Neg", {"x"}, {"t"});
  AddNode(else_branch, "Mul", {"t", "later"}, {"e"});
  else_branch.add_output()->set_name("e");
  // Comes after its reader in the file.
  file.Node("Exp", {"x"}, {"later"});
  file.Output("y", kFloat);
  ASSERT_OK_AND_ASSIGN(auto outputs, ReadAndRun(file.Bytes(), {ir::Bool({}, {1}), F32({2}, {0, 1})}));
  ir::ExpectTensorEq(outputs[0], F32({2}, {10, 11}));
  ASSERT_OK_AND_ASSIGN(outputs, ReadAndRun(file.Bytes(), {ir::Bool({}, {0}), F32({2}, {0, 0})}));
  ir::ExpectTensorEq(outputs[0], F32({2}, {-0.0, -0.0}));
}

// The branch becomes part of the graph, and the other one need not be supported.
TEST(ControlFlowTest, KnownConditionsTakeOneBranch) {
  OnnxFile file(17);
  file.Input("x", kFloat, {2});
  file.Initializer("c", ir::Bool({}, {0}));
  ::onnx::NodeProto& node = file.Node("If", {"c"}, {"y"});
  ::onnx::GraphProto& then_branch = AddGraph(node, "then_branch");
  AddNode(then_branch, "StringNormalizer", {"x"}, {"t"});
  then_branch.add_output()->set_name("t");
  ::onnx::GraphProto& else_branch = AddGraph(node, "else_branch");
  *else_branch.add_initializer() = ToProto(F32({}, {10}), "ten");
  AddNode(else_branch, "Mul", {"x", "ten"}, {"x_ten"});
  else_branch.add_output()->set_name("x_ten");
  file.Output("y", kFloat);
  ASSERT_OK_AND_ASSIGN(const auto outputs, ReadAndRun(file.Bytes(), {F32({2}, {1, 2})}));
  ir::ExpectTensorEq(outputs[0], F32({2}, {10, 20}));
}

TEST(ControlFlowTest, LoopsCarryAndCollect) {
  // v doubles in each of m iterations; x + i is collected.
  OnnxFile file(17);
  file.Input("m", kInt64, {});
  file.Input("x", kFloat, {2});
  ::onnx::NodeProto& node = file.Node("Loop", {"m", "", "x"}, {"last", "all"});
  ::onnx::GraphProto& body = AddGraph(node, "body");
  SetTensorType(*body.add_input(), "i", kInt64, {});
  SetTensorType(*body.add_input(), "go", kBool, {});
  SetTensorType(*body.add_input(), "v", kFloat, {2});
  AddNode(body, "Identity", {"go"}, {"go_on"});
  AddNode(body, "Add", {"v", "v"}, {"twice"});
  SetInt(AddNode(body, "Cast", {"i"}, {"number"}), "to", kFloat);
  AddNode(body, "Add", {"x", "number"}, {"item"});
  for (const char* const name : {"go_on", "twice", "item"}) body.add_output()->set_name(name);
  file.Output("last", kFloat);
  file.Output("all", kFloat);
  ASSERT_OK_AND_ASSIGN(const auto outputs, ReadAndRun(file.Bytes(), {I64({}, {3}), F32({2}, {1, 2})}));
  ir::ExpectTensorEq(outputs[0], F32({2}, {8, 16}));
  ir::ExpectTensorEq(outputs[1], F32({3, 2}, {1, 2, 2, 3, 3, 4}));
}

TEST(ControlFlowTest, LoopsMayGrowWhatTheyCarry) {
  OnnxFile file(17);
  file.Input("x", kFloat, {1});
  file.Initializer("m", I64({}, {2}));
  file.Initializer("go_in", ir::Bool({}, {1}));
  ::onnx::NodeProto& node = file.Node("Loop", {"m", "go_in", "x"}, {"y"});
  ::onnx::GraphProto& body = AddGraph(node, "body");
  SetTensorType(*body.add_input(), "i", kInt64, {});
  SetTensorType(*body.add_input(), "go", kBool, {});
  SetTensorType(*body.add_input(), "v", kFloat, {-1});
  AddNode(body, "Identity", {"go"}, {"go_on"});
  SetInt(AddNode(body, "Concat", {"v", "v"}, {"w"}), "axis", 0);
  body.add_output()->set_name("go_on");
  body.add_output()->set_name("w");
  file.Output("y", kFloat);
  ASSERT_OK_AND_ASSIGN(const auto outputs, ReadAndRun(file.Bytes(), {F32({1}, {7})}));
  ir::ExpectTensorEq(outputs[0], F32({4}, {7, 7, 7, 7}));
}

}  // namespace
}  // namespace burin::onnx
