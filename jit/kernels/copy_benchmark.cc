// Measures copies of all kinds against a loop that reads and writes as many bytes in sequence: at least 0.9 of its
// speed is aimed at for copies, 0.75 for transposes.
//
// Counters: `share` is the median over the rounds of loop time by plan time, `B/cycle` what the plan writes, `loop`
// what the loop does.
#include "jit/kernels/copy.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/aligned_buffer.h"
#include "base/status_macros.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "jit/kernels/copy_layout.h"
#include "jit/limits/loops.h"
#include "jit/limits/sampler.h"

namespace burin::jit {
namespace {

// One movement: `source_bytes` are read, and `destination_bytes` written.
struct Case {
  std::string name;
  StridedCopySpec spec;
  int64_t source_bytes = 0;
  int64_t destination_bytes = 0;
  // Of the destination, from where it begins: a part of a larger tensor.
  int64_t offset = 0;
};

// Returns repeats that make a sample of some 30 thousand cycles at 8 bytes a cycle.
int64_t RepeatsOf(int64_t bytes) { return std::max<int64_t>(1, (int64_t{256} << 10) / bytes); }

absl::StatusOr<AlignedBuffer> MakeBuffer(int64_t bytes) {
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer buffer,
                         AlignedBuffer::Create(static_cast<size_t>(bytes) + CopyLoop::kBlockBytes, 4096));
  std::memset(buffer.data(), 1, buffer.size());
  return buffer;
}

// Measures the plans of `parts` one after the other, and the loop over as many bytes.
absl::Status Measure(const std::vector<Case>& parts, benchmark::State& state) {
  BURIN_ASSIGN_OR_RETURN(const Target target, Target::Host());
  BURIN_ASSIGN_OR_RETURN(const Instruments instruments, Instruments::Host(target.isa()));
  BURIN_ASSIGN_OR_RETURN(const CopyLoop loop, CopyLoop::Create(target.isa()));
  std::vector<CopyPlan> plans;
  std::vector<int64_t> source_offsets;
  int64_t source_bytes = 0;
  int64_t destination_bytes = 0;
  for (const Case& part : parts) {
    BURIN_ASSIGN_OR_RETURN(CopyPlan plan, CopyPlan::Create(part.spec, target, CodeCache::Process()));
    plans.push_back(std::move(plan));
    source_offsets.push_back(source_bytes);
    source_bytes += part.source_bytes;
    destination_bytes += part.destination_bytes;
  }
  const int64_t most = std::max(source_bytes, destination_bytes);
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer source, MakeBuffer(most));
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer destination, MakeBuffer(most));
  const uint8_t* const from = static_cast<const uint8_t*>(source.data());
  uint8_t* const to = static_cast<uint8_t*>(destination.data());
  const int64_t blocks = (destination_bytes - 1) / static_cast<int64_t>(CopyLoop::kBlockBytes) + 1;
  const int64_t inner = RepeatsOf(destination_bytes);
  const double units = static_cast<double>(destination_bytes * inner);
  const Contender contenders[] = {
      {"loop", [&](int64_t repeats) { loop.Run(from, to, blocks, repeats * inner); },
       static_cast<double>(blocks * static_cast<int64_t>(CopyLoop::kBlockBytes) * inner)},
      {"plan",
       [&](int64_t repeats) {
         for (int64_t i = 0; i < repeats * inner; ++i) {
           for (size_t k = 0; k < plans.size(); ++k) {
             plans[k].Run(from + source_offsets[k], to + parts[k].offset, 0, plans[k].work_items());
           }
         }
       },
       units},
  };
  SamplerOptions options;
  options.rounds = 11;
  options.max_seconds = 1;
  // Long samples are disturbed more often.
  options.attempts = 10;
  const std::vector<Samples> samples = SampleInterleaved(contenders, options, instruments);
  std::vector<double> shares;
  for (size_t round = 0; round < samples[0].cycles.size(); ++round) {
    if (!samples[0].cycles[round].has_value() || !samples[1].cycles[round].has_value()) continue;
    shares.push_back(*samples[0].cycles[round] / samples[0].units_per_repeat * units / *samples[1].cycles[round]);
  }
  if (shares.empty()) return absl::CancelledError("every sample was disturbed");
  std::nth_element(shares.begin(), shares.begin() + static_cast<std::ptrdiff_t>(shares.size() / 2), shares.end());
  state.counters["share"] = shares[shares.size() / 2];
  state.counters["loop"] = samples[0].units_per_repeat / *samples[0].CyclesAt(0.5);
  state.counters["B/cycle"] = units / *samples[1].CyclesAt(0.5);
  state.SetLabel(std::string(plans[0].kernel_name()));
  return absl::OkStatus();
}

