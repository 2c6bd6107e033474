#include "runtime/plugins/cpu/nodes/dense/convolution_kernels.h"

#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/hash.h"
#include "base/status_macros.h"
#include "jit/isa/isa.h"
#include "jit/kernels/convolution/convolution_kernel.h"
#include "jit/kernels/convolution/convolution_plan.h"
#include "jit/kernels/convolution/window.h"
#include "jit/kernels/winograd/winograd_kernel.h"
#include "jit/kernels/winograd/winograd_plan.h"
#include "jit/kernels/winograd/winograd_spec.h"
#include "jit/kernels/winograd/winograd_weights.h"
#include "runtime/plugins/cpu/nodes/dense/weights_packing.h"

namespace burin::cpu {

namespace {

// Begins the key of a packing for a machine.
Hasher KeyOf(absl::string_view family, const jit::Target& target) {
  Hasher hasher;
  hasher.UpdateString(family);
  hasher.UpdateInt(target.level());
  return hasher;
}

Hash128 KeyOf(absl::string_view family, const jit::ConvolutionSpec& spec, const jit::ConvolutionWeightStrides& strides,
              const jit::Target& target) {
  Hasher hasher = KeyOf(family, target);
  for (const int64_t value : {spec.input_channels, spec.output_channels, spec.groups, spec.depth.kernel,
                              spec.height.kernel, spec.width.kernel, strides.output_channel, strides.input_channel,
                              strides.depth, strides.height, strides.width, strides.group.value_or(-1)}) {
    hasher.UpdateInt(value);
  }
  return hasher.Finish();
}

// Names the window, as "3x3s2": the axes there are, and a stride that is not 1.
std::string WindowName(const jit::WindowAxis& depth, const jit::WindowAxis& height, const jit::WindowAxis& width) {
  std::string name;
  if (depth.kernel > 1) absl::StrAppend(&name, depth.kernel, "x");
  absl::StrAppend(&name, height.kernel, "x", width.kernel);
  if (width.stride > 1) absl::StrAppend(&name, "s", width.stride);
  return name;
}

class DirectPacking final : public WeightsPacking {
 public:
  DirectPacking(jit::ConvolutionWeights weights, const Hash128& key) : weights_(std::move(weights)), key_(key) {}

  Hash128 key() const override { return key_; }
  int64_t packed_bytes() const override { return weights_.packed_bytes(); }
  int64_t work_items() const override { return weights_.work_items(); }
  // Panels are of output channels, the outermost axis of the weights.
  bool reads_in_order() const override { return true; }
  void Run(const void* weights, void* packed, void*, int64_t begin, int64_t end) const override {
    weights_.Run(weights, packed, begin, end);
  }

 private:
  const jit::ConvolutionWeights weights_;
  const Hash128 key_;
};

class DirectKernel final : public DenseKernel {
 public:
  DirectKernel(jit::ConvolutionKernel kernel, DirectPacking packing, std::string name)
      : kernel_(std::move(kernel)), packing_(std::move(packing)), name_(std::move(name)) {}

  const WeightsPacking* packing() const override { return &packing_; }
  bool keeps_sums() const override { return kernel_.keeps_sums(); }
  int64_t work_items() const override { return kernel_.work_items(); }
  void Run(const DenseArgs& args, int64_t begin, int64_t end) const override {
    kernel_.Run({args.input, args.weights, args.output, args.places}, begin, end);
  }
  std::string name() const override { return name_; }

 private:
  const jit::ConvolutionKernel kernel_;
  const DirectPacking packing_;
  const std::string name_;
};

class WinogradPacking final : public WeightsPacking {
 public:
  WinogradPacking(jit::WinogradWeights weights, const Hash128& key) : weights_(std::move(weights)), key_(key) {}

  Hash128 key() const override { return key_; }
  int64_t packed_bytes() const override { return weights_.packed_bytes(); }
  int64_t scratch_bytes() const override { return weights_.scratch_bytes(); }
  int64_t work_items() const override { return weights_.work_items(); }
  bool reads_in_order() const override { return true; }
  void Run(const void* weights, void* packed, void* scratch, int64_t begin, int64_t end) const override {
    weights_.Run(weights, packed, scratch, begin, end);
  }

 private:
  const jit::WinogradWeights weights_;
  const Hash128 key_;
};

class WinogradDenseKernel final : public DenseKernel {
 public:
  WinogradDenseKernel(jit::WinogradKernel kernel, WinogradPacking packing)
      : kernel_(std::move(kernel)), packing_(std::move(packing)) {}

  const WeightsPacking* packing() const override { return &packing_; }
  int64_t scratch_bytes() const override { return kernel_.scratch_bytes(); }
  int64_t work_items() const override { return kernel_.work_items(); }
  void Run(const DenseArgs& args, int64_t begin, int64_t end) const override {
    kernel_.Run({args.input, args.weights, args.output, args.scratch, args.places}, begin, end);
  }
  std::string name() const override { return "winograd 3x3"; }

