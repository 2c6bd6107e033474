#include "testing/guarded_buffer.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

// Reads or writes where the compiler cannot tell that nothing depends on it.
void Touch(uint8_t* address) {
  volatile uint8_t* byte = address;
  *byte = static_cast<uint8_t>(*byte + 1);
}

TEST(GuardedBufferTest, AllBytesAreZeroAndCanBeWritten) {
  for (const GuardedEnd end : {GuardedEnd::kFirstByte, GuardedEnd::kLastByte}) {
    for (const size_t bytes : {size_t{1}, size_t{4095}, size_t{4096}, size_t{4097}, size_t{20000}}) {
      ASSERT_OK_AND_ASSIGN(const GuardedBuffer buffer, GuardedBuffer::Create(bytes, end));
      ASSERT_EQ(buffer.size(), bytes);
      for (size_t i = 0; i < bytes; ++i) {
        ASSERT_EQ(buffer.data()[i], 0) << i;
        Touch(buffer.data() + i);
      }
    }
  }
}

TEST(GuardedBufferDeathTest, BehindTheLastByteIsNoMemory) {
  const char* const emulator = std::getenv("BURIN_EMULATED");
  if (emulator != nullptr && std::strcmp(emulator, "qemu") == 0) GTEST_SKIP() << "qemu: the page lies further behind";
  for (const size_t bytes : {size_t{0}, size_t{3}, size_t{4096}, size_t{5000}}) {
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer buffer, GuardedBuffer::Create(bytes, GuardedEnd::kLastByte));
    EXPECT_DEATH(Touch(buffer.data() + bytes), "");
  }
}

TEST(GuardedBufferDeathTest, BeforeTheFirstByteIsNoMemory) {
  for (const size_t bytes : {size_t{0}, size_t{3}, size_t{4096}, size_t{5000}}) {
    ASSERT_OK_AND_ASSIGN(const GuardedBuffer buffer, GuardedBuffer::Create(bytes, GuardedEnd::kFirstByte));
    EXPECT_DEATH(Touch(buffer.data() - 1), "");
  }
}

TEST(GuardedBufferTest, MovesTheMemory) {
  ASSERT_OK_AND_ASSIGN(GuardedBuffer buffer, GuardedBuffer::Create(8, GuardedEnd::kLastByte));
  uint8_t* data = buffer.data();
  const GuardedBuffer moved(std::move(buffer));
  EXPECT_EQ(moved.data(), data);
  Touch(moved.data());
}

}  // namespace
}  // namespace burin
