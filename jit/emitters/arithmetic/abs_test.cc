#include "jit/emitters/arithmetic/abs.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "absl/base/casts.h"
#include "absl/types/span.h"
#include "jit/emitters/catalogue_entry.h"
#include "jit/emitters/row_kernel.h"
#include "jit/emitters/row_testlib.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

using Operands = absl::Span<const VecGroup>;
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kDenormal = std::numeric_limits<float>::denorm_min();
constexpr int32_t kMin = std::numeric_limits<int32_t>::min();

// Returns the bits of an integer.
uint32_t I(int32_t value) { return absl::bit_cast<uint32_t>(value); }

TEST(AbsTest, TakesLimitsAndKeepsNan) {
  ExpectValues(RowFunction::Of("Abs", 1, [](auto& v, Operands o) { EmitAbs(v, o[0]); }),
               {{-1.5f, 1.5f}, {-0.0f, 0.0f}, {-kInfinity, kInfinity}, {kNan, kNan}, {-kDenormal, kDenormal}});
}

TEST(AbsTest, WrapsIntegers) {
  ExpectBits(RowFunction::Of("AbsI32", 1, [](auto& v, Operands o) { EmitAbsI32(v, o[0]); }),
             {{I(-7), I(7)}, {I(0), I(0)}, {I(kMin), I(kMin)}, {I(kMin + 1), I(-(kMin + 1))}}, LaneKind::kI32);
}

}  // namespace
}  // namespace burin::jit
