// Lists convolutions of images: the layers of models, and some that are drawn.
//
// Use it for the cases of the family `convolution` (convolution_family.h). Values and pure functions, hence
// thread-safe.
#ifndef BURIN_TOOLS_KERNEL_BENCH_FAMILIES_DENSE_CONVOLUTION_CASES_H_
#define BURIN_TOOLS_KERNEL_BENCH_FAMILIES_DENSE_CONVOLUTION_CASES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "jit/kernels/convolution/convolution_spec.h"
#include "jit/kernels/convolution/window.h"
#include "jit/kernels/depthwise/depthwise_spec.h"
#include "tools/kernel_bench/case_set.h"

namespace burin::kernel_bench {

// Is a convolution of one square image by a square window, padded such that stride 1 keeps the size.
struct ConvolutionCase {
  int64_t input_channels = 1;
  int64_t output_channels = 1;
  // Of the input, in pixels; of the window, which is odd; and its stride.
  int64_t size = 1;
  int64_t kernel = 1;
  int64_t stride = 1;
  // Whether each channel of the output sees one of the input; then there are as many.
  bool depthwise = false;

  int64_t output_size() const { return (size - 1) / stride + 1; }
  int64_t output_pixels() const { return output_size() * output_size(); }
  // Of each output.
  int64_t products() const { return kernel * kernel * (depthwise ? 1 : input_channels); }

  // Returns a name such as "64x256/56/k1s1" or "dw96/112/k3s2", and reads it; nullopt for any other text.
  std::string Name() const;
  static std::optional<ConvolutionCase> Parse(absl::string_view name);

  // Return what our kernels do, on dense tensors whose channels are innermost. Fail as ActivationStrides::Dense() does.
  absl::StatusOr<jit::ConvolutionSpec> Direct() const;
  absl::StatusOr<jit::DepthwiseSpec> Depthwise() const;

 private:
  jit::WindowAxis Axis() const;
};

// Returns the convolutions that represent all kinds.
std::vector<ConvolutionCase> UsualConvolutions();

// Returns those of a set, each once. Drawn ones have 16 to 1,024 channels, images of 7 to 112 and windows of 1, 3 or 5,
// and no more than CaseSet::kMostDrawn multiply-adds; one in eight or more is depthwise.
std::vector<ConvolutionCase> ConvolutionsOf(const CaseSet& set);

}  // namespace burin::kernel_bench

#endif  // BURIN_TOOLS_KERNEL_BENCH_FAMILIES_DENSE_CONVOLUTION_CASES_H_