 private:
  const jit::WinogradKernel kernel_;
  const WinogradPacking packing_;
};

// Packs for the kernel beside it, which knows the layout.
class DepthwisePacking final : public WeightsPacking {
 public:
  DepthwisePacking(const jit::DepthwiseKernel* kernel, const jit::DepthwiseWeightStrides& strides, const Hash128& key)
      : kernel_(kernel), strides_(strides), key_(key) {}

  Hash128 key() const override { return key_; }
  int64_t packed_bytes() const override { return kernel_->packed_weights_bytes(); }
  int64_t work_items() const override { return packed_bytes() > 0 ? 1 : 0; }
  void Run(const void* weights, void* packed, void*, int64_t begin, int64_t end) const override {
    if (begin < end) kernel_->PackWeights(weights, strides_, packed);
  }

 private:
  const jit::DepthwiseKernel* const kernel_;
  const jit::DepthwiseWeightStrides strides_;
  const Hash128 key_;
};

class DepthwiseDenseKernel final : public DenseKernel {
 public:
  DepthwiseDenseKernel(jit::DepthwiseKernel kernel, const jit::DepthwiseWeightStrides& strides, const Hash128& key)
      : kernel_(std::move(kernel)), packing_(&kernel_, strides, key) {}

  const WeightsPacking* packing() const override { return &packing_; }
  int64_t work_items() const override { return kernel_.work_items(); }
  void Run(const DenseArgs& args, int64_t begin, int64_t end) const override {
    kernel_.Run({args.input, args.weights, args.output, args.places}, begin, end);
  }
  std::string name() const override { return kernel_.kernel_name(); }

 private:
  const jit::DepthwiseKernel kernel_;
  const DepthwisePacking packing_;
};

}  // namespace

bool WinogradIsFaster(const jit::ConvolutionSpec& spec, const jit::Target& target) {
  return jit::CheckWinograd(spec).ok() && jit::WinogradCycles(spec, target) < jit::ConvolutionCycles(spec, target);
}

absl::StatusOr<std::unique_ptr<const DenseKernel>> MakeDirectKernel(const jit::ConvolutionSpec& spec,
                                                                    const jit::ConvolutionWeightStrides& strides,
                                                                    const jit::EpilogueEmitter* epilogue,
                                                                    const NodeContext& context) {
  BURIN_ASSIGN_OR_RETURN(jit::ConvolutionKernel kernel,
                         jit::ConvolutionKernel::Create(spec, context.target, *context.code_cache, epilogue));
  BURIN_ASSIGN_OR_RETURN(jit::ConvolutionWeights weights,
                         jit::ConvolutionWeights::Create(spec, strides, context.target, *context.code_cache));
  DirectPacking packing(std::move(weights), KeyOf("direct", spec, strides, context.target));
  return std::make_unique<DirectKernel>(std::move(kernel), std::move(packing),
                                        "convolution " + WindowName(spec.depth, spec.height, spec.width));
}

absl::StatusOr<std::unique_ptr<const DenseKernel>> MakeWinogradKernel(const jit::ConvolutionSpec& spec,
                                                                      const jit::ConvolutionWeightStrides& strides,
                                                                      const jit::EpilogueEmitter* epilogue,
                                                                      const NodeContext& context) {
  BURIN_ASSIGN_OR_RETURN(jit::WinogradKernel kernel,
                         jit::WinogradKernel::Create(spec, context.target, *context.code_cache, epilogue));
  BURIN_ASSIGN_OR_RETURN(jit::WinogradWeights weights,
                         jit::WinogradWeights::Create(spec, strides, context.target, *context.code_cache));
  WinogradPacking packing(std::move(weights), KeyOf("winograd", spec, strides, context.target));
  return std::make_unique<WinogradDenseKernel>(std::move(kernel), std::move(packing));
}

absl::StatusOr<std::unique_ptr<const DenseKernel>> MakeDepthwiseKernel(const jit::DepthwiseSpec& spec,
                                                                       const jit::DepthwiseWeightStrides& strides,
                                                                       const jit::EpilogueEmitter* epilogue,
                                                                       const NodeContext& context) {
  BURIN_ASSIGN_OR_RETURN(jit::DepthwiseKernel kernel,
                         jit::DepthwiseKernel::Create(spec, context.target, *context.code_cache, epilogue));
  Hasher hasher = KeyOf("depthwise", context.target);
  for (const int64_t value : {spec.channels, spec.multiplier, spec.depth.kernel, spec.height.kernel, spec.width.kernel,
                              strides.channel, strides.depth, strides.height, strides.width}) {
    hasher.UpdateInt(value);
  }
  return std::make_unique<DepthwiseDenseKernel>(std::move(kernel), strides, hasher.Finish());
}

}  // namespace burin::cpu
