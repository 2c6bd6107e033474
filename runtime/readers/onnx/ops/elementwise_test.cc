#include <limits>

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ir::F32;
using ir::I32;
using ir::I64;
using ir::U8;

TEST(ElementwiseTest, DivTruncatesIntegers) {
  ExpectComputes(SingleNode("Div").Inputs({I32({4}, {7, -7, 7, -7}), I32({4}, {2, 2, -2, -2})}).Outputs({kInt32}),
                 {I32({4}, {3, -3, -3, 3})});
}

TEST(ElementwiseTest, ClipInEachForm) {
  const ir::Tensor x = F32({4}, {-5, 0.5, 2, 9});
  const auto bounds = [](::onnx::NodeProto& node) {
    SetFloat(node, "min", 0);
    SetFloat(node, "max", 2.5f);
  };
  ExpectComputes(SingleNode("Clip", 6).Inputs({x}).With(bounds), {F32({4}, {0, 0.5, 2, 2.5})});
  ExpectComputes(SingleNode("Clip", 13).Inputs({x, F32({}, {0}), F32({}, {2.5})}), {F32({4}, {0, 0.5, 2, 2.5})});
  ExpectComputes(SingleNode("Clip", 13).Inputs({x, F32({}, {0}), F32({}, {2.5})}).Variable(3),
                 {F32({4}, {0, 0.5, 2, 2.5})});
  ExpectComputes(SingleNode("Clip", 13).Inputs({x, ir::Tensor(), F32({}, {1})}), {F32({4}, {-5, 0.5, 1, 1})});
  // A low bound above the high one gives the high one.
  ExpectComputes(SingleNode("Clip", 13).Inputs({x, F32({}, {3}), F32({}, {1})}), {F32({4}, {1, 1, 1, 1})});
  ExpectComputes(SingleNode("Clip", 13).Inputs({I64({3}, {-3, 3, 30}), I64({}, {0}), I64({}, {7})}).Outputs({kInt64}),
                 {I64({3}, {0, 3, 7})});
}

TEST(ElementwiseTest, ModTakesTheSignOfEither) {
  const ir::Tensor a = I32({4}, {5, -5, 5, -5});
  const ir::Tensor b = I32({4}, {3, 3, -3, -3});
  ExpectComputes(SingleNode("Mod").Inputs({a, b}).Outputs({kInt32}), {I32({4}, {2, 1, -1, -2})});
  ExpectComputes(
      SingleNode("Mod").Inputs({a, b}).Outputs({kInt32}).With([](::onnx::NodeProto& node) { SetInt(node, "fmod", 1); }),
      {I32({4}, {2, -2, 2, -2})});
}

TEST(ElementwiseTest, PowKeepsTheBasesType) {
  ExpectComputes(SingleNode("Pow", 15).Inputs({I32({2}, {2, 9}), F32({}, {0.5})}).Outputs({kInt32}),
                 {I32({2}, {1, 3})});
  ExpectComputes(SingleNode("Pow", 15).Inputs({F32({2}, {2, 3}), I64({}, {3})}), {F32({2}, {8, 27})});
}

TEST(ElementwiseTest, FoldsAnyNumberOfInputs) {
  const ir::Tensor a = F32({2}, {1, 6});
  const ir::Tensor b = F32({2}, {4, 2});
  const ir::Tensor c = F32({}, {3});
  ExpectComputes(SingleNode("Sum").Inputs({a, b, c}), {F32({2}, {8, 11})});
  ExpectComputes(SingleNode("Max").Inputs({a, b, c}), {F32({2}, {4, 6})});
  ExpectComputes(SingleNode("Min").Inputs({a, b, c}), {F32({2}, {1, 2})});
  ExpectComputes(SingleNode("Mean").Inputs({a, b, F32({}, {4})}), {F32({2}, {3, 4})});
  ExpectComputes(SingleNode("Sum").Inputs({a}), {a});
}

TEST(ElementwiseTest, ShrinkMovesTowardsZero) {
  ExpectComputes(SingleNode("Shrink").Inputs({F32({5}, {-2, -1, 0, 1, 2})}).With([](::onnx::NodeProto& node) {
    SetFloat(node, "lambd", 1.5f);
    SetFloat(node, "bias", 1.5f);
  }),
                 {F32({5}, {-0.5, 0, 0, 0, 0.5})});
}

TEST(ElementwiseTest, BitShift) {
  ExpectComputes(SingleNode("BitShift")
                     .Inputs({U8({2}, {16, 4}), U8({2}, {1, 2})})
                     .Outputs({kUint8})
                     .With([](::onnx::NodeProto& node) { SetString(node, "direction", "RIGHT"); }),
                 {U8({2}, {8, 1})});
  EXPECT_THAT(ReadBytes(FileOf(SingleNode("BitShift").Inputs({U8({1}, {1}), U8({1}, {1})}).Outputs({kUint8}))),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(ElementwiseTest, IsInfBySign) {
  const double infinity = std::numeric_limits<double>::infinity();
  ExpectComputes(SingleNode("IsInf")
                     .Inputs({F32({3}, {-infinity, 1, infinity})})
                     .Outputs({kBool})
                     .With([](::onnx::NodeProto& node) { SetInt(node, "detect_negative", 0); }),
                 {ir::Bool({3}, {0, 0, 1})});
}

TEST(ElementwiseTest, Reciprocal) {
  ExpectComputes(SingleNode("Reciprocal").Inputs({F32({2}, {4, -0.5})}), {F32({2}, {0.25, -2})});
}

}  // namespace
}  // namespace burin::onnx
