// Decides how a convolution is computed directly on a machine.
//
// Use it through jit/kernels/convolution/convolution_kernel.h, and to compare its cost with that of other ways. Pure
// functions of spec and target, hence thread-safe.
#ifndef BURIN_JIT_KERNELS_CONVOLUTION_CONVOLUTION_PLAN_H_
#define BURIN_JIT_KERNELS_CONVOLUTION_CONVOLUTION_PLAN_H_

#include <cstdint>
#include <optional>

#include "jit/isa/target.h"
#include "jit/kernels/brgemm/brgemm_tile.h"
#include "jit/kernels/convolution/convolution_spec.h"
#include "jit/kernels/convolution/pixel_tiles.h"
#include "jit/kernels/epilogue_emitter.h"

namespace burin::jit {

// Holds the decisions. A tile is some pixels by some vectors of channels; a panel is 64 channels of the output.
struct ConvolutionPlan {
  // Its rows are the most pixels of a tile.
  BrgemmTile tile;
  PixelCut cut;
  // Whether each tile has all of its panels before the next tile: where the weights stay in the level 2 cache. Else
  // each panel has all of its tiles, so that the weights are read once.
  bool pixels_first = true;
  // Products of a sum that are done at a time, for all tiles of an item; all of them where it is no less than there
  // are. Cut where the weights of a panel would be read for every tile from a cache that is too slow for it.
  int64_t chunk_steps = 0;
  // Whether each call fetches a part of the weights that the calls after this chunk read, or else of the pixels that
  // the next tile reads: where these lie side by side and come from beyond the level 2 cache.
  bool fetches_weights = false;
  bool fetches_pixels = false;
  // Whether each call fetches, to write it, what it is going to store: where that is not in the level 2 cache.
  bool fetches_output = false;
  // The tiles and panels of a work item.
  int64_t item_tiles = 1;
  int64_t item_panels = 1;
};

// Returns the plan; `epilogue` is what the epilogue takes. Of flattened specs that pass their Check(). `tile`, if any,
// is taken in place of the best one: to measure how good that is.
ConvolutionPlan PlanConvolution(const ConvolutionSpec& spec, const Target& target, const EpilogueRegisters& epilogue,
                                const std::optional<BrgemmTile>& tile = std::nullopt);

// Returns about how many cycles of one core it takes: the longer of its arithmetic and its traffic with the caches.
double ConvolutionCycles(const ConvolutionSpec& spec, const Target& target);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_CONVOLUTION_CONVOLUTION_PLAN_H_
