#include "snippets/codegen/ops/op_emitter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/base/casts.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/op_def.h"
#include "ir/ops/clamp.h"
#include "ir/ops/ops.h"
#include "jit/emitters/row_kernel.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

using ::testing::HasSubstr;
using Constants = std::vector<std::optional<uint32_t>>;

absl::StatusOr<jit::RowFunction> Find(const ir::OpDef& op, std::vector<ElementType> inputs, ElementType output,
                                      Constants constants = {}) {
  constants.resize(inputs.size());
  const std::unique_ptr<ir::Attributes> attributes = op.make_attributes();
  return EmitterOf(op, *attributes, {inputs, constants, output});
}

// Runs a function of one input on one element.
template <class T>
T Of(const jit::RowFunction& function, T x) {
  const jit::RowKernel kernel = jit::RowKernel::Create(function, jit::Target::Host().value()).value();
  T result;
  kernel.Run(&x, &result, 1);
  return result;
}

TEST(OpEmitterTest, TakesFloatsOfAnyTypeAlike) {
  for (const ElementType type : {ElementType::kF32, ElementType::kF16, ElementType::kBf16}) {
    ASSERT_OK_AND_ASSIGN(const jit::RowFunction negative, Find(ir::NegativeOp(), {type}, type));
    EXPECT_EQ(Of(negative, 2.5f), -2.5f);
  }
}

TEST(OpEmitterTest, IntegersWrapAtTheirOwnWidth) {
  ASSERT_OK_AND_ASSIGN(const jit::RowFunction narrow, Find(ir::NegativeOp(), {ElementType::kI8}, ElementType::kI8));
  EXPECT_EQ(Of<int32_t>(narrow, -128), -128);
  ASSERT_OK_AND_ASSIGN(const jit::RowFunction wide, Find(ir::NegativeOp(), {ElementType::kI32}, ElementType::kI32));
  EXPECT_EQ(Of<int32_t>(wide, -128), 128);
}

TEST(OpEmitterTest, BindsConstantInputs) {
  const Constants beta = {std::nullopt, absl::bit_cast<uint32_t>(0.0f)};
  ASSERT_OK_AND_ASSIGN(const jit::RowFunction swish,
                       Find(ir::SwishOp(), {ElementType::kF32, ElementType::kF32}, ElementType::kF32, beta));
  EXPECT_EQ(swish.inputs, 1);
  EXPECT_EQ(Of(swish, 3.0f), 1.5f);
  EXPECT_THAT(Find(ir::SwishOp(), {ElementType::kF32, ElementType::kF32}, ElementType::kF32).status(),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("beta is not constant")));
}

TEST(OpEmitterTest, ConvertsAsConvertDoes) {
  ASSERT_OK_AND_ASSIGN(const jit::RowFunction to_u8, Find(ir::ConvertOp(), {ElementType::kF32}, ElementType::kU8));
  EXPECT_EQ(absl::bit_cast<int32_t>(Of(to_u8, 300.0f)), 255);
  EXPECT_EQ(absl::bit_cast<int32_t>(Of(to_u8, -1.0f)), 0);
  ASSERT_OK_AND_ASSIGN(const jit::RowFunction to_i8, Find(ir::ConvertOp(), {ElementType::kI32}, ElementType::kI8));
  EXPECT_EQ(Of<int32_t>(to_i8, 300), 44);
}

TEST(OpEmitterTest, ClampsIntegersToLimitsRoundedInwards) {
  const auto clamp = [](ElementType type, double min, double max) {
    ir::ClampAttributes limits;
    limits.min = min;
    limits.max = max;
    const Constants constants(1);
    return EmitterOf(ir::ClampOp(), limits, {absl::MakeConstSpan(&type, 1), constants, type});
  };
  ASSERT_OK_AND_ASSIGN(const jit::RowFunction inwards, clamp(ElementType::kI32, -2.5, 1e10));
  EXPECT_EQ(Of<int32_t>(inwards, -100), -2);
  EXPECT_EQ(Of<int32_t>(inwards, 1 << 30), 1 << 30);
  ASSERT_OK_AND_ASSIGN(const jit::RowFunction none, clamp(ElementType::kU8, 0.25, 0.75));
  EXPECT_EQ(Of<int32_t>(none, 7), 0);
  EXPECT_THAT(clamp(ElementType::kI8, 200, 300).status(),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("limits that the type does not hold")));
}

TEST(OpEmitterTest, SaysWhyThereIsNone) {
  EXPECT_THAT(Find(ir::AddOp(), {ElementType::kI64, ElementType::kI64}, ElementType::kI64).status(),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("Add: elements of type i64")));
  EXPECT_THAT(Find(ir::SoftmaxOp(), {ElementType::kF32}, ElementType::kF32).status(),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("Softmax")));
}

}  // namespace
}  // namespace burin::snippets
