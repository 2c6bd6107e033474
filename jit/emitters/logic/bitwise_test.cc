#include "jit/emitters/logic/bitwise.h"

#include <gtest/gtest.h>

#include "absl/types/span.h"
#include "jit/emitters/catalogue_entry.h"
#include "jit/emitters/row_kernel.h"
#include "jit/emitters/row_testlib.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

using Operands = absl::Span<const VecGroup>;

TEST(BitwiseTest, CombinesBits) {
  ExpectBits(RowFunction::Of("And", 2, [](auto& v, Operands o) { EmitBitwiseAnd(v, o[0], o[1]); }),
             {{0xf0f0f0f0, 0xff00ff00, 0xf000f000}}, LaneKind::kI32);
  ExpectBits(RowFunction::Of("Or", 2, [](auto& v, Operands o) { EmitBitwiseOr(v, o[0], o[1]); }),
             {{0xf0f0f0f0, 0xff00ff00, 0xfff0fff0}}, LaneKind::kI32);
  ExpectBits(RowFunction::Of("Xor", 2, [](auto& v, Operands o) { EmitBitwiseXor(v, o[0], o[1]); }),
             {{0xf0f0f0f0, 0xff00ff00, 0x0ff00ff0}}, LaneKind::kI32);
  ExpectBits(RowFunction::Of("Not", 1, [](auto& v, Operands o) { EmitBitwiseNot(v, o[0]); }),
             {{0xf0f0f0f0, 0x0f0f0f0f}, {0, ~0U}}, LaneKind::kI32);
}

TEST(BitwiseTest, ShiftsByAnyCount) {
  ExpectBits(RowFunction::Of("Left", 2, [](auto& v, Operands o) { EmitBitwiseLeftShift(v, o[0], o[1]); }),
             {{3, 1, 6}, {3, 31, 0x80000000}, {3, 32, 0}, {3, ~0U, 0}, {3, 0, 3}, {~0U, 64, 0}}, LaneKind::kI32);
  ExpectBits(
      RowFunction::Of("Right", 2, [](auto& v, Operands o) { EmitBitwiseRightShift(v, o[0], o[1]); }),
      {{6, 1, 3}, {0x80000000, 31, ~0U}, {0x80000000, 32, ~0U}, {0x7fffffff, ~0U, 0}, {~0U, ~0U, ~0U}, {~5U, 0, ~5U}},
      LaneKind::kI32);
  ExpectBits(RowFunction::Of("RightU32", 2, [](auto& v, Operands o) { EmitBitwiseRightShiftU32(v, o[0], o[1]); }),
             {{6, 1, 3}, {0x80000000, 31, 1}, {0x80000000, 32, 0}, {~0U, ~0U, 0}}, LaneKind::kI32);
}

}  // namespace
}  // namespace burin::jit
