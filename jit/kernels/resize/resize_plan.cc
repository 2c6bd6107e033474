#include "jit/kernels/resize/resize_plan.h"

#include <algorithm>
#include <cstddef>

#include "base/element_type.h"
#include "jit/isa/cache_info.h"
#include "jit/isa/isa.h"
#include "jit/isa/microarch.h"

namespace burin::jit {
namespace {

// What a work item writes at least, where there is so much.
constexpr int64_t kItemBytes = 64 << 10;

int64_t CeilDiv(int64_t a, int64_t b) { return (a - 1) / b + 1; }

int64_t ElementBytes(const ResizeSpec& spec) { return BitWidth(spec.type) / 8; }

bool ChannelsLieTogether(const ResizeSpec& spec) {
  return spec.channels == 1 ||
         (spec.input_channel_stride == ElementBytes(spec) && spec.output_channel_stride == ElementBytes(spec));
}

bool RowsLieTogether(const ResizeSpec& spec) {
  return spec.axes[2].input_stride == ElementBytes(spec) && spec.axes[2].output_stride == ElementBytes(spec);
}

// Returns the mean number of taps of an element of an axis.
double MeanTaps(const ResizeAxis& axis) {
  if (axis.taps.empty()) return 0;
  size_t taps = 0;
  for (const auto& element : axis.taps) taps += element.size();
  return static_cast<double>(taps) / static_cast<double>(axis.taps.size());
}

}  // namespace

ResizePlan ResizePlan::Make(const ResizeSpec& spec, const Target&, bool has_epilogue) {
  ResizePlan plan;
  if (spec.IsMovement() && !has_epilogue) {
    plan.way = ResizeWay::kMove;
    plan.rows_of_channels = !ChannelsLieTogether(spec);
  } else {
    // A single channel is a row of elements where those lie side by side.
    const bool by_channels = ChannelsLieTogether(spec) && (spec.channels > 1 || !RowsLieTogether(spec));
    plan.way = by_channels ? ResizeWay::kSumChannels : ResizeWay::kResampleRows;
    plan.rows_of_channels = !by_channels;
  }
  const int64_t elements = spec.axes[2].output();
  plan.elements_per_item = std::max<int64_t>(1, elements);
  const int64_t bytes = (plan.rows_of_channels ? 1 : std::max<int64_t>(1, spec.channels)) * ElementBytes(spec);
  const int64_t row_bytes = plan.elements_per_item * bytes;
  plan.rows_per_item = std::max<int64_t>(1, kItemBytes / row_bytes);
  if (plan.way != ResizeWay::kResampleRows && row_bytes >= 2 * kItemBytes) {
    plan.elements_per_item = std::max<int64_t>(1, kItemBytes / bytes);
  }
  return plan;
}

int64_t ResizePlan::Rows(const ResizeSpec& spec) const {
  return spec.batch * (rows_of_channels ? spec.channels : 1) * spec.axes[0].output() * spec.axes[1].output();
}

int64_t ResizePlan::WorkItems(const ResizeSpec& spec) const {
  const int64_t rows = Rows(spec);
  const int64_t elements = spec.axes[2].output();
  if (rows == 0 || elements == 0 || spec.channels == 0) return 0;
  return CeilDiv(rows, rows_per_item) * CeilDiv(elements, elements_per_item);
}

double EstimateResizeCycles(const ResizeSpec& spec, const Target& target) {
  constexpr double kFirstLevel = 32;
  // Of a step from tap to tap, of an element moved by itself, and of an element of a row for each tap.
  constexpr double kCyclesPerTap = 3;
  constexpr double kCyclesPerElement = 2.5;
  constexpr double kCyclesPerRowTap = 1;
  const ResizePlan plan = ResizePlan::Make(spec, target, false);
  const CacheSizes& caches = target.caches();
  const Microarch& microarch = target.microarch();
  const double lanes = target.Supports(IsaLevel::kAvx512) ? 16 : 8;
  const int64_t channels = spec.batch * spec.channels;
  const int64_t read = channels * spec.axes[0].input * spec.axes[1].input * spec.axes[2].input * ElementBytes(spec);
  const int64_t rows = spec.axes[0].output() * spec.axes[1].output();
  const int64_t written = channels * rows * spec.axes[2].output() * ElementBytes(spec);
  const double rate = read + written <= caches.l1_data    ? kFirstLevel
                      : read + written <= caches.l2       ? microarch.l2_bytes_per_cycle
                      : read + written <= caches.l3_share ? microarch.l3_bytes_per_cycle
                                                          : microarch.dram_bytes_per_cycle;
  const double memory = static_cast<double>(read + 2 * written) / rate;
  const double elements = static_cast<double>(spec.batch * rows * spec.axes[2].output());
  const double outer = MeanTaps(spec.axes[0]) * MeanTaps(spec.axes[1]);
  double compute = 0;
  switch (plan.way) {
    case ResizeWay::kMove:
      compute = elements * kCyclesPerElement * (plan.rows_of_channels ? static_cast<double>(spec.channels) : 1);
      break;
    case ResizeWay::kSumChannels:
      compute =
          elements * outer * MeanTaps(spec.axes[2]) * (kCyclesPerTap + static_cast<double>(spec.channels) / lanes);
      break;
    case ResizeWay::kResampleRows:
      compute = static_cast<double>(channels * rows) * outer * static_cast<double>(spec.axes[2].input) / lanes +
                elements * static_cast<double>(spec.channels) * MeanTaps(spec.axes[2]) * kCyclesPerRowTap;
      break;
  }
  return std::max(memory, compute);
}

}  // namespace burin::jit
