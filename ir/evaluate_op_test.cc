#include "ir/evaluate_op.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/attributes.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Optional;
using ::testing::StartsWith;

constexpr int64_t kInf = Dimension::kInfinite;

// ---- Small operations, one for each duty of the driver ----

// Adds two integer tensors of one shape, with the values' intervals.
OpDef AddOp() {
  OpDef op(static_cast<OpCode>(0), "TestAdd", "internal");
  op.min_inputs = 2;
  op.max_inputs = 2;
  op.traits = kElementwise;
  op.infer = [](InferContext& context) -> absl::Status {
    BURIN_ASSIGN_OR_RETURN(const ElementType type, context.SameType("TestAdd_c1", 0, 1));
    BURIN_ASSIGN_OR_RETURN(const PartialShape shape, Merge(context.input_shape(0), context.input_shape(1)));
    context.SetOutput(0, type, shape);
    const auto a = context.Content(0);
    const auto b = context.Content(1);
    if (!a.has_value() || !b.has_value() || a->size() != b->size()) return absl::OkStatus();
    PartialValue sum;
    for (size_t i = 0; i < a->size(); ++i) sum.push_back((*a)[i] + (*b)[i]);
    context.SetContent(0, sum);
    return absl::OkStatus();
  };
  op.reference = [](ReferenceContext& context) {
    std::vector<int64_t> sum = context.InputAsInts(0);
    const std::vector<int64_t> other = context.InputAsInts(1);
    for (size_t i = 0; i < sum.size(); ++i) sum[i] += other[i];
    context.StoreInts(0, sum);
    return absl::OkStatus();
  };
  return op;
}

// Multiplies a tensor by itself; its inference says nothing of values.
OpDef SquareOp() {
  OpDef op(static_cast<OpCode>(0), "TestSquare", "internal");
  op.infer = [](InferContext& context) {
    context.SetOutput(0, context.input_type(0), context.input_shape(0));
    return absl::OkStatus();
  };
  op.reference = [](ReferenceContext& context) {
    std::vector<double> values = context.InputAsDoubles(0);
    for (double& value : values) value *= value;
    context.StoreDoubles(0, values);
    return absl::OkStatus();
  };
  return op;
}

// Gives the number of elements, leaving the value to the driver.
OpDef SizeOp() {
  OpDef op(static_cast<OpCode>(0), "TestSize", "internal");
  op.traits = kShapeOnly;
  op.infer = [](InferContext& context) {
    context.SetOutput(0, ElementType::kI64, PartialShape());
    return absl::OkStatus();
  };
  op.reference = [](ReferenceContext& context) {
    context.StoreInts(0, {context.input(0).element_count()});
    return absl::OkStatus();
  };
  return op;
}

// Gives 0, 1, ... up to the value of its input.
OpDef CountOp() {
  OpDef op(static_cast<OpCode>(0), "TestCount", "internal");
  op.traits = kDataDependentShape;
  op.infer = [](InferContext& context) {
    const auto limit = context.Content(0);
    context.SetOutput(0, ElementType::kI64, {limit.has_value() ? (*limit)[0] : Dimension()});
    return absl::OkStatus();
  };
  op.reference = [](ReferenceContext& context) -> absl::Status {
    const int64_t count = context.InputAsInts(0)[0];
    if (!context.has_output(0)) return absl::InternalError("expected an output of known shape");
    for (int64_t i = 0; i < count; ++i) StoreFromInt64(ElementType::kI64, context.output(0).mutable_data(), i, i);
    return absl::OkStatus();
  };
  return op;
}

