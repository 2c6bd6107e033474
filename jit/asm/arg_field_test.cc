#include "jit/asm/arg_field.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>

namespace burin::jit {
namespace {

struct Args {
  const float* data;
  int32_t count;
  uint8_t flag;
  int64_t last;
};
BURIN_ARG_OFFSET(Args, data, 0);
BURIN_ARG_OFFSET(Args, count, 8);
BURIN_ARG_OFFSET(Args, flag, 12);
BURIN_ARG_OFFSET(Args, last, 16);

TEST(ArgFieldTest, KnowsPlaceAndType) {
  constexpr auto kCount = BURIN_ARG_FIELD(Args, count);
  static_assert(std::is_same_v<decltype(kCount), const ArgField<int32_t>>);
  EXPECT_EQ(kCount.offset, 8);
  EXPECT_EQ(kCount.kBytes, 4);
  EXPECT_EQ(BURIN_ARG_FIELD(Args, data).kBytes, 8);
  EXPECT_EQ(BURIN_ARG_FIELD(Args, last).offset, 16);
}

}  // namespace
}  // namespace burin::jit
