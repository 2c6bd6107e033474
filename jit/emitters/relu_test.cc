#include "jit/emitters/relu.h"

#include <gtest/gtest.h>

#include <limits>

#include "jit/emitters/unary_testlib.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"

namespace burin::jit {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(ReluTest, TakesLimitsAndKeepsNan) {
  ExpectValues({"Relu", &EmitRelu<VecAvx2>, &EmitRelu<VecAvx512>}, {
                                                                       {1.5f, 1.5f},
                                                                       {-1.5f, 0.0f},
                                                                       {0.0f, 0.0f},
                                                                       {-0.0f, -0.0f},
                                                                       {kInfinity, kInfinity},
                                                                       {-kInfinity, 0.0f},
                                                                       {kNan, kNan},
                                                                   });
}

}  // namespace
}  // namespace burin::jit
