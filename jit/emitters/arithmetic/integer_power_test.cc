#include "jit/emitters/arithmetic/integer_power.h"

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
constexpr int32_t kMin = std::numeric_limits<int32_t>::min();
constexpr int32_t kMaxI32 = std::numeric_limits<int32_t>::max();

// Returns the bits of an integer.
uint32_t I(int32_t value) { return absl::bit_cast<uint32_t>(value); }

TEST(IntegerPowerTest, TakesEveryExponent) {
  ExpectBits(RowFunction::Of("PowerI32", 2, [](auto& v, Operands o) { EmitPowerI32(v, o[0], o[1]); }),
             {{I(2), I(10), I(1024)},
              {I(-3), I(3), I(-27)},
              {I(0), I(0), I(1)},
              {I(5), I(0), I(1)},
              {I(0), I(5), I(0)},
              {I(2), I(31), I(kMin)},
              {I(2), I(32), I(0)},
              {I(3), I(kMaxI32), I(-1431655765)},
              {I(1), I(-5), I(1)},
              {I(-1), I(-5), I(-1)},
              {I(-1), I(-4), I(1)},
              {I(2), I(-1), I(0)},
              {I(0), I(-1), I(0)},
              {I(0), I(-2), I(0)},
              {I(1), I(kMin), I(1)},
              {I(-1), I(kMin), I(1)},
              {I(7), I(kMin), I(0)}},
             LaneKind::kI32);
  ExpectBits(RowFunction::Of("PowerU32", 2, [](auto& v, Operands o) { EmitPowerU32(v, o[0], o[1]); }),
             {{I(2), I(10), I(1024)}, {I(-1), I(2), I(1)}, {I(-1), I(-1), I(-1)}, {I(3), I(kMin), I(1)}},
             LaneKind::kI32);
}

}  // namespace
}  // namespace burin::jit
