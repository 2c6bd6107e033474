#include "jit/kernels/convolution/activation_strides.h"

#include <cstddef>

#include "absl/strings/str_cat.h"

namespace burin::jit {
namespace {

constexpr int64_t kMostElements = int64_t{1} << 60;

// Sets `product` to a * b, none of them negative; returns whether it is less than kMostElements.
bool Multiply(int64_t a, int64_t b, int64_t& product) {
  return !__builtin_mul_overflow(a, b, &product) && product < kMostElements;
}

}  // namespace

absl::StatusOr<ActivationStrides> ActivationStrides::Dense(int64_t planes, int64_t rows, int64_t pixels,
                                                           int64_t channels) {
  ActivationStrides strides;
  strides.pixel = channels;
  const bool fits = planes >= 0 && rows >= 0 && pixels >= 0 && channels >= 0 &&
                    Multiply(pixels, strides.pixel, strides.row) && Multiply(rows, strides.row, strides.plane) &&
                    Multiply(planes, strides.plane, strides.image);
  if (!fits) {
    return absl::InvalidArgumentError(absl::StrCat("Extents out of range: ", planes, " planes, ", rows, " rows, ",
                                                   pixels, " pixels, ", channels, " channels"));
  }
  return strides;
}

absl::Status ActivationStrides::Check(const std::array<int64_t, 4>& extents, int64_t channels,
                                      absl::string_view name) const {
  const struct {
    absl::string_view field;
    int64_t stride;
  } fields[] = {{"image", image}, {"plane", plane}, {"row", row}, {"pixel", pixel}};
  int64_t last = channels;
  for (size_t i = 0; i < extents.size(); ++i) {
    const auto& [field, stride] = fields[i];
    if (extents[i] <= 1) continue;
    int64_t distance = 0;
    if (stride >= 0 && Multiply(extents[i] - 1, stride, distance) && (last += distance) < kMostElements) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("Stride out of range: ", name, ".", field, " is ", stride, " at extent ", extents[i]));
  }
  return absl::OkStatus();
}

void ActivationStrides::AppendTo(Hasher& hasher) const {
  for (const int64_t field : {image, plane, row, pixel}) hasher.UpdateInt(field);
}

}  // namespace burin::jit
