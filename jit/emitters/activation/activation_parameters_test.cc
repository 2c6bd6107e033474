// Tests the activation functions with other parameters than those of the catalogue.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "jit/emitters/activation/activation_testlib.h"
#include "jit/emitters/activation/elu.h"
#include "jit/emitters/activation/hard_sigmoid.h"
#include "jit/emitters/activation/rectifiers.h"
#include "jit/emitters/activation/swish.h"
#include "jit/emitters/catalogue_entry.h"
#include "jit/emitters/row_kernel.h"
#include "jit/emitters/row_testlib.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

using Operands = absl::Span<const VecGroup>;

// Returns the case of a function of one float.
template <class EmitBoth>
RowCase Case(const char* name, double bound, EmitBoth emit, RowReference reference) {
  return {{RowFunction::Of(name, 1, emit), {LaneKind::kF32}, LaneKind::kF32, ErrorUnit::kUlp, bound},
          std::move(reference)};
}

std::vector<RowCase> CasesOfExponentials() {
  return {
      Case(
          "Celu(0.25)", 3, [](auto& v, Operands o) { EmitCelu(v, o[0], 0.25f); },
          RealReference(+[](Real x) { return ReferenceCelu(x, 0.25f); })),
      Case(
          "Celu(1e+10)", 3, [](auto& v, Operands o) { EmitCelu(v, o[0], 1e+10f); },
          RealReference(+[](Real x) { return ReferenceCelu(x, 1e+10f); })),
      // Its reciprocal is no float.
      Case(
          "Celu(1e-40)", 3, [](auto& v, Operands o) { EmitCelu(v, o[0], 1e-40f); },
          RealReference(+[](Real x) { return ReferenceCelu(x, 1e-40f); })),
      Case(
          "Elu(0)", 0, [](auto& v, Operands o) { EmitElu(v, o[0], 0.0f); },
          RealReference(+[](Real x) { return x < 0 ? -0.0L : x; })),
      Case(
          "Elu(0.3)", 2, [](auto& v, Operands o) { EmitElu(v, o[0], 0.3f); },
          RealReference(+[](Real x) { return ReferenceElu(x, 0.3f); })),
      Case(
          "Selu(1.5,-2)", 3, [](auto& v, Operands o) { EmitSelu(v, o[0], 1.5f, -2.0f); },
          RealReference(+[](Real x) { return ReferenceSelu(x, 1.5f, -2.0f); })),
      Case(
          "Swish(-2.5)", 4, [](auto& v, Operands o) { EmitSwish(v, o[0], -2.5f); },
          RealReference(+[](Real x) { return ReferenceSwish(x, -2.5f); })),
      Case(
          "Swish(0)", 0.5, [](auto& v, Operands o) { EmitSwish(v, o[0], 0.0f); },
          RealReference(+[](Real x) { return ReferenceSwish(x, 0); })),
      Case(
          "Swish(1e+30)", 4, [](auto& v, Operands o) { EmitSwish(v, o[0], 1e+30f); },
          RealReference(+[](Real x) { return ReferenceSwish(x, 1e+30f); })),
      // Near the least factor that is exact.
      Case(
          "Swish(1e-28)", 4, [](auto& v, Operands o) { EmitSwish(v, o[0], 1e-28f); },
          RealReference(+[](Real x) { return ReferenceSwish(x, 1e-28f); })),
  };
}

std::vector<RowCase> CasesOfLines() {
  return {
      Case(
          "HardSigmoid(-3,0.1)", 0.5, [](auto& v, Operands o) { EmitHardSigmoid(v, o[0], -3.0f, 0.1f); },
          RealReference(+[](Real x) { return ReferenceHardSigmoid(x, -3.0f, 0.1f); })),
      Case(
          "LeakyRelu(-0.5)", 0, [](auto& v, Operands o) { EmitLeakyRelu(v, o[0], -0.5f); },
          FloatReference(+[](float x) { return ReferenceLeakyRelu(x, -0.5f); })),
      Case(
          "LeakyRelu(0)", 0, [](auto& v, Operands o) { EmitLeakyRelu(v, o[0], 0.0f); },
          FloatReference(+[](float x) { return ReferenceLeakyRelu(x, 0); })),
      Case(
          "LeakyRelu(1)", 0, [](auto& v, Operands o) { EmitLeakyRelu(v, o[0], 1.0f); },
          FloatReference(+[](float x) { return x; })),
      Case(
          "LeakyRelu(3)", 0, [](auto& v, Operands o) { EmitLeakyRelu(v, o[0], 3.0f); },
          FloatReference(+[](float x) { return ReferenceLeakyRelu(x, 3); })),
      Case(
          "Shrink(1.5,-1)", 0, [](auto& v, Operands o) { EmitShrink(v, o[0], 1.5f, -1.0f); },
          FloatReference(+[](float x) { return ReferenceShrink(x, 1.5f, -1); })),
      Case(
          "ThresholdedRelu(-2)", 0, [](auto& v, Operands o) { EmitThresholdedRelu(v, o[0], -2.0f); },
          FloatReference(+[](float x) { return ReferenceThresholdedRelu(x, -2); })),
  };
}

class ActivationParametersTest : public ::testing::TestWithParam<RowCase> {};

TEST_P(ActivationParametersTest, IsRight) { ExpectRight(GetParam()); }

std::string NameOf(const ::testing::TestParamInfo<RowCase>& info) { return TestName(info.param); }

INSTANTIATE_TEST_SUITE_P(Exponentials, ActivationParametersTest, ::testing::ValuesIn(CasesOfExponentials()), NameOf);
INSTANTIATE_TEST_SUITE_P(Lines, ActivationParametersTest, ::testing::ValuesIn(CasesOfLines()), NameOf);

}  // namespace
}  // namespace burin::jit
