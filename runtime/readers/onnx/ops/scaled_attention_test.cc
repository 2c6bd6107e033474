#include "runtime/readers/onnx/ops/scaled_attention.h"

#include <cmath>
#include <limits>

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ir::F16;
using ir::F32;

constexpr auto kScaleOfOne = [](::onnx::NodeProto& node) { SetFloat(node, "scale", 1); };

// One query, two keys: products 0 and log(3), weights 1/4 and 3/4.
TEST(ScaledAttentionTest, WeighsValuesBySoftmaxOfProducts) {
  ExpectComputes(SingleNode("Attention", 23)
                     .Inputs({F32({1, 1, 1, 2}, {std::log(3), 7}), F32({1, 1, 2, 2}, {0, 0, 1, 0}),
                              F32({1, 1, 2, 2}, {0, 4, 8, 0})})
                     .With(kScaleOfOne),
                 {F32({1, 1, 1, 2}, {6, 1})}, 1e-6);
}

TEST(ScaledAttentionTest, ScalesByTheRootOfTheHeadSizeWhereNothingIsSaid) {
  // Four elements a head: half of 2 log(3).
  ExpectComputes(SingleNode("Attention", 23)
                     .Inputs({F32({1, 1, 1, 4}, {2 * std::log(3), 0, 0, 0}),
                              F32({1, 1, 2, 4}, {0, 1, 0, 0, 1, 0, 0, 0}), F32({1, 1, 2, 1}, {0, 4})}),
                 {F32({1, 1, 1, 1}, {3})}, 1e-6);
}

TEST(ScaledAttentionTest, HeadsOfKeysServeSeveralOfQueries) {
  // Heads 0 and 1 look into the first head of keys, 2 and 3 into the second.
  ExpectComputes(SingleNode("Attention", 23)
                     .Inputs({F32({1, 4, 1, 1}, {0, std::log(3), 0, std::log(3)}), F32({1, 2, 2, 1}, {0, 1, 1, 0}),
                              F32({1, 2, 2, 1}, {0, 4, 8, 16})})
                     .With(kScaleOfOne),
                 {F32({1, 4, 1, 1}, {2, 3, 12, 10})}, 1e-6);
}

TEST(ScaledAttentionTest, CapsProductsBeforeTheyAreMasked) {
  const double capped = 2 * std::tanh(0.5);
  const double minus_infinity = -std::numeric_limits<double>::infinity();
  ExpectComputes(SingleNode("Attention", 23)
                     .Inputs({F32({1, 1, 1, 1}, {1}), F32({1, 1, 2, 1}, {1, 5}), F32({1, 1, 2, 1}, {3, 100}),
                              F32({1, 2}, {0, minus_infinity})})
                     .Outputs({kFloat, 0, 0, kFloat})
                     .With([](::onnx::NodeProto& node) {
                       SetFloat(node, "scale", 1);
                       SetFloat(node, "softcap", 2);
                       SetInt(node, "qk_matmul_output_mode", 2);
                     }),
                 {F32({1, 1, 1, 1}, {3}), F32({1, 1, 1, 2}, {capped, minus_infinity})}, 1e-6);
}

// 300 * 300 is beyond f16, the scaled product is not.
TEST(ScaledAttentionTest, NarrowTypesAreScaledBeforeTheProduct) {
  ExpectComputes(SingleNode("Attention", 23)
                     .Inputs({F16({1, 1, 1, 1}, {300}), F16({1, 1, 2, 1}, {300, 300}), F16({1, 1, 2, 1}, {1, 3})})
                     .Outputs({kFloat16})
                     .With([](::onnx::NodeProto& node) { SetFloat(node, "scale", 0.0625F); }),
                 {F16({1, 1, 1, 1}, {2})}, 1e-3);
}

}  // namespace
}  // namespace burin::onnx