// Keeps the elements that are not zero: nothing is known of the shape before the run.
OpDef NonZeroOp() {
  OpDef op(static_cast<OpCode>(0), "TestNonZero", "internal");
  op.traits = kDataDependentShape;
  op.infer = [](InferContext& context) {
    context.SetOutput(0, context.input_type(0), {Dimension(0, 4)});
    return absl::OkStatus();
  };
  op.reference = [](ReferenceContext& context) -> absl::Status {
    std::vector<int64_t> kept;
    for (const int64_t value : context.InputAsInts(0)) {
      if (value != 0) kept.push_back(value);
    }
    BURIN_RETURN_IF_ERROR(context.AllocateOutput(0, {static_cast<int64_t>(kept.size())}));
    context.StoreInts(0, kept);
    return absl::OkStatus();
  };
  return op;
}

// Has inputs 0 and 3 and two optional ones between, of which only input 1 may be left out before a present one.
OpDef OptionalOp() {
  OpDef op = SquareOp();
  op.name = "TestOptional";
  op.max_inputs = 4;
  op.absent_inputs = 1u << 1;
  return op;
}

ValueInfo Typed(ElementType type, PartialShape shape) {
  ValueInfo info;
  info.type = type;
  info.shape = std::move(shape);
  return info;
}

Tensor Ints(ElementType type, const Shape& shape, const std::vector<int64_t>& values) {
  Tensor tensor = *Tensor::Create(type, shape);
  StoreRangeFromInt64(type, tensor.mutable_data(), 0, tensor.element_count(), values.data());
  return tensor;
}

ValueInfo Constant(Tensor tensor) {
  ValueInfo info = Typed(tensor.element_type(), tensor.shape());
  info.constant = std::move(tensor);
  return info;
}

absl::StatusOr<ValueInfo> InferOne(const OpDef& op, const std::vector<ValueInfo>& inputs) {
  std::vector<const ValueInfo*> pointers;
  for (const ValueInfo& input : inputs) pointers.push_back(&input);
  BURIN_ASSIGN_OR_RETURN(std::vector<ValueInfo> outputs, InferOp(op, NoAttributes(), pointers));
  return outputs[0];
}

absl::StatusOr<Tensor> EvaluateOne(const OpDef& op, const std::vector<Tensor>& inputs) {
  BURIN_ASSIGN_OR_RETURN(std::vector<Tensor> outputs, EvaluateOp(op, NoAttributes(), inputs));
  return outputs[0];
}

// ---- Inference ----

TEST(EvaluateOpTest, InfersTypesAndShapes) {
  ASSERT_OK_AND_ASSIGN(const ValueInfo sum, InferOne(AddOp(), {Typed(ElementType::kF32, {2, Dimension()}),
                                                               Typed(ElementType::kF32, {Dimension(), 3})}));
  EXPECT_EQ(sum.type, ElementType::kF32);
  EXPECT_EQ(sum.shape, PartialShape({2, 3}));
  EXPECT_FALSE(sum.constant.has_value());
  EXPECT_FALSE(sum.content.has_value());
}

TEST(EvaluateOpTest, ErrorsNameTheOpOnce) {
  EXPECT_THAT(InferOne(AddOp(), {Typed(ElementType::kF32, {}), Typed(ElementType::kI32, {})}),
              StatusIs(absl::StatusCode::kInvalidArgument, StartsWith("TestAdd_c1: ")));
  EXPECT_THAT(InferOne(AddOp(), {Typed(ElementType::kF32, {2}), Typed(ElementType::kF32, {3})}),
              StatusIs(absl::StatusCode::kInvalidArgument, StartsWith("TestAdd: Shapes contradict")));
}

