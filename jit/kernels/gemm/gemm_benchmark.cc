// Measures products against a loop of FMAs in registers and, with few rows, against a loop that reads B; and packing
// against a loop that reads and writes as much.
//
// Counters: `share` is the median over the rounds of loop time by kernel time (of FMAs, or of bytes where packing), and
// `of_read` that of the time of reading B. At least 0.9 and 0.88 are aimed at, and half of the copy loop's speed.
#include "jit/kernels/gemm/gemm.h"

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
#include "base/element_type.h"
#include "base/status_macros.h"
#include "jit/code_cache.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "jit/kernels/gemm/gemm_plan.h"
#include "jit/kernels/gemm/gemm_spec.h"
#include "jit/kernels/panels/panel_layout.h"
#include "jit/kernels/panels/panel_packer.h"
#include "jit/limits/loops.h"
#include "jit/limits/sampler.h"

namespace burin::jit {
namespace {

// Cycles of a sample, about.
constexpr double kSampleCycles = 1e6;

absl::StatusOr<AlignedBuffer> MakeBuffer(int64_t bytes) {
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer buffer,
                         AlignedBuffer::Create(static_cast<size_t>(bytes) + CopyLoop::kBlockBytes, 4096));
  std::memset(buffer.data(), 0, buffer.size());
  return buffer;
}

// Returns the median over the rounds of units a cycle of `kernel` by those of `loop`.
absl::StatusOr<double> Share(const Samples& kernel, const Samples& loop) {
  std::vector<double> shares;
  for (size_t i = 0; i < kernel.cycles.size(); ++i) {
    if (!kernel.cycles[i].has_value() || !loop.cycles[i].has_value()) continue;
    shares.push_back(kernel.units_per_repeat / *kernel.cycles[i] * *loop.cycles[i] / loop.units_per_repeat);
  }
  if (shares.empty()) return absl::CancelledError("every sample was disturbed");
  std::nth_element(shares.begin(), shares.begin() + static_cast<std::ptrdiff_t>(shares.size() / 2), shares.end());
  return shares[shares.size() / 2];
}

SamplerOptions Options() {
  SamplerOptions options;
  options.rounds = 9;
  options.max_seconds = 0.4;
  // Long samples are disturbed more often.
  options.attempts = 5;
  return options;
}

absl::Status MeasureProduct(const GemmSpec& spec, benchmark::State& state) {
  BURIN_ASSIGN_OR_RETURN(const Target target, Target::Host());
  BURIN_ASSIGN_OR_RETURN(const Instruments instruments, Instruments::Host(target.isa()));
  const int bits = target.Supports(IsaLevel::kAvx512) ? 512 : 256;
  BURIN_ASSIGN_OR_RETURN(const RegisterLoop fma, RegisterLoop::Create(target.isa(), {LoopOp::kFma, bits, 12}));
  BURIN_ASSIGN_OR_RETURN(const ReadLoop read, ReadLoop::Create(target.isa()));
  BURIN_ASSIGN_OR_RETURN(const Gemm gemm, Gemm::Create(spec, nullptr, target, CodeCache::Process()));
  BURIN_ASSIGN_OR_RETURN(const PanelLayout layout, PanelLayout::Create(ElementType::kF32, spec.k, spec.n));
  const int64_t b_bytes = spec.b_packed ? layout.bytes() : 4 * spec.k * spec.n;
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer a, MakeBuffer(4 * *spec.m * spec.k));
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer b, MakeBuffer(b_bytes));
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer c, MakeBuffer(4 * *spec.m * spec.n));
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer scratch, MakeBuffer(gemm.scratch_bytes()));
  GemmArgs args;
  args.a = a.data();
  args.b = b.data();
  args.c = c.data();
  args.scratch = scratch.data();
  const double fmas = static_cast<double>(*spec.m * spec.n) * static_cast<double>(spec.k) / (bits / 32.0);
  const auto inner = static_cast<int64_t>(std::max(1.0, kSampleCycles / fmas));
  const int64_t blocks = std::max<int64_t>(1, b_bytes / static_cast<int64_t>(ReadLoop::kBlockBytes));
  const Contender contenders[] = {
      {"fma",
       [&](int64_t repeats) {
         fma.Run(repeats * static_cast<int64_t>(kSampleCycles) / fma.instructions_per_iteration());
       },
       kSampleCycles},
      {"gemm",
       [&](int64_t repeats) {
         for (int64_t i = 0; i < repeats * inner; ++i) gemm.Run(args, 0, gemm.work_items(args));
       },
       fmas * static_cast<double>(inner)},
      {"read", [&](int64_t repeats) { read.Run(b.data(), blocks, repeats * inner); },
       fmas * static_cast<double>(inner)},
  };
  const std::vector<Samples> samples = SampleInterleaved(contenders, Options(), instruments);
  BURIN_ASSIGN_OR_RETURN(state.counters["share"], Share(samples[1], samples[0]));
  BURIN_ASSIGN_OR_RETURN(state.counters["of_read"], Share(samples[1], samples[2]));
  state.SetLabel(gemm.plan().ToString());
  return absl::OkStatus();
}

