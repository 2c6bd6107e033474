#include "runtime/plugins/cpu/nodes/dense/transposed_kernels.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "base/hash.h"
#include "base/status_macros.h"
#include "jit/isa/isa.h"
#include "jit/kernels/convolution/transposed_convolution.h"
#include "jit/kernels/convolution/window.h"
#include "jit/kernels/gemm/gemm.h"
#include "jit/kernels/gemm/gemm_spec.h"
#include "runtime/plugins/cpu/nodes/dense/weights_packing.h"

namespace burin::cpu {

namespace {

constexpr int64_t kElementBytes = 4;

// Packs for the kernel beside it, which knows the layout.
class TransposedPacking final : public WeightsPacking {
 public:
  TransposedPacking(const jit::TransposedConvolution* kernel, const Hash128& key) : kernel_(kernel), key_(key) {}

  Hash128 key() const override { return key_; }
  int64_t packed_bytes() const override { return kernel_->packed_bytes(); }
  int64_t work_items() const override { return kernel_->pack_items(); }
  void Run(const void* weights, void* packed, void*, int64_t begin, int64_t end) const override {
    kernel_->Pack(weights, packed, begin, end);
  }

 private:
  const jit::TransposedConvolution* const kernel_;
  const Hash128 key_;
};

class TransposedKernel final : public DenseKernel {
 public:
  // `leaves_sums` says whether there is another pass.
  TransposedKernel(jit::TransposedConvolution kernel, const Hash128& key, bool leaves_sums)
      : kernel_(std::move(kernel)), packing_(&kernel_, key), leaves_sums_(leaves_sums) {}

  const WeightsPacking* packing() const override { return &packing_; }
  bool keeps_sums() const override { return leaves_sums_ || kernel_.keeps_sums(); }
  int64_t work_items() const override { return kernel_.work_items(); }
  void Run(const DenseArgs& args, int64_t begin, int64_t end) const override {
    kernel_.Run({args.input, args.weights, args.output, args.places}, begin, end);
  }
  std::string name() const override { return "transposed convolution"; }

 private:
  const jit::TransposedConvolution kernel_;
  const TransposedPacking packing_;
  const bool leaves_sums_;
};

// Applies an epilogue to sums: a product of no steps that is added to them.
class EpiloguePass final : public DenseKernel {
 public:
  explicit EpiloguePass(jit::Gemm gemm) : gemm_(std::move(gemm)) {}

  int64_t scratch_bytes() const override { return gemm_.scratch_bytes(); }
  bool keeps_sums() const override { return true; }
  int64_t work_items() const override { return gemm_.work_items(jit::GemmArgs()); }
  void Run(const DenseArgs& args, int64_t begin, int64_t end) const override {
    jit::GemmArgs of_gemm;
    of_gemm.c = args.output;
    of_gemm.scratch = args.scratch;
    of_gemm.places = args.places;
    gemm_.Run(of_gemm, begin, end);
  }
  std::string name() const override { return "epilogue"; }

 private:
  const jit::Gemm gemm_;
};

Hash128 KeyOf(const jit::ConvolutionSpec& forward, const jit::ConvolutionWeightStrides& strides,
              const jit::Target& target) {
  Hasher hasher;
  hasher.UpdateString("transposed");
  hasher.UpdateInt(target.level());
  for (const jit::WindowAxis* const axis : {&forward.depth, &forward.height, &forward.width}) axis->AppendTo(hasher);
  for (const int64_t value : {forward.input_channels, forward.output_channels, forward.groups, strides.output_channel,
                              strides.input_channel, strides.depth, strides.height, strides.width}) {
    hasher.UpdateInt(value);
  }
  return hasher.Finish();
}

}  // namespace

absl::StatusOr<DensePasses> MakeTransposedPasses(const jit::ConvolutionSpec& forward,
                                                 const jit::ConvolutionWeightStrides& strides,
                                                 const jit::EpilogueEmitter* epilogue, const NodeContext& context) {
  const bool in_one_pass =
      epilogue == nullptr || (forward.depth.stride == 1 && forward.height.stride == 1 && forward.width.stride == 1);
  BURIN_ASSIGN_OR_RETURN(jit::TransposedConvolution kernel,
                         jit::TransposedConvolution::Create(forward, strides, context.target, *context.code_cache,
                                                            in_one_pass ? epilogue : nullptr));
  DensePasses passes;
  passes.push_back(
      std::make_unique<TransposedKernel>(std::move(kernel), KeyOf(forward, strides, context.target), !in_one_pass));
  if (in_one_pass) return passes;
  const int64_t rows = forward.images * forward.depth.input * forward.height.input * forward.width.input;
  jit::GemmSpec spec = jit::GemmSpec::Packed(rows, forward.input_channels, 0);
  spec.a_row_stride = 0;
  spec.c_row_stride = forward.input_channels * kElementBytes;
  spec.add_to_c = true;
  BURIN_ASSIGN_OR_RETURN(jit::Gemm gemm, jit::Gemm::Create(spec, epilogue, context.target, *context.code_cache));
  passes.push_back(std::make_unique<EpiloguePass>(std::move(gemm)));
  return passes;
}

}  // namespace burin::cpu
