// Packs the weights of a convolution into panels: for each group as jit/kernels/panels/panel_layout.h has them, the
// steps of a sum being [tap of depth][of height][of width][channel].
//
// Use it once for each constant, over as many threads as there are. The layout is that of all machines. Immutable; any
// number of threads may run it at once.
#ifndef BURIN_JIT_KERNELS_CONVOLUTION_CONVOLUTION_WEIGHTS_H_
#define BURIN_JIT_KERNELS_CONVOLUTION_CONVOLUTION_WEIGHTS_H_

#include <cstdint>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "jit/kernels/convolution/convolution_spec.h"
#include "jit/kernels/panels/panel_layout.h"
#include "jit/kernels/panels/panel_packer.h"

namespace burin::jit {

// Says how weights lie before they are packed: the distances in elements, from one channel of the output to the next
// (through all groups), from one channel of the input to the next, and from tap to tap.
struct ConvolutionWeightStrides {
  int64_t output_channel = 0;
  int64_t input_channel = 0;
  int64_t depth = 0;
  int64_t height = 0;
  int64_t width = 0;
  // From one group to the next, where it is not that of as many channels of the output as a group has.
  std::optional<int64_t> group = std::nullopt;
};

// Holds how the weights are packed.
class ConvolutionWeights {
 public:
  // Plans for the weights of `spec`, which passes its Check(). Fails as PanelPacker::Create() does.
  static absl::StatusOr<ConvolutionWeights> Create(const ConvolutionSpec& spec, const ConvolutionWeightStrides& strides,
                                                   const Target& target, CodeCache& cache);

  // Returns the layout of one group, and the bytes of all.
  static absl::StatusOr<PanelLayout> LayoutOfGroup(const ConvolutionSpec& spec);
  int64_t packed_bytes() const { return groups_ * layout_.bytes(); }

  // Returns the number of work items; 0 where there is nothing to pack.
  int64_t work_items() const { return groups_ * packer_.work_items(); }

  // Packs what belongs to the items from `begin` up to `end`.
  void Run(const void* weights, void* packed, int64_t begin, int64_t end) const;

 private:
  ConvolutionWeights(const PanelLayout& layout, PanelPacker packer) : layout_(layout), packer_(std::move(packer)) {}

  PanelLayout layout_;
  PanelPacker packer_;
  int64_t groups_ = 1;
  // From group to group, in bytes.
  int64_t group_stride_ = 0;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_CONVOLUTION_CONVOLUTION_WEIGHTS_H_
