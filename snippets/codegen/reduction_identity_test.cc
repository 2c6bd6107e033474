#include "snippets/codegen/reduction_identity.h"

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
    EXPECT_EQ(absl::bit_cast<float>(ReductionIdentity(Reduction::kSum, type)), 0.0f);
    EXPECT_EQ(absl::bit_cast<float>(ReductionIdentity(Reduction::kProduct, type)), 1.0f);
    EXPECT_EQ(absl::bit_cast<float>(ReductionIdentity(Reduction::kMaximum, type)),
              -std::numeric_limits<float>::infinity());
    EXPECT_EQ(absl::bit_cast<float>(ReductionIdentity(Reduction::kMinimum, type)),
              std::numeric_limits<float>::infinity());
  }
}

TEST(ReductionIdentityTest, IsTheEndOfAnIntegersOwnRange) {
  const auto of = [](Reduction reduction, ElementType type) {
    return absl::bit_cast<int32_t>(ReductionIdentity(reduction, type));
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

}  // namespace
}  // namespace burin::snippets
