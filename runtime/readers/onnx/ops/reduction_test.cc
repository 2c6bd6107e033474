#include <cstdint>

#include <cmath>
#include <limits>

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ir::F32;
using ir::I64;

const ir::Tensor& X() {
  static const ir::Tensor* const x = new ir::Tensor(F32({2, 2}, {1, -2, 3, 4}));
  return *x;
}

TEST(ReductionTest, AxesInEachForm) {
  const auto first = [](::onnx::NodeProto& node) {
    SetInts(node, "axes", {0});
    SetInt(node, "keepdims", 0);
  };
  ExpectComputes(SingleNode("ReduceSum", 11).Inputs({X()}).With(first), {F32({2}, {4, 2})});
  ExpectComputes(SingleNode("ReduceSum", 13).Inputs({X(), I64({1}, {-1})}), {F32({2, 1}, {-1, 7})});
  ExpectComputes(SingleNode("ReduceMean", 13).Inputs({X()}).With(first), {F32({2}, {2, 1})});
  ExpectComputes(SingleNode("ReduceMean", 18).Inputs({X(), I64({1}, {0})}), {F32({1, 2}, {2, 1})});
  ExpectComputes(SingleNode("ReduceMax", 18).Inputs({X()}), {F32({1, 1}, {4})});
}

TEST(ReductionTest, EmptyAxesMayMeanNothing) {
  const auto noop = [](::onnx::NodeProto& node) { SetInt(node, "noop_with_empty_axes", 1); };
  ExpectComputes(SingleNode("ReduceSum", 13).Inputs({X()}).With(noop), {X()});
  ExpectComputes(SingleNode("ReduceSum", 13).Inputs({X(), I64({0}, {})}).With(noop), {X()});
  ExpectComputes(SingleNode("ReduceSum", 13).Inputs({X(), I64({0}, {})}), {F32({1, 1}, {6})});
  // What is done to each element is done all the same.
  ExpectComputes(SingleNode("ReduceL2", 18).Inputs({X()}).With(noop), {F32({2, 2}, {1, 2, 3, 4})});
  ExpectComputes(SingleNode("ReduceSumSquare", 18).Inputs({X()}).With(noop), {F32({2, 2}, {1, 4, 9, 16})});
}

TEST(ReductionTest, Composed) {
  ExpectComputes(SingleNode("ReduceL1").Inputs({X()}), {F32({1, 1}, {10})});
  ExpectComputes(SingleNode("ReduceL2").Inputs({X()}), {F32({1, 1}, {std::sqrt(30)})}, 1e-6);
  ExpectComputes(SingleNode("ReduceSumSquare").Inputs({X()}), {F32({1, 1}, {30})});
  ExpectComputes(SingleNode("ReduceLogSum").Inputs({X()}), {F32({1, 1}, {std::log(6)})}, 1e-6);
  ExpectComputes(SingleNode("ReduceLogSumExp").Inputs({F32({2}, {1000, 1000})}), {F32({1}, {1000 + std::log(2)})},
                 1e-6);
  const double infinity = std::numeric_limits<double>::infinity();
  ExpectComputes(SingleNode("ReduceLogSumExp").Inputs({F32({2}, {-infinity, -infinity})}), {F32({1}, {-infinity})},
                 1e-6);
}

TEST(ReductionTest, Booleans) {
  ExpectComputes(SingleNode("ReduceMax", 20).Inputs({ir::Bool({2}, {0, 1})}).Outputs({kBool}), {ir::Bool({1}, {1})});
  ExpectComputes(SingleNode("ReduceMin", 20).Inputs({ir::Bool({2}, {0, 1})}).Outputs({kBool}), {ir::Bool({1}, {0})});
}

TEST(ReductionTest, ArgMaxOfEqualElements) {
  const ir::Tensor x = F32({2, 3}, {5, 5, 1, 0, 7, 7});
  const auto axis = [](int64_t last, int64_t keep) {
    return [last, keep](::onnx::NodeProto& node) {
      SetInt(node, "axis", 1);
      SetInt(node, "select_last_index", last);
      SetInt(node, "keepdims", keep);
    };
  };
  ExpectComputes(SingleNode("ArgMax").Inputs({x}).Outputs({kInt64}).With(axis(0, 1)), {I64({2, 1}, {0, 1})});
  ExpectComputes(SingleNode("ArgMax").Inputs({x}).Outputs({kInt64}).With(axis(1, 0)), {I64({2}, {1, 2})});
  ExpectComputes(SingleNode("ArgMin").Inputs({x}).Outputs({kInt64}).With(axis(0, 0)), {I64({2}, {2, 0})});
}

TEST(ReductionTest, TopKInEachForm) {
  const ir::Tensor x = F32({4}, {3, 1, 4, 1});
  ExpectComputes(SingleNode("TopK", 1).Inputs({x}).Outputs({kFloat, kInt64}).With([](::onnx::NodeProto& node) {
    SetInt(node, "k", 2);
  }),
                 {F32({2}, {4, 3}), I64({2}, {2, 0})});
  ExpectComputes(
      SingleNode("TopK", 11).Inputs({x, I64({1}, {3})}).Outputs({kFloat, kInt64}).With([](::onnx::NodeProto& node) {
        SetInt(node, "largest", 0);
      }),
      {F32({3}, {1, 1, 3}), I64({3}, {1, 3, 0})});
}

}  // namespace
}  // namespace burin::onnx
