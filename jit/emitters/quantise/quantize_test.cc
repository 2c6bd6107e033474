#include "jit/emitters/quantise/quantize.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

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

// Returns the bits of an integer.
uint32_t I(int32_t value) { return absl::bit_cast<uint32_t>(value); }

TEST(QuantizeTest, RoundsToEvenAndSaturates) {
  const RowFunction function = RowFunction::Of("Quantize", 3, [](auto& v, Operands o) {
    EmitQuantize(v, o[0], o[1], o[2], QuantizedRange{-128, 127});
  });
  ExpectBits(function,
             {
                 {Bits(1.25f), Bits(0.5f), I(0), I(2)},
                 {Bits(1.75f), Bits(0.5f), I(0), I(4)},
                 {Bits(-1.25f), Bits(0.5f), I(10), I(8)},
                 {Bits(100.0f), Bits(0.5f), I(0), I(127)},
                 {Bits(-100.0f), Bits(0.5f), I(-5), I(-128)},
                 {Bits(63.0f), Bits(0.5f), I(1), I(127)},
                 {Bits(1e30f), Bits(1.0f), I(-128), I(127)},
                 {Bits(-kInfinity), Bits(1.0f), I(127), I(-128)},
                 {Bits(kNan), Bits(1.0f), I(3), I(-128)},
                 {Bits(1.0f), Bits(0.0f), I(3), I(127)},
             },
             LaneKind::kI32);
}

TEST(QuantizeTest, TakesConstants) {
  const RowFunction function = RowFunction::Of("QuantizeHalves", 1, [](auto& v, Operands o) {
    EmitQuantize(v, o[0], v.Const(0.5f), v.Const(int32_t{0}), QuantizedRange{0, 255});
  });
  ExpectBits(function, {{Bits(3.0f), I(6)}, {Bits(-3.0f), I(0)}, {Bits(200.0f), I(255)}}, LaneKind::kI32);
  const RowFunction back = RowFunction::Of(
      "DequantizeHalves", 1, [](auto& v, Operands o) { EmitDequantize(v, o[0], v.Const(0.5f), v.Const(int32_t{0})); });
  ExpectBits(back, {{I(6), Bits(3.0f)}, {I(-3), Bits(-1.5f)}});
}

TEST(QuantizeTest, DequantizesDifferences) {
  const RowFunction function =
      RowFunction::Of("Dequantize", 3, [](auto& v, Operands o) { EmitDequantize(v, o[0], o[1], o[2]); });
  ExpectBits(function, {
                           {I(-128), Bits(0.5f), I(127), Bits(-127.5f)},
                           {I(255), Bits(2.0f), I(0), Bits(510.0f)},
                           {I(7), Bits(kNan), I(0), Bits(kNan)},
                           {I(7), Bits(3.0f), I(7), Bits(0.0f)},
                       });
}

}  // namespace
}  // namespace burin::jit