absl::Status MeasurePacking(int64_t depth, int64_t columns, bool transposed, benchmark::State& state) {
  BURIN_ASSIGN_OR_RETURN(const Target target, Target::Host());
  BURIN_ASSIGN_OR_RETURN(const Instruments instruments, Instruments::Host(target.isa()));
  BURIN_ASSIGN_OR_RETURN(const CopyLoop copy, CopyLoop::Create(target.isa()));
  BURIN_ASSIGN_OR_RETURN(const PanelLayout layout, PanelLayout::Create(ElementType::kF32, depth, columns));
  const int64_t depth_stride = transposed ? 4 : 4 * columns;
  const int64_t column_stride = transposed ? 4 * depth : 4;
  BURIN_ASSIGN_OR_RETURN(const PanelPacker packer,
                         PanelPacker::Create(layout, depth_stride, column_stride, target, CodeCache::Process()));
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer from, MakeBuffer(layout.bytes()));
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer to, MakeBuffer(layout.bytes()));
  const auto bytes = static_cast<double>(layout.bytes());
  const int64_t blocks = layout.bytes() / static_cast<int64_t>(CopyLoop::kBlockBytes);
  const Contender contenders[] = {
      {"copy", [&](int64_t repeats) { copy.Run(from.data(), to.data(), blocks, repeats); }, bytes},
      {"pack",
       [&](int64_t repeats) {
         for (int64_t i = 0; i < repeats; ++i) packer.Run(from.data(), to.data(), 0, packer.work_items());
       },
       bytes},
  };
  const std::vector<Samples> samples = SampleInterleaved(contenders, Options(), instruments);
  BURIN_ASSIGN_OR_RETURN(state.counters["share"], Share(samples[1], samples[0]));
  return absl::OkStatus();
}

template <class Measure>
void Register(const std::string& name, const Measure& measure) {
  benchmark::RegisterBenchmark(name.c_str(), [measure](benchmark::State& state) {
    for (auto _ : state) {
      const absl::Status status = measure(state);
      if (!status.ok()) {
        state.SkipWithError(status.ToString().c_str());
        break;
      }
    }
  })->Iterations(1);
}

void RegisterProduct(const GemmSpec& spec) {
  Register(absl::StrCat("gemm/", spec.ToString()),
           [spec](benchmark::State& state) { return MeasureProduct(spec, state); });
}

void RegisterPacking(int64_t depth, int64_t columns, bool transposed) {
  Register(absl::StrCat(transposed ? "pack_transposed/" : "pack/", depth, "x", columns),
           [=](benchmark::State& state) { return MeasurePacking(depth, columns, transposed, state); });
}

const bool kRegistered = [] {
  constexpr struct {
    int64_t m, n, k;
  } kSizes[] = {{32, 32, 32},    {64, 64, 64},    {128, 128, 128},  {64, 768, 768}, {128, 768, 768},
                {384, 768, 768}, {512, 512, 512}, {128, 3072, 768}, {77, 333, 999}, {16, 1024, 1024},
                {1, 1024, 1024}, {4, 1024, 1024}, {1, 4096, 4096},  {4, 4096, 4096}};
  for (const auto& [m, n, k] : kSizes) {
    RegisterProduct(GemmSpec::Packed(m, n, k));
    if (m != 16 && n != 3072) RegisterProduct(GemmSpec::Plain(m, n, k));
  }
  for (const int64_t size : {256, 768, 1000, 2048, 4096}) {
    RegisterPacking(size, size, false);
    RegisterPacking(size, size, true);
  }
  return true;
}();

}  // namespace
}  // namespace burin::jit
