#include "ir/forms/attribute_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>

#include "ir/forms/every_kind_testlib.h"
#include "ir/forms/random_model_testlib.h"
#include "ir/op_def.h"
#include "ir/ops/ops.h"
#include "ir/structural.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;

// Attributes as bytes, with the section that holds their tensors.
struct Encoded {
  std::string attributes;
  std::string constants;
};

Encoded Encode(const Attributes& attributes) {
  ByteWriter writer;
  ConstantWriter constants;
  EXPECT_OK(WriteAttributes(attributes, &writer, &constants));
  Encoded encoded;
  encoded.attributes = writer.bytes();
  constants.AppendTo(&encoded.constants);
  return encoded;
}

absl::Status Decode(const Encoded& encoded, Attributes* attributes) {
  const auto owner = std::make_shared<std::string>(encoded.constants);
  ConstantReader constants(Storage::Borrow(owner, owner->data(), owner->size()), 0, owner->size());
  ByteReader reader(encoded.attributes);
  const absl::Status status = ReadAttributes(&reader, &constants, attributes);
  EXPECT_TRUE(!status.ok() || reader.AtEnd());
  return status;
}

TEST(AttributeBytesTest, RandomValuesOfEveryKindComeBack) {
  const uint64_t seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  for (int i = 0; i < 2000; ++i) {
    EveryKindAttributes written;
    RandomizeAttributes(random, /*wild=*/i % 2 == 0, {}, &written);
    EveryKindAttributes read;
    ASSERT_OK(Decode(Encode(written), &read));
    ASSERT_TRUE(AttributesEqual(read, written));
  }
}

TEST(AttributeBytesTest, RandomAttributesOfEveryOpComeBack) {
  const uint64_t seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  for (const OpDef* op : AllOps()) {
    for (int i = 0; i < 100; ++i) {
      const std::unique_ptr<Attributes> written = op->make_attributes();
      RandomizeAttributes(random, /*wild=*/i % 2 == 0, {}, written.get());
      const std::unique_ptr<Attributes> read = op->make_attributes();
      ASSERT_OK(Decode(Encode(*written), read.get())) << op->name;
      ASSERT_TRUE(AttributesEqual(*read, *written)) << op->name;
    }
  }
}

TEST(AttributeBytesTest, AttributesThatAreNotThereKeepTheirValues) {
  ByteWriter writer;
  writer.WriteCount(0);
  EveryKindAttributes attributes;
  ASSERT_OK(Decode({writer.bytes(), ""}, &attributes));
  EXPECT_EQ(attributes.an_int, 7);
}

TEST(AttributeBytesTest, TensorsThatShareMemoryAreWrittenOnceAndReadAsOneStorage) {
  std::mt19937_64 random(1);
  const Tensor tensor = RandomTensor(random, ElementType::kF32, {100});
  const Tensor other = RandomTensor(random, ElementType::kF32, {100});
  ConstantWriter writer;
  ASSERT_OK_AND_ASSIGN(const uint64_t first, writer.Add(tensor));
  ASSERT_OK_AND_ASSIGN(const uint64_t second, writer.Add(other));
  ASSERT_OK_AND_ASSIGN(const Tensor reshaped, tensor.Reshaped({10, 10}));
  ASSERT_OK_AND_ASSIGN(const uint64_t third, writer.Add(reshaped));
  EXPECT_EQ(first, third);
  EXPECT_NE(first, second);
  EXPECT_EQ(second % kConstantAlignment, 0u);
  EXPECT_EQ(writer.size(), 2 * 448u);

  const auto bytes = std::make_shared<std::string>();
  writer.AppendTo(bytes.get());
  ConstantReader reader(Storage::Borrow(bytes, bytes->data(), bytes->size()), 0, bytes->size());
  ASSERT_OK_AND_ASSIGN(const Tensor read, reader.Get(ElementType::kF32, {100}, first));
  ASSERT_OK_AND_ASSIGN(const Tensor read_again, reader.Get(ElementType::kF32, {10, 10}, third));
  ASSERT_OK_AND_ASSIGN(const Tensor read_other, reader.Get(ElementType::kF32, {100}, second));
  EXPECT_TRUE(BitwiseEqual(read, tensor));
  EXPECT_TRUE(BitwiseEqual(read_other, other));
  EXPECT_EQ(read.storage(), read_again.storage());
  EXPECT_NE(read.storage(), read_other.storage());
  EXPECT_EQ(read.data(), bytes->data());
  EXPECT_TRUE(read.read_only());
}

