#include "jit/emitters/logic/logical.h"

#include <gtest/gtest.h>

#include "absl/types/span.h"
#include "jit/emitters/catalogue_entry.h"
#include "jit/emitters/row_kernel.h"
#include "jit/emitters/row_testlib.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

using Operands = absl::Span<const VecGroup>;

TEST(LogicalTest, HasTheTruthTables) {
  ExpectBits(RowFunction::Of("And", 2, [](auto& v, Operands o) { EmitLogicalAnd(v, o[0], o[1]); }),
             {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 1}}, LaneKind::kBool);
  ExpectBits(RowFunction::Of("Or", 2, [](auto& v, Operands o) { EmitLogicalOr(v, o[0], o[1]); }),
             {{0, 0, 0}, {0, 1, 1}, {1, 0, 1}, {1, 1, 1}}, LaneKind::kBool);
  ExpectBits(RowFunction::Of("Xor", 2, [](auto& v, Operands o) { EmitLogicalXor(v, o[0], o[1]); }),
             {{0, 0, 0}, {0, 1, 1}, {1, 0, 1}, {1, 1, 0}}, LaneKind::kBool);
  ExpectBits(RowFunction::Of("Not", 1, [](auto& v, Operands o) { EmitLogicalNot(v, o[0]); }), {{0, 1}, {1, 0}},
             LaneKind::kBool);
}

}  // namespace
}  // namespace burin::jit
