#include "ir/infer_context.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/dimension.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::StartsWith;

struct AxisAttributes final : AttributesOf<AxisAttributes> {
  int64_t axis = 4;
  void VisitAttributes(AttributeVisitor& visitor) override { visitor.Visit("axis", axis); }
};

ValueInfo Typed(ElementType type, PartialShape shape) {
  ValueInfo info;
  info.type = type;
  info.shape = std::move(shape);
  return info;
}

ValueInfo Constant(ElementType type, const Shape& shape, const std::vector<int64_t>& values) {
  ValueInfo info = Typed(type, shape);
  info.constant = *Tensor::Create(type, shape);
  StoreRangeFromInt64(type, info.constant.mutable_data(), 0, info.constant.element_count(), values.data());
  return info;
}

// Builds a context over inputs of its own.
class Context {
 public:
  explicit Context(std::vector<ValueInfo> inputs, int32_t outputs = 1) : inputs_(std::move(inputs)) {
    std::vector<const ValueInfo*> pointers;
    for (const ValueInfo& input : inputs_) pointers.push_back(&input);
    pointers.push_back(nullptr);  // One absent input at the end.
    context_ = std::make_unique<InferContext>(attributes_, pointers, outputs);
  }
  InferContext* operator->() { return context_.get(); }
  InferContext& operator*() { return *context_; }

 private:
  AxisAttributes attributes_;
  std::vector<ValueInfo> inputs_;
  std::unique_ptr<InferContext> context_;
};

TEST(InferContextTest, ShowsInputsAndAttributes) {
  Context context({Typed(ElementType::kF32, {1, 2})});
  EXPECT_EQ(context->input_count(), 2);
  EXPECT_TRUE(context->has_input(0));
  EXPECT_FALSE(context->has_input(1));
  EXPECT_FALSE(context->has_input(2));
  EXPECT_EQ(context->input_type(0), ElementType::kF32);
  EXPECT_EQ(context->input_shape(0), PartialShape({1, 2}));
  EXPECT_EQ(context->attributes<AxisAttributes>().axis, 4);
  EXPECT_EQ(context->constant(0), nullptr);
  EXPECT_EQ(context->constant(1), nullptr);
}

TEST(InferContextTest, ReadsConstantInts) {
  ValueInfo exact = Typed(ElementType::kI64, {2});
  exact.content = PartialValue{3, 4};
  ValueInfo partial = Typed(ElementType::kI64, {2});
  partial.content = PartialValue{3, Dimension()};
  Context context({Constant(ElementType::kI32, {2, 1}, {-5, 6}), Constant(ElementType::kI8, {}, {7}), exact, partial,
                   Typed(ElementType::kI64, {2}), Constant(ElementType::kF32, {1}, {1})});
  EXPECT_THAT(context->ConstantInts(0), Optional(ElementsAre(-5, 6)));
  EXPECT_THAT(context->ConstantInts(1), Optional(ElementsAre(7)));
  EXPECT_THAT(context->ConstantInts(2), Optional(ElementsAre(3, 4)));
  EXPECT_EQ(context->ConstantInts(3), std::nullopt);
  EXPECT_EQ(context->ConstantInts(4), std::nullopt);
  EXPECT_EQ(context->ConstantInts(5), std::nullopt);  // Not of an integer type.
  EXPECT_EQ(context->ConstantInts(6), std::nullopt);  // Absent.
}

TEST(InferContextTest, ReadsStridedConstants) {
  int32_t values[4] = {0, 1, 2, 3};
  ValueInfo reversed = Typed(ElementType::kI32, {4});
  reversed.constant = *Tensor::View(ElementType::kI32, {4}, values + 3, {-4});
  Context context({reversed});
  EXPECT_THAT(context->ConstantInts(0), Optional(ElementsAre(3, 2, 1, 0)));
  EXPECT_THAT(context->Content(0), Optional(ElementsAre(3, 2, 1, 0)));
}

