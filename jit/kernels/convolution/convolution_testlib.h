// Computes convolutions in double, one sum after the other, and makes the specs that tests are about.
//
// Use it in tests of kernels that convolve. Pure functions: thread-safe.
#ifndef BURIN_JIT_KERNELS_CONVOLUTION_CONVOLUTION_TESTLIB_H_
#define BURIN_JIT_KERNELS_CONVOLUTION_CONVOLUTION_TESTLIB_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "jit/kernels/convolution/activation_strides.h"
#include "jit/kernels/convolution/convolution_spec.h"
#include "jit/kernels/convolution/window.h"

namespace burin::jit {

// Returns an axis whose output has all places of the window in the padded input.
WindowAxis PaddedAxis(int64_t input, int64_t kernel, int64_t stride, int64_t dilation, int64_t pad_before,
                      int64_t pad_after);

// Returns a spec with `gap` elements between pixels, and gaps between rows if there are some.
ConvolutionSpec MakeConvolution(int64_t images, int64_t input_channels, int64_t output_channels, int64_t groups,
                                const WindowAxis& depth, const WindowAxis& height, const WindowAxis& width,
                                int64_t gap = 0);

// Returns the number of elements up to the last one of the input, and of the output.
int64_t InputElements(const ConvolutionSpec& spec);
int64_t OutputElements(const ConvolutionSpec& spec);

// Calls visit(n, d, h, w) for each pixel of the output, in their order.
void ForEachPixel(const ConvolutionSpec& spec,
                  const std::function<void(int64_t n, int64_t d, int64_t h, int64_t w)>& visit);

// Returns the outputs, dense: [pixel][channel]. Weights are dense: [output channel][tap][input channel of the group].
std::vector<double> ConvolveInDouble(const ConvolutionSpec& spec, const float* input,
                                     const std::vector<float>& weights);

// Returns a description for messages.
std::string Describe(const ConvolutionSpec& spec);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_CONVOLUTION_CONVOLUTION_TESTLIB_H_
