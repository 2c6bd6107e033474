#include "jit/emitters/negative.h"

#include <gtest/gtest.h>

#include <limits>

#include "jit/emitters/unary_testlib.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"

namespace burin::jit {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(NegativeTest, TakesLimitsAndKeepsNan) {
  ExpectValues({"Negative", &EmitNegative<VecAvx2>, &EmitNegative<VecAvx512>}, {
                                                                                   {1.5f, -1.5f},
                                                                                   {0.0f, -0.0f},
                                                                                   {-kInfinity, kInfinity},
                                                                                   {kNan, kNan},
                                                                               });
}

}  // namespace
}  // namespace burin::jit
