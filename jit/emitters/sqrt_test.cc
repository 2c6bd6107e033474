#include "jit/emitters/sqrt.h"

#include <gtest/gtest.h>

#include <limits>

#include "jit/emitters/unary_testlib.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"

namespace burin::jit {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(SqrtTest, TakesLimitsAndKeepsNan) {
  ExpectValues({"Sqrt", &EmitSqrt<VecAvx2>, &EmitSqrt<VecAvx512>}, {
                                                                       {4.0f, 2.0f},
                                                                       {-0.0f, -0.0f},
                                                                       {-1.0f, kNan},
                                                                       {kInfinity, kInfinity},
                                                                       {kNan, kNan},
                                                                   });
}

}  // namespace
}  // namespace burin::jit
