#include <gtest/gtest.h>

#include <string>

#include "onnx/onnx.pb.h"

namespace burin {
namespace {

TEST(OnnxTest, MessagesRoundTrip) {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.mutable_graph()->add_node()->set_op_type("Relu");
  std::string bytes;
  ASSERT_TRUE(model.SerializeToString(&bytes));
  onnx::ModelProto copy;
  ASSERT_TRUE(copy.ParseFromString(bytes));
  EXPECT_EQ(copy.graph().node(0).op_type(), "Relu");
}

}  // namespace
}  // namespace burin
