// Decides how Winograd's convolution is computed on a machine, and estimates what it costs.
//
// Use it through jit/kernels/winograd/winograd_kernel.h, and WinogradCycles() to choose between it and the direct way,
// whose cost is ConvolutionCycles() (jit/kernels/convolution/convolution_plan.h). Winograd multiplies a quarter as
// often, and loses
//   - where there are few channels (about 32), for which the transforms cost what the products save;
//   - where there are few tiles to a panel of weights (images of up to 7 x 7, or 14 x 14 with many channels): weights
//     are 4 times as many, and come from level 3 or memory for every block of tiles;
//   - by accuracy: errors are up to 2e-5 of the outputs' range where those of the direct way are 1e-6. Whether that is
//     allowed is for the caller to say, before it compares costs.
// Pure functions of spec and target, hence thread-safe.
#ifndef BURIN_JIT_KERNELS_WINOGRAD_WINOGRAD_PLAN_H_
#define BURIN_JIT_KERNELS_WINOGRAD_WINOGRAD_PLAN_H_

#include <cstdint>

#include "jit/isa/target.h"
#include "jit/kernels/brgemm/brgemm_tile.h"
#include "jit/kernels/convolution/convolution_spec.h"
#include "jit/kernels/winograd/winograd_spec.h"

namespace burin::jit {

// Holds the decisions. The transformed inputs of a block of tiles are 36 matrices with a row for each tile and a column
// for each channel; the sums of a group of panels are 36 matrices likewise.
struct WinogradPlan {
  // Of the products: rows are tiles.
  BrgemmTile tile;
  int64_t block_tiles = 1;
  int64_t group_panels = 1;
  // Whether each product fetches a part of the weights that the products after this panel read, and each tile the
  // pixels that are new to the next one.
  bool fetches_weights = false;
  bool fetches_pixels = false;
  // Bytes from row to row and from matrix to matrix: of inputs, and of sums.
  int64_t input_row = 0;
  int64_t input_plane = 0;
  int64_t sum_row = 0;
  int64_t sum_plane = 0;

  // Return the bytes of all inputs and sums of a block, and where the sums begin.
  int64_t sums_offset() const { return kWinogradProducts * input_plane; }
  int64_t scratch_bytes() const { return kWinogradProducts * (input_plane + sum_plane); }
};

// Returns the plan. Of specs that pass CheckWinograd().
WinogradPlan PlanWinograd(const ConvolutionSpec& spec, const Target& target);

// Returns about how many cycles of one core it takes.
double WinogradCycles(const ConvolutionSpec& spec, const Target& target);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_WINOGRAD_WINOGRAD_PLAN_H_
