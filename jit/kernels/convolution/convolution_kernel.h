// Computes convolutions of 1 to 3 spatial axes directly, on tensors whose channels are innermost.
//
// Use it for any window, stride, dilation, padding and groups; not for groups of one channel, which are
// jit/kernels/depthwise. Input and weights are read where they are: padding is left out of the sums, nothing is copied.
// An immutable value: Run() may be called by any number of threads at once.
//
//   BURIN_ASSIGN_OR_RETURN(const ConvolutionWeights weights, ConvolutionWeights::Create(spec, strides, target, cache));
//   weights.Run(constant, packed, 0, weights.work_items());
//   BURIN_ASSIGN_OR_RETURN(const ConvolutionKernel kernel, ConvolutionKernel::Create(spec, target, cache));
//   kernel.Run({input, packed, output}, 0, kernel.work_items());
//
// A work item is some tiles of pixels by some panels of channels; however they are shared, the same bits are written.
// To an epilogue the output is a matrix with a row for each pixel, in the order of images, planes, rows and pixels, and
// a column for each channel. Where there is an epilogue it stores the results; nothing else is written but sums that
// the kernel keeps.
#ifndef BURIN_JIT_KERNELS_CONVOLUTION_CONVOLUTION_KERNEL_H_
#define BURIN_JIT_KERNELS_CONVOLUTION_CONVOLUTION_KERNEL_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "jit/kernels/brgemm/brgemm.h"
#include "jit/kernels/brgemm/brgemm_args.h"
#include "jit/kernels/brgemm/brgemm_tile.h"
#include "jit/kernels/convolution/convolution_plan.h"
#include "jit/kernels/convolution/convolution_spec.h"
#include "jit/kernels/convolution/pixel_tiles.h"
#include "jit/kernels/epilogue_emitter.h"

namespace burin::jit {

// Says where what a kernel reads and writes is.
struct ConvolutionArgs {
  // Of channel 0 of the first pixel.
  const void* input = nullptr;
  // As ConvolutionWeights leaves them; best aligned to 64.
  const void* weights = nullptr;
  // f32. Where there is an epilogue it is read and written only if the kernel keeps sums, and may be the epilogue's own
  // output where that has the same places.
  void* output = nullptr;
  // One for each operand of the epilogue.
  const EpiloguePlace* places = nullptr;
};

// Is a convolution that is planned, with its code.
class ConvolutionKernel {
 public:
  // Plans `spec` for `target`, with code of `cache`, which lives longer. `epilogue`, if any, is needed during the call
  // only; `tile` is that of PlanConvolution(). Errors as of ConvolutionSpec::Check(); Unimplemented where a tile spans
  // more memory than code can address; else fails as Brgemm::Create() does.
  static absl::StatusOr<ConvolutionKernel> Create(const ConvolutionSpec& spec, const Target& target, CodeCache& cache,
                                                  const EpilogueEmitter* epilogue = nullptr,
                                                  const std::optional<BrgemmTile>& tile = std::nullopt);

  // Returns the number of work items; 0 where there is no output.
  int64_t work_items() const { return work_items_; }

  // Computes the items from `begin` up to `end`, which are 0 to work_items() (BURIN_DCHECK). Input and output do not
  // overlap.
  void Run(const ConvolutionArgs& args, int64_t begin, int64_t end) const;

  // Returns whether sums are kept in the output's memory from chunk to chunk.
  bool keeps_sums() const { return chunks_.size() > 1; }

  // Returns the plan.
  const ConvolutionPlan& plan() const { return plan_; }

 private:
  // Is what a call computes of a panel: some vectors of columns. Distances are in bytes.
  struct Strip {
    // Of code_: how many vectors, and whether the last is whole.
    int64_t kind = 0;
    // Of its group.
    int64_t input = 0;
    int64_t weights = 0;
    // The first, of all groups.
    int64_t column = 0;
    int64_t last_columns = 0;
  };

  // Is a part of the sums.
  struct Chunk {
    int64_t begin = 0;
    int64_t end = 0;
  };

  // Is some tiles that follow each other, from one image into the next.
  struct TileRange {
    // Of tiles_, and the image.
    int64_t first = 0;
    int64_t image = 0;
    int64_t count = 0;

    // Goes on to the next of `tiles` tiles.
    void Advance(int64_t tiles) {
      if (++first < tiles) return;
      first = 0;
      ++image;
    }
  };

  // Describes the kernels of a strip.
  struct StripKind {
    int vectors = 1;
    bool partial = false;
  };

  // Is a kernel, and the bytes that a pass of its loop fetches.
  struct Code {
    Brgemm kernel;
    int64_t prefetch_step = 0;
  };

  explicit ConvolutionKernel(const ConvolutionSpec& spec) : spec_(spec) {}

  absl::Status ListStrips(const Target& target, std::vector<StripKind>& kinds);
  absl::Status Generate(const PixelTiles& tiles, const std::vector<StripKind>& kinds, const EpilogueEmitter* epilogue,
                        const Target& target, CodeCache& cache);
  // Returns the lines that a call fetches of what is next: weights or pixels.
  int64_t LinesOfCall() const;

  void RunItem(const ConvolutionArgs& args, int64_t item) const;
  // Compute tiles: each with all of these strips, or each strip with all of them, a chunk of their sums.
  void RunTiles(const ConvolutionArgs& args, const TileRange& range, int64_t first_strip, int64_t last_strip) const;
  void RunStrips(const ConvolutionArgs& args, const TileRange& range, int64_t first_strip, int64_t last_strip,
                 size_t chunk) const;

  // Flattened.
  const ConvolutionSpec spec_;
  ConvolutionPlan plan_;
  std::vector<PixelTile> tiles_;
  int64_t tile_kinds_ = 1;
  int64_t pixels_of_image_ = 0;
  std::vector<Strip> strips_;
  // The first strip of each panel, and behind the last of all.
  std::vector<int64_t> panels_;
  int64_t strip_kinds_ = 1;
  std::vector<Chunk> chunks_;
  // By chunk, kind of strip, and kind of tile.
  std::vector<Code> code_;
  // Along the tiles of all images, and along the panels.
  int64_t tile_items_ = 0;
  int64_t panel_items_ = 0;
  int64_t work_items_ = 0;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_CONVOLUTION_CONVOLUTION_KERNEL_H_
