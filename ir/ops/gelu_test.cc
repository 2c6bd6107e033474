#include "ir/ops/gelu.h"

#include <gtest/gtest.h>

#include "base/element_type.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"

namespace burin::ir {
namespace {

TEST(GeluTest, ComputesByErf) {
  ExpectEvaluates(GeluOp(), GeluAttributes(), {F64({5}, {-5, -1, 0, 0.5, 3})},
                  F64({5}, {-1.4332578593959731e-06, -0.15865525393145707, 0, 0.34573123063700656, 2.99595030590511}),
                  1e-12);
  ExpectEvaluates(GeluOp(), GeluAttributes(), {F32({1}, {1})}, F32({1}, {0.8413447460685429}));
}

TEST(GeluTest, ComputesByTanh) {
  GeluAttributes attributes;
  attributes.approximation_mode = GeluApproximation::kTanh;
  ExpectEvaluates(GeluOp(), attributes, {F64({5}, {-5, -1, 0, 0.5, 3})},
                  F64({5}, {-2.2917961972623857e-07, -0.15880800939172324, 0, 0.34571400982514394, 2.996362607918227}),
                  1e-9);
}

TEST(GeluTest, Gelu_c1_RejectsIntegers) {
  ExpectInferFails(GeluOp(), GeluAttributes(), {Known(ElementType::kI32, {2})}, "Gelu_c1");
}

}  // namespace
}  // namespace burin::ir
