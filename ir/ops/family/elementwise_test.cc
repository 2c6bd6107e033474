#include "ir/ops/family/elementwise.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <random>
#include <vector>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/dimension.h"
#include "ir/evaluate_op.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/broadcast_rule.h"
#include "ir/ops/op_code.h"
#include "ir/ops/op_testlib.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

// An operation of the family that exists in this test alone: a - 2 * b.
Dimension TestContent(const Dimension& a, const Dimension& b) { return a - Dimension(2) * b; }

const OpDef& TestOp() {
  static const OpDef op = [] {
    OpDef d(static_cast<OpCode>(0), "Test", "internal");
    d.min_inputs = 2;
    d.max_inputs = 2;
    d.make_attributes = &MakeAttributes<BroadcastAttributes>;
    d.infer = [](InferContext& context) {
      const BroadcastRule& rule = context.attributes<BroadcastAttributes>().broadcast;
      return InferBinary(context, "Test", rule, TypeClass::kNumeric, &TestContent);
    };
    d.reference = [](ReferenceContext& context) {
      const BroadcastRule& rule = context.attributes<BroadcastAttributes>().broadcast;
      return ReferenceBinary(context, rule, [](auto a, auto b) { return static_cast<decltype(a)>(a - b - b); });
    };
    return d;
  }();
  return op;
}

// Returns the element of `values` (of shape `shape`) at `index` (into `out`) under NumPy's rule.
int64_t BroadcastElement(const std::vector<int64_t>& values, const Shape& shape, const Shape& out, int64_t index) {
  int64_t position = 0;
  int64_t stride = 1;
  for (size_t i = 0; i < out.size(); ++i) {
    const int64_t size = out[out.size() - 1 - i];
    const int64_t coordinate = index % size;
    index /= size;
    if (i >= shape.size()) continue;
    const int64_t dim = shape[shape.size() - 1 - i];
    position += (dim == 1 ? 0 : coordinate) * stride;
    stride *= dim;
  }
  return values[static_cast<size_t>(position)];
}

TEST(ElementwiseTest, BroadcastsLikeTheDefinition) {
  const uint32_t seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  const auto pick = [&random](int64_t count) { return static_cast<int64_t>(random() % static_cast<uint64_t>(count)); };
  for (int round = 0; round < 300; ++round) {
    const int64_t rank = pick(6);
    Shape out;
    for (int64_t i = 0; i < rank; ++i) out.push_back(pick(20) == 0 ? 700 / (round % 3 + 1) : pick(4) + (pick(12) != 0));
    int64_t count = 1;
    for (const int64_t size : out) count *= size;
    if (count > 200000) continue;
    Shape shapes[2];
    std::vector<int64_t> values[2];
    for (int k = 0; k < 2; ++k) {
      // The first operand keeps the dimensions that the second stretches, so that the output has shape `out`.
      Shape shape = out;
      for (size_t i = 0; i < out.size(); ++i) {
        if (pick(3) == 0 && (k == 0 || shapes[0][i] == out[i])) shape[i] = 1;
      }
      shapes[k] = shape;
      int64_t elements = 1;
      for (const int64_t size : shape) elements *= size;
      for (int64_t i = 0; i < elements; ++i) values[k].push_back(pick(1000) - 500);
    }
    while (!shapes[1].empty() && shapes[1].front() == 1 && pick(2) == 0) shapes[1].erase(shapes[1].begin());
    std::vector<int64_t> expected;
    for (int64_t i = 0; i < count; ++i) {
      const int64_t b = BroadcastElement(values[1], shapes[1], out, i);
      expected.push_back(BroadcastElement(values[0], shapes[0], out, i) - 2 * b);
    }
    ExpectEvaluates(TestOp(), BroadcastAttributes(), {I32(shapes[0], values[0]), I32(shapes[1], values[1])},
                    I32(out, expected));
  }
}

TEST(ElementwiseTest, ComputesInEveryNumericType) {
  for (const ElementType type : kAllElementTypes) {
    if (!IsFloat(type) && !IsInteger(type)) continue;
    if (type == ElementType::kF8E8M0) continue;  // Has neither zero nor negative numbers.
    const bool tiny = BitWidth(type) == 2;
    const std::vector<double> expected = tiny ? std::vector<double>{1, 0, 1} : std::vector<double>{3, 2, 1};
    const std::vector<double> a = tiny ? std::vector<double>{1, 0, 1} : std::vector<double>{3, 2, 3};
    const std::vector<double> b = {0, 0, tiny ? 0.0 : 1.0};
    ExpectEvaluates(TestOp(), BroadcastAttributes(), {FloatTensor(type, {3}, a), FloatTensor(type, {3}, b)},
                    FloatTensor(type, {3}, expected));
  }
}

TEST(ElementwiseTest, FloatsRoundOnce) {
  // In f16, 2048 + 1 and 2049 + 1 would round twice: 2048 - 2 * -0.5625 = 2049.125 rounds to 2050.
  ExpectEvaluates(TestOp(), BroadcastAttributes(), {F16({1}, {2048}), F16({1}, {-0.5625})}, F16({1}, {2050}));
}

