#include "jit/kernels/panels/panel_layout.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace burin::jit {
namespace {

constexpr int64_t kMostBytes = int64_t{1} << 62;

}  // namespace

absl::StatusOr<PanelLayout> PanelLayout::Create(ElementType type, int64_t depth, int64_t columns) {
  if (type != ElementType::kF32) {
    return absl::UnimplementedError(absl::StrCat("Panels of elements of this type: ", Name(type)));
  }
  if (depth < 0 || columns < 0) {
    return absl::InvalidArgumentError(absl::StrCat("PanelLayout: a negative size: ", depth, " x ", columns));
  }
  int64_t bytes = 0;
  const int64_t padded = columns > kMostBytes - kColumns ? kMostBytes : (columns + kColumns - 1) / kColumns * kColumns;
  if (__builtin_mul_overflow(padded, 4, &bytes) || __builtin_mul_overflow(bytes, depth, &bytes) ||
      bytes >= kMostBytes) {
    return absl::InvalidArgumentError(absl::StrCat("PanelLayout: too many bytes: ", depth, " x ", columns));
  }
  return PanelLayout(type, depth, columns);
}

}  // namespace burin::jit
