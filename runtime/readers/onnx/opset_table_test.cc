#include "runtime/readers/onnx/opset_table.h"

#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

TEST(OpsetTableTest, FindsTheSchemaInForce) {
  EXPECT_EQ(SchemaVersion("Clip", 5), 1);
  EXPECT_EQ(SchemaVersion("Clip", 6), 6);
  EXPECT_EQ(SchemaVersion("Clip", 10), 6);
  EXPECT_EQ(SchemaVersion("Clip", 11), 11);
  EXPECT_EQ(SchemaVersion("Clip", 27), 13);
  EXPECT_EQ(SchemaVersion("Attention", 27), 25);
  EXPECT_EQ(SchemaVersion("ReduceSum", 18), 13);
}

TEST(OpsetTableTest, TellsLaterFromUnknown) {
  EXPECT_EQ(SchemaVersion("Gelu", 19), 0);
  EXPECT_EQ(FirstVersion("Gelu"), 20);
  EXPECT_EQ(SchemaVersion("NoSuchOperator", 19), -1);
  EXPECT_EQ(FirstVersion("NoSuchOperator"), -1);
  EXPECT_EQ(SchemaVersion("", 19), -1);
  EXPECT_EQ(SchemaVersion("zzz", 19), -1);
}

}  // namespace
}  // namespace burin::onnx
