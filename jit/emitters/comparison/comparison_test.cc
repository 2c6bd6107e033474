#include "jit/emitters/comparison/comparison.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

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

TEST(ComparisonTest, OrdersFloatsButNotNan) {
  ExpectBits(RowFunction::Of("Equal", 2, [](auto& v, Operands o) { EmitEqual(v, o[0], o[1]); }),
             {{Bits(1.0f), Bits(2.0f), 0},
              {Bits(kInfinity), Bits(-kInfinity), 0},
              {Bits(3.0f), Bits(3.0f), 1},
              {Bits(-0.0f), Bits(0.0f), 1},
              {Bits(kNan), Bits(kNan), 0},
              {Bits(kNan), Bits(1.0f), 0},
              {Bits(1.0f), Bits(kNan), 0}},
             LaneKind::kBool);
  ExpectBits(RowFunction::Of("NotEqual", 2, [](auto& v, Operands o) { EmitNotEqual(v, o[0], o[1]); }),
             {{Bits(1.0f), Bits(2.0f), 1},
              {Bits(kInfinity), Bits(-kInfinity), 1},
              {Bits(3.0f), Bits(3.0f), 0},
              {Bits(-0.0f), Bits(0.0f), 0},
              {Bits(kNan), Bits(kNan), 1},
              {Bits(kNan), Bits(1.0f), 1},
              {Bits(1.0f), Bits(kNan), 1}},
             LaneKind::kBool);
  ExpectBits(RowFunction::Of("Less", 2, [](auto& v, Operands o) { EmitLess(v, o[0], o[1]); }),
             {{Bits(1.0f), Bits(2.0f), 1},
              {Bits(kInfinity), Bits(-kInfinity), 0},
              {Bits(3.0f), Bits(3.0f), 0},
              {Bits(-0.0f), Bits(0.0f), 0},
              {Bits(kNan), Bits(kNan), 0},
              {Bits(kNan), Bits(1.0f), 0},
              {Bits(1.0f), Bits(kNan), 0}},
             LaneKind::kBool);
  ExpectBits(RowFunction::Of("LessEqual", 2, [](auto& v, Operands o) { EmitLessEqual(v, o[0], o[1]); }),
             {{Bits(1.0f), Bits(2.0f), 1},
              {Bits(kInfinity), Bits(-kInfinity), 0},
              {Bits(3.0f), Bits(3.0f), 1},
              {Bits(-0.0f), Bits(0.0f), 1},
              {Bits(kNan), Bits(kNan), 0},
              {Bits(kNan), Bits(1.0f), 0},
              {Bits(1.0f), Bits(kNan), 0}},
             LaneKind::kBool);
  ExpectBits(RowFunction::Of("Greater", 2, [](auto& v, Operands o) { EmitGreater(v, o[0], o[1]); }),
             {{Bits(1.0f), Bits(2.0f), 0},
              {Bits(kInfinity), Bits(-kInfinity), 1},
              {Bits(3.0f), Bits(3.0f), 0},
              {Bits(-0.0f), Bits(0.0f), 0},
              {Bits(kNan), Bits(kNan), 0},
              {Bits(kNan), Bits(1.0f), 0},
              {Bits(1.0f), Bits(kNan), 0}},
             LaneKind::kBool);
  ExpectBits(RowFunction::Of("GreaterEqual", 2, [](auto& v, Operands o) { EmitGreaterEqual(v, o[0], o[1]); }),
             {{Bits(1.0f), Bits(2.0f), 0},
              {Bits(kInfinity), Bits(-kInfinity), 1},
              {Bits(3.0f), Bits(3.0f), 1},
              {Bits(-0.0f), Bits(0.0f), 1},
              {Bits(kNan), Bits(kNan), 0},
              {Bits(kNan), Bits(1.0f), 0},
              {Bits(1.0f), Bits(kNan), 0}},
             LaneKind::kBool);
}

