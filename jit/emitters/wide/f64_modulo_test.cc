#include "jit/emitters/wide/f64_modulo.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "absl/types/span.h"
#include "jit/emitters/vec_group.h"
#include "jit/emitters/wide/wide_function.h"
#include "jit/emitters/wide/wide_testlib.h"

namespace burin::jit {
namespace {

using Inputs = absl::Span<const VecGroup>;

double FloorMod(double x, double y) {
  const double remainder = std::fmod(x, y);
  return remainder != 0 && std::signbit(remainder) != std::signbit(y) ? remainder + y : remainder;
}

TEST(F64ModuloTest, IsExactForAllQuotients) {
  ExpectWideF64(WideFunction::Of("Mod", {true, true}, true,
                                 [](auto& v, const VecGroup& to, Inputs in) { EmitModF64(v, to, in[0], in[1]); }),
                [](absl::Span<const uint64_t> in) { return Bits64(std::fmod(AsF64(in[0]), AsF64(in[1]))); });
  ExpectWideF64(WideFunction::Of("FloorMod", {true, true}, true,
                                 [](auto& v, const VecGroup& to, Inputs in) { EmitFloorModF64(v, to, in[0], in[1]); }),
                [](absl::Span<const uint64_t> in) { return Bits64(FloorMod(AsF64(in[0]), AsF64(in[1]))); });
}

}  // namespace
}  // namespace burin::jit
