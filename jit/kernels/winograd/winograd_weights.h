// Transforms the weights of a convolution of 3 x 3 windows for Winograd's, into panels: [panel of 64 channels of the
// output][36][channel of the input][64], zeros behind the last channel of the output. Behind each of the 36 parts is an
// unused line, so that they do not share sets of the caches.
//
// Use it once for each constant, over as many threads as there are. The results are 4 times as many as the weights. The
// layout is that of all machines. Immutable; any number of threads may run it at once, each with scratch memory of its
// own.
#ifndef BURIN_JIT_KERNELS_WINOGRAD_WINOGRAD_WEIGHTS_H_
#define BURIN_JIT_KERNELS_WINOGRAD_WINOGRAD_WEIGHTS_H_

#include <array>
#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "jit/kernels/convolution/convolution_spec.h"
#include "jit/kernels/convolution/convolution_weights.h"
#include "jit/kernels/panels/panel_packer.h"

namespace burin::jit {

// Holds how weights are transformed.
class WinogradWeights {
 public:
  // Plans for the weights of `spec`, with code of `cache`, which lives longer. Fails as CheckWinograd(),
  // PanelPacker::Create() and CodeCache::GetOrGenerate() do.
  static absl::StatusOr<WinogradWeights> Create(const ConvolutionSpec& spec, const ConvolutionWeightStrides& strides,
                                                const Target& target, CodeCache& cache);

  // Returns the bytes of the results, best aligned to 64.
  int64_t packed_bytes() const;

  // Returns the bytes from one panel to the next, and from one of its 36 parts to the next.
  static int64_t PanelBytes(int64_t input_channels);
  static int64_t PlaneBytes(int64_t input_channels);

  // Returns the bytes of scratch memory that each concurrent call of Run() takes, aligned to 64.
  int64_t scratch_bytes() const;

  // Returns the number of work items; 0 where there is nothing to transform.
  int64_t work_items() const;

  // Transforms what belongs to the items from `begin` up to `end`.
  void Run(const void* weights, void* packed, void* scratch, int64_t begin, int64_t end) const;

 private:
  WinogradWeights() = default;

  int64_t input_channels_ = 0;
  int64_t output_channels_ = 0;
  // Of the weights, in bytes, from one channel to the next.
  int64_t output_stride_ = 0;
  int64_t input_stride_ = 0;
  // Channels of the input that are done at a time.
  int64_t block_ = 1;
  // By whether the panel is the rest of the output's channels, and whether the block is that of the input's.
  std::array<std::array<std::optional<PanelPacker>, 2>, 2> packers_;
  CachedCode code_;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_WINOGRAD_WINOGRAD_WEIGHTS_H_
