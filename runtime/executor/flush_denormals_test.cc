#include "runtime/executor/flush_denormals.h"

#include <immintrin.h>

#include <limits>

#include "gtest/gtest.h"

namespace burin::executor {
namespace {

// Returns a * b, not as the compiler would.
float Product(float a, float b) {
  static volatile float left;
  static volatile float right;
  left = a;
  right = b;
  return left * right;
}

constexpr float kDenormal = std::numeric_limits<float>::denorm_min() * 1000;
constexpr float kSmall = std::numeric_limits<float>::min();

TEST(FlushDenormalsTest, OperandsAndResultsAreZerosForAWhile) {
  const unsigned before = _mm_getcsr();
  {
    const FlushDenormals flush(true);
    EXPECT_EQ(Product(kDenormal, 1e30f), 0.0f);
    EXPECT_EQ(Product(kSmall, 0.5f), 0.0f);
  }
  EXPECT_EQ(_mm_getcsr() & 0x8040u, before & 0x8040u);
  EXPECT_NE(Product(kDenormal, 1e30f), 0.0f);
  EXPECT_NE(Product(kSmall, 0.5f), 0.0f);
}

TEST(FlushDenormalsTest, DoesNothingUnlessAsked) {
  const FlushDenormals flush(false);
  EXPECT_NE(Product(kSmall, 0.5f), 0.0f);
}

TEST(FlushDenormalsTest, ScopesNest) {
  const FlushDenormals outer(true);
  { const FlushDenormals inner(true); }
  EXPECT_EQ(Product(kSmall, 0.5f), 0.0f);
}

}  // namespace
}  // namespace burin::executor