void Register(const std::string& name, std::vector<Case> parts) {
  benchmark::RegisterBenchmark(name.c_str(), [parts = std::move(parts)](benchmark::State& state) {
    for (auto _ : state) {
      const absl::Status status = Measure(parts, state);
      if (!status.ok()) {
        state.SkipWithError(status.ToString().c_str());
        break;
      }
    }
  })->Iterations(1);
}

Case Transpose(int bytes, int64_t rows, int64_t columns, int64_t planes = 1) {
  const int64_t plane = rows * columns * bytes;
  return {"",
          {bytes, {{planes, plane, plane}, {columns, bytes, rows * bytes}, {rows, columns * bytes, bytes}}},
          plane * planes,
          plane * planes};
}

Case Rows(int64_t rows, int64_t bytes, int64_t source_stride, int64_t destination_stride, int64_t offset = 0) {
  return {
      "", {1, {{rows, source_stride, destination_stride}, {bytes, 1, 1}}}, rows * source_stride, rows * bytes, offset};
}

void RegisterCopies() {
  constexpr struct {
    const char* level;
    int64_t bytes;
  } kSets[] = {{"l1", 12 << 10}, {"l2", 300 << 10}, {"l3", 3 << 20}, {"dram", 40 << 20}};
  for (const auto& [level, bytes] : kSets) {
    Register(absl::StrCat("contiguous/", level), {Rows(1, bytes, bytes, bytes)});
    for (const int64_t row : {12, 16, 60, 256, 1000}) {
      // Every second row of the source, which then is as large as the destination is.
      Register(absl::StrCat("rows/", row, "/", level), {Rows(bytes / 2 / row, row, 2 * row, row)});
    }
    for (const int64_t row : {64, 1024}) {
      const int64_t rows = bytes / (3 * row);
      Register(absl::StrCat("concat/", row, "+", 2 * row, "/", level),
               {Rows(rows, row, row, 3 * row), Rows(rows, 2 * row, 2 * row, 3 * row, row)});
    }
    Register(absl::StrCat("broadcast_row/", level),
             {{"", {4, {{bytes / 4096, 0, 4096}, {1024, 4, 4}}}, 4096, bytes / 4096 * 4096}});
    Register(absl::StrCat("broadcast_column/", level),
             {{"", {4, {{bytes / 4096, 4, 4096}, {1024, 0, 4}}}, bytes / 4096 * 4, bytes / 4096 * 4096}});
  }
}

void RegisterTransposes() {
  for (const int bytes : {4, 1, 2, 8}) {
    for (const int64_t size : {64, 128, 256, 512, 1024, 2048}) {
      Register(absl::StrCat("transpose/", 8 * bytes, "bit/", size, "x", size), {Transpose(bytes, size, size)});
    }
    Register(absl::StrCat("transpose/", 8 * bytes, "bit/1000x1001"), {Transpose(bytes, 1000, 1001)});
  }
  constexpr struct {
    int64_t channels;
    int64_t pixels;
  } kImages[] = {{3, 50176}, {32, 12544}, {64, 3136}, {256, 784}, {512, 49}, {2048, 49}};
  for (const auto& [channels, pixels] : kImages) {
    for (const int bytes : {4, 1}) {
      const std::string shape = absl::StrCat("/", 8 * bytes, "bit/", channels, "x", pixels);
      Register(absl::StrCat("nchw_to_nhwc", shape), {Transpose(bytes, channels, pixels)});
      Register(absl::StrCat("nhwc_to_nchw", shape), {Transpose(bytes, pixels, channels)});
    }
  }
  // The heads of an attention: rows stay whole.
  Register("heads/32bit/384x12x64",
           {{"", {4, {{384, 3072, 256}, {12, 256, 98304}, {64, 4, 4}}}, 384 * 3072, 384 * 3072}});
}

const bool kRegistered = [] {
  RegisterCopies();
  RegisterTransposes();
  return true;
}();

}  // namespace
}  // namespace burin::jit
