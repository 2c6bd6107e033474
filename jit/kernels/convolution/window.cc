#include "jit/kernels/convolution/window.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace burin::jit {
namespace {

// Twice the square of it, and it itself once more, are less than 2^63.
constexpr int64_t kMost = (int64_t{1} << 31) - 1;

// Returns the quotient rounded up; the divisor is above 0.
int64_t DivideUp(int64_t a, int64_t b) { return a > 0 ? (a - 1) / b + 1 : a / b; }

}  // namespace

absl::Status WindowAxis::Check(absl::string_view name) const {
  const struct {
    absl::string_view field;
    int64_t value;
    int64_t least;
  } fields[] = {{"input", input, 0},   {"output", output, 0},     {"kernel", kernel, 1},
                {"stride", stride, 1}, {"dilation", dilation, 1}, {"pad_before", pad_before, -kMost}};
  for (const auto& [field, value, least] : fields) {
    if (value >= least && value <= kMost) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("Out of range along an axis of the window: ", name, ".", field, " is ", value));
  }
  return absl::OkStatus();
}

void WindowAxis::AppendTo(Hasher& hasher) const {
  for (const int64_t field : {input, output, kernel, stride, dilation, pad_before}) hasher.UpdateInt(field);
}

TapRange TapsInside(const WindowAxis& axis, int64_t output_index) {
  const int64_t first = axis.At(output_index, 0);
  const int64_t begin = std::max<int64_t>(0, DivideUp(-first, axis.dilation));
  const int64_t end = std::min(axis.kernel, DivideUp(axis.input - first, axis.dilation));
  if (begin >= end) return {};
  return {begin, end};
}

uint64_t OutputsInside(const WindowAxis& axis, int64_t first, int count, int64_t tap) {
  uint64_t bits = 0;
  for (int i = 0; i < count; ++i) {
    const int64_t index = axis.At(first + i, tap);
    if (index >= 0 && index < axis.input) bits |= uint64_t{1} << i;
  }
  return bits;
}

}  // namespace burin::jit
