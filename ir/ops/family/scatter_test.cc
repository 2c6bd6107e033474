#include "ir/ops/family/scatter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/evaluate_op.h"
#include "ir/ops/op_testlib.h"
#include "ir/reference_context.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

Tensor Apply(ScatterReduction reduction, bool use_initial, const Tensor& data, const Tensor& updates,
             const std::vector<int64_t>& targets) {
  const NoAttributes attributes;
  HeapScratchAllocator scratch;
  ReferenceContext::Environment environment;
  environment.scratch = &scratch;
  const std::vector<Tensor> inputs = {data};
  const ElementType types[] = {data.element_type()};
  std::vector<Tensor> outputs = {IntTensor(types[0], data.shape(), std::vector<int64_t>(Ints(data).size(), 0))};
  ReferenceContext context(attributes, inputs, absl::MakeSpan(outputs), types, environment);
  EXPECT_OK(ApplyUpdates(context, reduction, use_initial, updates, targets));
  return outputs[0];
}

TEST(ScatterTest, ReducesFloats) {
  const Tensor data = F32({3}, {10, 20, 30});
  const Tensor updates = F32({3}, {1, 2, 40});
  const std::vector<int64_t> targets = {0, 0, 2};
  const auto apply = [&](ScatterReduction reduction, bool use_initial = true) {
    return Apply(reduction, use_initial, data, updates, targets);
  };
  ExpectTensorEq(apply(ScatterReduction::kNone), F32({3}, {2, 20, 40}));
  ExpectTensorEq(apply(ScatterReduction::kSum), F32({3}, {13, 20, 70}));
  ExpectTensorEq(apply(ScatterReduction::kSub), F32({3}, {7, 20, -10}));
  ExpectTensorEq(apply(ScatterReduction::kProd), F32({3}, {20, 20, 1200}));
  ExpectTensorEq(apply(ScatterReduction::kMin), F32({3}, {1, 20, 30}));
  ExpectTensorEq(apply(ScatterReduction::kMax), F32({3}, {10, 20, 40}));
  ExpectTensorNear(apply(ScatterReduction::kMean), F32({3}, {13.0 / 3, 20, 35}), 1e-7);
  ExpectTensorEq(apply(ScatterReduction::kSum, false), F32({3}, {3, 20, 40}));
  ExpectTensorEq(apply(ScatterReduction::kMean, false), F32({3}, {1.5, 20, 40}));
}

TEST(ScatterTest, IntegersAreExact) {
  ExpectTensorEq(Apply(ScatterReduction::kSum, true, I8({1}, {127}), I8({1}, {1}), {0}), I8({1}, {-128}));
  // The mean rounds down, and its sum does not overflow.
  ExpectTensorEq(Apply(ScatterReduction::kMean, true, I32({1}, {-2}), I32({1}, {-1}), {0}), I32({1}, {-2}));
  ExpectTensorEq(Apply(ScatterReduction::kMean, true, I64({1}, {INT64_MAX}), I64({1}, {INT64_MAX}), {0}),
                 I64({1}, {INT64_MAX}));
  // 2^64 - 1 is above 1.
  const Tensor large = IntTensor(ElementType::kU64, {1}, {-1});
  const Tensor one = IntTensor(ElementType::kU64, {1}, {1});
  ExpectTensorEq(Apply(ScatterReduction::kMax, true, large, one, {0}), large);
  ExpectTensorEq(Apply(ScatterReduction::kMin, true, large, one, {0}), one);
}

TEST(ScatterTest, Booleans) {
  const Tensor data = Bool({4}, {0, 0, 1, 1});
  const Tensor updates = Bool({4}, {0, 1, 0, 1});
  const std::vector<int64_t> each = {0, 1, 2, 3};
  ExpectTensorEq(Apply(ScatterReduction::kSum, true, data, updates, each), Bool({4}, {0, 1, 1, 1}));
  ExpectTensorEq(Apply(ScatterReduction::kProd, true, data, updates, each), Bool({4}, {0, 0, 0, 1}));
  ExpectTensorEq(Apply(ScatterReduction::kSub, true, data, updates, each), Bool({4}, {0, 1, 1, 0}));
  ExpectTensorEq(Apply(ScatterReduction::kMax, true, data, updates, each), Bool({4}, {0, 1, 1, 1}));
  ExpectTensorEq(Apply(ScatterReduction::kMin, true, data, updates, each), Bool({4}, {0, 0, 0, 1}));
}

TEST(ScatterTest, MinAndMaxKeepNaN) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const ScatterReduction reduction : {ScatterReduction::kMin, ScatterReduction::kMax}) {
    EXPECT_TRUE(std::isnan(Doubles(Apply(reduction, true, F32({1}, {1}), F32({1}, {nan}), {0}))[0]));
    EXPECT_TRUE(std::isnan(Doubles(Apply(reduction, true, F32({1}, {nan}), F32({1}, {1}), {0}))[0]));
  }
}

}  // namespace
}  // namespace burin::ir
