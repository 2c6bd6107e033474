#include "jit/emitters/activation/activation_catalogue.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "jit/emitters/activation/activation_testlib.h"
#include "jit/emitters/row_testlib.h"

namespace burin::jit {
namespace {

Real HSigmoid(Real x) { return x < -3 ? 0 : x > 3 ? 1 : (x + 3) / 6; }
Real SoftPlus(Real x) { return std::log1p(std::exp(-std::fabs(x))) + (x < 0 ? 0 : x); }

std::vector<RowCase> Cases() {
  const std::vector<std::pair<std::string, RowReference>> references = {
      {"Celu(1)", RealReference(+[](Real x) { return ReferenceCelu(x, 1.0f); })},
      {"Elu(1)", RealReference(+[](Real x) { return ReferenceElu(x, 1.0f); })},
      {"GeluErf", RealReference(+[](Real x) { return x * (1 + std::erf(x * std::sqrt(0.5L))) / 2; })},
      {"GeluTanh", RealReference(+[](Real x) {
         // sqrt(2 / pi)
         constexpr Real kScale = 0.797884560802865355879892L;
         return x * (1 + std::tanh(kScale * (x + 0.044715L * x * x * x))) / 2;
       })},
      {"HSigmoid", RealReference(+[](Real x) { return HSigmoid(x); })},
      {"HSwish", RealReference(+[](Real x) { return x * HSigmoid(x); })},
      {"HardSigmoid(0.2,0.5)", RealReference(+[](Real x) { return ReferenceHardSigmoid(x, 0.2f, 0.5f); })},
      {"LeakyRelu(0.01)", FloatReference(+[](float x) { return ReferenceLeakyRelu(x, 0.01f); })},
      {"LogSigmoid", RealReference(+[](Real x) { return -SoftPlus(-x); })},
      {"Mish", RealReference(+[](Real x) { return x * std::tanh(std::log1p(std::exp(x))); })},
      {"PRelu", FloatReference(&ReferenceLeakyRelu)},
      {"Relu", FloatReference(+[](float x) { return x < 0 ? 0.0f : x; })},
      {"Selu(1.6732632,1.050701)", RealReference(+[](Real x) { return ReferenceSelu(x, 1.6732632f, 1.050701f); })},
      {"Shrink(0.5,0.5)", FloatReference(+[](float x) { return ReferenceShrink(x, 0.5f, 0.5f); })},
      {"Sigmoid", RealReference(+[](Real x) { return 1 / (1 + std::exp(-x)); })},
      {"SoftPlus", RealReference(&SoftPlus)},
      {"SoftSign", RealReference(+[](Real x) { return x / (1 + std::fabs(x)); })},
      {"Swish(1)", RealReference(+[](Real x) { return ReferenceSwish(x, 1.0f); })},
      {"Swish(1.702)", RealReference(+[](Real x) { return ReferenceSwish(x, 1.702f); })},
      {"ThresholdedRelu(1)", FloatReference(+[](float x) { return ReferenceThresholdedRelu(x, 1); })},
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
