#include "runtime/readers/onnx/ops/wide_type.h"

#include "base/element_type.h"
#include "gtest/gtest.h"

namespace burin::onnx {
namespace {

TEST(WideTypeTest, NarrowTypesBecomeF32) {
  for (const ElementType type : {ElementType::kF16, ElementType::kBf16, ElementType::kF8E4M3FN}) {
    EXPECT_EQ(WideType(type), ElementType::kF32) << Name(type);
  }
}

TEST(WideTypeTest, OthersStay) {
  EXPECT_EQ(WideType(ElementType::kF32), ElementType::kF32);
  EXPECT_EQ(WideType(ElementType::kF64), ElementType::kF64);
}

}  // namespace
}  // namespace burin::onnx
