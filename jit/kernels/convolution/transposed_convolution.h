// Computes transposed convolutions: every input is spread over a window of outputs.
//
// Use it for what upsamples (deconvolution), described by the convolution whose transpose it is. An output sees those
// inputs whose windows cover it; which taps these are repeats with the stride, so that the outputs fall into phases,
// each of which is a convolution of stride 1 with a part of the taps (jit/kernels/convolution/convolution_kernel.h).
// Nothing is multiplied by zeros between inputs. An immutable value: Run() may be called by any number of threads at
// once.
//
// However items are shared, the same bits are written. To an epilogue the output is a matrix with a row for each pixel
// and a column for each channel.
#ifndef BURIN_JIT_KERNELS_CONVOLUTION_TRANSPOSED_CONVOLUTION_H_
#define BURIN_JIT_KERNELS_CONVOLUTION_TRANSPOSED_CONVOLUTION_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "jit/kernels/convolution/convolution_kernel.h"
#include "jit/kernels/convolution/convolution_spec.h"
#include "jit/kernels/convolution/convolution_weights.h"
#include "jit/kernels/convolution/window.h"
#include "jit/kernels/epilogue_emitter.h"

namespace burin::jit {

// Is the outputs along an axis whose index is `first` plus multiples of the stride, as the axis of a convolution.
struct TransposedPhase {
  int64_t first = 0;
  // From the inputs to these outputs; its taps are the transposed axis's from `first_tap` on, `tap_step` apart, the
  // step being negative. Where no tap reaches these outputs, all taps are outside.
  WindowAxis axis;
  int64_t first_tap = 0;
  int64_t tap_step = 0;
};

// Returns the phases of the transpose of `axis` (which passes its Check()): one for each of its first `stride` inputs.
std::vector<TransposedPhase> TransposedPhases(const WindowAxis& axis);

// Is a transposed convolution that is planned, with its code.
class TransposedConvolution {
 public:
  // Plans the transpose of `forward`, for `target`, with code of `cache`, which lives longer: it reads what `forward`
  // would write, by forward.output, and writes what that would read, by forward.input. `strides` are those of the
  // weights of `forward`. Errors as of ConvolutionKernel::Create(); Unimplemented for an epilogue where a stride is not
  // 1 (the rows of a tile do not follow each other there), and for more than 1024 phases.
  static absl::StatusOr<TransposedConvolution> Create(const ConvolutionSpec& forward,
                                                      const ConvolutionWeightStrides& strides, const Target& target,
                                                      CodeCache& cache, const EpilogueEmitter* epilogue = nullptr);

  // Returns the bytes of packed weights, and the number of work items to pack them.
  int64_t packed_bytes() const { return packed_bytes_; }
  int64_t pack_items() const { return pack_items_; }

  // Packs what belongs to the items from `begin` up to `end`.
  void Pack(const void* weights, void* packed, int64_t begin, int64_t end) const;

  // Returns the number of work items; 0 where there is no output.
  int64_t work_items() const { return work_items_; }

  // Computes the items from `begin` up to `end`, which are 0 to work_items().
  void Run(const ConvolutionArgs& args, int64_t begin, int64_t end) const;

  // Returns whether sums are kept in the output's memory, as ConvolutionKernel::keeps_sums().
  bool keeps_sums() const;

 private:
  // Is a phase of all axes. Distances are in bytes.
  struct Part {
    ConvolutionKernel kernel;
    ConvolutionWeights weights;
    int64_t source = 0;
    int64_t packed = 0;
    int64_t output = 0;
  };

  TransposedConvolution() = default;

  std::vector<Part> parts_;
  int64_t packed_bytes_ = 0;
  int64_t pack_items_ = 0;
  int64_t work_items_ = 0;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_CONVOLUTION_TRANSPOSED_CONVOLUTION_H_
