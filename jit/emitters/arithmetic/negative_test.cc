#include "jit/emitters/arithmetic/negative.h"

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
constexpr int32_t kMin = std::numeric_limits<int32_t>::min();

// Returns the bits of an integer.
uint32_t I(int32_t value) { return absl::bit_cast<uint32_t>(value); }

TEST(NegativeTest, TakesLimitsAndKeepsNan) {
  ExpectValues(RowFunction::Of("Negative", 1, [](auto& v, Operands o) { EmitNegative(v, o[0]); }),
               {{1.5f, -1.5f}, {0.0f, -0.0f}, {-kInfinity, kInfinity}, {kNan, kNan}});
}

TEST(NegativeTest, WrapsIntegers) {
  ExpectBits(RowFunction::Of("NegativeI32", 1, [](auto& v, Operands o) { EmitNegativeI32(v, o[0]); }),
             {{I(-7), I(7)}, {I(0), I(0)}, {I(kMin), I(kMin)}, {I(5), I(-5)}}, LaneKind::kI32);
}

}  // namespace
}  // namespace burin::jit
