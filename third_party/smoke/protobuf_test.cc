#include <google/protobuf/io/coded_stream.h>
#include <gtest/gtest.h>

#include <cstdint>

namespace burin {
namespace {

TEST(ProtobufTest, ReadsVarints) {
  const uint8_t bytes[] = {0xac, 0x02};
  google::protobuf::io::CodedInputStream stream(bytes, sizeof(bytes));
  uint32_t value = 0;
  ASSERT_TRUE(stream.ReadVarint32(&value));
  EXPECT_EQ(value, 300u);
}

}  // namespace
}  // namespace burin
