#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ir::F32;
using ir::I64;
using ::testing::HasSubstr;

// A file with inputs x [2], y [2] and m [3, 2] and an output of f32.
OnnxFile File() {
  OnnxFile file(/*opset=*/18);
  file.Input("x", kFloat, {2});
  file.Input("y", kFloat, {2});
  file.Input("m", kFloat, {3, 2});
  file.Initializer("zero", I64({}, {0}));
  file.Initializer("one", I64({}, {1}));
  file.Initializer("last", I64({}, {-1}));
  file.Output("out", kFloat);
  return file;
}

void ExpectOutput(const OnnxFile& file, const ir::Tensor& output) {
  ASSERT_OK_AND_ASSIGN(
      const std::vector<ir::Tensor> outputs,
      ReadAndRun(file.Bytes(), {F32({2}, {1, 2}), F32({2}, {3, 4}), F32({3, 2}, {5, 6, 7, 8, 9, 10})}));
  ASSERT_EQ(outputs.size(), 1u);
  ir::ExpectTensorEq(outputs[0], output);
}

void ExpectRefused(const OnnxFile& file, absl::StatusCode code, const std::string& text) {
  EXPECT_THAT(ReadBytes(file.Bytes()), StatusIs(code, HasSubstr(text)));
}

TEST(SequenceTest, TakesWhatItHolds) {
  OnnxFile file = File();
  file.Node("SequenceConstruct", {"x", "y"}, {"s"});
  file.Node("Identity", {"s"}, {"t"});
  file.Node("SequenceAt", {"t", "last"}, {"out"});
  ExpectOutput(file, F32({2}, {3, 4}));
}

TEST(SequenceTest, InsertsErasesAndCounts) {
  OnnxFile file = File();
  file.Node("SequenceEmpty", {}, {"empty"});
  file.Node("SequenceInsert", {"empty", "x"}, {"a"});
  file.Node("SequenceInsert", {"a", "y", "zero"}, {"b"});
  file.Node("SequenceInsert", {"b", "x", "last"}, {"c"});  // y x x
  file.Node("SequenceErase", {"c", "one"}, {"d"});
  SetInt(file.Node("ConcatFromSequence", {"d"}, {"joined"}), "axis", 0);
  file.Node("SequenceLength", {"c"}, {"length"});
  SetInt(file.Node("Cast", {"length"}, {"number"}), "to", kFloat);
  file.Node("Add", {"joined", "number"}, {"out"});
  ExpectOutput(file, F32({4}, {6, 7, 4, 5}));
}

TEST(SequenceTest, SplitsAndStacks) {
  OnnxFile file = File();
  SetInt(file.Node("SplitToSequence", {"m"}, {"rows"}), "keepdims", 0);
  auto& stack = file.Node("ConcatFromSequence", {"rows"}, {"out"});
  SetInt(stack, "axis", -1);
  SetInt(stack, "new_axis", 1);
  ExpectOutput(file, F32({2, 3}, {5, 7, 9, 6, 8, 10}));
}

TEST(SequenceTest, SplitsIntoPieces) {
  OnnxFile file = File();
  file.Initializer("two", I64({}, {2}));
  file.Node("SplitToSequence", {"m", "two"}, {"pieces"});
  file.Node("SequenceAt", {"pieces", "one"}, {"out"});
  ExpectOutput(file, F32({1, 2}, {9, 10}));
  OnnxFile listed = File();
  listed.Initializer("lengths", I64({2}, {1, 2}));
  listed.Node("SplitToSequence", {"m", "lengths"}, {"pieces"});
  listed.Node("SequenceAt", {"pieces", "one"}, {"out"});
  ExpectOutput(listed, F32({2, 2}, {7, 8, 9, 10}));
}

TEST(SequenceTest, MapsABody) {
  OnnxFile file = File();
  file.Node("SequenceConstruct", {"x", "y"}, {"s"});
  auto& map = file.Node("SequenceMap", {"s", "y"}, {"sums"});
  ::onnx::GraphProto& body = AddGraph(map, "body");
  SetTensorType(*body.add_input(), "element", kFloat, {2});
  SetTensorType(*body.add_input(), "other", kFloat, {2});
  AddNode(body, "Add", {"element", "other"}, {"sum"});
  AddNode(body, "Mul", {"sum", "x"}, {"product"});  // What is outside is seen.
  SetTensorType(*body.add_output(), "product", kFloat, {2});
  SetInt(file.Node("ConcatFromSequence", {"sums"}, {"out"}), "axis", 0);
  ExpectOutput(file, F32({4}, {4, 12, 6, 16}));
}

