#include "runtime/readers/onnx/data_type.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace burin::onnx {
namespace {

// By number; kUndefined where there is none or it is complex.
constexpr ElementType kTypes[] = {
    ElementType::kUndefined,  ElementType::kF32,      ElementType::kU8,         ElementType::kI8,
    ElementType::kU16,        ElementType::kI16,      ElementType::kI32,        ElementType::kI64,
    ElementType::kString,     ElementType::kBoolean,  ElementType::kF16,        ElementType::kF64,
    ElementType::kU32,        ElementType::kU64,      ElementType::kUndefined,  ElementType::kUndefined,
    ElementType::kBf16,       ElementType::kF8E4M3FN, ElementType::kF8E4M3FNUZ, ElementType::kF8E5M2,
    ElementType::kF8E5M2FNUZ, ElementType::kU4,       ElementType::kI4,         ElementType::kF4E2M1,
    ElementType::kF8E8M0,     ElementType::kU2,       ElementType::kI2,
};
constexpr int64_t kTypeCount = sizeof(kTypes) / sizeof(kTypes[0]);
static_assert(kTypeCount == 27, "one entry per number, 0 to 26");

constexpr int64_t kComplex64 = 14;
constexpr int64_t kComplex128 = 15;

}  // namespace

absl::StatusOr<ElementType> ElementTypeFromOnnx(int64_t data_type) {
  if (data_type == kComplex64 || data_type == kComplex128) {
    return absl::UnimplementedError("Complex element types are not supported");
  }
  if (data_type <= 0 || data_type >= kTypeCount) {
    return absl::InvalidArgumentError(absl::StrCat("Unknown ONNX element type: ", data_type));
  }
  return kTypes[data_type];
}

}  // namespace burin::onnx
