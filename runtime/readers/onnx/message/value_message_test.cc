#include "runtime/readers/onnx/message/value_message.h"

#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/readers/onnx/message/read_budget.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ::testing::HasSubstr;

TEST(ValueMessageTest, TellsUnknownRankFromRankZero) {
  // name "x"; type {tensor_type {elem_type 1}}, then the same with an empty shape.
  const std::string unranked("\x0a\x01x\x12\x04\x0a\x02\x08\x01", 9);
  const std::string scalar("\x0a\x01x\x12\x06\x0a\x04\x08\x01\x12\x00", 11);
  ReadBudget budget(100);
  ValueMessage value;
  ASSERT_OK(DecodeInto(unranked, &budget, &value));
  EXPECT_EQ(value.name, "x");
  EXPECT_EQ(value.type.kind, TypeMessage::Kind::kTensor);
  EXPECT_EQ(value.type.element_type, 1);
  EXPECT_FALSE(value.type.has_shape);
  ValueMessage second;
  ASSERT_OK(DecodeInto(scalar, &budget, &second));
  EXPECT_TRUE(second.type.has_shape);
  EXPECT_TRUE(second.type.dims.empty());
}

TEST(ValueMessageTest, RecognisesTypesThatAreNoTensors) {
  ReadBudget budget(100);
  ValueMessage sequence;
  ASSERT_OK(DecodeInto(std::string("\x12\x02\x22\x00", 4), &budget, &sequence));
  EXPECT_EQ(sequence.type.kind, TypeMessage::Kind::kSequence);
  ValueMessage optional;
  ASSERT_OK(DecodeInto(std::string("\x12\x02\x4a\x00", 4), &budget, &optional));
  EXPECT_EQ(optional.type.kind, TypeMessage::Kind::kOptional);
}

TEST(ValueMessageTest, NamesTheMessageOfAWrongField) {
  ReadBudget budget(100);
  ValueMessage value;
  EXPECT_THAT(DecodeInto(std::string("\x08\x01", 2), &budget, &value),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("ValueInfoProto field 1")));
}

}  // namespace
}  // namespace burin::onnx