TEST(SequenceTest, OptionalsHoldOrNot) {
  OnnxFile file = File();
  file.Node("Optional", {"x"}, {"some"});
  file.Node("Optional", {}, {"none"});
  file.Node("OptionalHasElement", {"some"}, {"yes"});
  file.Node("OptionalHasElement", {"none"}, {"no"});
  file.Node("OptionalHasElement", {""}, {"absent"});
  file.Node("OptionalHasElement", {}, {"nothing"});
  file.Node("OptionalGetElement", {"some"}, {"value"});
  file.Node("Or", {"no", "absent"}, {"a"});
  file.Node("Or", {"a", "nothing"}, {"b"});
  file.Node("Not", {"b"}, {"c"});
  file.Node("And", {"c", "yes"}, {"all"});
  file.Node("Where", {"all", "value", "y"}, {"out"});
  ExpectOutput(file, F32({2}, {1, 2}));
}

TEST(SequenceTest, SubGraphsSeeSequences) {
  OnnxFile file = File();
  file.Node("SequenceConstruct", {"x", "y"}, {"s"});
  file.Node("ReduceSum", {"x"}, {"sum"});
  file.Node("Greater", {"sum", "sum"}, {"never"});
  file.Node("Squeeze", {"never"}, {"condition"});
  auto& branches = file.Node("If", {"condition"}, {"out"});
  for (const std::string side : {"then", "else"}) {
    ::onnx::GraphProto& branch = AddGraph(branches, side + "_branch");
    AddNode(branch, "SequenceAt", {"s", side == "then" ? "zero" : "one"}, {side});
    SetTensorType(*branch.add_output(), side, kFloat, {2});
  }
  ExpectOutput(file, F32({2}, {3, 4}));
}

TEST(SequenceTest, RefusesWhatDoesNotResolve) {
  OnnxFile computed = File();
  computed.Input("i", kInt64, {});
  computed.Node("SequenceConstruct", {"x", "y"}, {"s"});
  computed.Node("SequenceAt", {"s", "i"}, {"out"});
  ExpectRefused(computed, absl::StatusCode::kUnimplemented, "a position that is computed");
  OnnxFile unaware = File();
  unaware.Node("SequenceConstruct", {"x", "y"}, {"s"});
  unaware.Node("Relu", {"s"}, {"out"});
  ExpectRefused(unaware, absl::StatusCode::kUnimplemented, "Relu (domain ai.onnx, opset 18): an input that is a seq");
  OnnxFile returned = File();
  returned.Node("SequenceConstruct", {"x", "y"}, {"out"});
  ExpectRefused(returned, absl::StatusCode::kUnimplemented, "an output that is no tensor");
}

TEST(SequenceTest, RefusesWhatIsWrong) {
  OnnxFile beyond = File();
  beyond.Node("SequenceConstruct", {"x"}, {"s"});
  beyond.Node("SequenceAt", {"s", "one"}, {"out"});
  ExpectRefused(beyond, absl::StatusCode::kInvalidArgument, "outside the sequence");
  OnnxFile tensor = File();
  tensor.Node("SequenceAt", {"x", "zero"}, {"out"});
  ExpectRefused(tensor, absl::StatusCode::kInvalidArgument, "A sequence is needed");
  OnnxFile none = File();
  none.Node("Optional", {}, {"none"});
  none.Node("OptionalGetElement", {"none"}, {"out"});
  ExpectRefused(none, absl::StatusCode::kInvalidArgument, "holds nothing");
  OnnxFile empty = File();
  empty.Node("SequenceEmpty", {}, {"empty"});
  SetInt(empty.Node("ConcatFromSequence", {"empty"}, {"out"}), "axis", 0);
  ExpectRefused(empty, absl::StatusCode::kInvalidArgument, "without tensors");
}

}  // namespace
}  // namespace burin::onnx
