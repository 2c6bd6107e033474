#include "ir/forms/byte_stream.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "absl/strings/string_view.h"
#include "ir/partial_shape.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

TEST(ByteStreamTest, ValuesComeBackInOrder) {
  const PartialShape shape{Dimension(), Dimension::Symbol("n"), Dimension(2, 8, "a b"), 7};
  ByteWriter writer;
  writer.Write(uint8_t{200});
  writer.Write(int32_t{-5});
  writer.Write(std::numeric_limits<int64_t>::min());
  writer.Write(0.1);
  writer.WriteString(std::string("a\0b", 3));
  writer.WriteShape(shape);
  writer.WriteShape(PartialShape::DynamicRank());
  writer.WriteShape(PartialShape());
  writer.WriteCount(0);
  ByteReader reader(writer.bytes());
  EXPECT_THAT(reader.Read<uint8_t>(), IsOkAndHolds(200));
  EXPECT_THAT(reader.Read<int32_t>(), IsOkAndHolds(-5));
  EXPECT_THAT(reader.Read<int64_t>(), IsOkAndHolds(std::numeric_limits<int64_t>::min()));
  EXPECT_THAT(reader.Read<double>(), IsOkAndHolds(0.1));
  EXPECT_THAT(reader.ReadString(), IsOkAndHolds(absl::string_view("a\0b", 3)));
  EXPECT_THAT(reader.ReadShape(), IsOkAndHolds(shape));
  EXPECT_THAT(reader.ReadShape(), IsOkAndHolds(PartialShape::DynamicRank()));
  EXPECT_THAT(reader.ReadShape(), IsOkAndHolds(PartialShape()));
  EXPECT_THAT(reader.ReadCount(1), IsOkAndHolds(size_t{0}));
  EXPECT_TRUE(reader.AtEnd());
}

TEST(ByteStreamTest, IntegersAreLittleEndian) {
  ByteWriter writer;
  writer.Write(uint32_t{0x01020304});
  EXPECT_EQ(writer.bytes(), "\x04\x03\x02\x01");
}

TEST(ByteStreamTest, RefusesToReadPastTheEnd) {
  EXPECT_THAT(ByteReader("1234567").Read<int64_t>(), StatusIs(absl::StatusCode::kDataLoss));
  ByteWriter writer;
  writer.WriteString("abc");
  EXPECT_THAT(ByteReader(writer.bytes().substr(0, 10)).ReadString(), StatusIs(absl::StatusCode::kDataLoss));
}

TEST(ByteStreamTest, RefusesCountsOfMoreThanCanFollow) {
  ByteWriter writer;
  writer.WriteCount(4);
  writer.Write(int64_t{0});
  EXPECT_THAT(ByteReader(writer.bytes()).ReadCount(2), IsOkAndHolds(size_t{4}));
  EXPECT_THAT(ByteReader(writer.bytes()).ReadCount(3), StatusIs(absl::StatusCode::kDataLoss));
  ByteWriter huge;
  huge.WriteCount(std::numeric_limits<size_t>::max());
  EXPECT_THAT(ByteReader(huge.bytes()).ReadCount(1), StatusIs(absl::StatusCode::kDataLoss));
}

TEST(ByteStreamTest, RefusesMalformedShapes) {
  const auto read = [](uint8_t has_rank, int64_t min, int64_t max) {
    ByteWriter writer;
    writer.Write(has_rank);
    writer.WriteCount(1);
    writer.Write(min);
    writer.Write(max);
    writer.WriteString("");
    return ByteReader(writer.bytes()).ReadShape().status();
  };
  EXPECT_OK(read(1, 2, 3));
  EXPECT_THAT(read(1, 3, 2), StatusIs(absl::StatusCode::kDataLoss));
  EXPECT_THAT(read(0, 2, 3), StatusIs(absl::StatusCode::kDataLoss));
  EXPECT_THAT(read(2, 2, 3), StatusIs(absl::StatusCode::kDataLoss));
}

}  // namespace
}  // namespace burin::ir
