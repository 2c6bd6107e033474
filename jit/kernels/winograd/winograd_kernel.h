// Computes convolutions of 3 x 3 windows with stride 1 by Winograd's F(4 x 4, 3 x 3), on tensors whose channels are
// innermost: 36 products of matrices instead of 9 of four times as many rows.
//
// Use it where WinogradCycles() is less than ConvolutionCycles() by enough and the caller allows the error: up to 2e-5
// of the range of the outputs (the largest minus the smallest) with up to 1,024 channels of random values, where a
// direct convolution (jit/kernels/convolution) has about 1e-6. There is no switch in here; whoever chooses has it. Not
// for 16-bit or 8-bit elements. An immutable value: Run() may be called by any
// number of threads at once, each with scratch memory of its own.
//
//   BURIN_ASSIGN_OR_RETURN(const WinogradWeights weights, WinogradWeights::Create(spec, strides, target, cache));
//   weights.Run(constant, packed, weights_scratch, 0, weights.work_items());
//   BURIN_ASSIGN_OR_RETURN(const WinogradKernel kernel, WinogradKernel::Create(spec, target, cache));
//   kernel.Run({input, packed, output, scratch}, 0, kernel.work_items());
//
// A work item is a block of tiles by a group of panels of channels; however they are shared, the same bits are written.
// Neighbouring items share the transformed inputs: give threads ranges of them. To an epilogue the output is a matrix
// with a row for each pixel, in the order of images, rows and pixels, and a column for each channel.
//
// Source of the method: Lavin and Gray, Fast Algorithms for Convolutional Neural Networks, 2015.
#ifndef BURIN_JIT_KERNELS_WINOGRAD_WINOGRAD_KERNEL_H_
#define BURIN_JIT_KERNELS_WINOGRAD_WINOGRAD_KERNEL_H_

#include <array>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "jit/kernels/brgemm/brgemm.h"
#include "jit/kernels/brgemm/brgemm_tile.h"
#include "jit/kernels/convolution/convolution_spec.h"
#include "jit/kernels/epilogue_emitter.h"
#include "jit/kernels/winograd/winograd_plan.h"
#include "jit/kernels/winograd/winograd_spec.h"

namespace burin::jit {

// Says where what a kernel reads and writes is.
struct WinogradArgs {
  // Of channel 0 of the first pixel.
  const void* input = nullptr;
  // As WinogradWeights leaves them; best aligned to 64.
  const void* weights = nullptr;
  // f32. Not read where there is an epilogue.
  void* output = nullptr;
  // WinogradKernel::scratch_bytes() bytes of this call alone, aligned to 64; what they hold does not matter.
  void* scratch = nullptr;
  // One for each operand of the epilogue.
  const EpiloguePlace* places = nullptr;
};

// Is a convolution that is planned, with its code.
class WinogradKernel {
 public:
  // Plans `spec` for `target`, with code of `cache`, which lives longer. `epilogue`, if any, is needed during the call
  // only. Errors as of CheckWinograd(); Unimplemented where a tile or a block spans more than 2 GiB; else fails as
  // Brgemm::Create() and CodeCache::GetOrGenerate() do.
  static absl::StatusOr<WinogradKernel> Create(const ConvolutionSpec& spec, const Target& target, CodeCache& cache,
                                               const EpilogueEmitter* epilogue = nullptr);

  // Returns the number of work items; 0 where there is no output.
  int64_t work_items() const { return blocks_ * groups_; }

  // Returns the bytes of scratch memory that each concurrent call of Run() takes.
  int64_t scratch_bytes() const { return plan_.scratch_bytes(); }

  // Computes the items from `begin` up to `end`, which are 0 to work_items() (BURIN_DCHECK). Input, output and scratch
  // memory do not overlap.
  void Run(const WinogradArgs& args, int64_t begin, int64_t end) const;

  // Do the parts of Run(), for measurements: the inputs of a block, its products for a group, the outputs of a group.
  void TransformInputs(const WinogradArgs& args, int64_t block) const;
  void Multiply(const WinogradArgs& args, int64_t block, int64_t group) const;
  void TransformOutputs(const WinogradArgs& args, int64_t block, int64_t group) const;

  // Return the plan, and the number of blocks and groups.
  const WinogradPlan& plan() const { return plan_; }
  int64_t blocks() const { return blocks_; }
  int64_t groups() const { return groups_; }

 private:
  // Is a part of a panel that a call computes.
  struct Strip {
    int64_t first_column = 0;
    int vectors = 1;
    // That a pass of the kernels' loop fetches of the weights behind, and all passes of a call, in bytes.
    int64_t pass_fetch = 0;
    int64_t call_fetch = 0;
    // By rows.
    std::vector<Brgemm> code;
  };

  // Is where a tile lies.
  struct Place {
    int64_t image = 0;
    int64_t row = 0;
    int64_t column = 0;
  };

  WinogradKernel(const ConvolutionSpec& spec, const WinogradPlan& plan) : spec_(spec), plan_(plan) {}

  absl::Status GenerateInputs(const Target& target, CodeCache& cache);
  absl::Status GenerateOutputs(const EpilogueEmitter* epilogue, const Target& target, CodeCache& cache);
  absl::Status GenerateStrips(int64_t columns, const Target& target, CodeCache& cache, std::vector<Strip>& strips);

  // Returns the tiles of a block, and where a tile of that number lies.
  int64_t TilesOf(int64_t block) const;
  Place PlaceOf(int64_t tile) const;

  ConvolutionSpec spec_;
  WinogradPlan plan_;
  WinogradAxis rows_;
  WinogradAxis columns_;
  int64_t blocks_ = 0;
  int64_t groups_ = 0;
  int64_t panels_ = 0;
  int lanes_ = 1;
  // By kind of row and of column.
  std::vector<CachedCode> input_code_;
  // By the same, and by whether the group is the last.
  std::array<std::vector<CachedCode>, 2> output_code_;
  std::vector<Strip> whole_strips_;
  std::vector<Strip> rest_strips_;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_WINOGRAD_WINOGRAD_KERNEL_H_
