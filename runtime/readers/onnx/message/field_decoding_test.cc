#include "runtime/readers/onnx/message/field_decoding.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/readers/onnx/message/read_budget.h"
#include "runtime/readers/onnx/message/wire_reader.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

WireField Bytes(absl::string_view bytes) {
  WireField field;
  field.number = 7;
  field.type = WireType::kBytes;
  field.bytes = bytes;
  return field;
}

WireField Scalar(WireType type, uint64_t bits) {
  WireField field;
  field.number = 7;
  field.type = type;
  field.scalar = bits;
  return field;
}

TEST(FieldDecodingTest, AppendsSingleAndPackedInts) {
  ReadBudget budget(100);
  std::vector<int64_t> ints;
  ASSERT_OK(AppendInts(Scalar(WireType::kVarint, ~uint64_t{0}), &budget, &ints));
  ASSERT_OK(AppendInts(Bytes(std::string("\x05\x80\x01\x00", 4)), &budget, &ints));
  EXPECT_THAT(ints, ElementsAre(-1, 5, 128, 0));
  EXPECT_THAT(AppendInts(Bytes("\x80"), &budget, &ints), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(AppendInts(Scalar(WireType::kFixed32, 1), &budget, &ints),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("field 7")));
}

TEST(FieldDecodingTest, AppendsSingleAndPackedFloats) {
  ReadBudget budget(100);
  std::vector<float> floats;
  ASSERT_OK(AppendFloats(Scalar(WireType::kFixed32, 0x3fc00000), &budget, &floats));
  ASSERT_OK(AppendFloats(Bytes(std::string("\x00\x00\x00\x00\x00\x00\x80\xbf", 8)), &budget, &floats));
  ASSERT_OK(AppendFloats(Bytes(""), &budget, &floats));
  EXPECT_THAT(floats, ElementsAre(1.5f, 0.0f, -1.0f));
  EXPECT_THAT(AppendFloats(Bytes("\x01\x02\x03"), &budget, &floats), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(AppendFloats(Scalar(WireType::kVarint, 1), &budget, &floats),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(FieldDecodingTest, ChargesTheBudgetBeforeItAllocates) {
  ReadBudget budget(0);
  ASSERT_OK(budget.Charge(budget.remaining_bytes()));
  std::vector<int64_t> ints;
  EXPECT_THAT(AppendInts(Bytes("\x05"), &budget, &ints), StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_THAT(Append(&budget, &ints), StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_TRUE(ints.empty());
  std::unique_ptr<int64_t> single;
  EXPECT_THAT(Single(&budget, &single), StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_EQ(single, nullptr);
}

TEST(FieldDecodingTest, RefusesASecondMessageWhereOneMayBe) {
  ReadBudget budget(100);
  std::unique_ptr<int64_t> single;
  EXPECT_OK(Single(&budget, &single));
  EXPECT_THAT(Single(&budget, &single), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("twice")));
}

TEST(FieldDecodingTest, NamesTheMessageOfAWrongField) {
  absl::string_view text;
  int64_t number = 0;
  ASSERT_OK(SetString("M", Bytes("abc"), &text));
  EXPECT_EQ(text, "abc");
  ASSERT_OK(SetInt("M", Scalar(WireType::kVarint, 3), &number));
  EXPECT_EQ(number, 3);
  EXPECT_THAT(SetString("M", Scalar(WireType::kVarint, 3), &text),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("M field 7")));
  EXPECT_THAT(SetInt("M", Bytes("abc"), &number), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("M field 7")));
}

}  // namespace
}  // namespace burin::onnx
