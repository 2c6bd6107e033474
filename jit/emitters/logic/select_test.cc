#include "jit/emitters/logic/select.h"

#include <gtest/gtest.h>

#include "absl/types/span.h"
#include "jit/emitters/catalogue_entry.h"
#include "jit/emitters/row_kernel.h"
#include "jit/emitters/row_testlib.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

using Operands = absl::Span<const VecGroup>;

TEST(SelectTest, CopiesBits) {
  // A signalling NaN stays one.
  ExpectBits(RowFunction::Of("Select", 3, [](auto& v, Operands o) { EmitSelect(v, o[0], o[1], o[2]); }),
             {{1, 5, 6, 5}, {0, 5, 6, 6}, {1, 0x7f800001, 0, 0x7f800001}, {0, 0, 0xff800001, 0xff800001}},
             LaneKind::kI32);
}

TEST(SelectTest, TakesAnyIntegerButZeroForTrue) {
  ExpectBits(RowFunction::Of("Select", 3, [](auto& v, Operands o) { EmitSelect(v, o[0], o[1], o[2]); }),
             {{0x80000000, 5, 6, 5}, {2, 5, 6, 5}, {~0U, 5, 6, 5}}, LaneKind::kI32);
}

}  // namespace
}  // namespace burin::jit