TEST(EvaluateOpTest, ChecksArity) {
  const ValueInfo x = Typed(ElementType::kF32, {});
  const NoAttributes none;
  const OpDef add = AddOp();
  EXPECT_THAT(InferOp(add, none, {&x}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("TestAdd: input 1 is absent")));
  EXPECT_THAT(InferOp(add, none, {&x, nullptr}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(InferOp(add, none, {}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(InferOp(add, none, {&x, &x, &x}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("at most 2")));
  EXPECT_OK(InferOp(add, none, {&x, &x, nullptr}));
  const OpDef optional = OptionalOp();
  EXPECT_OK(InferOp(optional, none, {&x}));
  EXPECT_OK(InferOp(optional, none, {&x, nullptr, &x}));
  EXPECT_OK(InferOp(optional, none, {&x, nullptr, nullptr}));
  EXPECT_THAT(InferOp(optional, none, {&x, &x, nullptr, &x}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("input 2 is absent")));
  OpDef any = SquareOp();
  any.max_inputs = -1;
  EXPECT_OK(InferOp(any, none, std::vector<const ValueInfo*>(100, &x)));
  std::vector<const ValueInfo*> gap(100, &x);
  gap[70] = nullptr;
  EXPECT_THAT(InferOp(any, none, gap), StatusIs(absl::StatusCode::kInvalidArgument));
  OpDef branching = SquareOp();
  branching.bodies = 2;
  EXPECT_THAT(InferOp(branching, none, {&x}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("bodies")));
}

TEST(EvaluateOpTest, AnOptionalFirstInputMayBeLeftOut) {
  OpDef op = SquareOp();
  op.absent_inputs = 1;
  op.infer = [](InferContext& context) {
    context.SetOutput(0, ElementType::kF32, {});
    return absl::OkStatus();
  };
  EXPECT_OK(InferOp(op, NoAttributes(), {nullptr}));
  EXPECT_OK(InferOp(op, NoAttributes(), {}));
}

TEST(EvaluateOpTest, RefusesWhatInferenceMustNotLeave) {
  OpDef untyped = SquareOp();
  untyped.infer = [](InferContext&) { return absl::OkStatus(); };
  EXPECT_THAT(InferOne(untyped, {Typed(ElementType::kF32, {})}),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("output 0 has no type")));
  OpDef miscounted = SquareOp();
  miscounted.infer = [](InferContext& context) {
    context.SetOutputCount(2);
    return absl::OkStatus();
  };
  EXPECT_THAT(InferOne(miscounted, {Typed(ElementType::kF32, {})}), StatusIs(absl::StatusCode::kInternal));
  OpDef empty = SquareOp();
  empty.infer = nullptr;
  EXPECT_THAT(InferOne(empty, {Typed(ElementType::kF32, {})}), StatusIs(absl::StatusCode::kUnimplemented));
}

TEST(EvaluateOpTest, RefusesImpossibleOutputShapes) {
  EXPECT_THAT(InferOne(CountOp(), {Constant(Ints(ElementType::kI64, {}, {-3}))}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("negative dimension in shape [-3]")));
  EXPECT_THAT(InferOne(SquareOp(), {Typed(ElementType::kF32, {kInf, 2})}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(InferOne(SquareOp(), {Typed(ElementType::kF32, PartialShape::OfRank(kMaxRank + 1))}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  ValueInfo limit = Typed(ElementType::kI64, {});
  limit.content = PartialValue{Dimension(-5, 5)};
  ASSERT_OK_AND_ASSIGN(const ValueInfo count, InferOne(CountOp(), {limit}));
  EXPECT_EQ(count.shape, PartialShape({Dimension(0, 5)}));
}

TEST(EvaluateOpTest, FoldsSmallConstants) {
  ASSERT_OK_AND_ASSIGN(const ValueInfo square, InferOne(SquareOp(), {Constant(Ints(ElementType::kI32, {2}, {3, -4}))}));
  EXPECT_EQ(square.constant.ToString(), "i32[2]{9, 16}");
  EXPECT_THAT(square.content, Optional(ElementsAre(Dimension(9), Dimension(16))));
  ASSERT_OK_AND_ASSIGN(const ValueInfo real, InferOne(SquareOp(), {Constant(Ints(ElementType::kF32, {1, 1}, {3}))}));
  EXPECT_EQ(real.constant.ToString(), "f32[1,1]{9}");
  EXPECT_FALSE(real.content.has_value());
}

TEST(EvaluateOpTest, FoldsStridedConstants) {
  int32_t values[3] = {1, 2, 3};
  const Tensor reversed = *Tensor::View(ElementType::kI32, {3}, values + 2, {-4});
  ASSERT_OK_AND_ASSIGN(const ValueInfo square, InferOne(SquareOp(), {Constant(reversed)}));
  EXPECT_EQ(square.constant.ToString(), "i32[3]{9, 4, 1}");
}

TEST(EvaluateOpTest, LeavesLargeImpureAndUnknownValuesAlone) {
  const std::vector<int64_t> zeros(kMaxPropagatedElements + 1, 0);
  const Tensor at_limit = Ints(ElementType::kI32, {kMaxPropagatedElements}, zeros);
  const Tensor beyond = Ints(ElementType::kI32, {kMaxPropagatedElements + 1}, zeros);
  EXPECT_TRUE(InferOne(SquareOp(), {Constant(at_limit)})->constant.has_value());
  EXPECT_FALSE(InferOne(SquareOp(), {Constant(beyond)})->constant.has_value());
  EXPECT_FALSE(InferOne(SquareOp(), {Typed(ElementType::kI32, {2})})->constant.has_value());
  OpDef impure = SquareOp();
  impure.traits = kImpure;
  EXPECT_FALSE(InferOne(impure, {Constant(at_limit)})->constant.has_value());
  const ValueInfo known = Constant(Ints(ElementType::kI32, {1}, {5}));
  EXPECT_FALSE(InferOne(AddOp(), {known, Typed(ElementType::kI32, {1})})->constant.has_value());
}

TEST(EvaluateOpTest, AFailingReferenceLeavesTheValueUnknown) {
  OpDef op = SquareOp();
  op.reference = [](ReferenceContext&) { return absl::UnimplementedError("no such type"); };
  const ValueInfo input = Constant(Ints(ElementType::kI32, {1}, {5}));
  ASSERT_OK_AND_ASSIGN(const ValueInfo output, InferOne(op, {input}));
  EXPECT_FALSE(output.constant.has_value());
  op.reference = [](ReferenceContext&) { return absl::InternalError("broken"); };
  EXPECT_THAT(InferOne(op, {input}), StatusIs(absl::StatusCode::kInternal, "TestSquare: broken"));
  op.reference = nullptr;
  EXPECT_OK(InferOne(op, {input}));
}

TEST(EvaluateOpTest, ShapeOnlyOpsNeedNoValues) {
  ASSERT_OK_AND_ASSIGN(const ValueInfo size, InferOne(SizeOp(), {Typed(ElementType::kF32, {1 << 20, 1 << 20, 3})}));
  EXPECT_THAT(size.content, Optional(ElementsAre(Dimension(int64_t{3} << 40))));
  EXPECT_TRUE(size.constant.has_value());
  EXPECT_FALSE(InferOne(SizeOp(), {Typed(ElementType::kF32, {Dimension()})})->constant.has_value());
  EXPECT_OK(InferOne(SizeOp(), {Typed(ElementType::kI4, {4})}));
}

TEST(EvaluateOpTest, ExactContentBecomesAConstant) {
  ValueInfo a = Typed(ElementType::kI32, {2});
  a.content = PartialValue{Dimension(1), Dimension(2)};
  ValueInfo b = a;
  ASSERT_OK_AND_ASSIGN(const ValueInfo sum, InferOne(AddOp(), {a, b}));
  EXPECT_EQ(sum.constant.ToString(), "i32[2]{2, 4}");
  b.content = PartialValue{Dimension::Symbol("n"), Dimension(7)};
  ASSERT_OK_AND_ASSIGN(const ValueInfo partial, InferOne(AddOp(), {a, b}));
  EXPECT_FALSE(partial.constant.has_value());
  EXPECT_THAT(partial.content, Optional(ElementsAre(Dimension(1, kInf), Dimension(9))));
}

TEST(EvaluateOpTest, ExactContentWrapsAsTheTypeDoes) {
  ValueInfo a = Typed(ElementType::kI8, {1});
  a.content = PartialValue{Dimension(100)};
  ASSERT_OK_AND_ASSIGN(const ValueInfo sum, InferOne(AddOp(), {a, a}));
  EXPECT_EQ(sum.constant.ToString(), "i8[1]{-56}");
  EXPECT_THAT(sum.content, Optional(ElementsAre(Dimension(-56))));
}

TEST(EvaluateOpTest, ContentFixesTheNumberOfElements) {
  OpDef op = SquareOp();
  op.infer = [](InferContext& context) {
    context.SetOutput(0, ElementType::kI64, {Dimension()});
    context.SetContent(0, {1, Dimension()});
    return absl::OkStatus();
  };
  ASSERT_OK_AND_ASSIGN(const ValueInfo output, InferOne(op, {Typed(ElementType::kF32, {})}));
  EXPECT_EQ(output.shape, PartialShape({2}));
}

TEST(EvaluateOpTest, SourcesAreNotFolded) {
  OpDef op = SquareOp();
  op.min_inputs = 0;
  op.max_inputs = 0;
  op.infer = [](InferContext& context) {
    context.SetOutput(0, ElementType::kI64, {1});
    return absl::OkStatus();
  };
  EXPECT_FALSE(InferOne(op, {})->constant.has_value());
}

// ---- Evaluation ----

TEST(EvaluateOpTest, Evaluates) {
  ASSERT_OK_AND_ASSIGN(const Tensor sum, EvaluateOne(AddOp(), {Ints(ElementType::kI32, {2}, {1, 2}),
                                                               Ints(ElementType::kI32, {2}, {10, 20})}));
  EXPECT_EQ(sum.ToString(), "i32[2]{11, 22}");
}

TEST(EvaluateOpTest, EvaluatesStridedInputs) {
  int32_t values[4] = {1, 2, 3, 4};
  const Tensor transposed = *Tensor::View(ElementType::kI32, {2, 2}, values, {4, 8});
  ASSERT_OK_AND_ASSIGN(const Tensor square, EvaluateOne(SquareOp(), {transposed}));
  EXPECT_EQ(square.ToString(), "i32[2,2]{1, 9, 4, 16}");
}

TEST(EvaluateOpTest, ValuesDecideShapes) {
  ASSERT_OK_AND_ASSIGN(const Tensor count, EvaluateOne(CountOp(), {Ints(ElementType::kI32, {}, {3})}));
  EXPECT_EQ(count.ToString(), "i64[3]{0, 1, 2}");
  EXPECT_THAT(EvaluateOne(CountOp(), {Ints(ElementType::kI32, {}, {-3})}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(EvaluateOne(CountOp(), {Ints(ElementType::kI64, {}, {int64_t{1} << 60})}),
              StatusIs(absl::StatusCode::kResourceExhausted, StartsWith("TestCount: output 0")));
}

TEST(EvaluateOpTest, OpsAllocateWhatInferenceCannotKnow) {
  ASSERT_OK_AND_ASSIGN(const Tensor kept, EvaluateOne(NonZeroOp(), {Ints(ElementType::kI32, {4}, {0, 5, 0, 7})}));
  EXPECT_EQ(kept.ToString(), "i32[2]{5, 7}");
  EXPECT_THAT(
      EvaluateOne(NonZeroOp(), {Ints(ElementType::kI32, {5}, {1, 2, 3, 4, 5})}),
      StatusIs(absl::StatusCode::kInternal, HasSubstr("disagree on output 0; inferred i32[0..4], got: i32[5]")));
}

TEST(EvaluateOpTest, RefusesBrokenReferences) {
  OpDef lazy = NonZeroOp();
  lazy.reference = [](ReferenceContext&) { return absl::OkStatus(); };
  EXPECT_THAT(EvaluateOne(lazy, {Ints(ElementType::kI32, {1}, {1})}), StatusIs(absl::StatusCode::kInternal));
  OpDef mistyped = NonZeroOp();
  mistyped.reference = [](ReferenceContext& context) {
    context.SetOutput(0, *Tensor::CreateZeroed(ElementType::kI8, {1}));
    return absl::OkStatus();
  };
  EXPECT_THAT(EvaluateOne(mistyped, {Ints(ElementType::kI32, {1}, {1})}), StatusIs(absl::StatusCode::kInternal));
  OpDef missing = SquareOp();
  missing.reference = nullptr;
  EXPECT_THAT(EvaluateOne(missing, {Ints(ElementType::kI32, {1}, {1})}),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("TestSquare")));
}

TEST(EvaluateOpTest, HonoursCancellation) {
  const std::atomic<bool> cancelled = true;
  HeapScratchAllocator scratch;
  ReferenceContext::Environment environment;
  environment.scratch = &scratch;
  environment.cancelled = &cancelled;
  const std::vector<Tensor> inputs = {Ints(ElementType::kI32, {1}, {1})};
  EXPECT_THAT(EvaluateOp(SquareOp(), NoAttributes(), inputs, environment), StatusIs(absl::StatusCode::kCancelled));
}

TEST(EvaluateOpTest, TakesScratchBack) {
  class CountingScratch final : public ScratchAllocator {
   public:
    absl::StatusOr<void*> Lend(size_t bytes) override {
      ++lent;
      return heap_.Lend(bytes);
    }
    void ReleaseAll() override {
      lent = 0;
      heap_.ReleaseAll();
    }
    int lent = 0;

   private:
    HeapScratchAllocator heap_;
  };
  CountingScratch scratch;
  ReferenceContext::Environment environment;
  environment.scratch = &scratch;
  OpDef op = SquareOp();
  op.reference = [](ReferenceContext& context) -> absl::Status {
    BURIN_RETURN_IF_ERROR(context.scratch().Lend(64).status());
    return absl::AbortedError("after lending");
  };
  const std::vector<Tensor> inputs = {Ints(ElementType::kI32, {1}, {1})};
  EXPECT_THAT(EvaluateOp(op, NoAttributes(), inputs, environment), StatusIs(absl::StatusCode::kAborted));
  EXPECT_EQ(scratch.lent, 0);
}

// ---- Scratch ----

TEST(EvaluateOpTest, ScratchBlocksAreDisjointAlignedAndUsedAgain) {
  HeapScratchAllocator scratch;
  ASSERT_OK_AND_ASSIGN(void* const a, scratch.Lend(100));
  ASSERT_OK_AND_ASSIGN(void* const b, scratch.Lend(1000));
  ASSERT_NE(a, b);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(a) % 64, 0u);
  std::memset(a, 1, 100);
  std::memset(b, 2, 1000);
  EXPECT_EQ(static_cast<char*>(a)[99], 1);
  scratch.ReleaseAll();
  // The larger block serves the larger request, although it was lent second.
  ASSERT_OK_AND_ASSIGN(void* const c, scratch.Lend(900));
  EXPECT_EQ(c, b);
  ASSERT_OK_AND_ASSIGN(void* const d, scratch.Lend(10));
  EXPECT_EQ(d, a);
  scratch.ReleaseAll();
  ASSERT_OK_AND_ASSIGN(void* const e, scratch.Lend(5000));
  std::memset(e, 3, 5000);
  ASSERT_OK_AND_ASSIGN(void* const f, scratch.Lend(0));
  EXPECT_NE(e, f);
}

TEST(EvaluateOpTest, ScratchReportsExhaustion) {
  HeapScratchAllocator scratch;
  EXPECT_THAT(scratch.Lend(std::numeric_limits<size_t>::max() / 4), StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_OK(scratch.Lend(8));
  scratch.ReleaseAll();
  EXPECT_THAT(scratch.Lend(std::numeric_limits<size_t>::max() / 4), StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_OK(scratch.Lend(8));
}

}  // namespace
}  // namespace burin::ir
