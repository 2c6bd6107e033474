#include "jit/emitters/logic/boolean.h"

#include <gtest/gtest.h>

#include "absl/types/span.h"
#include "jit/emitters/catalogue_entry.h"
#include "jit/emitters/row_kernel.h"
#include "jit/emitters/row_testlib.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

using Operands = absl::Span<const VecGroup>;

TEST(BooleanTest, TurnsMasksIntoTruthValues) {
  ExpectBits(RowFunction::Of("IsZero", 1,
                             [](auto& v, Operands o) {
                               auto mask = v.NewMask("mask", o[0].size());
                               MaskOfZeros(v, mask, o[0]);
                               BooleansOfMask(v, o[0], mask);
                             }),
             {{0, 1}, {1, 0}, {0x80000000, 0}, {~0U, 0}}, LaneKind::kBool);
}

}  // namespace
}  // namespace burin::jit
