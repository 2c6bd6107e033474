#include <gtest/gtest.h>

#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"

namespace burin::ir {
namespace {

TEST(LogicalNotTest, Negates) {
  ExpectEvaluates(LogicalNotOp(), NoAttributes(), {Bool({2, 2}, {1, 0, 0, 1})}, Bool({2, 2}, {0, 1, 1, 0}));
}

TEST(LogicalNotTest, LogicalNot_c1_RejectsIntegers) {
  ExpectInferFails(LogicalNotOp(), NoAttributes(), {Known(ElementType::kI32, {2})}, "LogicalNot_c1");
}

TEST(LogicalNotTest, LogicalNot_c1_RejectsFloats) {
  ExpectInferFails(LogicalNotOp(), NoAttributes(), {Known(ElementType::kF32, {2})}, "LogicalNot_c1");
}

}  // namespace
}  // namespace burin::ir
