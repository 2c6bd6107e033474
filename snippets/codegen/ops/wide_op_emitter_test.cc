#include "snippets/codegen/ops/wide_op_emitter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/op_def.h"
#include "ir/ops/ops.h"
#include "jit/emitters/wide/wide_function.h"
#include "snippets/codegen/ops/op_emitter.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

using ::testing::HasSubstr;

absl::StatusOr<jit::WideFunction> Find(const ir::OpDef& op, const std::vector<ElementType>& inputs,
                                       ElementType output) {
  const std::vector<std::optional<uint32_t>> constants(inputs.size());
  const std::unique_ptr<ir::Attributes> attributes = op.make_attributes();
  return WideEmitterOf(op, *attributes, {inputs, constants, output});
}

TEST(WideOpEmitterTest, IsForWhatHasWideLanesAnywhere) {
  const auto is_wide = [](std::vector<ElementType> inputs, ElementType output) {
    return IsWideOp({inputs, {}, output});
  };
  EXPECT_TRUE(is_wide({ElementType::kI64, ElementType::kI64}, ElementType::kBoolean));
  EXPECT_TRUE(is_wide({ElementType::kF16}, ElementType::kF64));
  EXPECT_FALSE(is_wide({ElementType::kF32, ElementType::kU8}, ElementType::kI32));
}

TEST(WideOpEmitterTest, SaysHowWideOperandsAre) {
  ASSERT_OK_AND_ASSIGN(
      const jit::WideFunction select,
      Find(ir::SelectOp(), {ElementType::kBoolean, ElementType::kF64, ElementType::kF64}, ElementType::kF64));
  EXPECT_EQ(select.inputs, (std::vector<bool>{false, true, true}));
  EXPECT_TRUE(select.output);
  ASSERT_OK_AND_ASSIGN(const jit::WideFunction less,
                       Find(ir::LessOp(), {ElementType::kI64, ElementType::kI64}, ElementType::kBoolean));
  EXPECT_EQ(less.inputs, (std::vector<bool>{true, true}));
  EXPECT_FALSE(less.output);
}

TEST(WideOpEmitterTest, ConvertsBetweenAllTypesWithLanes) {
  const std::vector<ElementType> types = {ElementType::kF64,  ElementType::kF32,    ElementType::kF16,
                                          ElementType::kBf16, ElementType::kI64,    ElementType::kI32,
                                          ElementType::kI16,  ElementType::kU16,    ElementType::kI8,
                                          ElementType::kU8,   ElementType::kBoolean};
  for (const ElementType narrow : types) {
    for (const ElementType wide : {ElementType::kF64, ElementType::kI64}) {
      EXPECT_OK(Find(ir::ConvertOp(), {narrow}, wide).status()) << narrow << " " << wide;
      EXPECT_OK(Find(ir::ConvertOp(), {wide}, narrow).status()) << wide << " " << narrow;
    }
  }
}

TEST(WideOpEmitterTest, SaysWhyThereIsNone) {
  EXPECT_THAT(Find(ir::SinOp(), {ElementType::kF64}, ElementType::kF64).status(),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("Sin: not with elements of type f64")));
  EXPECT_THAT(Find(ir::ConvertOp(), {ElementType::kU64}, ElementType::kI64).status(),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("Convert: not with elements of type u64")));
}

}  // namespace
}  // namespace burin::snippets
