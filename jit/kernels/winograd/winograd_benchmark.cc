// Measures Winograd's convolution against the direct one and against a loop of FMAs in registers.
//
// Counters: `Mcycles` of the whole; `loop` is the median over the rounds of the time that the loop takes for the FMAs
// of the direct convolution (products with padding included), by that of the kernel, so that it is the speed-up over a
// direct convolution at 100 %; `direct` is the same of the direct kernel's time; `model` is the predicted time by the
// measured one; `inputs`, `products` and `outputs` are what the parts take, of the kernel's time; `pack` is the bytes
// of transformed weights written per cycle. Names are channels of input and output, and the size of the image.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
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
#include "jit/kernels/winograd/winograd_kernel.h"
#include "jit/kernels/winograd/winograd_plan.h"
#include "jit/kernels/winograd/winograd_weights.h"
#include "jit/limits/loops.h"
#include "jit/limits/sampler.h"

namespace burin::jit {
namespace {

// Is a layer: channels of the input and the output, and the size of the image.
struct Layer {
  int64_t input_channels;
  int64_t output_channels;
  int64_t size;
};

// Names the contenders, in their order.
enum Place { kLoop, kKernel, kDirect, kInputs, kProducts, kOutputs, kPack, kPlaceCount };

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
  spec.height = {layer.size, layer.size, 3, 1, 1, 1};
  spec.width = spec.height;
  BURIN_ASSIGN_OR_RETURN(spec.input, ActivationStrides::Dense(1, layer.size, layer.size, layer.input_channels));
  BURIN_ASSIGN_OR_RETURN(spec.output, ActivationStrides::Dense(1, layer.size, layer.size, layer.output_channels));
  return spec;
}

// Returns the median over the rounds of the cycles of one contender by those of another.
std::optional<double> Ratio(const Samples& a, const Samples& b) {
  std::vector<double> ratios;
  for (size_t round = 0; round < a.cycles.size() && round < b.cycles.size(); ++round) {
    if (a.cycles[round].has_value() && b.cycles[round].has_value()) {
      ratios.push_back(*a.cycles[round] / *b.cycles[round]);
    }
  }
  if (ratios.empty()) return std::nullopt;
  std::nth_element(ratios.begin(), ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2), ratios.end());
  return ratios[ratios.size() / 2];
}

