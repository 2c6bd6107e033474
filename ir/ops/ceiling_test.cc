#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(CeilingTest, RoundsFloats) {
  ExpectEvaluates(CeilingOp(), NoAttributes(), {F32({6}, {-1.5, -0.5, 0, 0.5, 2, 1e+20})},
                  F32({6}, {-1, -0.0, 0, 1, 2, 1e+20}));
  ExpectEvaluates(CeilingOp(), NoAttributes(), {F64({3}, {kInf, -kInf, kNan})}, F64({3}, {kInf, -kInf, kNan}));
}

TEST(CeilingTest, LeavesIntegersAsTheyAre) {
  const int64_t large = std::numeric_limits<int64_t>::max();  // Not a double.
  ExpectEvaluates(CeilingOp(), NoAttributes(), {I64({2}, {-5, large})}, I64({2}, {-5, large}));
  const PartialValue content = {Dimension(2, 8, "n"), 3};
  ASSERT_OK_AND_ASSIGN(const ValueInfo out, InferOne(CeilingOp(), NoAttributes(), {Partial(content)}));
  EXPECT_EQ(out.content, content);
}

TEST(CeilingTest, Ceiling_c1_RejectsBoolean) {
  ExpectInferFails(CeilingOp(), NoAttributes(), {Known(ElementType::kBoolean, {2})}, "Ceiling_c1");
}

}  // namespace
}  // namespace burin::ir
