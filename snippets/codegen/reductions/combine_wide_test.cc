#include "snippets/codegen/reductions/combine_wide.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/types/span.h"
#include "jit/emitters/vec_group.h"
#include "jit/emitters/wide/wide_function.h"
#include "jit/emitters/wide/wide_testlib.h"
#include "snippets/linear/linear_ir.h"

namespace burin::snippets {
namespace {

using Inputs = absl::Span<const jit::VecGroup>;

constexpr Reduction kReductions[] = {Reduction::kSum, Reduction::kProduct, Reduction::kMaximum, Reduction::kMinimum};

jit::WideFunction Combine(Reduction reduction, bool is_float) {
  return jit::WideFunction::Of("combine", {true, true}, true,
                               [reduction, is_float](auto& v, const jit::VecGroup& to, Inputs in) {
                                 v.Copy(to, in[0]);
                                 EmitCombineWide(v, reduction, is_float, to, in[1]);
                               });
}

double OfDoubles(Reduction reduction, double acc, double x) {
  switch (reduction) {
    case Reduction::kSum:
      return acc + x;
    case Reduction::kProduct:
      return acc * x;
    case Reduction::kMaximum:
      return std::isnan(x) || x > acc ? x : acc;
    case Reduction::kMinimum:
      return std::isnan(x) || x < acc ? x : acc;
  }
  return 0;
}

uint64_t OfIntegers(Reduction reduction, uint64_t acc, uint64_t x) {
  switch (reduction) {
    case Reduction::kSum:
      return acc + x;
    case Reduction::kProduct:
      return acc * x;
    case Reduction::kMaximum:
      return static_cast<uint64_t>(std::max(jit::AsI64(acc), jit::AsI64(x)));
    case Reduction::kMinimum:
      return static_cast<uint64_t>(std::min(jit::AsI64(acc), jit::AsI64(x)));
  }
  return 0;
}

TEST(CombineWideTest, Doubles) {
  for (const Reduction reduction : kReductions) {
    jit::ExpectWideF64(Combine(reduction, true), [reduction](absl::Span<const uint64_t> in) {
      return jit::Bits64(OfDoubles(reduction, jit::AsF64(in[0]), jit::AsF64(in[1])));
    });
  }
}

TEST(CombineWideTest, Integers) {
  for (const Reduction reduction : kReductions) {
    jit::ExpectWideI64(Combine(reduction, false),
                       [reduction](absl::Span<const uint64_t> in) { return OfIntegers(reduction, in[0], in[1]); });
  }
}

TEST(CombineWideTest, AddsProductsWithOneRounding) {
  for (const bool fresh : {false, true}) {
    const auto emit = [fresh](auto& v, const jit::VecGroup& to, Inputs in) {
      v.Copy(to, in[0]);
      EmitAddProductWide(v, fresh, to, in[0], in[1]);
    };
    jit::ExpectWideF64(jit::WideFunction::Of("add_product", {true, true}, true, emit),
                       [fresh](absl::Span<const uint64_t> in) {
                         const double x = jit::AsF64(in[0]);
                         const double y = jit::AsF64(in[1]);
                         return jit::Bits64(fresh ? x * y : std::fma(x, y, x));
                       });
  }
}

// Returns elements that repeat after 8, so that each vector of any width has them as often.
std::vector<uint64_t> Periodic(const std::vector<uint64_t>& period) {
  std::vector<uint64_t> row;
  for (size_t i = 0; i < 24 * period.size(); ++i) row.push_back(period[i % period.size()]);
  return row;
}

// Expects all elements of each vector to be reduced to `expected`.
void ExpectLanes(Reduction reduction, bool is_float, const std::vector<uint64_t>& period, uint64_t expected) {
  ASSERT_EQ(period.size(), 8u);
  const auto emit = [reduction, is_float](auto& v, const jit::VecGroup& to, Inputs in) {
    v.Copy(to, in[0]);
    for (int i = 0; i < to.size(); i += jit::kWideRegs) {
      jit::VecGroup vector = to[i];
      vector.Append(to[i + 1]);
      EmitCombineLanesWide(v, reduction, is_float, vector);
      v.Copy(jit::VecGroup(to[i + 1]), jit::VecGroup(to[i]));
    }
  };
  jit::ExpectWide(
      jit::WideFunction::Of("lanes", {true}, true, emit), {Periodic(period)},
      [expected](absl::Span<const uint64_t>) { return expected; }, jit::WideResult::kF64);
}

TEST(CombineWideTest, LanesOfIntegers) {
  const std::vector<uint64_t> values = {5, ~uint64_t{0}, 7, uint64_t{1} << 62, 3, ~uint64_t{8}, 0, 1};
  ExpectLanes(Reduction::kMaximum, false, values, uint64_t{1} << 62);
  ExpectLanes(Reduction::kMinimum, false, values, ~uint64_t{8});
  // Neutral in any number: what cancels, and inverse numbers modulo 2^64.
  const uint64_t minus = ~uint64_t{0};
  ExpectLanes(Reduction::kSum, false, {5, 5 * minus, 1, minus, 7, 7 * minus, 9, 9 * minus}, 0);
  ExpectLanes(Reduction::kProduct, false, {3, 0xAAAAAAAAAAAAAAAB, 5, 0xCCCCCCCCCCCCCCCD, 1, 1, minus, minus}, 1);
}

TEST(CombineWideTest, LanesOfDoubles) {
  std::vector<uint64_t> values;
  for (const double x : {1.0, -1.0, 2.5, -2.5, 8.0, -8.0, 0.25, -0.25}) values.push_back(jit::Bits64(x));
  ExpectLanes(Reduction::kSum, true, values, jit::Bits64(0.0));
  ExpectLanes(Reduction::kMaximum, true, values, jit::Bits64(8.0));
  ExpectLanes(Reduction::kMinimum, true, values, jit::Bits64(-8.0));
  std::vector<uint64_t> inverse;
  for (const double x : {2.0, 0.5, 8.0, 0.125, -4.0, -0.25, 1.0, 1.0}) inverse.push_back(jit::Bits64(x));
  ExpectLanes(Reduction::kProduct, true, inverse, jit::Bits64(1.0));
  for (size_t i = 0; i < values.size(); ++i) {
    std::vector<uint64_t> with_nan = values;
    with_nan[i] = jit::Bits64(std::numeric_limits<double>::quiet_NaN());
    for (const Reduction reduction : kReductions) ExpectLanes(reduction, true, with_nan, with_nan[i]);
  }
}

}  // namespace
}  // namespace burin::snippets
