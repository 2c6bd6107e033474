#include "jit/emitters/wide/i64_division.h"

#include <gtest/gtest.h>

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

// Is both results; wide enough that nothing overflows.
struct Division {
  __int128 quotient = 0;
  __int128 remainder = 0;
};

Division Truncated(int64_t x, int64_t y) {
  if (y == 0) return {};
  return {static_cast<__int128>(x) / y, static_cast<__int128>(x) % y};
}

Division Floored(int64_t x, int64_t y) {
  Division division = Truncated(x, y);
  if (division.remainder != 0 && (x < 0) != (y < 0)) {
    --division.quotient;
    division.remainder += y;
  }
  return division;
}

template <class Emit>
void Expect(const std::string& name, Emit emit, __int128 (*function)(int64_t, int64_t)) {
  ExpectWideI64(WideFunction::Of(name, {true, true}, true, std::move(emit)), [function](absl::Span<const uint64_t> in) {
    return static_cast<uint64_t>(function(AsI64(in[0]), AsI64(in[1])));
  });
}

TEST(I64DivisionTest, Quotients) {
  Expect(
      "Divide", [](auto& v, const VecGroup& to, Inputs in) { EmitDivideI64(v, to, in[0], in[1]); },
      [](int64_t x, int64_t y) { return Truncated(x, y).quotient; });
  Expect(
      "FloorDivide", [](auto& v, const VecGroup& to, Inputs in) { EmitFloorDivideI64(v, to, in[0], in[1]); },
      [](int64_t x, int64_t y) { return Floored(x, y).quotient; });
}

TEST(I64DivisionTest, Remainders) {
  Expect(
      "Mod", [](auto& v, const VecGroup& to, Inputs in) { EmitModI64(v, to, in[0], in[1]); },
      [](int64_t x, int64_t y) { return Truncated(x, y).remainder; });
  Expect(
      "FloorMod", [](auto& v, const VecGroup& to, Inputs in) { EmitFloorModI64(v, to, in[0], in[1]); },
      [](int64_t x, int64_t y) { return Floored(x, y).remainder; });
}

}  // namespace
}  // namespace burin::jit
