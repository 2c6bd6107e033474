#include "ir/ops/read_value.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ir/evaluate_op.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/shape.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;

// Holds one variable, "v".
class Store final : public VariableStore {
 public:
  Store() = default;
  explicit Store(Tensor value) : value_(std::move(value)) {}
  const Tensor* Find(absl::string_view id) const override {
    return id == "v" && value_.has_value() ? &value_ : nullptr;
  }
  void Assign(absl::string_view, Tensor value) override { value_ = std::move(value); }

 private:
  Tensor value_;
};

ReadValueAttributes Make(std::string id, ElementType type, PartialShape shape) {
  ReadValueAttributes attributes;
  attributes.variable_id = std::move(id);
  attributes.variable_type = type;
  attributes.variable_shape = std::move(shape);
  return attributes;
}

absl::StatusOr<Tensor> Read(Store store, const ReadValueAttributes& attributes, std::vector<Tensor> inputs) {
  HeapScratchAllocator scratch;
  ReferenceContext::Environment environment;
  environment.scratch = &scratch;
  environment.variables = &store;
  absl::StatusOr<std::vector<Tensor>> outputs = EvaluateOp(ReadValueOp(), attributes, inputs, environment);
  if (!outputs.ok()) return outputs.status();
  return outputs->front();
}

TEST(ReadValueTest, InfersTheVariablesTypeAndShape) {
  const PartialShape shape{Dimension::Symbol("n"), 4};
  ASSERT_OK_AND_ASSIGN(const ValueInfo info, InferOne(ReadValueOp(), Make("v", ElementType::kF16, shape), {}));
  EXPECT_EQ(info.type, ElementType::kF16);
  EXPECT_EQ(info.shape, shape);
}

TEST(ReadValueTest, KeepsTheVariablesShapeWhateverTheInitialValueIs) {
  const auto attributes = Make("v", ElementType::kUndefined, {Dimension(), 4});
  ASSERT_OK_AND_ASSIGN(const ValueInfo info, InferOne(ReadValueOp(), attributes, {Known(ElementType::kI8, {0, 4})}));
  EXPECT_EQ(info.type, ElementType::kI8);
  EXPECT_EQ(info.shape, (PartialShape{Dimension(), 4}));
}

TEST(ReadValueTest, ReadsTheStoreBeforeTheInitialValue) {
  const auto attributes = Make("v", ElementType::kF32, {Dimension()});
  ASSERT_OK_AND_ASSIGN(const Tensor stored, Read(Store(F32({2}, {1, 2})), attributes, {F32({1}, {9})}));
  ExpectTensorEq(stored, F32({2}, {1, 2}));
  ASSERT_OK_AND_ASSIGN(const Tensor initial, Read(Store(), attributes, {F32({1}, {9})}));
  ExpectTensorEq(initial, F32({1}, {9}));
}

TEST(ReadValueTest, ReadsZerosWithoutAnInitialValue) {
  ASSERT_OK_AND_ASSIGN(const Tensor zeros, Read(Store(), Make("v", ElementType::kF32, {2, Dimension(1, 5)}), {}));
  ExpectTensorEq(zeros, F32({2, 1}, {0, 0}));
  ASSERT_OK_AND_ASSIGN(const Tensor empty, Read(Store(), Make("v", ElementType::kF32, {2, Dimension()}), {}));
  ExpectTensorEq(empty, F32({2, 0}, {}));
}

TEST(ReadValueTest, ReadValue_c1_RefusesAnEmptyId) {
  EXPECT_THAT(InferOne(ReadValueOp(), Make("", ElementType::kF32, {1}), {}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("ReadValue_c1")));
}

TEST(ReadValueTest, ReadValue_c2_RefusesAnUnknownOrContradictingType) {
  EXPECT_THAT(InferOne(ReadValueOp(), Make("v", ElementType::kUndefined, {1}), {}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("ReadValue_c2")));
  EXPECT_THAT(InferOne(ReadValueOp(), Make("v", ElementType::kF32, {1}), {Known(ElementType::kF16, {1})}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("ReadValue_c2")));
}

TEST(ReadValueTest, ReadValue_c3_RefusesAnInitialValueThatDoesNotFit) {
  EXPECT_THAT(InferOne(ReadValueOp(), Make("v", ElementType::kF32, {2}), {Known(ElementType::kF32, {3})}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("ReadValue_c3")));
  EXPECT_THAT(Read(Store(), Make("v", ElementType::kF32, PartialShape::DynamicRank()), {}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("ReadValue_c3")));
}

TEST(ReadValueTest, ReadValue_c4_RefusesHostileShapes) {
  EXPECT_THAT(InferOne(ReadValueOp(), Make("v", ElementType::kF32, {-5}), {}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("ReadValue_c4")));
  EXPECT_THAT(InferOne(ReadValueOp(), Make("v", ElementType::kF32, PartialShape::OfRank(kMaxRank + 1)), {}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("ReadValue_c4")));
}

TEST(ReadValueTest, ReadValue_c5_RefusesAStoredValueThatDoesNotFit) {
  EXPECT_THAT(Read(Store(F32({3}, {1, 2, 3})), Make("v", ElementType::kF32, {2}), {}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("ReadValue_c5")));
  EXPECT_THAT(Read(Store(I32({2}, {1, 2})), Make("v", ElementType::kF32, {2}), {}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("ReadValue_c5")));
}

}  // namespace
}  // namespace burin::ir
