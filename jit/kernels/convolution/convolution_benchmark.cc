// Measures direct convolutions against a loop of FMAs in registers.
//
// Counters: `share` is the median over the rounds of the time that the loop takes for as many FMAs, by that of the
// kernel (products with padding count, so that more than 1 is possible); `flop/cycle` what the kernel does. Names are
// channels of input and output, size of the image, window and stride.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/aligned_buffer.h"
#include "base/status_macros.h"
#include "jit/code_cache.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "jit/kernels/convolution/activation_strides.h"
#include "jit/kernels/convolution/convolution_kernel.h"
#include "jit/kernels/convolution/convolution_spec.h"
#include "jit/kernels/convolution/convolution_weights.h"
#include "jit/kernels/convolution/window.h"
#include "jit/limits/loops.h"
#include "jit/limits/sampler.h"

namespace burin::jit {
namespace {

// Is a layer: channels of the input and the output, the size of the image, the window and its stride.
struct Layer {
  int64_t input_channels;
  int64_t output_channels;
  int64_t size;
  int64_t kernel;
  int64_t stride;
};

absl::StatusOr<AlignedBuffer> MakeBuffer(int64_t bytes) {
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer buffer, AlignedBuffer::Create(static_cast<size_t>(bytes), 4096));
  float* const values = static_cast<float*>(buffer.data());
  for (int64_t i = 0; i < bytes / 4; ++i) values[i] = static_cast<float>(i % 1000) / 1000 - 0.5f;
  return buffer;
}

absl::StatusOr<ConvolutionSpec> MakeSpec(const Layer& layer) {
  ConvolutionSpec spec;
  spec.input_channels = layer.input_channels;
  spec.output_channels = layer.output_channels;
  spec.height = {layer.size, (layer.size - 1) / layer.stride + 1, layer.kernel, layer.stride, 1, layer.kernel / 2};
  spec.width = spec.height;
  BURIN_ASSIGN_OR_RETURN(spec.input, ActivationStrides::Dense(1, layer.size, layer.size, layer.input_channels));
  BURIN_ASSIGN_OR_RETURN(spec.output,
                         ActivationStrides::Dense(1, spec.height.output, spec.width.output, layer.output_channels));
  return spec;
}

absl::Status Measure(const Layer& layer, benchmark::State& state) {
  BURIN_ASSIGN_OR_RETURN(const ConvolutionSpec spec, MakeSpec(layer));
  BURIN_ASSIGN_OR_RETURN(const Target target, Target::Host());
  BURIN_ASSIGN_OR_RETURN(const Instruments instruments, Instruments::Host(target.isa()));
  LoopSpec loop_spec;
  loop_spec.bits = target.Supports(IsaLevel::kAvx512) ? 512 : 256;
  BURIN_ASSIGN_OR_RETURN(const RegisterLoop loop, RegisterLoop::Create(target.isa(), loop_spec));
  BURIN_ASSIGN_OR_RETURN(const ConvolutionKernel kernel, ConvolutionKernel::Create(spec, target, CodeCache::Process()));
  BURIN_ASSIGN_OR_RETURN(const ConvolutionWeights packer,
                         ConvolutionWeights::Create(spec, {}, target, CodeCache::Process()));
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer input, MakeBuffer(spec.input.image * 4));
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer weights, MakeBuffer(packer.packed_bytes()));
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer output, MakeBuffer(spec.output.image * 4));
  const ConvolutionArgs args = {input.data(), weights.data(), output.data(), nullptr};
  const double flops = 2 * spec.multiply_adds();
  const double of_loop = loop.instructions_per_iteration() * loop_spec.bits / 16.0;
  const auto iterations = static_cast<int64_t>(flops / of_loop) + 1;
  const Contender contenders[] = {
      {"loop", [&](int64_t repeats) { loop.Run(repeats * iterations); }, of_loop * static_cast<double>(iterations)},
      {"kernel",
       [&](int64_t repeats) {
         for (int64_t i = 0; i < repeats; ++i) kernel.Run(args, 0, kernel.work_items());
       },
       flops}};
  SamplerOptions options;
  options.max_seconds = 1;
  options.attempts = 10;
  const std::vector<Samples> samples = SampleInterleaved(contenders, options, instruments);
  std::vector<double> shares;
  for (size_t round = 0; round < samples[0].cycles.size(); ++round) {
    if (!samples[0].cycles[round].has_value() || !samples[1].cycles[round].has_value()) continue;
    shares.push_back(*samples[0].cycles[round] / samples[0].units_per_repeat * flops / *samples[1].cycles[round]);
  }
  if (shares.empty()) return absl::CancelledError("every sample was disturbed");
  std::nth_element(shares.begin(), shares.begin() + static_cast<std::ptrdiff_t>(shares.size() / 2), shares.end());
  state.counters["share"] = shares[shares.size() / 2];
  state.counters["flop/cycle"] = flops / *samples[1].CyclesAt(0.5);
  const ConvolutionPlan& plan = kernel.plan();
  state.SetLabel(absl::StrCat("tiles of ", plan.tile.rows, "x", plan.tile.vectors));
  return absl::OkStatus();
}

void Register(const Layer& layer) {
  const std::string name = absl::StrCat("convolution/", layer.input_channels, "/", layer.output_channels, "/",
                                        layer.size, "/k", layer.kernel, "/s", layer.stride);
  benchmark::RegisterBenchmark(name.c_str(), [layer](benchmark::State& state) {
    for (auto _ : state) {
      const absl::Status status = Measure(layer, state);
      if (!status.ok()) {
        state.SkipWithError(status.ToString().c_str());
        break;
      }
    }
  })->Iterations(1);
}

const bool kRegistered = [] {
  constexpr Layer kLayers[] = {{3, 64, 224, 7, 2},   {64, 64, 56, 1, 1},   {64, 64, 56, 3, 1},   {64, 256, 56, 1, 1},
                               {256, 64, 56, 1, 1},  {128, 128, 56, 3, 2}, {128, 512, 28, 1, 1}, {256, 512, 56, 1, 2},
                               {512, 128, 28, 1, 1}, {128, 128, 28, 3, 1}, {256, 256, 14, 3, 1}, {1024, 256, 14, 1, 1},
                               {512, 512, 7, 3, 1},  {2048, 512, 7, 1, 1}, {32, 16, 112, 1, 1},  {96, 24, 56, 1, 1},
                               {32, 32, 160, 3, 1},  {256, 256, 20, 3, 1}, {512, 512, 28, 3, 1}};
  for (const Layer& layer : kLayers) Register(layer);
  return true;
}();

}  // namespace
}  // namespace burin::jit
