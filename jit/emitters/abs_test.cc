#include "jit/emitters/abs.h"

#include <gtest/gtest.h>

#include <limits>

#include "jit/emitters/unary_testlib.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"

namespace burin::jit {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kDenormal = std::numeric_limits<float>::denorm_min();

TEST(AbsTest, TakesLimitsAndKeepsNan) {
  ExpectValues({"Abs", &EmitAbs<VecAvx2>, &EmitAbs<VecAvx512>}, {
                                                                    {-1.5f, 1.5f},
                                                                    {-0.0f, 0.0f},
                                                                    {-kInfinity, kInfinity},
                                                                    {kNan, kNan},
                                                                    {-kDenormal, kDenormal},
                                                                });
}

}  // namespace
}  // namespace burin::jit