TEST(ElementwiseTest, EmptyTensorsAndScalars) {
  ExpectEvaluates(TestOp(), BroadcastAttributes(), {F32({3, 0}, {}), F32({1, 1}, {1})}, F32({3, 0}, {}));
  ExpectEvaluates(TestOp(), BroadcastAttributes(), {F32({}, {7}), F32({}, {2})}, F32({}, {3}));
}

TEST(ElementwiseTest, PdpdBroadcastsFromTheAxis) {
  BroadcastAttributes attributes;
  attributes.broadcast = {AutoBroadcast::kPdpd, 1};
  ExpectEvaluates(TestOp(), attributes, {I32({1, 2, 2}, {10, 20, 30, 40}), I32({2}, {1, 2})},
                  I32({1, 2, 2}, {8, 18, 26, 36}));
}

TEST(ElementwiseTest, InfersFromEveryDegreeOfKnowledge) {
  const auto shape = [](const PartialShape& a, const PartialShape& b) {
    return InferOne(TestOp(), BroadcastAttributes(), {Known(ElementType::kF32, a), Known(ElementType::kF32, b)})->shape;
  };
  EXPECT_FALSE(shape(PartialShape::DynamicRank(), {2}).has_rank());
  EXPECT_EQ(shape({Dimension::Symbol("n"), 3}, {3}), PartialShape({Dimension::Symbol("n"), 3}));
  EXPECT_EQ(shape({Dimension::Symbol("n"), 1}, {1, Dimension::Symbol("m")}),
            PartialShape({Dimension::Symbol("n"), Dimension::Symbol("m")}));
  EXPECT_EQ(shape({Dimension(2, 5)}, {Dimension(4, 9)}), PartialShape({Dimension(4, 5)}));
}

TEST(ElementwiseTest, PropagatesContent) {
  const auto content = [](const ValueInfo& a, const ValueInfo& b) {
    return InferOne(TestOp(), BroadcastAttributes(), {a, b})->content;
  };
  EXPECT_EQ(content(Partial({Dimension(4, 9), 7}), PartialScalar(Dimension(1, 2))),
            (PartialValue{Dimension(0, 7), Dimension(3, 5)}));
  EXPECT_EQ(content(Partial({Dimension::Symbol("n")}), Partial({0})), PartialValue{Dimension::Symbol("n")});
  EXPECT_EQ(content(PartialScalar(Dimension(4, 9)), PartialScalar(1)), PartialValue{Dimension(2, 7)});
  EXPECT_EQ(content(Known(ElementType::kI64, {2}), Partial({1, 1})),
            (PartialValue{Dimension::AnyValue(), Dimension::AnyValue()}));
}

TEST(ElementwiseTest, ContentIsFittedToTheType) {
  EXPECT_EQ(FitContent(ElementType::kU8, Dimension(300)), Dimension(44));
  EXPECT_EQ(FitContent(ElementType::kI8, Dimension(200)), Dimension(-56));
  EXPECT_EQ(FitContent(ElementType::kI8, Dimension(-56)), Dimension(-56));
  EXPECT_EQ(FitContent(ElementType::kU8, Dimension(3, 300)), Dimension::AnyValue());
  EXPECT_EQ(FitContent(ElementType::kU8, Dimension(-1, 3)), Dimension::AnyValue());
  EXPECT_EQ(FitContent(ElementType::kI32, Dimension::Symbol("n")), Dimension::Symbol("n"));
  EXPECT_EQ(FitContent(ElementType::kI64, Dimension(Dimension::kInfinite)), Dimension::AnyValue());
  EXPECT_EQ(FitContent(ElementType::kU64, Dimension(-1, 3)), Dimension::AnyValue());
}

TEST(ElementwiseTest, BinaryConstraintsAreLabelled) {
  ExpectInferFails(TestOp(), BroadcastAttributes(), {Known(ElementType::kF32, {2}), Known(ElementType::kF16, {2})},
                   "Test_c1");
  ExpectInferFails(TestOp(), BroadcastAttributes(),
                   {Known(ElementType::kString, {2}), Known(ElementType::kString, {2})}, "Test_c1");
  ExpectInferFails(TestOp(), BroadcastAttributes(), {Known(ElementType::kF32, {2}), Known(ElementType::kF32, {3})},
                   "Test_c2");
}

TEST(ElementwiseTest, LongLoopsCanBeCancelled) {
  HeapScratchAllocator scratch;
  const std::atomic<bool> cancelled(true);
  ReferenceContext::Environment environment;
  environment.scratch = &scratch;
  environment.cancelled = &cancelled;
  ASSERT_OK_AND_ASSIGN(const Tensor large, Tensor::CreateZeroed(ElementType::kF32, {1024, 1024}));
  const std::vector<Tensor> inputs = {large, large};
  EXPECT_THAT(EvaluateOp(TestOp(), BroadcastAttributes(), inputs, environment), StatusIs(absl::StatusCode::kCancelled));
}

}  // namespace
}  // namespace burin::ir
