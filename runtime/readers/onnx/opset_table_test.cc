#include "runtime/readers/onnx/opset_table.h"

#include <vector>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

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

TEST(OpsetTableTest, ListsOperatorsAndTheirVersions) {
  EXPECT_THAT(SchemaVersions("Clip"), ElementsAre(1, 6, 11, 12, 13));
  EXPECT_THAT(SchemaVersions("NoSuchOperator"), IsEmpty());
  const std::vector<absl::string_view> all = AllOperators();
  EXPECT_THAT(all, Contains("Relu"));
  EXPECT_EQ(all.front(), "Abs");
  EXPECT_EQ(all.back(), "Xor");
}

}  // namespace
}  // namespace burin::onnx
