#include "ir/ops/round.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "base/element_type.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(RoundTest, RoundsHalvesToEven) {
  ExpectEvaluates(RoundOp(), RoundAttributes(), {F32({8}, {-4.5, -1.9, -1.5, 0.5, 0.9, 1.5, 2.3, 2.5})},
                  F32({8}, {-4, -2, -2, 0, 1, 2, 2, 2}));
  ExpectEvaluates(RoundOp(), RoundAttributes(), {F64({6}, {-0.5, 0.49999999999999994, 1e300, kInf, -kInf, kNan})},
                  F64({6}, {-0.0, 0, 1e300, kInf, -kInf, kNan}));
}

TEST(RoundTest, RoundsHalvesAwayFromZero) {
  RoundAttributes attributes;
  attributes.mode = RoundMode::kHalfAwayFromZero;
  ExpectEvaluates(RoundOp(), attributes, {F32({8}, {-4.5, -1.9, -1.5, 0.5, 0.9, 1.5, 2.3, 2.5})},
                  F32({8}, {-5, -2, -2, 1, 1, 2, 2, 3}));
  ExpectEvaluates(RoundOp(), attributes, {F16({2}, {0.5, -0.5})}, F16({2}, {1, -1}));
}

TEST(RoundTest, LeavesIntegersAsTheyAre) {
  const int64_t large = std::numeric_limits<int64_t>::max();  // Not a double.
  ExpectEvaluates(RoundOp(), RoundAttributes(), {I64({2}, {-5, large})}, I64({2}, {-5, large}));
  const PartialValue content = {Dimension(2, 8, "n"), 3};
  ASSERT_OK_AND_ASSIGN(const ValueInfo out, InferOne(RoundOp(), RoundAttributes(), {Partial(content)}));
  EXPECT_EQ(out.content, content);
}

TEST(RoundTest, Round_c1_RejectsBoolean) {
  ExpectInferFails(RoundOp(), RoundAttributes(), {Known(ElementType::kBoolean, {2})}, "Round_c1");
}

}  // namespace
}  // namespace burin::ir
