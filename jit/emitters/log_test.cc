#include "jit/emitters/log.h"

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

TEST(LogTest, TakesLimitsAndKeepsNan) {
  ExpectValues({"Log", &EmitLog<VecAvx2>, &EmitLog<VecAvx512>}, {
                                                                    {1.0f, 0.0f},
                                                                    {0.0f, -kInfinity},
                                                                    {-0.0f, -kInfinity},
                                                                    {-1.0f, kNan},
                                                                    {-kInfinity, kNan},
                                                                    {kInfinity, kInfinity},
                                                                    {kDenormal, -103.278931f},
                                                                    {kNan, kNan},
                                                                });
}

}  // namespace
}  // namespace burin::jit
