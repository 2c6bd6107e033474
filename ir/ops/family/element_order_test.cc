#include "ir/ops/family/element_order.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "base/element_type.h"
#include "ir/ops/op_testlib.h"
#include "ir/tensor.h"

namespace burin::ir {
namespace {

// Expects each element to come before the next one.
void ExpectAscending(const Tensor& tensor) {
  const ElementOrder order(tensor);
  for (int64_t i = 0; i + 1 < tensor.element_count(); ++i) {
    EXPECT_TRUE(order.Less(i, i + 1)) << tensor.ToString() << " at " << i;
    EXPECT_FALSE(order.Less(i + 1, i)) << tensor.ToString() << " at " << i;
  }
}

TEST(ElementOrderTest, OrdersNumbers) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const ElementType type : {ElementType::kF16, ElementType::kBf16, ElementType::kF32, ElementType::kF64}) {
    ExpectAscending(FloatTensor(type, {8}, {-infinity, -2, -0.5, 0, 0.5, 2, infinity, nan}));
  }
  ExpectAscending(IntTensor(ElementType::kI64, {5}, {INT64_MIN, -1, 0, 1, INT64_MAX}));
  ExpectAscending(IntTensor(ElementType::kU64, {4}, {0, 1, INT64_MAX, -1}));
  ExpectAscending(IntTensor(ElementType::kI4, {4}, {-8, -1, 0, 7}));
  ExpectAscending(Bool({2}, {0, 1}));
}

TEST(ElementOrderTest, DistinguishesNeighboursBeyondDoubles) {
  ExpectAscending(I64({2}, {(int64_t{1} << 53), (int64_t{1} << 53) + 1}));
}

TEST(ElementOrderTest, EqualElementsAreNotLess) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const ElementOrder order(F32({4}, {0.0, -0.0, nan, -nan}));
  EXPECT_FALSE(order.Less(0, 1));
  EXPECT_FALSE(order.Less(1, 0));
  EXPECT_FALSE(order.Less(2, 3));
  EXPECT_FALSE(order.Less(3, 2));
}

}  // namespace
}  // namespace burin::ir