TEST(AttributeBytesTest, TensorsWithGapsAreWrittenDense) {
  std::mt19937_64 random(1);
  const Tensor tensor = RandomTensor(random, ElementType::kI32, {4, 4});
  EveryKindAttributes written;
  ASSERT_OK_AND_ASSIGN(written.tensor, tensor.Region({1, 1}, {3, 3}));
  EveryKindAttributes read;
  ASSERT_OK(Decode(Encode(written), &read));
  EXPECT_TRUE(BitwiseEqual(read.tensor, written.tensor));
  EXPECT_TRUE(read.tensor.is_dense());
}

TEST(AttributeBytesTest, RefusesTensorsOutsideOfTheSection) {
  const auto bytes = std::make_shared<std::string>(128, 'x');
  ConstantReader reader(Storage::Borrow(bytes, bytes->data(), bytes->size()), 64, 64);
  EXPECT_OK(reader.Get(ElementType::kF32, {16}, 0));
  EXPECT_OK(reader.Get(ElementType::kF32, {0}, 64));
  for (const uint64_t offset : {uint64_t{1}, uint64_t{65}, ~uint64_t{0}, uint64_t{1} << 63}) {
    EXPECT_THAT(reader.Get(ElementType::kF32, {16}, offset), StatusIs(absl::StatusCode::kDataLoss)) << offset;
  }
  EXPECT_THAT(reader.Get(ElementType::kF32, {-1}, 0), StatusIs(absl::StatusCode::kDataLoss));
  EXPECT_THAT(reader.Get(ElementType::kF32, {1 << 30, 1 << 30, 1 << 30}, 0), StatusIs(absl::StatusCode::kDataLoss));
  EXPECT_THAT(reader.Get(ElementType::kString, {1}, 0), StatusIs(absl::StatusCode::kDataLoss));
}

// Returns one attribute with the given name, kind and bytes.
std::string One(const std::string& name, uint8_t kind, const ByteWriter& value) {
  ByteWriter writer;
  writer.WriteCount(1);
  writer.WriteString(name);
  writer.Write(kind);
  writer.WriteString(value.bytes());
  return writer.bytes();
}

TEST(AttributeBytesTest, RefusesMalformedAttributes) {
  EveryKindAttributes attributes;
  ByteWriter number;
  number.Write(int64_t{3});
  EXPECT_OK(Decode({One("an_int", 2, number), ""}, &attributes));
  EXPECT_EQ(attributes.an_int, 3);
  EXPECT_THAT(Decode({One("no_such", 2, number), ""}, &attributes),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("no_such")));
  EXPECT_THAT(Decode({One("an_int", 3, number), ""}, &attributes),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("another kind")));
  EXPECT_THAT(Decode({One("a_bool", 1, number), ""}, &attributes), StatusIs(absl::StatusCode::kDataLoss));
  number.Write(uint8_t{0});
  EXPECT_THAT(Decode({One("an_int", 2, number), ""}, &attributes),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("longer")));
  ByteWriter name;
  name.WriteString("salty");
  EXPECT_THAT(Decode({One("flavour", 11, name), ""}, &attributes), StatusIs(absl::StatusCode::kUnimplemented));
  ByteWriter type;
  type.Write(uint8_t{200});
  EXPECT_THAT(Decode({One("type", 8, type), ""}, &attributes), StatusIs(absl::StatusCode::kDataLoss));
}

TEST(AttributeBytesTest, TruncatedBytesAreRefusedWhereverTheyEnd) {
  std::mt19937_64 random(7);
  EveryKindAttributes written;
  RandomizeAttributes(random, /*wild=*/false, {}, &written);
  const Encoded encoded = Encode(written);
  for (size_t size = 0; size < encoded.attributes.size(); ++size) {
    EveryKindAttributes read;
    EXPECT_THAT(Decode({encoded.attributes.substr(0, size), encoded.constants}, &read),
                StatusIs(absl::StatusCode::kDataLoss));
  }
}

}  // namespace
}  // namespace burin::ir
