#include "jit/emitters/sigmoid.h"

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

TEST(SigmoidTest, TakesLimitsAndKeepsNan) {
  ExpectValues({"Sigmoid", &EmitSigmoid<VecAvx2>, &EmitSigmoid<VecAvx512>}, {
                                                                                {0.0f, 0.5f},
                                                                                {-0.0f, 0.5f},
                                                                                {kInfinity, 1.0f},
                                                                                {-kInfinity, 0.0f},
                                                                                {100.0f, 1.0f},
                                                                                {-103.9f, kDenormal},
                                                                                {kNan, kNan},
                                                                            });
}

}  // namespace
}  // namespace burin::jit
