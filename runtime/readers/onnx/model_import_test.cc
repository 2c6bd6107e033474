#include "runtime/readers/onnx/model_import.h"

#include <string>
#include <vector>

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ir::F32;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ModelImportTest, KeepsNamesAndSymbols) {
  OnnxFile file(17);
  file.Input("x", kFloat, {-1, 3});
  file.graph().mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim(0)->set_dim_param(
      "n");
  file.Node("Relu", {"x"}, {"hidden"}).set_name("first");
  file.Node("Neg", {"hidden"}, {"y"});
  file.Output("y", kFloat);
  ASSERT_OK_AND_ASSIGN(const auto model, ReadBytes(file.Bytes()));
  ASSERT_EQ(model->parameters().size(), 1u);
  EXPECT_EQ(model->node(model->parameters()[0]).name(), "x");
  EXPECT_THAT(model->node(model->parameters()[0]).output_names(0), ElementsAre("x"));
  const ir::Node& relu = model->node(model->FindNode("first"));
  EXPECT_THAT(relu.output_names(0), ElementsAre("hidden"));
  EXPECT_THAT(relu.original_names(), ElementsAre("first"));
  // A node without a name is called by its operator and place.
  const ir::Node& neg = model->node(model->FindNode("Neg_1"));
  EXPECT_THAT(neg.output_names(0), ElementsAre("y"));
  EXPECT_EQ(neg.output(0).shape.ToString(), "[n,3]");
}

TEST(ModelImportTest, InitialisersThatAreInputsAreConstants) {
  OnnxFile file(8, /*ir_version=*/3);
  file.Input("x", kFloat, {2});
  file.Input("w", kFloat, {2});
  file.Initializer("w", F32({2}, {10, 20}));
  file.Node("Add", {"x", "w"}, {"y"});
  file.Output("y", kFloat);
  ASSERT_OK_AND_ASSIGN(const auto outputs, ReadAndRun(file.Bytes(), {F32({2}, {1, 2})}));
  ir::ExpectTensorEq(outputs[0], F32({2}, {11, 22}));
}

TEST(ModelImportTest, OneValueUnderSeveralNames) {
  OnnxFile file(17);
  file.Input("x", kFloat, {2});
  file.Node("Relu", {"x"}, {"a"});
  file.Node("Identity", {"a"}, {"b"});
  file.Output("a", kFloat);
  file.Output("b", kFloat);
  file.Output("x", kFloat);
  ASSERT_OK_AND_ASSIGN(const auto model, ReadBytes(file.Bytes()));
  ASSERT_EQ(model->results().size(), 3u);
  const ir::Value value = model->node(model->results()[0]).input(0);
  EXPECT_EQ(model->node(model->results()[1]).input(0), value);
  EXPECT_THAT(model->node(value.node).output_names(0), ElementsAre("a", "b"));
}

TEST(ModelImportTest, NodesInAnyOrder) {
  OnnxFile file(17);
  file.Input("x", kFloat, {1});
  file.Node("Neg", {"a"}, {"y"});
  file.Node("Exp", {"x"}, {"a"});
  file.Output("y", kFloat);
  ASSERT_OK_AND_ASSIGN(const auto outputs, ReadAndRun(file.Bytes(), {F32({1}, {0})}));
  ir::ExpectTensorEq(outputs[0], F32({1}, {-1}));
}

TEST(ModelImportTest, RefusesUnknownVersions) {
  for (const int64_t ir_version : {0, 14, -1}) {
    OnnxFile file(17, ir_version);
    EXPECT_THAT(ReadBytes(file.Bytes()), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("IR version")));
  }
  EXPECT_THAT(ReadBytes(OnnxFile(28).Bytes()), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("28")));
  EXPECT_OK(ReadBytes(OnnxFile(27, 13).Bytes()));
}

TEST(ModelImportTest, OperatorsOfLaterOpsetsAreUnsupported) {
  OnnxFile file(19);
  file.Input("x", kFloat, {1});
  file.Node("Gelu", {"x"}, {"y"});
  file.Output("y", kFloat);
  EXPECT_THAT(ReadBytes(file.Bytes()),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("the operator exists from opset 20 on")));
}

TEST(ModelImportTest, StringsAreUnsupported) {
  OnnxFile file(17);
  file.Input("x", 8, {1});
  file.Node("Identity", {"x"}, {"y"});
  file.Output("y", 8);
  EXPECT_THAT(ReadBytes(file.Bytes()), StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("strings")));
}

// b = LeakyRelu(a; alpha = the function's) + a, called within another function under another attribute's name.
TEST(ModelImportTest, InlinesFunctions) {
  OnnxFile file(16);
  ::onnx::FunctionProto& inner = *file.model().add_functions();
  inner.set_name("Inner");
  inner.set_domain("f");
  inner.add_input("a");
  inner.add_input("unused");
  inner.add_output("b");
  inner.add_attribute("alpha");
  inner.add_opset_import()->set_version(16);
  const auto add_node = [](::onnx::FunctionProto& function, const std::string& op,
                           const std::vector<std::string>& inputs, const std::string& output) -> ::onnx::NodeProto& {
    ::onnx::NodeProto& node = *function.add_node();
    node.set_op_type(op);
    for (const std::string& input : inputs) node.add_input(input);
    node.add_output(output);
    return node;
  };
  const auto refer = [](::onnx::NodeProto& node, const std::string& name, const std::string& reference) {
    ::onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(::onnx::AttributeProto::FLOAT);
    attribute.set_ref_attr_name(reference);
  };
  refer(add_node(inner, "LeakyRelu", {"a"}, "t"), "alpha", "alpha");
  add_node(inner, "Add", {"t", "a"}, "b");
  ::onnx::FunctionProto& outer = *file.model().add_functions();
  outer.set_name("Outer");
  outer.set_domain("f");
  outer.add_input("p");
  outer.add_output("q");
  outer.add_attribute("slope");
  outer.add_opset_import()->set_version(16);
  ::onnx::NodeProto& nested = add_node(outer, "Inner", {"p"}, "q");
  nested.set_domain("f");
  refer(nested, "alpha", "slope");
  file.Input("x", kFloat, {2});
  ::onnx::NodeProto& call = file.Node("Outer", {"x"}, {"y"});
  call.set_domain("f");
  call.set_name("call");
  SetFloat(call, "slope", 0.5f);
  file.Output("y", kFloat);
  ASSERT_OK_AND_ASSIGN(const auto outputs, ReadAndRun(file.Bytes(), {F32({2}, {-4, 3})}));
  ir::ExpectTensorEq(outputs[0], F32({2}, {-6, 6}));
  ASSERT_OK_AND_ASSIGN(const auto model, ReadBytes(file.Bytes()));
  EXPECT_NE(model->FindNode("call/Inner_0/Add_1"), ir::NodeId::kNone);
}

}  // namespace
}  // namespace burin::onnx
