// Measures resamplings against loops that read the input and write as much as the output in sequence.
//
// Counters: `share` is the median over the rounds of loop time by kernel time; `B/cycle` what is read and written a
// cycle.
#include "jit/kernels/resize/resize.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/aligned_buffer.h"
#include "base/status_macros.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "jit/kernels/resize/resize_plan.h"
#include "jit/kernels/resize/resize_spec.h"
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

absl::Status Measure(const ResizeSpec& spec, benchmark::State& state) {
  BURIN_ASSIGN_OR_RETURN(const Target target, Target::Host());
  BURIN_ASSIGN_OR_RETURN(const Instruments instruments, Instruments::Host(target.isa()));
  BURIN_ASSIGN_OR_RETURN(const CopyLoop copy, CopyLoop::Create(target.isa()));
  BURIN_ASSIGN_OR_RETURN(const ResizeKernel kernel, ResizeKernel::Create(spec, target, CodeCache::Process()));
  const int64_t input_bytes = spec.input_batch_stride;
  const int64_t output_bytes = spec.output_batch_stride;
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer input, MakeBuffer(input_bytes));
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer output, MakeBuffer(output_bytes));
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer scratch, MakeBuffer(kernel.scratch_bytes()));
  // The input is smaller: it is read as often as fills the output.
  const int64_t least = std::max<int64_t>(1, std::min(input_bytes, output_bytes) / kBlock);
  const int64_t passes = std::max<int64_t>(1, output_bytes / kBlock / least);
  const double bytes = static_cast<double>(input_bytes + output_bytes);
  const Contender contenders[] = {
      {"loop",
       [&](int64_t repeats) {
         for (int64_t i = 0; i < repeats; ++i) {
           for (int64_t pass = 0; pass < passes; ++pass) {
             copy.Run(input.data(), static_cast<uint8_t*>(output.data()) + pass * least * kBlock, least, 1);
           }
         }
       },
       bytes},
      {"kernel",
       [&](int64_t repeats) {
         for (int64_t i = 0; i < repeats; ++i) {
           kernel.Run({input.data(), output.data(), nullptr, scratch.data()}, 0, kernel.work_items());
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
  state.counters["B/cycle"] = bytes / *samples[1].CyclesAt(0.5);
  state.counters["estimate"] = EstimateResizeCycles(spec, target) / *samples[1].CyclesAt(0.5);
  state.SetLabel(std::string(kernel.kernel_name()));
  return absl::OkStatus();
}

// Makes `output` elements, of the nearest one or of two neighbours.
ResizeAxis Scaled(int64_t input, int64_t output, bool nearest) {
  ResizeAxis axis;
  axis.input = input;
  axis.taps.clear();
  const double step = static_cast<double>(input) / static_cast<double>(output);
  for (int64_t o = 0; o < output; ++o) {
    const double at = std::max(0.0, (static_cast<double>(o) + 0.5) * step - 0.5);
    const int64_t lower = std::min(static_cast<int64_t>(at), input - 1);
    const float part = static_cast<float>(at - static_cast<double>(lower));
    if (nearest) {
      axis.taps.push_back({{std::min(lower + (part > 0.5f ? 1 : 0), input - 1), 1}});
    } else {
      axis.taps.push_back({{lower, 1 - part}, {std::min(lower + 1, input - 1), part}});
    }
  }
  return axis;
}

const bool kRegistered = [] {
  constexpr struct {
    int64_t input;
    int64_t output;
    int64_t channels;
  } kCases[] = {{20, 40, 256}, {40, 80, 128}, {56, 112, 64}, {65, 513, 19}, {224, 112, 3}};
  for (const auto& c : kCases) {
    for (const bool nearest : {true, false}) {
      for (const bool innermost : {true, false}) {
        ResizeSpec spec;
        spec.channels = c.channels;
        spec.axes[1] = spec.axes[2] = Scaled(c.input, c.output, nearest);
        innermost ? spec.SetChannelsInnermost() : spec.SetChannelsOutermost();
        const std::string name = absl::StrCat(nearest ? "nearest" : "linear", innermost ? "/nhwc/" : "/nchw/", c.input,
                                              "-", c.output, "x", c.channels);
        benchmark::RegisterBenchmark(name.c_str(), [spec](benchmark::State& state) {
          for (auto _ : state) {
            const absl::Status status = Measure(spec, state);
            if (!status.ok()) {
              state.SkipWithError(status.ToString().c_str());
              break;
            }
          }
        })->Iterations(1);
      }
    }
  }
  return true;
}();

}  // namespace
}  // namespace burin::jit
