// Measures poolings against loops that read the input and write as much as the output in sequence: at least 0.9 of
// their speed is aimed at for 3x3 windows with stride 2 and for global poolings, where the input fits into the second
// cache.
//
// Counters: `share` is the median over the rounds of loop time by kernel time; `loop` and `B/cycle` what each reads and
// writes a cycle.
#include "jit/kernels/pooling/pooling.h"

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
#include "base/element_type.h"
#include "base/status_macros.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "jit/kernels/pooling/pooling_plan.h"
#include "jit/kernels/pooling/pooling_spec.h"
#include "jit/limits/loops.h"
#include "jit/limits/sampler.h"

namespace burin::jit {
namespace {

constexpr int64_t kBlock = static_cast<int64_t>(CopyLoop::kBlockBytes);
static_assert(CopyLoop::kBlockBytes == ReadLoop::kBlockBytes, "both loops count in the same blocks");

absl::StatusOr<AlignedBuffer> MakeBuffer(int64_t bytes) {
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer buffer, AlignedBuffer::Create(static_cast<size_t>(bytes + kBlock), 4096));
  std::memset(buffer.data(), 0, buffer.size());
  return buffer;
}

absl::Status Measure(const PoolingSpec& spec, benchmark::State& state) {
  BURIN_ASSIGN_OR_RETURN(const Target target, Target::Host());
  BURIN_ASSIGN_OR_RETURN(const Instruments instruments, Instruments::Host(target.isa()));
  BURIN_ASSIGN_OR_RETURN(const CopyLoop copy, CopyLoop::Create(target.isa()));
  BURIN_ASSIGN_OR_RETURN(const ReadLoop read, ReadLoop::Create(target.isa()));
  BURIN_ASSIGN_OR_RETURN(const PoolingKernel kernel, PoolingKernel::Create(spec, target, CodeCache::Process()));
  const int64_t input_bytes = spec.batch * spec.input_batch_stride;
  const int64_t output_bytes = spec.batch * spec.output_batch_stride;
  const int64_t index_bytes = spec.indices.has_value() ? 2 * output_bytes : 0;
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer input, MakeBuffer(std::max(input_bytes, output_bytes)));
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer output, MakeBuffer(output_bytes));
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer indices, MakeBuffer(index_bytes));
  const uint8_t* const from = static_cast<const uint8_t*>(input.data());
  const int64_t written = (output_bytes - 1) / kBlock + 1;
  const int64_t rest = std::max<int64_t>(input_bytes - output_bytes, 0) / kBlock;
  const double bytes = static_cast<double>(input_bytes + output_bytes);
  const Contender contenders[] = {
      {"loop",
       [&](int64_t repeats) {
         for (int64_t i = 0; i < repeats; ++i) {
           copy.Run(from, output.data(), written, 1);
           if (rest > 0) read.Run(from + output_bytes / kBlock * kBlock, rest, 1);
         }
       },
       bytes},
      {"kernel",
       [&](int64_t repeats) {
         for (int64_t i = 0; i < repeats; ++i) {
           kernel.Run({input.data(), output.data(), indices.data()}, 0, kernel.work_items());
         }
       },
       bytes},
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
  state.counters["loop"] = bytes / *samples[0].CyclesAt(0.5);
  state.counters["B/cycle"] = bytes / *samples[1].CyclesAt(0.5);
  state.counters["estimate"] = EstimatePoolingCycles(spec, target) / *samples[1].CyclesAt(0.5);
  state.SetLabel(std::string(kernel.kernel_name()));
  return absl::OkStatus();
}

struct Case {
  const char* name;
  PoolingKind kind;
  int64_t size;
  int64_t channels;
  int64_t kernel;
  int64_t stride;
  int64_t pad;
  bool indices = false;
};

PoolingSpec SpecOf(const Case& c) {
  PoolingSpec spec;
  spec.kind = c.kind;
  spec.channels = c.channels;
  for (size_t i = 1; i < 3; ++i) {
    PoolingAxis& axis = spec.axes[i];
    axis.input = c.size;
    axis.kernel = c.kernel;
    axis.stride = c.stride;
    axis.pad_begin = axis.pad_end = c.pad;
    axis.output = (c.size + 2 * c.pad - c.kernel) / c.stride + 1;
  }
  spec.SetDenseStrides();
  if (c.indices) spec.indices = PoolingIndices{ElementType::kI64, 0, c.size * c.size, {0, c.size, 1}};
  return spec;
}

const bool kRegistered = [] {
  constexpr Case kCases[] = {
      {"max/3x3s2/28x64", PoolingKind::kMax, 28, 64, 3, 2, 1},
      {"max/3x3s2/56x64", PoolingKind::kMax, 56, 64, 3, 2, 1},
      {"max/3x3s2/112x64", PoolingKind::kMax, 112, 64, 3, 2, 1},
      {"max/3x3s2/28x256", PoolingKind::kMax, 28, 256, 3, 2, 0},
      {"max/2x2s2/56x64", PoolingKind::kMax, 56, 64, 2, 2, 0},
      {"max/2x2s2/224x64", PoolingKind::kMax, 224, 64, 2, 2, 0},
      {"max/2x2s2/28x512", PoolingKind::kMax, 28, 512, 2, 2, 0},
      {"max/5x5s1/20x256", PoolingKind::kMax, 20, 256, 5, 1, 2},
      {"max/3x3s2/56x64/indices", PoolingKind::kMax, 56, 64, 3, 2, 1, true},
      {"average/3x3s1/28x192", PoolingKind::kAverage, 28, 192, 3, 1, 1},
      {"average/3x3s2/56x64", PoolingKind::kAverage, 56, 64, 3, 2, 1},
      {"average/global/7x512", PoolingKind::kAverage, 7, 512, 7, 1, 0},
      {"average/global/7x1280", PoolingKind::kAverage, 7, 1280, 7, 1, 0},
      {"average/global/7x2048", PoolingKind::kAverage, 7, 2048, 7, 1, 0},
      {"average/global/14x1024", PoolingKind::kAverage, 14, 1024, 14, 1, 0},
      {"average/global/56x64", PoolingKind::kAverage, 56, 64, 56, 1, 0},
      {"max/global/7x2048", PoolingKind::kMax, 7, 2048, 7, 1, 0},
      {"lp/global/7x2048", PoolingKind::kLp, 7, 2048, 7, 1, 0},
  };
  for (const Case& c : kCases) {
    benchmark::RegisterBenchmark(c.name, [c](benchmark::State& state) {
      for (auto _ : state) {
        const absl::Status status = Measure(SpecOf(c), state);
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
