// Computes depthwise convolutions of 1 to 3 spatial axes on tensors whose channels are innermost.
//
// Use it where every channel of the output depends on one of the input; any window, stride, dilation and padding, and
// several outputs a channel. Not for groups of more channels. An immutable value: Run() may be called by any number of
// threads at once.
//
//   BURIN_ASSIGN_OR_RETURN(const DepthwiseKernel kernel, DepthwiseKernel::Create(spec, target, cache));
//   kernel.PackWeights(weights, {taps, 9, 3, 1}, packed);
//   kernel.Run({input, packed, output}, 0, kernel.work_items());
//
// A work item is a row of the output, by all channels or by a block of them; however they are shared, the same bits are
// written. To an epilogue the output is a matrix with a row for each pixel, in the order of images, planes, rows and
// pixels, and a column for each channel. Where there is an epilogue it stores the results; nothing else is written.
#ifndef BURIN_JIT_KERNELS_DEPTHWISE_DEPTHWISE_KERNEL_H_
#define BURIN_JIT_KERNELS_DEPTHWISE_DEPTHWISE_KERNEL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "jit/kernels/convolution/window.h"
#include "jit/kernels/depthwise/depthwise_plan.h"
#include "jit/kernels/depthwise/depthwise_spec.h"
#include "jit/kernels/depthwise/depthwise_strip.h"
#include "jit/kernels/epilogue_emitter.h"

namespace burin::jit {

// Says where what a kernel reads and writes is.
struct DepthwiseArgs {
  // Of channel 0 of the first pixel.
  const void* input = nullptr;
  // As PackWeights() leaves them; best aligned to 64.
  const void* weights = nullptr;
  // Not read where there is an epilogue.
  void* output = nullptr;
  // One for each operand of the epilogue.
  const EpiloguePlace* places = nullptr;
};

// Says how weights lie before they are packed: the distances in elements, from one channel of the output to the next,
// and from tap to tap.
struct DepthwiseWeightStrides {
  int64_t channel = 0;
  int64_t depth = 0;
  int64_t height = 0;
  int64_t width = 0;
};

// Is a convolution that is planned, with its code.
class DepthwiseKernel {
 public:
  // Plans `spec` for `target`, with code of `cache`, which lives longer. `epilogue`, if any, is needed during the call
  // only; `tile` is that of PlanDepthwise(). Errors as of DepthwiseSpec::Check(); Unimplemented where a strip spans
  // more than 2 GiB; else fails as CodeCache::GetOrGenerate() does.
  static absl::StatusOr<DepthwiseKernel> Create(const DepthwiseSpec& spec, const Target& target, CodeCache& cache,
                                                const EpilogueEmitter* epilogue = nullptr,
                                                const std::optional<DepthwiseTile>& tile = std::nullopt);

  // Returns the bytes that packed weights take: [vector of channels][tap][element], zeros behind the last channel.
  int64_t packed_weights_bytes() const;

  // Packs f32 weights, which may lie at any address.
  void PackWeights(const void* weights, const DepthwiseWeightStrides& strides, void* packed) const;

  // Returns the number of work items; 0 where there is no output.
  int64_t work_items() const { return work_items_; }

  // Computes the items from `begin` up to `end`, which are 0 to work_items() (BURIN_DCHECK). Input and output do not
  // overlap.
  void Run(const DepthwiseArgs& args, int64_t begin, int64_t end) const;

  // Returns the plan, and the name of the kernel of most strips.
  const DepthwisePlan& plan() const { return plan_; }
  std::string kernel_name() const;

 private:
  // Is a strip of every row. Distances are in bytes.
  struct Strip {
    // Of code_, within those of a class of rows.
    int64_t code = 0;
    int64_t first = 0;
    int64_t input = 0;
    int64_t output = 0;
  };

  // Is what an index along depth or height sees.
  struct Reach {
    TapRange taps;
    // Of the first tap inside, in the input, in bytes.
    int64_t input = 0;
    // Of code_: which class of rows or planes it is.
    int64_t row_class = 0;
  };

  DepthwiseKernel() = default;

  // Cuts a row into strips; returns how many kinds there are, each with its `inside` in `kinds`.
  void CutRow(std::vector<DepthwiseStripSpec>& kinds);
  // Lists what each index sees; returns the numbers of taps by class.
  static std::vector<int64_t> ListReaches(const WindowAxis& axis, int64_t stride_bytes, bool by_class,
                                          std::vector<Reach>& reaches);
  void ListExpansions();
  void RunRow(const DepthwiseArgs& args, int64_t item) const;

  DepthwiseSpec spec_;
  DepthwisePlan plan_;
  std::vector<Strip> strips_;
  std::vector<Reach> planes_;
  std::vector<Reach> rows_;
  // By class of planes, class of rows, and kind of strip.
  std::vector<CachedCode> code_;
  int64_t row_classes_ = 1;
  int64_t strip_kinds_ = 1;
  // A DepthwiseExpansion and its indices for each vector, in 64 bits.
  std::vector<int64_t> expansions_;
  int64_t vectors_ = 0;
  int64_t blocks_ = 0;
  int64_t work_items_ = 0;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_DEPTHWISE_DEPTHWISE_KERNEL_H_
