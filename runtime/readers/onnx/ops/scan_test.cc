#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ::testing::HasSubstr;

using ir::F32;

// sum' = sum + x + outside; the sums are collected too.
void AddSums(::onnx::NodeProto& node, int64_t scanned) {
  SetInt(node, "num_scan_inputs", scanned);
  ::onnx::GraphProto& body = AddGraph(node, "body");
  SetTensorType(*body.add_input(), "sum", kFloat, {2});
  SetTensorType(*body.add_input(), "item", kFloat, {2});
  AddNode(body, "Add", {"sum", "item"}, {"next"});
  AddNode(body, "Add", {"next", "outside"}, {"after"});
  AddNode(body, "Identity", {"after"}, {"kept"});
  body.add_output()->set_name("after");
  body.add_output()->set_name("kept");
}

TEST(ScanTest, CarriesStatesAndCollectsAlongAxes) {
  OnnxFile file(17);
  file.Input("start", kFloat, {2});
  file.Input("x", kFloat, {2, 3});
  file.Initializer("outside", F32({}, {100}));
  ::onnx::NodeProto& node = file.Node("Scan", {"start", "x"}, {"last", "all"});
  SetInts(node, "scan_input_axes", {1});
  SetInts(node, "scan_output_axes", {-1});
  SetInts(node, "scan_output_directions", {1});
  AddSums(node, 1);
  file.Output("last", kFloat);
  file.Output("all", kFloat);
  ASSERT_OK_AND_ASSIGN(const auto outputs,
                       ReadAndRun(file.Bytes(), {F32({2}, {0, 10}), F32({2, 3}, {1, 2, 3, 4, 5, 6})}));
  ir::ExpectTensorEq(outputs[0], F32({2}, {306, 325}));
  ir::ExpectTensorEq(outputs[1], F32({2, 3}, {306, 203, 101, 325, 219, 114}));
}

TEST(ScanTest, GoesBackwards) {
  OnnxFile file(17);
  file.Input("start", kFloat, {2});
  file.Input("x", kFloat, {-1, 2});
  file.Initializer("outside", F32({}, {0}));
  ::onnx::NodeProto& node = file.Node("Scan", {"start", "x"}, {"last", "all"});
  SetInts(node, "scan_input_directions", {1});
  AddSums(node, 1);
  file.Output("last", kFloat);
  file.Output("all", kFloat);
  ASSERT_OK_AND_ASSIGN(const auto outputs, ReadAndRun(file.Bytes(), {F32({2}, {0, 0}), F32({2, 2}, {1, 2, 3, 4})}));
  ir::ExpectTensorEq(outputs[0], F32({2}, {4, 6}));
  ir::ExpectTensorEq(outputs[1], F32({2, 2}, {3, 4, 4, 6}));
}

TEST(ScanTest, OfOpset8HasABatch) {
  OnnxFile file(8);
  file.Input("start", kFloat, {2, 2});
  file.Input("x", kFloat, {2, 2, 2});
  file.Initializer("outside", F32({}, {0}));
  ::onnx::NodeProto& node = file.Node("Scan", {"", "start", "x"}, {"last", "all"});
  AddSums(node, 1);
  file.Output("last", kFloat);
  file.Output("all", kFloat);
  ASSERT_OK_AND_ASSIGN(const auto outputs, ReadAndRun(file.Bytes(), {F32({2, 2}, {0, 0, 100, 100}),
                                                                     F32({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8})}));
  ir::ExpectTensorEq(outputs[0], F32({2, 2}, {4, 6, 112, 114}));
  ir::ExpectTensorEq(outputs[1], F32({2, 2, 2}, {1, 2, 4, 6, 105, 106, 112, 114}));
}

TEST(ScanTest, RefusesNumbersOutOfRange) {
  OnnxFile file(17);
  file.Input("start", kFloat, {2});
  file.Input("x", kFloat, {2, 2});
  file.Initializer("outside", F32({}, {0}));
  ::onnx::NodeProto& node = file.Node("Scan", {"start", "x"}, {"last", "all"});
  AddSums(node, 3);
  file.Output("last", kFloat);
  EXPECT_THAT(ReadBytes(file.Bytes()),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("num_scan_inputs of a Scan")));
}

}  // namespace
}  // namespace burin::onnx
