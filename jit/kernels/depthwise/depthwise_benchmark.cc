// Measures depthwise convolutions against a loop of FMAs in registers.
//
// Counters: `share` is the median over the rounds of the time that the loop takes for as many FMAs, by that of the
// kernel (products with padding count, so that more than 1 is possible); `flop/cycle` what the kernel does. Names are
// channels, size of the image, window and stride.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
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
#include "jit/kernels/convolution/window.h"
#include "jit/kernels/depthwise/depthwise_kernel.h"
#include "jit/kernels/depthwise/depthwise_spec.h"
#include "jit/limits/loops.h"
#include "jit/limits/sampler.h"

namespace burin::jit {
namespace {

absl::StatusOr<AlignedBuffer> MakeBuffer(int64_t bytes) {
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer buffer, AlignedBuffer::Create(static_cast<size_t>(bytes), 4096));
  float* const values = static_cast<float*>(buffer.data());
  for (int64_t i = 0; i < bytes / 4; ++i) values[i] = static_cast<float>(i % 1000) / 1000 - 0.5f;
  return buffer;
}

absl::StatusOr<DepthwiseSpec> MakeSpec(int64_t channels, int64_t size, int64_t kernel, int64_t stride) {
  DepthwiseSpec spec;
  spec.channels = channels;
  spec.height = {size, (size - 1) / stride + 1, kernel, stride, 1, kernel / 2};
  spec.width = spec.height;
  BURIN_ASSIGN_OR_RETURN(spec.input, ActivationStrides::Dense(1, size, size, channels));
  BURIN_ASSIGN_OR_RETURN(spec.output, ActivationStrides::Dense(1, spec.height.output, spec.width.output, channels));
  return spec;
}

absl::Status Measure(const DepthwiseSpec& spec, benchmark::State& state) {
  BURIN_ASSIGN_OR_RETURN(const Target target, Target::Host());
  BURIN_ASSIGN_OR_RETURN(const Instruments instruments, Instruments::Host(target.isa()));
  LoopSpec loop_spec;
  loop_spec.bits = target.Supports(IsaLevel::kAvx512) ? 512 : 256;
  BURIN_ASSIGN_OR_RETURN(const RegisterLoop loop, RegisterLoop::Create(target.isa(), loop_spec));
  BURIN_ASSIGN_OR_RETURN(const DepthwiseKernel kernel, DepthwiseKernel::Create(spec, target, CodeCache::Process()));
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer input, MakeBuffer(spec.input.image * 4));
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer weights, MakeBuffer(kernel.packed_weights_bytes()));
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer output, MakeBuffer(spec.output.image * 4));
  const DepthwiseArgs args = {input.data(), weights.data(), output.data(), nullptr};
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
  state.SetLabel(kernel.kernel_name());
  return absl::OkStatus();
}

void Register(int64_t channels, int64_t size, int64_t kernel, int64_t stride) {
  const std::string name = absl::StrCat("depthwise/", channels, "/", size, "/k", kernel, "/s", stride);
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    for (auto _ : state) {
      absl::StatusOr<DepthwiseSpec> spec = MakeSpec(channels, size, kernel, stride);
      const absl::Status status = spec.ok() ? Measure(*spec, state) : spec.status();
      if (!status.ok()) {
        state.SkipWithError(status.ToString().c_str());
        break;
      }
    }
  })->Iterations(1);
}

const bool kRegistered = [] {
  constexpr struct {
    int64_t channels;
    int64_t size;
    int64_t kernel;
    int64_t stride;
  } kCases[] = {{32, 112, 3, 1}, {96, 112, 3, 2}, {144, 56, 3, 1}, {144, 56, 3, 2}, {192, 28, 3, 1},
                {192, 28, 3, 2}, {384, 14, 3, 1}, {576, 14, 3, 1}, {576, 14, 3, 2}, {960, 7, 3, 1},
                {240, 28, 5, 1}, {672, 14, 5, 1}, {384, 14, 7, 1}, {100, 28, 3, 1}};
  for (const auto& [channels, size, kernel, stride] : kCases) Register(channels, size, kernel, stride);
  return true;
}();

}  // namespace
}  // namespace burin::jit
