// Measures selections against a loop that reads as many bytes in sequence.
//
// Counters: `share` is the median over the rounds of loop time by kernel time; `B/cycle` what is read a cycle.
#include "jit/kernels/top_k/top_k.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/aligned_buffer.h"
#include "base/status_macros.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "jit/kernels/top_k/top_k_plan.h"
#include "jit/limits/loops.h"
#include "jit/limits/sampler.h"

namespace burin::jit {
namespace {

constexpr int64_t kBlock = static_cast<int64_t>(ReadLoop::kBlockBytes);

absl::Status Measure(const TopKSpec& spec, benchmark::State& state) {
  BURIN_ASSIGN_OR_RETURN(const Target target, Target::Host());
  BURIN_ASSIGN_OR_RETURN(const Instruments instruments, Instruments::Host(target.isa()));
  BURIN_ASSIGN_OR_RETURN(const ReadLoop read, ReadLoop::Create(target.isa()));
  BURIN_ASSIGN_OR_RETURN(const TopKKernel kernel, TopKKernel::Create(spec, target, CodeCache::Process()));
  const int64_t bytes = spec.outer * spec.source_outer_stride;
  const int64_t blocks = (bytes - 1) / kBlock + 1;
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer source, AlignedBuffer::Create(static_cast<size_t>(blocks * kBlock), 4096));
  std::mt19937 random(1);
  float* const elements = static_cast<float*>(source.data());
  for (int64_t i = 0; i < blocks * kBlock / 4; ++i) {
    elements[i] = std::uniform_real_distribution<float>(-1, 1)(random);
  }
  std::vector<float> values(static_cast<size_t>(spec.outer * spec.destination_outer_stride / 4));
  std::vector<int32_t> indices(values.size());
  const double units = static_cast<double>(bytes);
  const Contender contenders[] = {
      {"loop", [&](int64_t repeats) { read.Run(source.data(), blocks, repeats); }, units},
      {"kernel",
       [&](int64_t repeats) {
         for (int64_t i = 0; i < repeats; ++i) {
           kernel.Run(source.data(), values.data(), indices.data(), 0, kernel.work_items());
         }
       },
       units},
  };
  SamplerOptions options;
  options.rounds = 11;
  options.max_seconds = 1;
  options.attempts = 10;
  const std::vector<Samples> samples = SampleInterleaved(contenders, options, instruments);
  std::vector<double> shares;
  for (size_t round = 0; round < samples[0].cycles.size(); ++round) {
    if (!samples[0].cycles[round].has_value() || !samples[1].cycles[round].has_value()) continue;
    shares.push_back(*samples[0].cycles[round] / *samples[1].cycles[round]);
  }
  if (shares.empty()) return absl::CancelledError("every sample was disturbed");
  std::nth_element(shares.begin(), shares.begin() + static_cast<std::ptrdiff_t>(shares.size() / 2), shares.end());
  state.counters["share"] = shares[shares.size() / 2];
  state.counters["B/cycle"] = units / *samples[1].CyclesAt(0.5);
  state.counters["estimate"] = EstimateTopKCycles(spec, target) / *samples[1].CyclesAt(0.5);
  state.SetLabel(std::string(kernel.kernel_name()));
  return absl::OkStatus();
}

const bool kRegistered = [] {
  constexpr struct {
    const char* name;
    int64_t outer;
    int64_t length;
    int64_t inner;
    int64_t k;
  } kCases[] = {{"row/1x1000/5", 1, 1000, 1, 5},         {"row/1x32000/1", 1, 32000, 1, 1},
                {"row/1x32000/40", 1, 32000, 1, 40},     {"row/128x128/8", 128, 128, 1, 8},
                {"columns/1x80x8400/1", 1, 80, 8400, 1}, {"columns/1x19x4225/1", 1, 19, 4225, 1},
                {"columns/1x256x64/8", 1, 256, 64, 8}};
  for (const auto& c : kCases) {
    TopKSpec spec;
    spec.outer = c.outer;
    spec.length = c.length;
    spec.inner = c.inner;
    spec.k = c.k;
    spec.SetDenseStrides();
    benchmark::RegisterBenchmark(c.name, [spec](benchmark::State& state) {
      for (auto _ : state) {
        const absl::Status status = Measure(spec, state);
        if (!status.ok()) {
          state.SkipWithError(status.ToString().c_str());
          break;
        }
      }
    })->Iterations(1);
  }
  return true;
}();

}  // namespace
}  // namespace burin::jit
