#include "ir/reference_context.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ReferenceContextTest : public testing::Test {
 protected:
  ReferenceContext Make(absl::Span<const Tensor> inputs) {
    return ReferenceContext(attributes_, inputs, absl::MakeSpan(outputs_), types_, environment_);
  }

  NoAttributes attributes_;
  std::vector<Tensor> outputs_ = {*Tensor::CreateZeroed(ElementType::kI8, {3}), Tensor()};
  std::vector<ElementType> types_ = {ElementType::kI8, ElementType::kF32};
  ReferenceContext::Environment environment_;
};

TEST_F(ReferenceContextTest, ConvertsInputs) {
  float values[] = {1.5f, -2.5f};
  const std::vector<Tensor> inputs = {*Tensor::View(ElementType::kF32, {2}, values), Tensor()};
  const ReferenceContext context = Make(inputs);
  EXPECT_EQ(context.input_count(), 2);
  EXPECT_TRUE(context.has_input(0));
  EXPECT_FALSE(context.has_input(1));
  EXPECT_FALSE(context.has_input(2));
  EXPECT_THAT(context.InputAsDoubles(0), ElementsAre(1.5, -2.5));
  EXPECT_THAT(context.InputAsInts(0), ElementsAre(1, -2));
}

TEST_F(ReferenceContextTest, StoresOutputs) {
  ReferenceContext context = Make({});
  context.StoreInts(0, {1, 2, 300});
  EXPECT_EQ(outputs_[0].ToString(), "i8[3]{1, 2, 44}");
  context.StoreDoubles(0, {1.9, -1.9, 300.0});
  EXPECT_EQ(outputs_[0].ToString(), "i8[3]{1, -1, 127}");
}

TEST_F(ReferenceContextTest, AllocatesOutputsOfDataDependentShape) {
  ReferenceContext context = Make({});
  EXPECT_FALSE(context.has_output(1));
  ASSERT_OK(context.AllocateOutput(1, {2}));
  EXPECT_EQ(context.output(1).element_type(), ElementType::kF32);
  EXPECT_OK(context.AllocateOutput(1, {2}));
  EXPECT_THAT(context.AllocateOutput(1, {3}), StatusIs(absl::StatusCode::kInternal, HasSubstr("[3], not [2]")));
  EXPECT_OK(context.AllocateOutput(0, {3}));
  EXPECT_THAT(context.AllocateOutput(0, {1, 3}), StatusIs(absl::StatusCode::kInternal));
}

TEST_F(ReferenceContextTest, RefusesToAllocateBadShapes) {
  ReferenceContext context = Make({});
  EXPECT_THAT(context.AllocateOutput(1, {-1}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(context.AllocateOutput(1, {int64_t{1} << 60}), StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_FALSE(context.has_output(1));
}

TEST_F(ReferenceContextTest, SharesTensors) {
  const std::vector<Tensor> inputs = {*Tensor::CreateZeroed(ElementType::kF32, {4})};
  ReferenceContext context = Make(inputs);
  context.SetOutput(1, *context.input(0).Reshaped({2, 2}));
  EXPECT_EQ(outputs_[1].data(), inputs[0].data());
}

TEST_F(ReferenceContextTest, ReportsCancellation) {
  std::atomic<bool> cancelled = false;
  EXPECT_OK(Make({}).CheckCancelled());
  environment_.cancelled = &cancelled;
  EXPECT_OK(Make({}).CheckCancelled());
  cancelled = true;
  EXPECT_THAT(Make({}).CheckCancelled(), StatusIs(absl::StatusCode::kCancelled));
}

TEST_F(ReferenceContextTest, StoringAWrongNumberOfValuesIsABug) {
  ReferenceContext context = Make({});
  EXPECT_DEATH(context.StoreInts(0, {1, 2}), "Check failed");
}

}  // namespace
}  // namespace burin::ir