absl::Status Measure(const Layer& layer, benchmark::State& state) {
  BURIN_ASSIGN_OR_RETURN(const ConvolutionSpec spec, MakeSpec(layer));
  BURIN_ASSIGN_OR_RETURN(const Target target, Target::Host());
  BURIN_ASSIGN_OR_RETURN(const Instruments instruments, Instruments::Host(target.isa()));
  LoopSpec loop_spec;
  loop_spec.bits = target.Supports(IsaLevel::kAvx512) ? 512 : 256;
  BURIN_ASSIGN_OR_RETURN(const RegisterLoop loop, RegisterLoop::Create(target.isa(), loop_spec));
  CodeCache& cache = CodeCache::Process();
  BURIN_ASSIGN_OR_RETURN(const WinogradKernel kernel, WinogradKernel::Create(spec, target, cache));
  BURIN_ASSIGN_OR_RETURN(const ConvolutionKernel direct, ConvolutionKernel::Create(spec, target, cache));
  // As OIHW.
  const ConvolutionWeightStrides strides = {9 * spec.input_channels, 9, 0, 3, 1};
  BURIN_ASSIGN_OR_RETURN(const WinogradWeights packer, WinogradWeights::Create(spec, strides, target, cache));
  BURIN_ASSIGN_OR_RETURN(const ConvolutionWeights direct_packer,
                         ConvolutionWeights::Create(spec, strides, target, cache));
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer input, MakeBuffer(spec.input.image * 4));
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer plain, MakeBuffer(spec.output_channels * spec.steps() * 4));
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer weights, MakeBuffer(packer.packed_bytes()));
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer direct_weights, MakeBuffer(direct_packer.packed_bytes()));
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer output, MakeBuffer(spec.output.image * 4));
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer scratch, MakeBuffer(kernel.scratch_bytes()));
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer pack_scratch, MakeBuffer(packer.scratch_bytes()));
  const WinogradArgs args = {input.data(), weights.data(), output.data(), scratch.data(), nullptr};
  const ConvolutionArgs direct_args = {input.data(), direct_weights.data(), output.data(), nullptr};
  const double flops = 2 * spec.multiply_adds();
  const double of_loop = loop.instructions_per_iteration() * loop_spec.bits / 16.0;
  const auto iterations = static_cast<int64_t>(flops / of_loop) + 1;
  const auto repeatedly = [](const auto& run) {
    return [run](int64_t repeats) {
      for (int64_t i = 0; i < repeats; ++i) run();
    };
  };
  const auto each_group = [&kernel](const auto& run) {
    for (int64_t block = 0; block < kernel.blocks(); ++block) {
      for (int64_t group = 0; group < kernel.groups(); ++group) run(block, group);
    }
  };
  std::vector<Contender> contenders(kPlaceCount);
  contenders[kLoop] = {"loop", [&](int64_t repeats) { loop.Run(repeats * iterations); }};
  contenders[kKernel] = {"kernel", repeatedly([&] { kernel.Run(args, 0, kernel.work_items()); })};
  contenders[kDirect] = {"direct", repeatedly([&] { direct.Run(direct_args, 0, direct.work_items()); })};
  contenders[kInputs] = {"inputs", repeatedly([&] {
                           for (int64_t block = 0; block < kernel.blocks(); ++block) {
                             kernel.TransformInputs(args, block);
                           }
                         })};
  contenders[kProducts] = {"products", repeatedly([&] {
                             each_group([&](int64_t block, int64_t group) { kernel.Multiply(args, block, group); });
                           })};
  contenders[kOutputs] = {
      "outputs", repeatedly([&] {
        each_group([&](int64_t block, int64_t group) { kernel.TransformOutputs(args, block, group); });
      })};
  contenders[kPack] = {"pack", repeatedly([&] {
                         packer.Run(plain.data(), weights.data(), pack_scratch.data(), 0, packer.work_items());
                       })};
  SamplerOptions options;
  options.max_seconds = 0.7;
  options.attempts = 10;
  const std::vector<Samples> samples = SampleInterleaved(contenders, options, instruments);
  const std::optional<double> cycles = samples[kKernel].CyclesAt(0.5);
  if (!cycles.has_value()) return absl::CancelledError("every sample was disturbed");
  state.counters["Mcycles"] = *cycles / 1e6;
  state.counters["model"] = WinogradCycles(spec, target) / *cycles;
  const auto set = [&](const std::string& name, Place a, Place b) {
    const std::optional<double> ratio = Ratio(samples[static_cast<size_t>(a)], samples[static_cast<size_t>(b)]);
    if (ratio.has_value()) state.counters[name] = *ratio;
  };
  set("loop", kLoop, kKernel);
  set("direct", kDirect, kKernel);
  set("inputs", kInputs, kKernel);
  set("products", kProducts, kKernel);
  set("outputs", kOutputs, kKernel);
  const std::optional<double> pack = samples[kPack].CyclesAt(0.5);
  if (pack.has_value()) state.counters["pack"] = static_cast<double>(packer.packed_bytes()) / *pack;
  const WinogradPlan& plan = kernel.plan();
  state.SetLabel(absl::StrCat("blocks of ", plan.block_tiles, " tiles, groups of ", plan.group_panels, " panels, ",
                              plan.tile.rows, "x", plan.tile.vectors));
  return absl::OkStatus();
}

void Register(const Layer& layer) {
  const std::string name = absl::StrCat("winograd/", layer.input_channels, "/", layer.output_channels, "/", layer.size);
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
  constexpr Layer kLayers[] = {{32, 32, 56},   {64, 64, 14},   {64, 64, 56},  {100, 100, 30},  {128, 128, 28},
                               {256, 256, 14}, {256, 256, 28}, {512, 512, 7}, {128, 128, 112}, {512, 512, 28}};
  for (const Layer& layer : kLayers) Register(layer);
  return true;
}();

}  // namespace
}  // namespace burin::jit
