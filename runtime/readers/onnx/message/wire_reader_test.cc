#include "runtime/readers/onnx/message/wire_reader.h"

#include <string>

#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ::testing::HasSubstr;

TEST(WireReaderTest, ReadsEachWireType) {
  // 1: varint 300; 2: fixed64 1; 3: "ab"; 4: fixed32 2.
  const std::string bytes(
      "\x08\xac\x02\x11\x01\0\0\0\0\0\0\0\x1a\x02"
      "ab\x25\x02\0\0\0",
      21);
  WireReader reader(bytes);
  ASSERT_OK_AND_ASSIGN(WireField field, reader.Next());
  EXPECT_EQ(field.number, 1u);
  EXPECT_EQ(field.type, WireType::kVarint);
  EXPECT_EQ(field.scalar, 300u);
  ASSERT_OK_AND_ASSIGN(field, reader.Next());
  EXPECT_EQ(field.type, WireType::kFixed64);
  EXPECT_EQ(field.scalar, 1u);
  ASSERT_OK_AND_ASSIGN(field, reader.Next());
  EXPECT_EQ(field.type, WireType::kBytes);
  EXPECT_EQ(field.bytes, "ab");
  ASSERT_OK_AND_ASSIGN(field, reader.Next());
  EXPECT_EQ(field.number, 4u);
  EXPECT_EQ(field.type, WireType::kFixed32);
  EXPECT_EQ(field.scalar, 2u);
  EXPECT_TRUE(reader.done());
}

TEST(WireReaderTest, ReadsNegativeVarint) {
  WireReader reader("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
  ASSERT_OK_AND_ASSIGN(const uint64_t value, reader.Varint());
  EXPECT_EQ(static_cast<int64_t>(value), -1);
}

TEST(WireReaderTest, RefusesLengthPastTheEnd) {
  const std::string two_gigabytes(
      "\x1a\xff\xff\xff\xff\x07"
      "abc",
      9);
  EXPECT_THAT(WireReader(two_gigabytes).Next().status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("length 2147483647, left 3")));
  const std::string nearly_2_64("\x1a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11);
  EXPECT_THAT(WireReader(nearly_2_64).Next().status(), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(WireReaderTest, RefusesTruncation) {
  const std::string bytes(
      "\x08\xac\x02\x11\x01\0\0\0\0\0\0\0\x1a\x02"
      "ab\x25\x02\0\0\0",
      21);
  // Ends of whole fields are fine; every other end is not.
  for (size_t size = 1; size < bytes.size(); ++size) {
    WireReader reader(absl::string_view(bytes).substr(0, size));
    absl::Status status;
    while (!reader.done() && status.ok()) status = reader.Next().status();
    EXPECT_EQ(status.ok(), size == 3 || size == 12 || size == 16) << size;
  }
}

TEST(WireReaderTest, RefusesGroupsAndBadTags) {
  EXPECT_THAT(WireReader("\x0b").Next().status(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("wire type")));
  EXPECT_THAT(WireReader("\x0e").Next().status(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("wire type")));
  const std::string field_zero("\0\0", 2);
  EXPECT_THAT(WireReader(field_zero).Next().status(), StatusIs(absl::StatusCode::kInvalidArgument));
  const std::string endless(11, '\x80');
  EXPECT_THAT(WireReader(endless).Next().status(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("10 bytes")));
}

}  // namespace
}  // namespace burin::onnx
