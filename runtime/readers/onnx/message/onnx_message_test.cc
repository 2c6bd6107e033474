#include "runtime/readers/onnx/message/onnx_message.h"

#include <string>

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

absl::StatusOr<ModelMessage> Decode(const std::string& bytes) {
  ReadBudget budget(bytes.size());
  return DecodeModel(bytes, &budget);
}

// Appends a length-delimited field to a message.
void AddField(std::string* message, int number, const std::string& bytes) {
  message->push_back(static_cast<char>(number << 3 | 2));
  size_t length = bytes.size();
  while (length >= 128) {
    message->push_back(static_cast<char>(length | 128));
    length >>= 7;
  }
  message->push_back(static_cast<char>(length));
  message->append(bytes);
}

TEST(OnnxMessageTest, DecodesWhatProtobufWrites) {
  OnnxFile file(17, 9);
  file.model().set_producer_name("p");
  file.Input("x", kFloat, {2, -1});
  file.graph().mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_param("n");
  file.Initializer("w", ir::F32({2}, {1, 2}));
  ::onnx::NodeProto& node = file.Node("Op", {"x", "", "w"}, {"y", "z"});
  node.set_name("node");
  node.set_domain("d");
  SetInt(node, "i", -3);
  SetFloat(node, "f", 1.5f);
  SetString(node, "s", "text");
  SetInts(node, "is", {1, -2});
  SetFloats(node, "fs", {0.5f});
  SetTensor(node, "t", ir::I64({1}, {7}));
  file.Output("y", kFloat);
  const std::string bytes = file.Bytes();
  ASSERT_OK_AND_ASSIGN(const ModelMessage model, Decode(bytes));
  EXPECT_EQ(model.ir_version, 9);
  EXPECT_EQ(model.producer_name, "p");
  ASSERT_EQ(model.operator_sets.size(), 1u);
  EXPECT_EQ(model.operator_sets[0].version, 17);
  ASSERT_TRUE(model.has_graph);
  ASSERT_EQ(model.graph.inputs.size(), 1u);
  const TypeMessage& type = model.graph.inputs[0].type;
  EXPECT_EQ(type.kind, TypeMessage::Kind::kTensor);
  EXPECT_EQ(type.element_type, kFloat);
  ASSERT_EQ(type.dims.size(), 3u);
  EXPECT_EQ(type.dims[0].value, 2);
  EXPECT_EQ(type.dims[1].kind, DimensionMessage::Kind::kUnknown);
  EXPECT_EQ(type.dims[2].symbol, "n");
  ASSERT_EQ(model.graph.nodes.size(), 1u);
  const NodeMessage& decoded = model.graph.nodes[0];
  EXPECT_EQ(decoded.name, "node");
  EXPECT_EQ(decoded.domain, "d");
  EXPECT_THAT(decoded.inputs, ElementsAre("x", "", "w"));
  EXPECT_THAT(decoded.outputs, ElementsAre("y", "z"));
  ASSERT_EQ(decoded.attributes.size(), 6u);
  EXPECT_EQ(decoded.attributes[0].i, -3);
  EXPECT_EQ(decoded.attributes[1].f, 1.5f);
  EXPECT_EQ(decoded.attributes[2].s, "text");
  EXPECT_THAT(decoded.attributes[3].ints, ElementsAre(1, -2));
  EXPECT_THAT(decoded.attributes[4].floats, ElementsAre(0.5f));
  ASSERT_NE(decoded.attributes[5].tensor, nullptr);
  EXPECT_THAT(decoded.attributes[5].tensor->dims, ElementsAre(1));
}

TEST(OnnxMessageTest, PointsIntoTheBytes) {
  OnnxFile file(17);
  file.Initializer("w", ir::F32({64}, std::vector<double>(64, 1)));
  const std::string bytes = file.Bytes();
  ASSERT_OK_AND_ASSIGN(const ModelMessage model, Decode(bytes));
  const absl::string_view raw = model.graph.initializers[0].raw_data;
  EXPECT_EQ(raw.size(), 256u);
  EXPECT_GE(raw.data(), bytes.data());
  EXPECT_LE(raw.data() + raw.size(), bytes.data() + bytes.size());
}

TEST(OnnxMessageTest, ReadsNewerFieldsByNumber) {
  std::string node;
  AddField(&node, 4, "F");
  AddField(&node, 8, "overload");
  std::string function;
  AddField(&function, 1, "F");
  std::string attribute;
  AddField(&attribute, 1, "alpha");
  AddField(&function, 11, attribute);
  AddField(&function, 13, "overload");
  std::string graph;
  AddField(&graph, 1, node);
  std::string model = "\x08\x0a";
  AddField(&model, 7, graph);
  model += "\xca\x01";  // Field 25.
  model.push_back(static_cast<char>(function.size()));
  model += function;
  ASSERT_OK_AND_ASSIGN(const ModelMessage decoded, Decode(model));
  EXPECT_EQ(decoded.graph.nodes[0].overload, "overload");
  ASSERT_EQ(decoded.functions.size(), 1u);
  EXPECT_EQ(decoded.functions[0].overload, "overload");
  ASSERT_EQ(decoded.functions[0].default_attributes.size(), 1u);
  EXPECT_EQ(decoded.functions[0].default_attributes[0].name, "alpha");
}

TEST(OnnxMessageTest, RefusesDeepNesting) {
  // A graph in an attribute of a node of a graph, and so on.
  const auto nested = [](int levels) {
    std::string graph;
    for (int i = 0; i < levels; ++i) {
      std::string attribute;
      AddField(&attribute, 6, graph);
      std::string node;
      AddField(&node, 5, attribute);
      graph.clear();
      AddField(&graph, 1, node);
    }
    std::string model;
    AddField(&model, 7, graph);
    return model;
  };
  EXPECT_OK(Decode(nested(kMaxMessageDepth / 2 - 1)));
  EXPECT_THAT(Decode(nested(kMaxMessageDepth / 2 + 1)),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("nest too deeply")));
  EXPECT_THAT(Decode(nested(20000)), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(OnnxMessageTest, RefusesMessagesThatInflate) {
  // A million empty nodes are two megabytes on disk.
  std::string graph;
  for (int i = 0; i < 2000000; ++i) AddField(&graph, 1, "");
  std::string model;
  AddField(&model, 7, graph);
  EXPECT_THAT(Decode(model), StatusIs(absl::StatusCode::kResourceExhausted));
}

TEST(OnnxMessageTest, RefusesWrongWireTypes) {
  EXPECT_THAT(Decode("\x0a\x01x"), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("ModelProto field 1")));
  EXPECT_THAT(Decode("\x38\x01"), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("ModelProto field 7")));
}

TEST(OnnxMessageTest, RecognisesModels) {
  OnnxFile file(17);
  file.Input("x", kFloat, {1});
  const std::string bytes = file.Bytes();
  for (size_t size = 2; size <= bytes.size(); ++size) {
    EXPECT_TRUE(LooksLikeModelMessage(absl::string_view(bytes).substr(0, size))) << size;
  }
  EXPECT_FALSE(LooksLikeModelMessage(""));
  EXPECT_FALSE(LooksLikeModelMessage("<?xml version=\"1.0\"?><net name=\"x\" version=\"11\">"));
  EXPECT_FALSE(
      LooksLikeModelMessage("\x7f"
                            "ELF\x02\x01\x01"));
  EXPECT_FALSE(LooksLikeModelMessage("PK\x03\x04"));
  EXPECT_FALSE(LooksLikeModelMessage("\n\n\n\n"));
}

}  // namespace
}  // namespace burin::onnx
