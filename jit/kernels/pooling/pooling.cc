#include "jit/kernels/pooling/pooling.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/element_type.h"
#include "base/hash.h"
#include "base/status_macros.h"
#include "jit/code_key.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/isa/isa.h"
#include "jit/kernels/pooling/pooling_code.h"

namespace burin::jit {
namespace {

constexpr int64_t kElementBytes = 4;

int64_t CeilDiv(int64_t a, int64_t b) { return (a - 1) / b + 1; }

const PoolingWindow& At(const PoolingWindows& windows, int64_t o) { return windows.windows[static_cast<size_t>(o)]; }

// Returns the address so many elements further; null stays null, for what is not there.
template <class T>
T* Further(T* address, int64_t count) {
  return address == nullptr ? nullptr : address + count;
}

int64_t IndexBytes(const PoolingSpec& spec) {
  return spec.indices.has_value() ? BitWidth(spec.indices->type) / 8 : kElementBytes;
}

}  // namespace

absl::StatusOr<PoolingKernel> PoolingKernel::Create(const PoolingSpec& spec, const Target& target, CodeCache& cache,
                                                    const EpilogueEmitter* epilogue) {
  BURIN_RETURN_IF_ERROR(spec.Validate());
  PoolingKernel kernel(spec);
  std::optional<EpilogueRegisters> registers;
  if (epilogue != nullptr) registers = epilogue->Registers(target.isa());
  kernel.plan_ = PoolingPlan::Make(spec, target, registers.has_value() ? &*registers : nullptr);
  kernel.work_items_ = kernel.plan_.WorkItems(spec);
  if (kernel.work_items_ == 0) return kernel;
  kernel.lanes_ = target.Supports(IsaLevel::kAvx512) ? VecAvx512::kLanes : VecAvx2::kLanes;
  for (size_t i = 0; i < spec.axes.size(); ++i) kernel.windows_[i] = PoolingWindows::Of(spec.axes[i]);
  if (spec.kind == PoolingKind::kAverage) kernel.SetScales();
  Hasher hasher;
  hasher.Update(kernel.plan_.code.ContentKey());
  hasher.UpdateInt(epilogue != nullptr);
  if (epilogue != nullptr) hasher.Update(epilogue->content_key());
  BURIN_ASSIGN_OR_RETURN(kernel.code_, cache.GetOrGenerate(CodeKey::Of("pooling", target, hasher.Finish()), [&] {
    return GeneratePooling(kernel.plan_.code, target, epilogue);
  }));
  return kernel;
}

absl::string_view PoolingKernel::kernel_name() const { return code_ ? code_->name() : absl::string_view(); }

void PoolingKernel::SetScales() {
  const auto counted = [this](const PoolingWindow& window) {
    return spec_.count_padding ? window.counted : window.taps;
  };
  std::set<int64_t> outer_counts;
  std::set<int64_t> counts;
  for (const PoolingWindow& window : windows_[0].windows) outer_counts.insert(counted(window));
  for (const PoolingWindow& window : windows_[1].windows) {
    for (const int64_t outer : outer_counts) counts.insert(outer * counted(window));
  }
  for (const int64_t count : counts) {
    std::vector<float> scales;
    for (const PoolingWindow& window : windows_[2].windows) {
      const double taps = static_cast<double>(count * counted(window));
      scales.push_back(taps > 0 ? static_cast<float>(1 / taps) : 0);
    }
    scales_.emplace_back(count, std::move(scales));
  }
}

const float* PoolingKernel::ScalesOf(int64_t counted) const {
  size_t i = 0;
  while (scales_[i].first != counted) ++i;
  return scales_[i].second.data();
}

void PoolingKernel::Run(const PoolingOperands& operands, int64_t begin, int64_t end) const {
  BURIN_DCHECK(begin >= 0 && begin <= end && end <= work_items_);
  const std::array<PoolingAxis, 3>& axes = spec_.axes;
  const int64_t windows = axes[2].output;
  const int64_t row_pieces = CeilDiv(spec_.Windows() / windows, plan_.rows_per_item);
  const int64_t window_pieces = CeilDiv(windows, plan_.windows_per_item);
  PoolingArgs args = {};
  args.places = operands.places;
  args.window_step = axes[2].stride * axes[2].input_stride;
  args.output_step = axes[2].output_stride;
  args.index_step = axes[2].output_stride / kElementBytes * IndexBytes(spec_);
  args.tap_step0 = axes[0].dilation * axes[0].input_stride;
  args.tap_step1 = axes[1].dilation * axes[1].input_stride;
  args.tap_step2 = axes[2].dilation * axes[2].input_stride;
  if (spec_.indices.has_value()) {
    const auto step = [&](size_t axis, int64_t distance) {
      return static_cast<int32_t>(distance * spec_.indices->axis_steps[axis]);
    };
    args.position_step0 = step(0, axes[0].dilation);
    args.position_step1 = step(1, axes[1].dilation);
    args.position_step2 = step(2, axes[2].dilation);
    args.position_window_step = step(2, axes[2].stride);
    args.position_channel_step = static_cast<int32_t>(spec_.indices->channel_step);
  }
  for (int64_t item = begin; item < end; ++item) {
    const int64_t first_window = item / row_pieces % window_pieces * plan_.windows_per_item;
    const int64_t last_window = std::min(first_window + plan_.windows_per_item, windows);
    const int64_t first_row = item % row_pieces * plan_.rows_per_item;
    const int64_t last_row = std::min(first_row + plan_.rows_per_item, spec_.Windows() / windows);
    args.column = item / row_pieces / window_pieces * plan_.channels_per_item;
    const int64_t channels = std::min(spec_.channels - args.column, plan_.channels_per_item);
    args.vectors = channels / lanes_;
    args.tail = channels % lanes_ != 0;
    Row row = {first_row / axes[1].output / axes[0].output, first_row / axes[1].output % axes[0].output,
               first_row % axes[1].output};
    for (int64_t i = first_row; i < last_row; ++i) {
      args.row = i * windows;
      RunRow(operands, row, first_window, last_window, args);
      if (++row.middle < axes[1].output) continue;
      row.middle = 0;
      if (++row.outer < axes[0].output) continue;
      row.outer = 0;
      ++row.batch;
    }
  }
}

void PoolingKernel::RunRow(const PoolingOperands& operands, const Row& row, int64_t begin, int64_t end,
                           PoolingArgs& args) const {
  const std::array<PoolingAxis, 3>& axes = spec_.axes;
  const PoolingWindow& outer = At(windows_[0], row.outer);
  const PoolingWindow& middle = At(windows_[1], row.middle);
  args.input = static_cast<const uint8_t*>(operands.input) + row.batch * spec_.input_batch_stride +
               outer.first * axes[0].input_stride + middle.first * axes[1].input_stride + args.column * kElementBytes;
  const int64_t to = row.batch * spec_.output_batch_stride + row.outer * axes[0].output_stride +
                     row.middle * axes[1].output_stride + args.column * kElementBytes;
  args.output = Further(static_cast<uint8_t*>(operands.output), to);
  args.indices = Further(static_cast<uint8_t*>(operands.indices), to / kElementBytes * IndexBytes(spec_));
  const bool any = outer.taps > 0 && middle.taps > 0;
  args.taps0 = any ? outer.taps : 0;
  args.taps1 = middle.taps;
  if (spec_.kind == PoolingKind::kAverage) {
    args.scales = ScalesOf(spec_.count_padding ? outer.counted * middle.counted : outer.taps * middle.taps);
  }
  if (spec_.indices.has_value()) {
    const PoolingIndices& indices = *spec_.indices;
    args.position = static_cast<int32_t>(outer.first * indices.axis_steps[0] + middle.first * indices.axis_steps[1]);
    args.position_base = static_cast<int32_t>(row.batch * indices.batch_step);
  }
  const PoolingCodeSpec& code = plan_.code;
  if (code.strip_windows == 0 || !any) {
    args.is_strips = 0;
    const int64_t whole_begin = std::min(std::max(begin, any ? windows_[2].whole_begin : end), end);
    const int64_t whole_end = std::max(whole_begin, std::min(end, windows_[2].whole_end));
    for (int64_t o = begin; o < whole_begin; ++o) RunSingles(args, o, o + 1);
    RunSingles(args, whole_begin, whole_end);
    for (int64_t o = whole_end; o < end; ++o) RunSingles(args, o, o + 1);
    return;
  }
  args.is_strips = 1;
  args.has_first = begin == 0 && code.first_begin > 0 && !code.is_one_strip;
  args.has_last = end == axes[2].output && code.last_windows > 0;
  args.strips = (end - begin - args.has_last * code.last_windows) / code.strip_windows - args.has_first;
  args.input += begin * args.window_step - axes[2].pad_begin * axes[2].input_stride;
  args.output = Further(args.output, begin * args.output_step);
  args.scales = Further(args.scales, begin);
  args.row += begin;
  code_->entry<void (*)(const PoolingArgs*)>()(&args);
}

void PoolingKernel::RunSingles(PoolingArgs args, int64_t begin, int64_t end) const {
  if (begin == end) return;
  const PoolingWindow& inner = At(windows_[2], begin);
  args.input += inner.first * spec_.axes[2].input_stride;
  args.output = Further(args.output, begin * args.output_step);
  args.indices = Further(args.indices, begin * args.index_step);
  args.scales = Further(args.scales, begin);
  args.row += begin;
  args.windows = end - begin;
  if (inner.taps == 0) args.taps0 = 0;
  args.taps2 = inner.taps;
  if (spec_.indices.has_value()) {
    args.position += static_cast<int32_t>(inner.first * spec_.indices->axis_steps[2]);
  }
  code_->entry<void (*)(const PoolingArgs*)>()(&args);
}

}  // namespace burin::jit
