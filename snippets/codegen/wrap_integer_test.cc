#include "snippets/codegen/wrap_integer.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "absl/types/span.h"
#include "base/element_type.h"
#include "jit/emitters/row_kernel.h"
#include "jit/emitters/vec_group.h"
#include "jit/isa/target.h"

namespace burin::snippets {
namespace {

int32_t Wrapped(int32_t x, ElementType type) {
  const jit::RowFunction function =
      jit::RowFunction::Of("wrap", 1, [type](auto& v, absl::Span<const jit::VecGroup> o) { EmitWrap(v, o[0], type); });
  int32_t result = 0;
  jit::RowKernel::Create(function, jit::Target::Host().value())->Run(&x, &result, 1);
  return result;
}

TEST(WrapIntegerTest, KeepsTheLowestBits) {
  EXPECT_EQ(Wrapped(128, ElementType::kI8), -128);
  EXPECT_EQ(Wrapped(-1, ElementType::kU8), 255);
  EXPECT_EQ(Wrapped(70000, ElementType::kI16), 4464);
  EXPECT_EQ(Wrapped(-70000, ElementType::kU16), 61072);
  EXPECT_EQ(Wrapped(-70000, ElementType::kI32), -70000);
  EXPECT_EQ(Wrapped(1, ElementType::kBoolean), 1);
}

}  // namespace
}  // namespace burin::snippets
