#include "jit/emitters/wide/wide_comparison.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "jit/emitters/comparison/classification.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_group.h"
#include "jit/emitters/wide/wide_function.h"
#include "jit/emitters/wide/wide_testlib.h"

namespace burin::jit {
namespace {

using Inputs = absl::Span<const VecGroup>;

TEST(WideComparisonTest, ComparesDoubles) {
  const auto expect = [](const std::string& name, VecCompare compare, bool (*function)(double, double)) {
    const auto emit = [compare](auto& v, const VecGroup& to, Inputs in) {
      EmitCompareF64(v, to, in[0], in[1], compare);
    };
    ExpectWideF64(
        WideFunction::Of(name, {true, true}, false, emit),
        [function](absl::Span<const uint64_t> in) { return function(AsF64(in[0]), AsF64(in[1])) ? 1 : 0; },
        WideResult::kBits);
  };
  expect("Equal", VecCompare::kEqual, [](double x, double y) { return x == y; });
  expect("NotEqual", VecCompare::kNotEqual, [](double x, double y) { return x != y; });
  expect("Less", VecCompare::kLess, [](double x, double y) { return x < y; });
  expect("LessEqual", VecCompare::kLessEqual, [](double x, double y) { return x <= y; });
  expect("Greater", VecCompare::kGreater, [](double x, double y) { return x > y; });
  expect("GreaterEqual", VecCompare::kGreaterEqual, [](double x, double y) { return x >= y; });
}

TEST(WideComparisonTest, ComparesIntegers) {
  const auto expect = [](const std::string& name, VecCompareI32 compare, bool (*function)(int64_t, int64_t)) {
    const auto emit = [compare](auto& v, const VecGroup& to, Inputs in) {
      EmitCompareI64(v, to, in[0], in[1], compare);
    };
    ExpectWideI64(WideFunction::Of(name, {true, true}, false, emit),
                  [function](absl::Span<const uint64_t> in) { return function(AsI64(in[0]), AsI64(in[1])) ? 1 : 0; });
  };
  expect("Equal", VecCompareI32::kEqual, [](int64_t x, int64_t y) { return x == y; });
  expect("NotEqual", VecCompareI32::kNotEqual, [](int64_t x, int64_t y) { return x != y; });
  expect("Less", VecCompareI32::kLess, [](int64_t x, int64_t y) { return x < y; });
  expect("LessEqual", VecCompareI32::kLessEqual, [](int64_t x, int64_t y) { return x <= y; });
  expect("Greater", VecCompareI32::kGreater, [](int64_t x, int64_t y) { return x > y; });
  expect("GreaterEqual", VecCompareI32::kGreaterEqual, [](int64_t x, int64_t y) { return x >= y; });
}

TEST(WideComparisonTest, Classifies) {
  const auto expect = [](const std::string& name, auto emit, bool (*function)(double)) {
    ExpectWideF64(
        WideFunction::Of(name, {true}, false, emit),
        [function](absl::Span<const uint64_t> in) { return function(AsF64(in[0])) ? 1 : 0; }, WideResult::kBits);
  };
  expect(
      "IsNaN", [](auto& v, const VecGroup& to, Inputs in) { EmitIsNaNF64(v, to, in[0]); },
      [](double x) { return std::isnan(x); });
  expect(
      "IsFinite", [](auto& v, const VecGroup& to, Inputs in) { EmitIsFiniteF64(v, to, in[0]); },
      [](double x) { return std::isfinite(x); });
  expect(
      "IsInf", [](auto& v, const VecGroup& to, Inputs in) { EmitIsInfF64(v, to, in[0], {}); },
      [](double x) { return std::isinf(x); });
  expect(
      "IsInf(-)",
      [](auto& v, const VecGroup& to, Inputs in) {
        EmitIsInfF64(v, to, in[0], {true, false});
      },
      [](double x) { return std::isinf(x) && x < 0; });
  expect(
      "IsInf()",
      [](auto& v, const VecGroup& to, Inputs in) {
        EmitIsInfF64(v, to, in[0], {false, false});
      },
      [](double) { return false; });
  expect(
      "IsNotZero", [](auto& v, const VecGroup& to, Inputs in) { EmitIsNotZeroF64(v, to, in[0]); },
      [](double x) { return x != 0; });
  ExpectWideI64(WideFunction::Of("IsNotZeroI64", {true}, false,
                                 [](auto& v, const VecGroup& to, Inputs in) { EmitIsNotZeroI64(v, to, in[0]); }),
                [](absl::Span<const uint64_t> in) { return in[0] != 0 ? 1 : 0; });
}

TEST(WideComparisonTest, SelectsByTruthValues) {
  std::vector<std::vector<uint64_t>> inputs(3);
  for (size_t i = 0; i < 1000; ++i) {
    inputs[0].push_back(i * i / 3 % 2);
    inputs[1].push_back(i * 0x123456789);
    inputs[2].push_back(~(i * 0x987654321));
  }
  ExpectWide(
      WideFunction::Of("Select", {false, true, true}, true,
                       [](auto& v, const VecGroup& to, Inputs in) { EmitSelectWide(v, to, in[0], in[1], in[2]); }),
      inputs, [](absl::Span<const uint64_t> in) { return in[0] != 0 ? in[1] : in[2]; });
}

}  // namespace
}  // namespace burin::jit
