#include "jit/emitters/activation/activation_catalogue.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "jit/emitters/row_testlib.h"

namespace burin::jit {
namespace {

using Real = long double;

Real Celu(Real x, Real alpha) { return x > 0 ? x : alpha * std::expm1(x / alpha); }
Real Elu(Real x, Real alpha) { return x > 0 ? x : alpha * std::expm1(x); }
// Like the reference evaluation of the operators, these take NaN for a number that is in no interval but stays.
Real Clamp(Real x, Real low, Real high) { return x < low ? low : x > high ? high : x; }
Real LogSigmoid(Real x) { return -(std::fmax(-x, 0.0L) + std::log1p(std::exp(-std::fabs(x)))) + 0 * x; }
Real Selu(Real x, Real alpha, Real gamma) { return gamma * Elu(x, alpha); }
Real Swish(Real x, Real beta) { return x / (1 + std::exp(-beta * x)); }
float LeakyRelu(float x, float alpha) { return x < 0 ? alpha * x : x; }
float Shrink(float x, float bias, float lambd) { return x < -lambd ? x + bias : x > lambd ? x - bias : 0; }
float ThresholdedRelu(float x, float alpha) { return x > alpha ? x : 0; }

std::vector<RowCase> Cases() {
  const std::vector<std::pair<std::string, RowReference>> references = {
      {"Celu(0.25)", RealReference(+[](Real x) { return Celu(x, 0.25f); })},
      {"Celu(1)", RealReference(+[](Real x) { return Celu(x, 1.0f); })},
      {"Celu(1e+10)", RealReference(+[](Real x) { return Celu(x, 1e+10f); })},
      {"Celu(1e-40)", RealReference(+[](Real x) { return Celu(x, 1e-40f); })},
      {"Elu(0)", RealReference(+[](Real x) { return x < 0 ? -0.0L : x; })},
      {"Elu(0.3)", RealReference(+[](Real x) { return Elu(x, 0.3f); })},
      {"Elu(1)", RealReference(+[](Real x) { return Elu(x, 1.0f); })},
      {"GeluErf", RealReference(+[](Real x) { return x * (1 + std::erf(x * std::sqrt(0.5L))) / 2; })},
      {"GeluTanh", RealReference(+[](Real x) {
         // sqrt(2 / pi)
         constexpr Real kScale = 0.797884560802865355879892L;
         return x * (1 + std::tanh(kScale * (x + 0.044715L * x * x * x))) / 2;
       })},
      {"HSigmoid", RealReference(+[](Real x) { return Clamp(x + 3, 0, 6) / 6; })},
      {"HSwish", RealReference(+[](Real x) { return x * Clamp(x + 3, 0, 6) / 6; })},
      {"HardSigmoid(-3,0.1)", RealReference(+[](Real x) { return Clamp(-3 * x + 0.1f, 0, 1); })},
      {"HardSigmoid(0.2,0.5)", RealReference(+[](Real x) { return Clamp(0.2f * x + 0.5f, 0, 1); })},
      {"LeakyRelu(-0.5)", FloatReference(+[](float x) { return LeakyRelu(x, -0.5f); })},
      {"LeakyRelu(0)", FloatReference(+[](float x) { return LeakyRelu(x, 0); })},
      {"LeakyRelu(0.01)", FloatReference(+[](float x) { return LeakyRelu(x, 0.01f); })},
      {"LeakyRelu(3)", FloatReference(+[](float x) { return LeakyRelu(x, 3); })},
      {"LogSigmoid", RealReference(&LogSigmoid)},
      {"Mish", RealReference(+[](Real x) { return x * std::tanh(std::log1p(std::exp(x))); })},
      {"PRelu", FloatReference(&LeakyRelu)},
      {"Relu", FloatReference(+[](float x) { return x < 0 ? 0.0f : x; })},
      {"Selu(1.5,-2)", RealReference(+[](Real x) { return Selu(x, 1.5f, -2.0f); })},
      {"Selu(1.6732632,1.050701)", RealReference(+[](Real x) { return Selu(x, 1.6732632f, 1.050701f); })},
      {"Shrink(0,0.5)", FloatReference(+[](float x) { return Shrink(x, 0, 0.5f); })},
      {"Shrink(1.5,-1)", FloatReference(+[](float x) { return Shrink(x, 1.5f, -1); })},
      {"Sigmoid", RealReference(+[](Real x) { return 1 / (1 + std::exp(-x)); })},
      {"SoftPlus", RealReference(+[](Real x) { return Clamp(x, 0, x) + std::log1p(std::exp(-std::fabs(x))); })},
      {"SoftSign", RealReference(+[](Real x) { return x / (1 + std::fabs(x)); })},
      {"Swish(-2.5)", RealReference(+[](Real x) { return Swish(x, -2.5f); })},
      {"Swish(0)", RealReference(+[](Real x) { return Swish(x, 0); })},
      {"Swish(1)", RealReference(+[](Real x) { return Swish(x, 1.0f); })},
      {"Swish(1.702)", RealReference(+[](Real x) { return Swish(x, 1.702f); })},
      {"Swish(1e+30)", RealReference(+[](Real x) { return Swish(x, 1e+30f); })},
      {"Swish(1e-28)", RealReference(+[](Real x) { return Swish(x, 1e-28f); })},
      {"ThresholdedRelu(1)", FloatReference(+[](float x) { return ThresholdedRelu(x, 1); })},
      {"ThresholdedRelu(-2)", FloatReference(+[](float x) { return ThresholdedRelu(x, -2); })},
  };
  return JoinReferences(ActivationCatalogue(), references);
}

class ActivationCatalogueTest : public ::testing::TestWithParam<RowCase> {};

TEST_P(ActivationCatalogueTest, TouchesOnlyItsOperands) { ExpectTouchesOnlyItsOperands(GetParam().entry); }

TEST_P(ActivationCatalogueTest, IsRight) { ExpectRight(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, ActivationCatalogueTest, ::testing::ValuesIn(Cases()),
                         [](const auto& info) { return TestName(info.param); });

}  // namespace
}  // namespace burin::jit
