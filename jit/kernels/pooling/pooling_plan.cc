#include "jit/kernels/pooling/pooling_plan.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/element_type.h"
#include "jit/isa/cache_info.h"
#include "jit/isa/isa.h"
#include "jit/isa/microarch.h"

namespace burin::jit {
namespace {

constexpr int64_t kElementBytes = 4;

// What a work item reads at least, where there is so much: a few microseconds.
constexpr int64_t kItemBytes = 64 << 10;

// The most windows of a strip. More save less and less reading: with stride 1 and 3 taps, 8 read 10 columns.
constexpr int64_t kMaxStripWindows = 8;

// The most vectors of a strip where windows share columns, and where they do not. Neighbours in memory let the
// processor foresee what is read; wide strips share more.
constexpr int kMaxSharedVectors = 2;
constexpr int kMaxApartVectors = 4;

// What a strip costs beside its columns, in columns.
constexpr int64_t kStripCost = 3;

// The most instructions a strip unrolls along its innermost axis, so that the code stays in the first cache.
constexpr int kMaxStripTaps = 32;

struct Registers {
  int lanes = 8;
  int vectors = 16;
  // Of those, what a piece takes beside results and columns: two taps, the mask of the tail where that is a vector, and
  // what watches for NaNs.
  int taken = 5;
  // The most vectors of a single window, without and with indices.
  int most_single = 8;
  int most_with_indices = 2;
};

Registers RegistersOf(const Target& target) {
  if (target.Supports(IsaLevel::kAvx512)) return {16, 32, 2, 16, 4};
  return {};
}

int64_t CeilDiv(int64_t a, int64_t b) { return (a - 1) / b + 1; }

// Whether so many bytes, times the windows of a strip, fit a displacement.
bool FitsOffset(int64_t bytes) { return bytes > 0 && bytes <= (INT32_MAX >> 5); }

// Sets what is special about the first and the last of strips of `strip` windows. Returns false where padding reaches
// further than those.
bool SetEnds(const PoolingAxis& axis, int strip, PoolingCodeSpec& code) {
  const int64_t count = CeilDiv(axis.output, strip);
  const int64_t last = axis.output - (count - 1) * strip;
  const int64_t reach = (axis.kernel - 1) * axis.dilation;
  code.strip_windows = strip;
  code.is_one_strip = count == 1;
  const int64_t padding = std::max<int64_t>(axis.pad_begin, 0);
  if (!code.is_one_strip && (strip * axis.stride < padding ||
                             (axis.output - last - 1) * axis.stride - axis.pad_begin + reach >= axis.input)) {
    return false;
  }
  // From the last strip's first tap to the end of the input, and to its own end.
  const int64_t end = axis.input - (axis.output - last) * axis.stride + axis.pad_begin;
  const int64_t whole = (last - 1) * axis.stride + reach + 1;
  const bool is_special = code.is_one_strip || last != strip || end < whole;
  code.last_windows = is_special ? static_cast<int>(last) : 0;
  if (!FitsOffset(whole * axis.input_stride) || padding > whole) return false;
  code.last_end = is_special ? static_cast<int32_t>(std::min(std::max<int64_t>(end, 0), whole) * axis.input_stride) : 0;
  code.first_begin = static_cast<int32_t>(padding * axis.input_stride);
  return true;
}

// Returns what a row of strips costs for a vector of channels, in columns.
double StripsCost(const PoolingAxis& axis, const PoolingCodeSpec& code) {
  const int64_t count = CeilDiv(axis.output, code.strip_windows);
  const int columns = code.StripColumns(code.strip_windows);
  const int last = code.last_windows > 0 ? code.StripColumns(code.last_windows) : columns;
  const int64_t all = (count - 1) * columns + last;
  return static_cast<double>(all) + static_cast<double>(count * kStripCost) / code.strip_vectors;
}

// Cuts the row into strips such that few columns are reduced, where the registers and the padding allow.
void ChooseStrips(const PoolingSpec& spec, const Registers& registers, int epilogue, PoolingCodeSpec& code) {
  const PoolingAxis& axis = spec.axes[2];
  std::optional<PoolingCodeSpec> best;
  double least = 0;
  const bool shares = code.StripColumns(2) < 2 * code.strip_taps;
  for (int vectors = shares ? kMaxSharedVectors : kMaxApartVectors; vectors > 0; vectors /= 2) {
    if (vectors > 1 && vectors > spec.channels / registers.lanes) continue;
    if (!shares && best.has_value()) break;
    const int free = (registers.vectors - registers.taken) / vectors;
    for (int strip = static_cast<int>(std::min(axis.output, kMaxStripWindows)); strip > 1; --strip) {
      PoolingCodeSpec candidate = code;
      candidate.strip_vectors = vectors;
      if (!SetEnds(axis, strip, candidate) || candidate.StripColumns(strip) > free) continue;
      if (strip * vectors + epilogue + registers.taken > registers.vectors) continue;
      const double cost = StripsCost(axis, candidate);
      if (best.has_value() && cost >= least) continue;
      best = candidate;
      least = cost;
    }
  }
  if (best.has_value()) code = *best;
}

PoolingCodeSpec MakeCode(const PoolingSpec& spec, const Target& target, const EpilogueRegisters* epilogue) {
  const Registers registers = RegistersOf(target);
  const int epilogue_vectors = epilogue != nullptr ? epilogue->vectors : 0;
  const PoolingAxis& axis = spec.axes[2];
  PoolingCodeSpec code;
  code.kind = spec.kind;
  code.p = spec.kind == PoolingKind::kLp ? spec.p : 0;
  if (spec.indices.has_value()) code.index_type = spec.indices->type;
  code.tail_channels = static_cast<int>(spec.channels % registers.lanes);

  const bool fits = axis.kernel <= kMaxStripTaps && axis.output > 1 && FitsOffset(axis.input_stride) &&
                    FitsOffset(axis.input_stride * axis.dilation) && FitsOffset(axis.input_stride * axis.stride) &&
                    FitsOffset(axis.output_stride);
  if (fits && !spec.indices.has_value()) {
    PoolingCodeSpec strips = code;
    strips.strip_taps = static_cast<int>(axis.kernel);
    strips.strip_tap_step = static_cast<int32_t>(axis.input_stride * axis.dilation);
    strips.strip_window_step = static_cast<int32_t>(axis.input_stride * axis.stride);
    strips.strip_output_step = epilogue != nullptr ? 0 : static_cast<int32_t>(axis.output_stride);
    ChooseStrips(spec, registers, epilogue_vectors, strips);
    if (strips.strip_windows > 0) code = strips;
  }

  code.single_vectors = spec.indices.has_value() ? registers.most_with_indices : registers.most_single;
  while (code.single_vectors > 1 && (code.single_vectors + epilogue_vectors + registers.taken > registers.vectors ||
                                     code.single_vectors > spec.channels / registers.lanes)) {
    code.single_vectors /= 2;
  }
  return code;
}

int64_t InputBytes(const PoolingSpec& spec) {
  int64_t bytes = spec.batch * spec.channels * kElementBytes;
  for (const PoolingAxis& axis : spec.axes) {
    // What windows pass over is not read.
    const int64_t reach = axis.output * std::min(axis.stride, axis.kernel) + axis.kernel;
    bytes *= std::min(axis.input, reach);
  }
  return bytes;
}

// Returns the bytes of the input that the windows of one row read of `windows` neighbours and of so many channels.
int64_t RowBytes(const PoolingSpec& spec, int64_t windows, int64_t channels) {
  const PoolingAxis& axis = spec.axes[2];
  const int64_t columns = (windows - 1) * std::min(axis.stride, axis.kernel) + axis.kernel;
  return spec.axes[0].kernel * spec.axes[1].kernel * std::min(columns, axis.input) * channels * kElementBytes;
}

int64_t ChannelUnit(const Target& target, const PoolingPlan& plan) {
  return int64_t{RegistersOf(target).lanes} * plan.code.single_vectors;
}

// Where rows of windows read the same rows of the input, makes pieces of rows so narrow that what they share is still
// in the first cache when it is read again.
void ShareRows(const PoolingSpec& spec, const Target& target, PoolingPlan& plan) {
  const bool shares = spec.axes[0].stride < spec.axes[0].kernel || spec.axes[1].stride < spec.axes[1].kernel;
  const int64_t room = target.caches().l1_data * 3 / 4;
  if (!shares || spec.axes[0].output * spec.axes[1].output < 2) return;
  const int64_t strip = std::max(plan.code.strip_windows, 1);
  // Channels first: as many as lie side by side in four lines at least.
  const int64_t least =
      std::min(spec.channels, std::max<int64_t>(64, plan.code.strip_windows > 0 ? 0 : ChannelUnit(target, plan)));
  const int64_t narrow = std::min(strip, plan.windows_per_item);
  if (RowBytes(spec, narrow, spec.channels) > room) {
    const int64_t pieces = CeilDiv(RowBytes(spec, narrow, spec.channels), room);
    plan.channels_per_item = std::min(spec.channels, CeilDiv(CeilDiv(spec.channels, pieces), least) * least);
  }
  const int64_t fitting = room / std::max<int64_t>(1, RowBytes(spec, strip, plan.channels_per_item));
  if (RowBytes(spec, plan.windows_per_item, plan.channels_per_item) > room) {
    plan.windows_per_item = std::min(plan.windows_per_item, std::max<int64_t>(1, fitting) * strip);
  }
}

// Makes pieces of about kItemBytes.
void CutRows(const PoolingSpec& spec, const Target& target, PoolingPlan& plan) {
  const int64_t windows = spec.axes[2].output;
  const int64_t rows = spec.Windows() / windows;
  const int64_t bytes = std::max(InputBytes(spec), spec.Windows() * spec.channels * kElementBytes);
  const int64_t pieces_of_row =
      CeilDiv(windows, plan.windows_per_item) * CeilDiv(spec.channels, plan.channels_per_item);
  const int64_t piece_bytes = std::max<int64_t>(1, bytes / rows / pieces_of_row);
  plan.rows_per_item = std::min(rows, std::max<int64_t>(1, kItemBytes / piece_bytes));
  if (piece_bytes < 2 * kItemBytes) return;
  const int64_t pieces = piece_bytes / kItemBytes;
  const int64_t strip = std::max(plan.code.strip_windows, 1);
  if (plan.windows_per_item >= 2 * strip) {
    plan.windows_per_item =
        std::min(plan.windows_per_item, CeilDiv(CeilDiv(plan.windows_per_item, pieces), strip) * strip);
    return;
  }
  const int64_t unit = ChannelUnit(target, plan);
  plan.channels_per_item =
      std::min(plan.channels_per_item, CeilDiv(CeilDiv(plan.channels_per_item, pieces), unit) * unit);
}

double BytesPerCycle(int64_t bytes, const Target& target) {
  constexpr double kFirstLevel = 64;
  const CacheSizes& caches = target.caches();
  const Microarch& microarch = target.microarch();
  if (bytes <= caches.l1_data) return kFirstLevel;
  if (bytes <= caches.l2) return microarch.l2_bytes_per_cycle;
  return bytes <= caches.l3_share ? microarch.l3_bytes_per_cycle : microarch.dram_bytes_per_cycle;
}

}  // namespace

PoolingPlan PoolingPlan::Make(const PoolingSpec& spec, const Target& target, const EpilogueRegisters* epilogue) {
  PoolingPlan plan;
  plan.code = MakeCode(spec, target, epilogue);
  const int64_t windows = spec.axes[2].output;
  const int64_t all = spec.Windows();
  if (all == 0 || spec.channels == 0) return plan;
  plan.windows_per_item = windows;
  plan.channels_per_item = spec.channels;
  ShareRows(spec, target, plan);
  CutRows(spec, target, plan);
  return plan;
}

int64_t PoolingPlan::WorkItems(const PoolingSpec& spec) const {
  const int64_t all = spec.Windows();
  if (all == 0 || spec.channels == 0) return 0;
  const int64_t windows = spec.axes[2].output;
  return CeilDiv(all / windows, rows_per_item) * CeilDiv(windows, windows_per_item) *
         CeilDiv(spec.channels, channels_per_item);
}

double EstimatePoolingCycles(const PoolingSpec& spec, const Target& target) {
  const PoolingPlan plan = PoolingPlan::Make(spec, target, nullptr);
  const Registers registers = RegistersOf(target);
  const int64_t written = spec.Windows() * spec.channels * kElementBytes;
  const int64_t read = InputBytes(spec);
  // Taps that are loaded for each vector of the output, a cycle each of 512 bits and half of one of 256.
  double taps = static_cast<double>(spec.axes[0].kernel * spec.axes[1].kernel);
  if (plan.code.strip_windows > 0) {
    taps *= static_cast<double>(plan.code.StripColumns(plan.code.strip_windows)) / plan.code.strip_windows;
  } else {
    taps *= static_cast<double>(spec.axes[2].kernel);
  }
  // A maximum looks for NaNs, and one with indices compares and chooses.
  const double instructions = spec.indices.has_value() ? 8 : spec.kind == PoolingKind::kMax ? 1.5 : 1;
  const double vectors =
      static_cast<double>(spec.Windows() * CeilDiv(std::max<int64_t>(spec.channels, 1), registers.lanes));
  const double compute = vectors * taps * instructions * (registers.lanes == 16 ? 1 : 0.5);
  const double memory = static_cast<double>(read + 2 * written) / BytesPerCycle(read + written, target);
  return std::max(compute, memory);
}

}  // namespace burin::jit
