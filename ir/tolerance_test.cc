#include "ir/tolerance.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <iterator>
#include <limits>

#include "base/element_access.h"
#include "base/element_type.h"

namespace burin::ir {
namespace {

constexpr ToleranceClass kClasses[] = {ToleranceClass::kExact, ToleranceClass::kRounded,
                                       ToleranceClass::kTranscendental, ToleranceClass::kAccumulated};

TEST(ToleranceTest, IntegersAndBooleansAreExact) {
  for (const ElementType type : kAllElementTypes) {
    if (IsFloat(type)) continue;
    for (const ToleranceClass tolerance_class : kClasses) {
      EXPECT_EQ(ToleranceFor(tolerance_class, type).ulp, 0) << type;
      EXPECT_EQ(ToleranceFor(tolerance_class, type).relative, 0) << type;
    }
  }
}

TEST(ToleranceTest, ExactIsExactForEveryType) {
  for (const ElementType type : kAllElementTypes) {
    EXPECT_EQ(ToleranceFor(ToleranceClass::kExact, type).ulp, 0) << type;
    EXPECT_EQ(ToleranceFor(ToleranceClass::kExact, type).relative, 0) << type;
  }
}

TEST(ToleranceTest, RoundedIsOneUlpOfEveryFloatType) {
  for (const ElementType type : kAllElementTypes) {
    if (!IsFloat(type)) continue;
    EXPECT_EQ(ToleranceFor(ToleranceClass::kRounded, type).ulp, 1) << type;
    EXPECT_EQ(ToleranceFor(ToleranceClass::kRounded, type).relative, 0) << type;
  }
}

TEST(ToleranceTest, BoundsFollowThePrecision) {
  EXPECT_EQ(ToleranceFor(ToleranceClass::kAccumulated, ElementType::kF32).relative, 128 * 0x1p-24);
  EXPECT_EQ(ToleranceFor(ToleranceClass::kAccumulated, ElementType::kF64).relative, 128 * 0x1p-53);
  EXPECT_EQ(ToleranceFor(ToleranceClass::kAccumulated, ElementType::kBf16).relative, 0x1p-7);
  EXPECT_EQ(ToleranceFor(ToleranceClass::kTranscendental, ElementType::kF32).ulp, 4);
  EXPECT_EQ(ToleranceFor(ToleranceClass::kTranscendental, ElementType::kF16).ulp, 1);
}

// The unit in the bounds is half the gap between 1 and the next value of the type.
TEST(ToleranceTest, UnitsAreThoseOfTheType) {
  for (const ElementType type : kAllElementTypes) {
    if (!IsFloat(type) || type == ElementType::kF8E8M0) continue;
    double gap = 1;
    for (double step = 0.5; 1 + step != 1; step /= 2) {
      double stored = 0;  // As wide as the widest type.
      StoreFromDouble(type, &stored, 0, 1 + step);
      if (LoadAsDouble(type, &stored, 0) != 1 + step) break;
      gap = step;
    }
    const bool narrow = gap > std::numeric_limits<float>::epsilon();
    EXPECT_EQ(ToleranceFor(ToleranceClass::kTranscendental, type).relative, (narrow ? 1 : 2) * gap / 2) << type;
  }
}

TEST(ToleranceTest, LooserClassesAreNeverTighter) {
  for (const ElementType type : kAllElementTypes) {
    for (size_t i = 1; i < std::size(kClasses); ++i) {
      EXPECT_GE(ToleranceFor(kClasses[i], type).ulp, ToleranceFor(kClasses[i - 1], type).ulp) << type;
      EXPECT_GE(ToleranceFor(kClasses[i], type).relative, ToleranceFor(kClasses[i - 1], type).relative) << type;
    }
  }
}

}  // namespace
}  // namespace burin::ir
