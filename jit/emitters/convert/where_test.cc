#include "jit/emitters/convert/where.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "jit/emitters/memory/memory_kernel_testlib.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_group.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit::internal {
namespace {

// Calls change(v, mask, x) with the mask of the elements that are negative integers.
template <class Change>
auto WhereNegative(const Change& change) {
  return [change](auto& v, const VecGroup& x) {
    const auto mask = v.NewMask("negative", x.size());
    v.CompareI32(mask, x, v.Const(0), VecCompareI32::kLess);
    change(v, mask, x);
  };
}

std::vector<uint32_t> Numbers() {
  std::vector<uint32_t> numbers(100);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<uint32_t>(i) * 2654435761u;
  return numbers;
}

bool IsNegative(uint32_t x) { return x >> 31 != 0; }

TEST(WhereTest, ZeroesWhatIsNotSelected) {
  const std::vector<uint32_t> in = Numbers();
  ASSERT_OK_AND_ASSIGN(
      const std::vector<uint32_t> out,
      MapLanes(in, 3, WhereNegative([](auto& v, const auto& mask, const VecGroup& x) { KeepWhere(v, mask, x); })));
  for (size_t i = 0; i < in.size(); ++i) EXPECT_EQ(out[i], IsNegative(in[i]) ? in[i] : 0) << i;
}

TEST(WhereTest, SetsAndInvertsBitsOfWhatIsSelected) {
  const std::vector<uint32_t> in = Numbers();
  for (const uint32_t bits : {0xFFFFFFFFu, 0x00F00F01u}) {
    ASSERT_OK_AND_ASSIGN(const std::vector<uint32_t> set,
                         MapLanes(in, 2, WhereNegative([bits](auto& v, const auto& mask, const VecGroup& x) {
                                    OrWhere(v, mask, x, bits);
                                  })));
    ASSERT_OK_AND_ASSIGN(const std::vector<uint32_t> inverted,
                         MapLanes(in, 1, WhereNegative([bits](auto& v, const auto& mask, const VecGroup& x) {
                                    XorWhere(v, mask, x, bits);
                                  })));
    for (size_t i = 0; i < in.size(); ++i) {
      EXPECT_EQ(set[i], IsNegative(in[i]) ? in[i] | bits : in[i]) << i;
      EXPECT_EQ(inverted[i], IsNegative(in[i]) ? in[i] ^ bits : in[i]) << i;
    }
  }
}

}  // namespace
}  // namespace burin::jit::internal
