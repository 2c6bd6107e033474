#include "runtime/readers/onnx/data_type.h"

#include <cstdint>
#include <utility>

#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

// The numbers of onnx.proto, written out.
TEST(DataTypeTest, TranslatesEveryNumber) {
  const std::pair<int64_t, ElementType> types[] = {
      {1, ElementType::kF32},         {2, ElementType::kU8},      {3, ElementType::kI8},
      {4, ElementType::kU16},         {5, ElementType::kI16},     {6, ElementType::kI32},
      {7, ElementType::kI64},         {8, ElementType::kString},  {9, ElementType::kBoolean},
      {10, ElementType::kF16},        {11, ElementType::kF64},    {12, ElementType::kU32},
      {13, ElementType::kU64},        {16, ElementType::kBf16},   {17, ElementType::kF8E4M3FN},
      {18, ElementType::kF8E4M3FNUZ}, {19, ElementType::kF8E5M2}, {20, ElementType::kF8E5M2FNUZ},
      {21, ElementType::kU4},         {22, ElementType::kI4},     {23, ElementType::kF4E2M1},
      {24, ElementType::kF8E8M0},     {25, ElementType::kU2},     {26, ElementType::kI2},
  };
  for (const auto& [number, type] : types) {
    ASSERT_OK_AND_ASSIGN(const ElementType translated, ElementTypeFromOnnx(number));
    EXPECT_EQ(translated, type) << number;
  }
}

TEST(DataTypeTest, RefusesOthers) {
  for (const int64_t number : {INT64_MIN, int64_t{-1}, int64_t{0}, int64_t{27}, INT64_MAX}) {
    EXPECT_THAT(ElementTypeFromOnnx(number), StatusIs(absl::StatusCode::kInvalidArgument)) << number;
  }
  EXPECT_THAT(ElementTypeFromOnnx(14), StatusIs(absl::StatusCode::kUnimplemented));
  EXPECT_THAT(ElementTypeFromOnnx(15), StatusIs(absl::StatusCode::kUnimplemented));
}

}  // namespace
}  // namespace burin::onnx
