#include "jit/kernels/winograd/winograd_spec.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"

namespace burin::jit {
namespace {

constexpr int64_t kKernel = 3;

absl::Status CheckField(int64_t value, int64_t wanted, absl::string_view axis, absl::string_view field) {
  if (value == wanted) return absl::OkStatus();
  return absl::UnimplementedError(
      absl::StrCat("Winograd of anything but 3 x 3 windows with stride and dilation 1: ", axis, field, " is ", value));
}

absl::Status CheckAxis(const WindowAxis& axis, absl::string_view name) {
  BURIN_RETURN_IF_ERROR(CheckField(axis.kernel, kKernel, name, ".kernel"));
  BURIN_RETURN_IF_ERROR(CheckField(axis.stride, 1, name, ".stride"));
  return CheckField(axis.dilation, 1, name, ".dilation");
}

}  // namespace

absl::Status CheckWinograd(const ConvolutionSpec& spec) {
  BURIN_RETURN_IF_ERROR(spec.Check());
  BURIN_RETURN_IF_ERROR(CheckField(spec.groups, 1, "groups", ""));
  BURIN_RETURN_IF_ERROR(CheckField(spec.depth.kernel, 1, "depth", ".kernel"));
  BURIN_RETURN_IF_ERROR(CheckField(spec.depth.input, 1, "depth", ".input"));
  BURIN_RETURN_IF_ERROR(CheckField(spec.depth.output, 1, "depth", ".output"));
  BURIN_RETURN_IF_ERROR(CheckField(spec.depth.pad_before, 0, "depth", ".pad_before"));
  BURIN_RETURN_IF_ERROR(CheckAxis(spec.height, "height"));
  return CheckAxis(spec.width, "width");
}

WinogradAxis WinogradAxis::Of(const WindowAxis& axis) {
  WinogradAxis cut;
  for (int64_t first = 0; first < axis.output; first += kWinogradOutputs) {
    const int64_t start = axis.At(first, 0);
    WinogradTileKind kind;
    kind.inside.begin = std::clamp<int64_t>(-start, 0, kWinogradInputs);
    kind.inside.end = std::clamp<int64_t>(axis.input - start, 0, kWinogradInputs);
    if (kind.inside.end <= kind.inside.begin) kind.inside = {0, 0};
    kind.outputs = static_cast<int>(std::min<int64_t>(kWinogradOutputs, axis.output - first));
    const auto same = std::find(cut.kinds.begin(), cut.kinds.end(), kind);
    cut.kind_of_tile.push_back(same - cut.kinds.begin());
    if (same == cut.kinds.end()) cut.kinds.push_back(kind);
  }
  return cut;
}

}  // namespace burin::jit