TEST(InferContextTest, ReadsContentAsFarAsKnown) {
  ValueInfo partial = Typed(ElementType::kI64, {2});
  partial.content = PartialValue{3, Dimension::Symbol("n")};
  Context context({partial, Constant(ElementType::kI32, {2}, {5, 6}), Typed(ElementType::kI64, {2}),
                   Typed(ElementType::kU8, {}), Typed(ElementType::kI32, {1}), Typed(ElementType::kI64, {Dimension()}),
                   Typed(ElementType::kI64, {2, 2}), Typed(ElementType::kI64, {kMaxPropagatedElements + 1}),
                   Typed(ElementType::kF32, {2}), Typed(ElementType::kI64, {0})});
  EXPECT_THAT(context->Content(0), Optional(ElementsAre(Dimension(3), Dimension::Symbol("n"))));
  EXPECT_THAT(context->Content(1), Optional(ElementsAre(Dimension(5), Dimension(6))));
  EXPECT_THAT(context->Content(2), Optional(ElementsAre(Dimension::AnyValue(), Dimension::AnyValue())));
  EXPECT_THAT(context->Content(3), Optional(ElementsAre(Dimension(0, 255))));
  EXPECT_THAT(
      context->Content(4),
      Optional(ElementsAre(Dimension(std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()))));
  EXPECT_EQ(context->Content(5), std::nullopt);
  EXPECT_EQ(context->Content(6), std::nullopt);
  EXPECT_EQ(context->Content(7), std::nullopt);
  EXPECT_EQ(context->Content(8), std::nullopt);
  EXPECT_THAT(context->Content(9), Optional(IsEmpty()));
  EXPECT_EQ(context->Content(10), std::nullopt);  // Absent.
}

TEST(InferContextTest, TakesOutputs) {
  Context context({}, 1);
  context->SetOutputCount(2);
  ASSERT_EQ(context->output_count(), 2);
  context->SetOutput(1, ElementType::kI64, {2});
  context->SetContent(1, {1, Dimension()});
  EXPECT_EQ(context->output(1).type, ElementType::kI64);
  EXPECT_THAT(context->output(1).content, Optional(ElementsAre(Dimension(1), Dimension())));
  EXPECT_EQ(context->output(0).type, ElementType::kUndefined);
}

TEST(InferContextTest, KeepsContentOnlyWhereItMayStand) {
  Context context({}, 4);
  context->SetOutput(0, ElementType::kF32, {1});
  context->SetContent(0, {1});
  EXPECT_FALSE(context->output(0).content.has_value());
  context->SetOutput(1, ElementType::kI64, {1, 1});
  context->SetContent(1, {1});
  EXPECT_FALSE(context->output(1).content.has_value());
  context->SetOutput(2, ElementType::kI64, {kMaxPropagatedElements + 1});
  context->SetContent(2, PartialValue(kMaxPropagatedElements + 1));
  EXPECT_FALSE(context->output(2).content.has_value());
  context->SetOutput(3, ElementType::kI64, {});
  context->SetContent(3, {9});
  EXPECT_TRUE(context->output(3).content.has_value());
}

TEST(InferContextDeathTest, ContradictingOutputsAreBugs) {
  Context context({}, 1);
  context->SetOutput(0, ElementType::kI64, {2});
  EXPECT_DEATH(context->SetContent(0, {1, 2, 3}), "3 elements for shape");
  EXPECT_DEATH(context->SetConstant(0, *Tensor::CreateZeroed(ElementType::kI32, {2})), "i32");
  EXPECT_DEATH(context->SetConstant(0, *Tensor::CreateZeroed(ElementType::kI64, {3})), "i64");
  EXPECT_DEATH(context->SetOutput(1, ElementType::kI64, {2}), "output 1");
}

TEST(InferContextTest, SameTypeSkipsAbsentAndUndefined) {
  Context context({Typed(ElementType::kUndefined, {}), Typed(ElementType::kF32, {}), Typed(ElementType::kF32, {}),
                   Typed(ElementType::kI32, {})});
  EXPECT_THAT(context->SameType("Op_c1", 0, 2), IsOkAndHolds(ElementType::kF32));
  EXPECT_THAT(context->SameType("Op_c1", 0, 0), IsOkAndHolds(ElementType::kUndefined));
  EXPECT_THAT(context->SameType("Op_c1", 3, 99), IsOkAndHolds(ElementType::kI32));
  EXPECT_THAT(context->SameType("Op_c1", 0, 3),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       testing::AllOf(StartsWith("Op_c1: "), HasSubstr("f32"), HasSubstr("input 3: i32"))));
}

