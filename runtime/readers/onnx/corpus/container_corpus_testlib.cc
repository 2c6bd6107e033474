#include "runtime/readers/onnx/corpus/container_corpus_testlib.h"

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "runtime/readers/onnx/opset_table.h"

namespace burin::onnx {
namespace {

OnnxFile File(int64_t opset) {
  OnnxFile file(opset);
  file.Input("x", kFloat, {2});
  file.Input("m", kFloat, {3, 2});
  file.Initializer("zero", ir::I64({}, {0}));
  file.Initializer("one", ir::I64({}, {1}));
  file.Output("y", kFloat);
  return file;
}

ContainerFile EditedSequence(int64_t opset) {
  OnnxFile file = File(opset);
  file.Node("SequenceEmpty", {}, {"empty"});
  file.Node("SequenceInsert", {"empty", "x"}, {"a"});
  file.Node("SequenceInsert", {"a", "x", "zero"}, {"b"});
  file.Node("SequenceErase", {"b", "one"}, {"c"});
  SetInt(file.Node("ConcatFromSequence", {"c"}, {"joined"}), "axis", 0);
  file.Node("SequenceLength", {"b"}, {"length"});
  SetInt(file.Node("Cast", {"length"}, {"number"}), "to", kFloat);
  file.Node("Add", {"joined", "number"}, {"y"});
  return {opset,
          {"SequenceEmpty", "SequenceInsert", "SequenceErase", "ConcatFromSequence", "SequenceLength"},
          file.Bytes()};
}

ContainerFile SplitTensor(int64_t opset) {
  OnnxFile file = File(opset);
  SetInt(file.Node("SplitToSequence", {"m"}, {"rows"}), "keepdims", 0);
  file.Node("SequenceAt", {"rows", "one"}, {"row"});
  file.Node("SequenceConstruct", {"row", "x"}, {"both"});
  SetInt(file.Node("ConcatFromSequence", {"both"}, {"y"}), "axis", 0);
  return {opset, {"SplitToSequence", "SequenceAt", "SequenceConstruct", "ConcatFromSequence"}, file.Bytes()};
}

ContainerFile MappedSequence(int64_t opset) {
  OnnxFile file = File(opset);
  file.Node("SequenceConstruct", {"x", "x"}, {"s"});
  ::onnx::NodeProto& map = file.Node("SequenceMap", {"s", "x"}, {"sums"});
  ::onnx::GraphProto& body = AddGraph(map, "body");
  SetTensorType(*body.add_input(), "element", kFloat, {2});
  SetTensorType(*body.add_input(), "other", kFloat, {2});
  AddNode(body, "Add", {"element", "other"}, {"sum"});
  SetTensorType(*body.add_output(), "sum", kFloat, {2});
  file.Node("SequenceAt", {"sums", "zero"}, {"y"});
  return {opset, {"SequenceConstruct", "SequenceMap", "SequenceAt"}, file.Bytes()};
}

ContainerFile FilledOptional(int64_t opset) {
  OnnxFile file = File(opset);
  file.Node("Optional", {"x"}, {"some"});
  file.Node("OptionalHasElement", {"some"}, {"has"});
  file.Node("OptionalGetElement", {"some"}, {"value"});
  file.Node("Where", {"has", "value", "zeros"}, {"y"});
  file.Initializer("zeros", ir::F32({2}, {0, 0}));
  return {opset, {"Optional", "OptionalHasElement", "OptionalGetElement"}, file.Bytes()};
}

}  // namespace

std::vector<ContainerFile> ContainerCorpus() {
  std::vector<ContainerFile> files;
  for (const int64_t opset : {int64_t{11}, int64_t{17}, int64_t{24}, kNewestOpset}) {
    files.push_back(EditedSequence(opset));
    files.push_back(SplitTensor(opset));
    if (opset < 15) continue;
    files.push_back(MappedSequence(opset));
    files.push_back(FilledOptional(opset));
  }
  return files;
}

}  // namespace burin::onnx
