// Measures gatherings against a loop that copies as many bytes in sequence within as large a working set.
//
// Counters: `share` is the median over the rounds of loop time by kernel time, `B/cycle` what is moved a cycle, `rows`
// the cycles of a row.
#include "jit/kernels/gather/gather.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/aligned_buffer.h"
#include "base/status_macros.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "jit/kernels/gather/gather_plan.h"
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

absl::Status Measure(const GatherSpec& spec, benchmark::State& state) {
  BURIN_ASSIGN_OR_RETURN(const Target target, Target::Host());
  BURIN_ASSIGN_OR_RETURN(const Instruments instruments, Instruments::Host(target.isa()));
  BURIN_ASSIGN_OR_RETURN(const CopyLoop copy, CopyLoop::Create(target.isa()));
  BURIN_ASSIGN_OR_RETURN(const GatherKernel kernel, GatherKernel::Create(spec, target, CodeCache::Process()));
  const int64_t table_bytes = spec.extent * spec.row_bytes;
  const int64_t bytes = spec.count * spec.row_bytes;
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer table, MakeBuffer(table_bytes));
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer output, MakeBuffer(bytes));
  // Each repeat takes other rows, so that the whole table is the working set.
  constexpr int64_t kSets = 16;
  std::vector<int64_t> indices(static_cast<size_t>(kSets * spec.count));
  std::mt19937 random(1);
  for (int64_t& index : indices) index = std::uniform_int_distribution<int64_t>(0, spec.extent - 1)(random);
  int64_t set = 0;
  int64_t offset = 0;
  const int64_t blocks = std::max<int64_t>(1, std::min(bytes, table_bytes) / kBlock);
  const Contender contenders[] = {
      {"loop",
       [&](int64_t repeats) {
         for (int64_t i = 0; i < repeats; ++i) {
           if (offset + blocks * kBlock > table_bytes) offset = 0;
           copy.Run(static_cast<const uint8_t*>(table.data()) + offset, output.data(), blocks, 1);
           offset += blocks * kBlock;
         }
       },
       static_cast<double>(blocks * kBlock)},
      {"kernel",
       [&](int64_t repeats) {
         for (int64_t i = 0; i < repeats; ++i) {
           set = (set + 1) % kSets;
           kernel.Run(table.data(), indices.data() + set * spec.count, output.data(), 0, kernel.work_items());
         }
       },
       static_cast<double>(bytes)},
  };
  SamplerOptions options;
  options.rounds = 11;
  options.max_seconds = 1;
  options.attempts = 10;
  const std::vector<Samples> samples = SampleInterleaved(contenders, options, instruments);
  std::vector<double> shares;
  for (size_t round = 0; round < samples[0].cycles.size(); ++round) {
    if (!samples[0].cycles[round].has_value() || !samples[1].cycles[round].has_value()) continue;
    shares.push_back(*samples[0].cycles[round] / samples[0].units_per_repeat * samples[1].units_per_repeat /
                     *samples[1].cycles[round]);
  }
  if (shares.empty()) return absl::CancelledError("every sample was disturbed");
  std::nth_element(shares.begin(), shares.begin() + static_cast<std::ptrdiff_t>(shares.size() / 2), shares.end());
  state.counters["share"] = shares[shares.size() / 2];
  state.counters["B/cycle"] = static_cast<double>(bytes) / *samples[1].CyclesAt(0.5);
  state.counters["rows"] = *samples[1].CyclesAt(0.5) / static_cast<double>(spec.count);
  state.counters["estimate"] = EstimateGatherCycles(spec, target) / *samples[1].CyclesAt(0.5);
  state.SetLabel(std::string(kernel.kernel_name()));
  return absl::OkStatus();
}

const bool kRegistered = [] {
  constexpr struct {
    const char* name;
    int64_t extent;
    int64_t row_bytes;
    int64_t count;
  } kCases[] = {
      {"embedding/30522x768/384", 30522, 768 * 4, 384}, {"embedding/30522x384/128", 30522, 384 * 4, 128},
      {"embedding/2048x1024/512", 2048, 4096, 512},     {"embedding/1000x64/1000", 1000, 256, 1000},
      {"elements/32bit/1000/4000", 1000, 4, 4000},      {"elements/32bit/4000000/4000", 4000000, 4, 4000},
      {"elements/64bit/1000/4000", 1000, 8, 4000},      {"rows/16/1000/4000", 1000, 16, 4000},
  };
  for (const auto& c : kCases) {
    GatherSpec spec;
    spec.extent = c.extent;
    spec.row_bytes = c.row_bytes;
    spec.count = c.count;
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
