#include "jit/emitters/wide/f64_arithmetic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "absl/types/span.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_group.h"
#include "jit/emitters/wide/wide_function.h"
#include "jit/emitters/wide/wide_testlib.h"

namespace burin::jit {
namespace {

using Inputs = absl::Span<const VecGroup>;

template <class Emit, class Function>
void ExpectUnary(const std::string& name, Emit emit, Function function) {
  ExpectWideF64(WideFunction::Of(name, {true}, true, std::move(emit)),
                [function](absl::Span<const uint64_t> in) { return Bits64(function(AsF64(in[0]))); });
}

template <class Emit, class Function>
void ExpectBinary(const std::string& name, Emit emit, Function function) {
  ExpectWideF64(WideFunction::Of(name, {true, true}, true, std::move(emit)),
                [function](absl::Span<const uint64_t> in) { return Bits64(function(AsF64(in[0]), AsF64(in[1]))); });
}

TEST(F64ArithmeticTest, RoundsAsTheMachineDoes) {
  ExpectBinary(
      "Add", [](auto& v, const VecGroup& to, Inputs in) { EmitAddF64(v, to, in[0], in[1]); },
      [](double x, double y) { return x + y; });
  ExpectBinary(
      "Subtract", [](auto& v, const VecGroup& to, Inputs in) { EmitSubtractF64(v, to, in[0], in[1]); },
      [](double x, double y) { return x - y; });
  ExpectBinary(
      "Multiply", [](auto& v, const VecGroup& to, Inputs in) { EmitMultiplyF64(v, to, in[0], in[1]); },
      [](double x, double y) { return x * y; });
  ExpectBinary(
      "Divide", [](auto& v, const VecGroup& to, Inputs in) { EmitDivideF64(v, to, in[0], in[1]); },
      [](double x, double y) { return x / y; });
  ExpectBinary(
      "SquaredDifference",
      [](auto& v, const VecGroup& to, Inputs in) { EmitSquaredDifferenceF64(v, to, in[0], in[1]); },
      [](double x, double y) {
        const double difference = x - y;
        return difference * difference;
      });
  ExpectUnary(
      "Sqrt", [](auto& v, const VecGroup& to, Inputs in) { EmitSqrtF64(v, to, in[0]); },
      [](double x) { return std::sqrt(x); });
}

TEST(F64ArithmeticTest, ExtremesKeepNaNAndTakeTheSecondOfTwoZeros) {
  ExpectBinary(
      "Minimum", [](auto& v, const VecGroup& to, Inputs in) { EmitMinimumF64(v, to, in[0], in[1]); },
      [](double x, double y) { return std::isnan(x) || x < y ? x : y; });
  ExpectBinary(
      "Maximum", [](auto& v, const VecGroup& to, Inputs in) { EmitMaximumF64(v, to, in[0], in[1]); },
      [](double x, double y) { return std::isnan(x) || x > y ? x : y; });
  ExpectUnary(
      "Clamp", [](auto& v, const VecGroup& to, Inputs in) { EmitClampF64(v, to, in[0], 0.0, 6.0); },
      [](double x) { return x < 0   ? 0.0
                            : x > 6 ? 6.0
                                    : x; });
  ExpectUnary(
      "Relu", [](auto& v, const VecGroup& to, Inputs in) { EmitReluF64(v, to, in[0]); },
      [](double x) { return x < 0 ? 0.0 : x; });
  ExpectBinary(
      "PRelu", [](auto& v, const VecGroup& to, Inputs in) { EmitPReluF64(v, to, in[0], in[1]); },
      [](double x, double slope) { return x < 0 ? x * slope : x; });
}

TEST(F64ArithmeticTest, ChangesSigns) {
  ExpectUnary(
      "Negative", [](auto& v, const VecGroup& to, Inputs in) { EmitNegativeF64(v, to, in[0]); },
      [](double x) { return -x; });
  ExpectUnary(
      "Abs", [](auto& v, const VecGroup& to, Inputs in) { EmitAbsF64(v, to, in[0]); },
      [](double x) { return std::abs(x); });
  ExpectUnary(
      "Sign", [](auto& v, const VecGroup& to, Inputs in) { EmitSignF64(v, to, in[0]); },
      [](double x) { return x > 0   ? 1.0
                            : x < 0 ? -1.0
                                    : x; });
}

TEST(F64ArithmeticTest, RoundsToIntegralNumbers) {
  const auto expect = [](const std::string& name, VecRounding rounding, double (*function)(double)) {
    ExpectUnary(
        name, [rounding](auto& v, const VecGroup& to, Inputs in) { EmitRoundF64(v, to, in[0], rounding); }, function);
  };
  expect("Floor", VecRounding::kDown, [](double x) { return std::floor(x); });
  expect("Ceiling", VecRounding::kUp, [](double x) { return std::ceil(x); });
  expect("Truncate", VecRounding::kTowardsZero, [](double x) { return std::trunc(x); });
  expect("HalfToEven", VecRounding::kNearestEven, [](double x) { return std::nearbyint(x); });
  ExpectUnary(
      "HalfAwayFromZero", [](auto& v, const VecGroup& to, Inputs in) { EmitRoundHalfAwayFromZeroF64(v, to, in[0]); },
      [](double x) { return std::round(x); });
}

}  // namespace
}  // namespace burin::jit
