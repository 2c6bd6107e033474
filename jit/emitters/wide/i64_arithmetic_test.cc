#include "jit/emitters/wide/i64_arithmetic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/types/span.h"
#include "jit/emitters/vec_group.h"
#include "jit/emitters/wide/wide_function.h"
#include "jit/emitters/wide/wide_testlib.h"

namespace burin::jit {
namespace {

using Inputs = absl::Span<const VecGroup>;

// The functions take and give unsigned integers, which wrap around.
template <class Emit>
void ExpectUnary(const std::string& name, Emit emit, uint64_t (*function)(uint64_t)) {
  ExpectWideI64(WideFunction::Of(name, {true}, true, std::move(emit)),
                [function](absl::Span<const uint64_t> in) { return function(in[0]); });
}

template <class Emit>
void ExpectBinary(const std::string& name, Emit emit, uint64_t (*function)(uint64_t, uint64_t)) {
  ExpectWideI64(WideFunction::Of(name, {true, true}, true, std::move(emit)),
                [function](absl::Span<const uint64_t> in) { return function(in[0], in[1]); });
}

TEST(I64ArithmeticTest, WrapsAround) {
  ExpectBinary(
      "Add", [](auto& v, const VecGroup& to, Inputs in) { EmitAddI64(v, to, in[0], in[1]); },
      [](uint64_t x, uint64_t y) { return x + y; });
  ExpectBinary(
      "Subtract", [](auto& v, const VecGroup& to, Inputs in) { EmitSubtractI64(v, to, in[0], in[1]); },
      [](uint64_t x, uint64_t y) { return x - y; });
  ExpectBinary(
      "Multiply", [](auto& v, const VecGroup& to, Inputs in) { EmitMultiplyI64(v, to, in[0], in[1]); },
      [](uint64_t x, uint64_t y) { return x * y; });
  ExpectBinary(
      "SquaredDifference",
      [](auto& v, const VecGroup& to, Inputs in) { EmitSquaredDifferenceI64(v, to, in[0], in[1]); },
      [](uint64_t x, uint64_t y) { return (x - y) * (x - y); });
}

TEST(I64ArithmeticTest, ExtremesAreSigned) {
  ExpectBinary(
      "Minimum", [](auto& v, const VecGroup& to, Inputs in) { EmitMinimumI64(v, to, in[0], in[1]); },
      [](uint64_t x, uint64_t y) { return AsI64(x) < AsI64(y) ? x : y; });
  ExpectBinary(
      "Maximum", [](auto& v, const VecGroup& to, Inputs in) { EmitMaximumI64(v, to, in[0], in[1]); },
      [](uint64_t x, uint64_t y) { return AsI64(x) > AsI64(y) ? x : y; });
  ExpectUnary(
      "Clamp", [](auto& v, const VecGroup& to, Inputs in) { EmitClampI64(v, to, in[0], -5, int64_t{1} << 40); },
      [](uint64_t x) { return static_cast<uint64_t>(std::clamp(AsI64(x), int64_t{-5}, int64_t{1} << 40)); });
}

TEST(I64ArithmeticTest, ChangesSigns) {
  ExpectUnary(
      "Negative", [](auto& v, const VecGroup& to, Inputs in) { EmitNegativeI64(v, to, in[0]); },
      [](uint64_t x) { return 0 - x; });
  ExpectUnary(
      "Abs", [](auto& v, const VecGroup& to, Inputs in) { EmitAbsI64(v, to, in[0]); },
      [](uint64_t x) { return AsI64(x) < 0 ? 0 - x : x; });
  ExpectUnary(
      "Sign", [](auto& v, const VecGroup& to, Inputs in) { EmitSignI64(v, to, in[0]); },
      [](uint64_t x) { return AsI64(x) > 0 ? uint64_t{1}
                              : x == 0     ? 0
                                           : ~uint64_t{0}; });
}

TEST(I64ArithmeticTest, CombinesBits) {
  ExpectUnary(
      "BitwiseNot", [](auto& v, const VecGroup& to, Inputs in) { EmitBitwiseNotI64(v, to, in[0]); },
      [](uint64_t x) { return ~x; });
  ExpectBinary(
      "BitwiseAnd", [](auto& v, const VecGroup& to, Inputs in) { EmitBitwiseAndI64(v, to, in[0], in[1]); },
      [](uint64_t x, uint64_t y) { return x & y; });
  ExpectBinary(
      "BitwiseOr", [](auto& v, const VecGroup& to, Inputs in) { EmitBitwiseOrI64(v, to, in[0], in[1]); },
      [](uint64_t x, uint64_t y) { return x | y; });
  ExpectBinary(
      "BitwiseXor", [](auto& v, const VecGroup& to, Inputs in) { EmitBitwiseXorI64(v, to, in[0], in[1]); },
      [](uint64_t x, uint64_t y) { return x ^ y; });
}

}  // namespace
}  // namespace burin::jit