TEST(InferContextTest, RequirementsNameTheLabelAndWhatTheySaw) {
  Context context({Typed(ElementType::kF32, {1, 2}), Typed(ElementType::kI4, PartialShape::DynamicRank()),
                   Typed(ElementType::kUndefined, {})});
  EXPECT_OK(context->RequireFloatType("Op_c2", 0));
  EXPECT_OK(context->RequireFloatType("Op_c2", 2));
  EXPECT_OK(context->RequireFloatType("Op_c2", 3));
  EXPECT_THAT(context->RequireFloatType("Op_c2", 1),
              StatusIs(absl::StatusCode::kInvalidArgument, "Op_c2: input 1 must be of a floating-point type; got: i4"));
  EXPECT_OK(context->RequireIntegerType("Op_c3", 1));
  EXPECT_THAT(context->RequireIntegerType("Op_c3", 0),
              StatusIs(absl::StatusCode::kInvalidArgument, "Op_c3: input 0 must be of an integer type; got: f32"));
  EXPECT_OK(context->RequireType("Op_c4", 0, ElementType::kF32));
  EXPECT_THAT(context->RequireType("Op_c4", 0, ElementType::kBoolean),
              StatusIs(absl::StatusCode::kInvalidArgument, "Op_c4: input 0 must be of type boolean; got: f32"));
  EXPECT_OK(context->RequireRank("Op_c5", 0, 2));
  EXPECT_OK(context->RequireRank("Op_c5", 1, 2));
  EXPECT_OK(context->RequireRank("Op_c5", 3, 2));
  EXPECT_THAT(context->RequireRank("Op_c5", 0, 3),
              StatusIs(absl::StatusCode::kInvalidArgument, "Op_c5: input 0 must have rank 3; got: [1,2]"));
  EXPECT_OK(context->RequireRankBetween("Op_c6", 0, 2, 4));
  EXPECT_OK(context->RequireRankBetween("Op_c6", 1, 2, 4));
  EXPECT_THAT(context->RequireRankBetween("Op_c6", 0, 3, 4),
              StatusIs(absl::StatusCode::kInvalidArgument, "Op_c6: input 0 must have a rank from 3 to 4; got: [1,2]"));
}

TEST(InferContextTest, ValueInfosCompareByContent) {
  const ValueInfo a = Constant(ElementType::kI32, {2}, {1, 2});
  EXPECT_TRUE(a == Constant(ElementType::kI32, {2}, {1, 2}));
  EXPECT_FALSE(a == Constant(ElementType::kI32, {2}, {1, 3}));
  EXPECT_FALSE(a == Typed(ElementType::kI32, {2}));
  ValueInfo b = Typed(ElementType::kI32, {2});
  b.content = PartialValue{1, Dimension()};
  EXPECT_FALSE(b == Typed(ElementType::kI32, {2}));
  EXPECT_FALSE(Typed(ElementType::kI32, {2}) == Typed(ElementType::kI64, {2}));
}

TEST(InferContextTest, CostContextCountsElementsAndBytes) {
  const NoAttributes attributes;
  const ValueInfo input = Typed(ElementType::kF16, {3, 5});
  const ValueInfo dynamic = Typed(ElementType::kF16, {Dimension()});
  const ValueInfo output = Typed(ElementType::kI4, {int64_t{1} << 40, int64_t{1} << 40});
  const std::vector<const ValueInfo*> inputs = {&input, nullptr, &dynamic};
  const std::vector<ValueInfo> outputs = {output};
  const CostContext context(attributes, inputs, outputs);
  EXPECT_EQ(context.InputElements(0), 15);
  EXPECT_EQ(context.InputElements(1), 0);
  EXPECT_EQ(context.InputElements(2), 0);
  EXPECT_EQ(context.InputElements(3), 0);
  EXPECT_EQ(context.InputBytes(), 30);
  EXPECT_EQ(context.OutputElements(0), 0x1p80);
  EXPECT_EQ(context.OutputBytes(), 0x1p79);
}

}  // namespace
}  // namespace burin::ir
