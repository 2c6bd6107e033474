#include "jit/emitters/emitters.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <iostream>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "absl/status/statusor.h"
#include "jit/emitters/unary_testlib.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

long double ReferenceAbs(long double x) { return std::fabs(x); }
long double ReferenceErf(long double x) { return std::erf(x); }
long double ReferenceExp(long double x) { return std::exp(x); }
long double ReferenceGeluErf(long double x) { return x * (1 + std::erf(x * std::sqrt(0.5L))) / 2; }
long double ReferenceGeluTanh(long double x) {
  // sqrt(2 / pi)
  constexpr long double kScale = 0.797884560802865355879892L;
  return x * (1 + std::tanh(kScale * (x + 0.044715L * x * x * x))) / 2;
}
long double ReferenceLog(long double x) { return std::log(x); }
long double ReferenceNegative(long double x) { return -x; }
long double ReferenceRelu(long double x) { return x < 0 ? 0 : x; }
long double ReferenceSigmoid(long double x) { return 1 / (1 + std::exp(-x)); }
long double ReferenceSqrt(long double x) { return std::sqrt(x); }
long double ReferenceTanh(long double x) { return std::tanh(x); }

const std::vector<UnaryFunction>& Functions() {
  static const auto* const functions = new std::vector<UnaryFunction>{
#define BURIN_UNARY_EMITTER(Name, unit, bound) \
  {#Name, &Emit##Name<VecAvx2>, &Emit##Name<VecAvx512>, &Reference##Name, ErrorUnit::unit, bound},
#include "jit/emitters/emitters.inc"
#undef BURIN_UNARY_EMITTER
  };
  return *functions;
}

class EmittersTest : public ::testing::TestWithParam<std::tuple<UnaryFunction, IsaLevel>> {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(const Target host, Target::Host());
    if (!host.Supports(level())) GTEST_SKIP() << host.Require(level());
  }

  const UnaryFunction& function() const { return std::get<0>(GetParam()); }
  IsaLevel level() const { return std::get<1>(GetParam()); }
  int lanes() const { return level() == IsaLevel::kAvx2 ? VecAvx2::kLanes : VecAvx512::kLanes; }
};

TEST_P(EmittersTest, TouchesOnlyItsOperands) {
  ASSERT_OK_AND_ASSIGN(const UnaryKernel kernel, UnaryKernel::Create(function(), level()));
  EXPECT_OK(CheckTails(kernel, lanes()));
}

TEST_P(EmittersTest, IsRightForSixteenBitInputs) {
  ASSERT_OK_AND_ASSIGN(const UnaryKernel kernel, UnaryKernel::Create(function(), level()));
  UnaryError worst;
  CompareAll(function(), kernel, SixteenBitInputs(), worst);
  EXPECT_TRUE(worst.Within(function().bound)) << worst.ToString();
}

TEST_P(EmittersTest, IsRightAtExponentBoundaries) {
  ASSERT_OK_AND_ASSIGN(const UnaryKernel kernel, UnaryKernel::Create(function(), level()));
  UnaryError worst;
  CompareAll(function(), kernel, ExponentBoundaries(), worst);
  EXPECT_TRUE(worst.Within(function().bound)) << worst.ToString();
}

TEST_P(EmittersTest, IsRightForSpreadInputs) {
  ASSERT_OK_AND_ASSIGN(const UnaryKernel kernel, UnaryKernel::Create(function(), level()));
  const uint32_t seed = std::random_device()();
  UnaryError worst;
  CompareSpread(function(), kernel, seed, worst);
  EXPECT_TRUE(worst.Within(function().bound)) << worst.ToString() << "; seed: " << seed;
  RecordProperty("error", worst.ToString());
  std::cout << function().name << " " << level() << ": " << worst.ToString() << "\n";
}

INSTANTIATE_TEST_SUITE_P(Unary, EmittersTest,
                         ::testing::Combine(::testing::ValuesIn(Functions()),
                                            ::testing::Values(IsaLevel::kAvx2, IsaLevel::kAvx512)),
                         [](const auto& info) {
                           return std::get<0>(info.param).name + "_" + std::string(Name(std::get<1>(info.param)));
                         });

}  // namespace
}  // namespace burin::jit
