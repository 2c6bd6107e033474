#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ir::F32;
using ir::I64;

TEST(IndexingTest, Gather) {
  const ir::Tensor x = F32({2, 2}, {1, 2, 3, 4});
  const auto axis = [](::onnx::NodeProto& node) { SetInt(node, "axis", 1); };
  ExpectComputes(SingleNode("Gather").Inputs({x, I64({}, {-1})}).With(axis), {F32({2}, {2, 4})});
  ExpectComputes(SingleNode("Gather").Inputs({x, I64({1}, {0})}), {F32({1, 2}, {1, 2})});
  ExpectComputes(SingleNode("GatherElements").Inputs({x, I64({2, 1}, {1, -2})}).With(axis), {F32({2, 1}, {2, 3})});
  ExpectComputes(SingleNode("GatherND").Inputs({x, I64({2, 2}, {0, 1, 1, 0})}), {F32({2}, {2, 3})});
}

TEST(IndexingTest, Scatter) {
  const ir::Tensor x = F32({3}, {1, 2, 3});
  const ir::Tensor updates = F32({2}, {10, 20});
  const auto reduction = [](const char* name) {
    return [name](::onnx::NodeProto& node) { SetString(node, "reduction", name); };
  };
  ExpectComputes(SingleNode("ScatterElements").Inputs({x, I64({2}, {2, -3}), updates}), {F32({3}, {20, 2, 10})});
  ExpectComputes(SingleNode("Scatter", 9).Inputs({x, I64({2}, {2, 0}), updates}), {F32({3}, {20, 2, 10})});
  ExpectComputes(SingleNode("ScatterElements", 18).Inputs({x, I64({2}, {1, 1}), updates}).With(reduction("add")),
                 {F32({3}, {1, 32, 3})});
  ExpectComputes(SingleNode("ScatterND").Inputs({x, I64({2, 1}, {2, 0}), updates}), {F32({3}, {20, 2, 10})});
  ExpectComputes(SingleNode("ScatterND", 18).Inputs({x, I64({2, 1}, {1, 1}), updates}).With(reduction("max")),
                 {F32({3}, {1, 20, 3})});
  EXPECT_THAT(
      ReadBytes(FileOf(SingleNode("ScatterND", 18).Inputs({x, I64({2, 1}, {1, 1}), updates}).With(reduction("mean")))),
      StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(IndexingTest, OneHot) {
  ExpectComputes(SingleNode("OneHot").Inputs({I64({3}, {0, -1, 5}), I64({1}, {3}), F32({2}, {0, 2})}),
                 {F32({3, 3}, {2, 0, 0, 0, 0, 2, 0, 0, 0})});
}

TEST(IndexingTest, NonZeroAndUnique) {
  ExpectComputes(SingleNode("NonZero").Inputs({F32({2, 2}, {0, 5, 6, 0})}).Outputs({kInt64}),
                 {I64({2, 2}, {0, 1, 1, 0})});
  ExpectComputes(SingleNode("Unique").Inputs({F32({4}, {3, 1, 3, 2})}).Outputs({kFloat, kInt64, kInt64, kInt64}),
                 {F32({3}, {1, 2, 3}), I64({3}, {1, 3, 0}), I64({4}, {2, 0, 2, 1}), I64({3}, {1, 1, 2})});
}

}  // namespace
}  // namespace burin::onnx
