// Measures running sums against a loop that copies as many bytes in sequence.
//
// Counters: `share` is the median over the rounds of loop time by kernel time; `B/cycle` what is read a cycle.
#include "jit/kernels/cumulative/cumulative.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/aligned_buffer.h"
#include "base/status_macros.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "jit/kernels/cumulative/cumulative_plan.h"
#include "jit/limits/loops.h"
#include "jit/limits/sampler.h"

namespace burin::jit {
namespace {

constexpr int64_t kBlock = static_cast<int64_t>(CopyLoop::kBlockBytes);

absl::StatusOr<AlignedBuffer> MakeBuffer(int64_t bytes) {
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer buffer, AlignedBuffer::Create(static_cast<size_t>(bytes + kBlock), 4096));
  std::memset(buffer.data(), 0, buffer.size());
  return buffer;
}

absl::Status Measure(const CumulativeSpec& spec, benchmark::State& state) {
  BURIN_ASSIGN_OR_RETURN(const Target target, Target::Host());
  BURIN_ASSIGN_OR_RETURN(const Instruments instruments, Instruments::Host(target.isa()));
  BURIN_ASSIGN_OR_RETURN(const CopyLoop copy, CopyLoop::Create(target.isa()));
  BURIN_ASSIGN_OR_RETURN(const CumulativeKernel kernel, CumulativeKernel::Create(spec, target, CodeCache::Process()));
  const int64_t bytes = spec.outer * spec.source_outer_stride;
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer source, MakeBuffer(bytes));
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer destination, MakeBuffer(bytes));
  const int64_t blocks = (bytes - 1) / kBlock + 1;
  const double units = static_cast<double>(bytes);
  const Contender contenders[] = {
      {"loop", [&](int64_t repeats) { copy.Run(source.data(), destination.data(), blocks, repeats); }, units},
      {"kernel",
       [&](int64_t repeats) {
         for (int64_t i = 0; i < repeats; ++i) {
           kernel.Run(source.data(), destination.data(), nullptr, 0, kernel.work_items());
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
  state.counters["estimate"] = EstimateCumulativeCycles(spec, target) / *samples[1].CyclesAt(0.5);
  state.SetLabel(std::string(kernel.kernel_name()));
  return absl::OkStatus();
}

const bool kRegistered = [] {
  constexpr struct {
    const char* name;
    int64_t outer;
    int64_t length;
    int64_t inner;
  } kCases[] = {{"row/64x1024", 64, 1024, 1},
                {"row/1x65536", 1, 65536, 1},
                {"row/4096x16", 4096, 16, 1},
                {"columns/1x128x512", 1, 128, 512},
                {"columns/16x64x64", 16, 64, 64}};
  for (const auto& c : kCases) {
    CumulativeSpec spec;
    spec.outer = c.outer;
    spec.length = c.length;
    spec.inner = c.inner;
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
