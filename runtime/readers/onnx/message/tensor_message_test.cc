#include "runtime/readers/onnx/message/tensor_message.h"

#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/readers/onnx/message/read_budget.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(TensorMessageTest, DecodesExternalData) {
  // dims 3; data_type 1; external_data {"location": "w"}; data_location EXTERNAL.
  const std::string bytes("\x08\x03\x10\x01\x6a\x0d\x0a\x08location\x12\x01w\x70\x01", 21);
  ReadBudget budget(bytes.size());
  ASSERT_OK_AND_ASSIGN(const TensorMessage tensor, DecodeTensor(bytes, &budget));
  EXPECT_THAT(tensor.dims, ElementsAre(3));
  EXPECT_EQ(tensor.data_type, 1);
  EXPECT_TRUE(tensor.is_external);
  EXPECT_FALSE(tensor.has_raw_data);
  ASSERT_EQ(tensor.external_data.size(), 1u);
  EXPECT_EQ(tensor.external_data[0].key, "location");
  EXPECT_EQ(tensor.external_data[0].value, "w");
  EXPECT_EQ(tensor.body, bytes);
}

TEST(TensorMessageTest, DecodesSparseTensors) {
  // values {dims 2}; indices {dims 2, data_type 7}; dims 9.
  const std::string bytes("\x0a\x02\x08\x02\x12\x04\x08\x02\x10\x07\x18\x09", 12);
  ReadBudget budget(bytes.size());
  SparseTensorMessage sparse;
  ASSERT_OK(DecodeInto(bytes, &budget, &sparse));
  ASSERT_NE(sparse.values, nullptr);
  ASSERT_NE(sparse.indices, nullptr);
  EXPECT_THAT(sparse.values->dims, ElementsAre(2));
  EXPECT_EQ(sparse.indices->data_type, 7);
  EXPECT_THAT(sparse.dims, ElementsAre(9));
  EXPECT_THAT(DecodeInto(bytes, &budget, &sparse), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("twice")));
}

}  // namespace
}  // namespace burin::onnx
