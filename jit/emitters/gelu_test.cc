#include "jit/emitters/gelu.h"

#include <gtest/gtest.h>

#include <limits>

#include "jit/emitters/unary_testlib.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"

namespace burin::jit {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(GeluTest, GeluErfTakesLimitsAndKeepsNan) {
  ExpectValues({"GeluErf", &EmitGeluErf<VecAvx2>, &EmitGeluErf<VecAvx512>}, {
                                                                                {0.0f, 0.0f},
                                                                                {10.0f, 10.0f},
                                                                                {-10.0f, 0.0f},
                                                                                {-1e30f, 0.0f},
                                                                                {kInfinity, kInfinity},
                                                                                {-kInfinity, kNan},
                                                                                {kNan, kNan},
                                                                            });
}

TEST(GeluTest, GeluTanhTakesLimitsAndKeepsNan) {
  ExpectValues({"GeluTanh", &EmitGeluTanh<VecAvx2>, &EmitGeluTanh<VecAvx512>}, {
                                                                                   {0.0f, 0.0f},
                                                                                   {10.0f, 10.0f},
                                                                                   {kInfinity, kInfinity},
                                                                                   {-kInfinity, kNan},
                                                                                   {-1e30f, -0.0f},
                                                                                   {kNan, kNan},
                                                                               });
}

}  // namespace
}  // namespace burin::jit