TEST(ComparisonTest, OrdersSignedIntegers) {
  ExpectBits(RowFunction::Of("EqualI32", 2, [](auto& v, Operands o) { EmitEqualI32(v, o[0], o[1]); }),
             {{~0U, 1, 0}, {0x7fffffff, 0x80000000, 0}, {5, 5, 1}, {0x80000000, 0x80000000, 1}}, LaneKind::kBool);
  ExpectBits(RowFunction::Of("NotEqualI32", 2, [](auto& v, Operands o) { EmitNotEqualI32(v, o[0], o[1]); }),
             {{~0U, 1, 1}, {0x7fffffff, 0x80000000, 1}, {5, 5, 0}, {0x80000000, 0x80000000, 0}}, LaneKind::kBool);
  ExpectBits(RowFunction::Of("LessI32", 2, [](auto& v, Operands o) { EmitLessI32(v, o[0], o[1]); }),
             {{~0U, 1, 1}, {0x7fffffff, 0x80000000, 0}, {5, 5, 0}, {0x80000000, 0x80000000, 0}}, LaneKind::kBool);
  ExpectBits(RowFunction::Of("LessEqualI32", 2, [](auto& v, Operands o) { EmitLessEqualI32(v, o[0], o[1]); }),
             {{~0U, 1, 1}, {0x7fffffff, 0x80000000, 0}, {5, 5, 1}, {0x80000000, 0x80000000, 1}}, LaneKind::kBool);
  ExpectBits(RowFunction::Of("GreaterI32", 2, [](auto& v, Operands o) { EmitGreaterI32(v, o[0], o[1]); }),
             {{~0U, 1, 0}, {0x7fffffff, 0x80000000, 1}, {5, 5, 0}, {0x80000000, 0x80000000, 0}}, LaneKind::kBool);
  ExpectBits(RowFunction::Of("GreaterEqualI32", 2, [](auto& v, Operands o) { EmitGreaterEqualI32(v, o[0], o[1]); }),
             {{~0U, 1, 0}, {0x7fffffff, 0x80000000, 1}, {5, 5, 1}, {0x80000000, 0x80000000, 1}}, LaneKind::kBool);
}

TEST(ComparisonTest, OrdersUnsignedIntegers) {
  ExpectBits(RowFunction::Of("LessU32", 2, [](auto& v, Operands o) { EmitLessU32(v, o[0], o[1]); }),
             {{1, ~0U, 1}, {0x80000000, 0x7fffffff, 0}, {5, 5, 0}, {0x80000000, 0x80000000, 0}}, LaneKind::kBool);
  ExpectBits(RowFunction::Of("LessEqualU32", 2, [](auto& v, Operands o) { EmitLessEqualU32(v, o[0], o[1]); }),
             {{1, ~0U, 1}, {0x80000000, 0x7fffffff, 0}, {5, 5, 1}, {0x80000000, 0x80000000, 1}}, LaneKind::kBool);
  ExpectBits(RowFunction::Of("GreaterU32", 2, [](auto& v, Operands o) { EmitGreaterU32(v, o[0], o[1]); }),
             {{1, ~0U, 0}, {0x80000000, 0x7fffffff, 1}, {5, 5, 0}, {0x80000000, 0x80000000, 0}}, LaneKind::kBool);
  ExpectBits(RowFunction::Of("GreaterEqualU32", 2, [](auto& v, Operands o) { EmitGreaterEqualU32(v, o[0], o[1]); }),
             {{1, ~0U, 0}, {0x80000000, 0x7fffffff, 1}, {5, 5, 1}, {0x80000000, 0x80000000, 1}}, LaneKind::kBool);
}

TEST(ComparisonTest, TakesConstants) {
  ExpectBits(RowFunction::Of("Below", 1, [](auto& v, Operands o) { EmitLess(v, o[0], v.Const(1.0f)); }),
             {{Bits(0.5f), 1}, {Bits(1.0f), 0}}, LaneKind::kBool);
  ExpectBits(RowFunction::Of("BelowI32", 1, [](auto& v, Operands o) { EmitLessI32(v, o[0], v.Const(int32_t{1})); }),
             {{0, 1}, {1, 0}, {~0U, 1}}, LaneKind::kBool);
}

}  // namespace
}  // namespace burin::jit
