#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ir::F32;
using ir::I32;

TEST(CumulativeTest, Sums) {
  ExpectComputes(SingleNode("CumSum").Inputs({F32({3}, {1, 2, 3}), I32({}, {0})}).With([](::onnx::NodeProto& node) {
    SetInt(node, "exclusive", 1);
    SetInt(node, "reverse", 1);
  }),
                 {F32({3}, {5, 3, 0})});
}

TEST(CumulativeTest, ProductsBothWaysWithAndWithoutTheElementItself) {
  const ir::Tensor x = F32({2, 3}, {1, 2, 3, 4, 5, 6});
  const auto compute = [&](int64_t axis, bool exclusive, bool reverse, const ir::Tensor& y) {
    SCOPED_TRACE(axis);
    // The axis is a constant, and an input of the model.
    for (const size_t variable : {1, 2}) {
      ExpectComputes(
          SingleNode("CumProd", 26).Inputs({x, I32({}, {axis})}).Variable(variable).With([=](::onnx::NodeProto& node) {
            SetInt(node, "exclusive", exclusive ? 1 : 0);
            SetInt(node, "reverse", reverse ? 1 : 0);
          }),
          {y});
    }
  };
  compute(1, false, false, F32({2, 3}, {1, 2, 6, 4, 20, 120}));
  compute(-1, true, false, F32({2, 3}, {1, 1, 2, 1, 4, 20}));
  compute(1, false, true, F32({2, 3}, {6, 6, 3, 120, 30, 6}));
  compute(1, true, true, F32({2, 3}, {6, 3, 1, 30, 6, 1}));
  compute(0, false, false, F32({2, 3}, {1, 2, 3, 4, 10, 18}));
}

TEST(CumulativeTest, ProductsOfIntegersAreExact) {
  ExpectComputes(SingleNode("CumProd", 26).Inputs({I32({3}, {-3, 5, 7}), I32({}, {0})}).Outputs({kInt32}),
                 {I32({3}, {-3, -15, -105})});
}

}  // namespace
}  // namespace burin::onnx
