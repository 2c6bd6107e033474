#include "jit/emitters/comparison/classification.h"

#include <gtest/gtest.h>

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
constexpr float kMax = std::numeric_limits<float>::max();

TEST(ClassificationTest, FindsNanAndInfinity) {
  ExpectBits(RowFunction::Of("IsNaN", 1, [](auto& v, Operands o) { EmitIsNaN(v, o[0]); }),
             {{Bits(1.0f), 0},
              {Bits(-0.0f), 0},
              {Bits(kInfinity), 0},
              {Bits(-kInfinity), 0},
              {Bits(kNan), 1},
              {Bits(-kNan), 1},
              {Bits(kMax), 0},
              {0x7f800001, 1},
              {0xffffffff, 1}},
             LaneKind::kBool);
  ExpectBits(RowFunction::Of("IsFinite", 1, [](auto& v, Operands o) { EmitIsFinite(v, o[0]); }),
             {{Bits(1.0f), 1},
              {Bits(-0.0f), 1},
              {Bits(kInfinity), 0},
              {Bits(-kInfinity), 0},
              {Bits(kNan), 0},
              {Bits(-kNan), 0},
              {Bits(kMax), 1},
              {0x7f800001, 0}},
             LaneKind::kBool);
  ExpectBits(RowFunction::Of("IsInf", 1, [](auto& v, Operands o) { EmitIsInf(v, o[0], InfinitySigns{}); }),
             {{Bits(1.0f), 0},
              {Bits(-0.0f), 0},
              {Bits(kInfinity), 1},
              {Bits(-kInfinity), 1},
              {Bits(kNan), 0},
              {Bits(-kNan), 0},
              {Bits(kMax), 0},
              {0x7f800001, 0}},
             LaneKind::kBool);
}

TEST(ClassificationTest, TellsInfinitiesApart) {
  ExpectBits(RowFunction::Of("Negative", 1,
                             [](auto& v, Operands o) {
                               EmitIsInf(v, o[0], InfinitySigns{true, false});
                             }),
             {{Bits(1.0f), 0},
              {Bits(-0.0f), 0},
              {Bits(kInfinity), 0},
              {Bits(-kInfinity), 1},
              {Bits(kNan), 0},
              {Bits(-kNan), 0},
              {Bits(kMax), 0}},
             LaneKind::kBool);
  ExpectBits(RowFunction::Of("Positive", 1,
                             [](auto& v, Operands o) {
                               EmitIsInf(v, o[0], InfinitySigns{false, true});
                             }),
             {{Bits(1.0f), 0},
              {Bits(-0.0f), 0},
              {Bits(kInfinity), 1},
              {Bits(-kInfinity), 0},
              {Bits(kNan), 0},
              {Bits(-kNan), 0},
              {Bits(kMax), 0}},
             LaneKind::kBool);
  ExpectBits(RowFunction::Of("None", 1,
                             [](auto& v, Operands o) {
                               EmitIsInf(v, o[0], InfinitySigns{false, false});
                             }),
             {{Bits(1.0f), 0},
              {Bits(-0.0f), 0},
              {Bits(kInfinity), 0},
              {Bits(-kInfinity), 0},
              {Bits(kNan), 0},
              {Bits(-kNan), 0},
              {Bits(kMax), 0}},
             LaneKind::kBool);
}

}  // namespace
}  // namespace burin::jit
