#include "snippets/codegen/reductions/reduction_identity.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "absl/base/casts.h"
#include "base/element_type.h"
#include "snippets/linear/linear_ir.h"

namespace burin::snippets {
namespace {

TEST(ReductionIdentityTest, LeavesFloatsAsTheyAre) {
  for (const ElementType type : {ElementType::kF32, ElementType::kF16}) {
    EXPECT_EQ(absl::bit_cast<float>(static_cast<uint32_t>(ReductionIdentity(Reduction::kSum, type))), 0.0f);
    EXPECT_EQ(absl::bit_cast<float>(static_cast<uint32_t>(ReductionIdentity(Reduction::kProduct, type))), 1.0f);
    EXPECT_EQ(absl::bit_cast<float>(static_cast<uint32_t>(ReductionIdentity(Reduction::kMaximum, type))),
              -std::numeric_limits<float>::infinity());
    EXPECT_EQ(absl::bit_cast<float>(static_cast<uint32_t>(ReductionIdentity(Reduction::kMinimum, type))),
              std::numeric_limits<float>::infinity());
  }
}

TEST(ReductionIdentityTest, IsTheEndOfAnIntegersOwnRange) {
  const auto of = [](Reduction reduction, ElementType type) {
    return static_cast<int32_t>(ReductionIdentity(reduction, type));
  };
  EXPECT_EQ(of(Reduction::kMaximum, ElementType::kI8), -128);
  EXPECT_EQ(of(Reduction::kMinimum, ElementType::kI8), 127);
  EXPECT_EQ(of(Reduction::kMaximum, ElementType::kU8), 0);
  EXPECT_EQ(of(Reduction::kMinimum, ElementType::kU8), 255);
  EXPECT_EQ(of(Reduction::kMaximum, ElementType::kI32), std::numeric_limits<int32_t>::min());
  EXPECT_EQ(of(Reduction::kMinimum, ElementType::kI32), std::numeric_limits<int32_t>::max());
  EXPECT_EQ(of(Reduction::kMinimum, ElementType::kBoolean), 1);
  EXPECT_EQ(of(Reduction::kProduct, ElementType::kI32), 1);
}

TEST(ReductionIdentityTest, HasAllBitsOfWideLanes) {
  const auto real = [](Reduction reduction) {
    return absl::bit_cast<double>(ReductionIdentity(reduction, ElementType::kF64));
  };
  EXPECT_EQ(real(Reduction::kSum), 0.0);
  EXPECT_EQ(real(Reduction::kProduct), 1.0);
  EXPECT_EQ(real(Reduction::kMaximum), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(real(Reduction::kMinimum), std::numeric_limits<double>::infinity());
  const auto integer = [](Reduction reduction) {
    return absl::bit_cast<int64_t>(ReductionIdentity(reduction, ElementType::kI64));
  };
  EXPECT_EQ(integer(Reduction::kProduct), 1);
  EXPECT_EQ(integer(Reduction::kMaximum), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(integer(Reduction::kMinimum), std::numeric_limits<int64_t>::max());
}

}  // namespace
}  // namespace burin::snippets
