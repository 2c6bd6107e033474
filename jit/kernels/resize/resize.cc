#include "jit/kernels/resize/resize.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/element_type.h"
#include "base/hash.h"
#include "base/status_macros.h"
#include "jit/code_key.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/isa/isa.h"
#include "jit/kernels/gather/gather_args.h"
#include "jit/kernels/gather/gather_code.h"
#include "jit/kernels/resize/resize_code.h"

namespace burin::jit {
namespace {

constexpr int64_t kAlignment = 64;

int64_t CeilDiv(int64_t a, int64_t b) { return (a - 1) / b + 1; }

int64_t ElementBytes(const ResizeSpec& spec) { return BitWidth(spec.type) / 8; }

int64_t MostTaps(const ResizeAxis& axis) {
  size_t most = 0;
  for (const std::vector<ResizeTap>& taps : axis.taps) most = std::max(most, taps.size());
  return static_cast<int64_t>(most);
}

const std::vector<ResizeTap>& TapsAt(const ResizeAxis& axis, int64_t o) { return axis.taps[static_cast<size_t>(o)]; }

// The one tap of a row that was summed up already.
constexpr ResizeTableTap kWholeRow = {0, 1, 0};
constexpr ResizeTableElement kOneElement = {0, 1};

}  // namespace

absl::StatusOr<ResizeKernel> ResizeKernel::Create(const ResizeSpec& spec, const Target& target, CodeCache& cache,
                                                  const EpilogueEmitter* epilogue) {
  BURIN_RETURN_IF_ERROR(spec.Validate());
  ResizeKernel kernel(spec);
  if (epilogue != nullptr && spec.type != ElementType::kF32) {
    return absl::UnimplementedError(
        absl::StrCat("A resampling with an epilogue of elements of type ", Name(spec.type)));
  }
  kernel.plan_ = ResizePlan::Make(spec, target, epilogue != nullptr);
  kernel.work_items_ = kernel.plan_.WorkItems(spec);
  if (kernel.work_items_ == 0) return kernel;
  kernel.lanes_ = target.Supports(IsaLevel::kAvx512) ? VecAvx512::kLanes : VecAvx2::kLanes;
  if (kernel.plan_.way == ResizeWay::kMove) {
    BURIN_RETURN_IF_ERROR(kernel.MakeMove(target, cache));
  } else {
    BURIN_RETURN_IF_ERROR(kernel.MakeSums(target, cache, epilogue));
  }
  return kernel;
}

absl::string_view ResizeKernel::kernel_name() const {
  const CachedCode& code = row_code_ ? row_code_ : sum_code_ ? sum_code_ : move_code_;
  return code ? code->name() : absl::string_view();
}

absl::Status ResizeKernel::MakeMove(const Target& target, CodeCache& cache) {
  GatherCodeSpec code;
  code.row_bytes = ElementBytes(spec_) * (plan_.rows_of_channels ? 1 : spec_.channels);
  code.index_bytes = 8;
  const ResizeAxis& axis = spec_.axes[2];
  for (const std::vector<ResizeTap>& taps : axis.taps) {
    rows_of_elements_.push_back(taps.empty() ? axis.input : taps[0].index);
  }
  BURIN_ASSIGN_OR_RETURN(move_code_, cache.GetOrGenerate(CodeKey::Of("gather", target.isa(), code.ContentKey()),
                                                         [&] { return GenerateGather(code, target.isa()); }));
  return absl::OkStatus();
}

absl::Status ResizeKernel::MakeSums(const Target& target, CodeCache& cache, const EpilogueEmitter* epilogue) {
  Hasher plain;
  plain.UpdateInt(0);
  Hasher fused;
  fused.UpdateInt(epilogue != nullptr);
  if (epilogue != nullptr) fused.Update(epilogue->content_key());
  const bool by_channels = plan_.way == ResizeWay::kSumChannels;
  outer_bytes_ = MostTaps(spec_.axes[0]) * MostTaps(spec_.axes[1]) * static_cast<int64_t>(sizeof(ResizeTableTap));
  outer_bytes_ = (outer_bytes_ + kAlignment - 1) / kAlignment * kAlignment;
  // Rows are summed up without the epilogue, which follows when they are resampled; they are of squares then.
  Hasher& sums = by_channels ? fused : plain;
  sums.UpdateInt(static_cast<int>(spec_.term));
  BURIN_ASSIGN_OR_RETURN(sum_code_, cache.GetOrGenerate(CodeKey::Of("resize_sum", target, sums.Finish()), [&] {
    return GenerateResizeSum(spec_.term, target, by_channels ? epilogue : nullptr);
  }));
  if (by_channels) {
    MakeElementTable();
    return absl::OkStatus();
  }
  if (spec_.axes[2].input > INT32_MAX) {
    return absl::UnimplementedError(
        absl::StrCat("A resampling by sums of rows of 2^31 elements or more: ", spec_.axes[2].input));
  }
  row_bytes_ = (spec_.axes[2].input * 4 + kAlignment - 1) / kAlignment * kAlignment;
  MakeIndexTables();
  MakeBases();
  // What is loaded beyond the row is not used.
  if (!bases_.empty()) row_bytes_ += 2 * lanes_ * 4;
  const ResizeRowAccess access = bases_.empty() ? ResizeRowAccess::kGather : ResizeRowAccess::kTwoVectors;
  fused.UpdateInt(static_cast<int>(access));
  BURIN_ASSIGN_OR_RETURN(row_code_, cache.GetOrGenerate(CodeKey::Of("resize_row", target, fused.Finish()),
                                                        [&] { return GenerateResizeRow(access, target, epilogue); }));
  return absl::OkStatus();
}

void ResizeKernel::MakeElementTable() {
  for (const std::vector<ResizeTap>& taps : spec_.axes[2].taps) {
    elements_.push_back(
        {static_cast<int64_t>(taps_.size() * sizeof(ResizeTableTap)), static_cast<int64_t>(taps.size())});
    for (const ResizeTap& tap : taps) taps_.push_back({tap.index * spec_.axes[2].input_stride, tap.weight, 0});
  }
}

void ResizeKernel::MakeIndexTables() {
  const ResizeAxis& axis = spec_.axes[2];
  row_taps_ = MostTaps(axis);
  padded_elements_ = CeilDiv(axis.output(), lanes_) * lanes_;
  indices_.resize(static_cast<size_t>(row_taps_ * padded_elements_));
  weights_.resize(indices_.size());
  for (int64_t o = 0; o < axis.output(); ++o) {
    const std::vector<ResizeTap>& taps = TapsAt(axis, o);
    for (size_t t = 0; t < taps.size(); ++t) {
      const size_t at = t * static_cast<size_t>(padded_elements_) + static_cast<size_t>(o);
      indices_[at] = static_cast<int32_t>(taps[t].index);
      weights_[at] = taps[t].weight;
    }
  }
}

void ResizeKernel::MakeBases() {
  const int64_t elements = spec_.axes[2].output();
  bases_.resize(static_cast<size_t>(padded_elements_));
  for (int64_t first = 0; first < elements; first += lanes_) {
    int64_t least = spec_.axes[2].input;
    int64_t most = 0;
    for (int64_t o = first; o < std::min(elements, first + lanes_); ++o) {
      for (const ResizeTap& tap : TapsAt(spec_.axes[2], o)) {
        least = std::min(least, tap.index);
        most = std::max(most, tap.index);
      }
    }
    if (most - least >= 2 * lanes_) {
      bases_.clear();
      return;
    }
    // Without taps any place does.
    bases_[static_cast<size_t>(first)] = static_cast<int32_t>(std::min(least, most));
  }
  for (size_t i = 0; i < indices_.size(); ++i) {
    const size_t element = i % static_cast<size_t>(padded_elements_);
    const size_t first = element / static_cast<size_t>(lanes_) * static_cast<size_t>(lanes_);
    indices_[i] = std::max(0, indices_[i] - bases_[first]);
  }
}

void ResizeKernel::Run(const ResizeOperands& operands, int64_t begin, int64_t end) const {
  BURIN_DCHECK(begin >= 0 && begin <= end && end <= work_items_);
  const int64_t elements = spec_.axes[2].output();
  const int64_t pieces = CeilDiv(elements, plan_.elements_per_item);
  const int64_t rows = plan_.Rows(spec_);
  const int64_t channels = plan_.rows_of_channels ? spec_.channels : 1;
  const int64_t middles = spec_.axes[1].output();
  const int64_t outers = spec_.axes[0].output();
  for (int64_t item = begin; item < end; ++item) {
    const int64_t first = item % pieces * plan_.elements_per_item;
    const int64_t last = std::min(elements, first + plan_.elements_per_item);
    const int64_t first_row = item / pieces * plan_.rows_per_item;
    const int64_t last_row = std::min(rows, first_row + plan_.rows_per_item);
    for (int64_t number = first_row; number < last_row; ++number) {
      Row row;
      row.middle = number % middles;
      row.outer = number / middles % outers;
      row.channel = number / middles / outers % channels;
      row.batch = number / middles / outers / channels;
      switch (plan_.way) {
        case ResizeWay::kMove:
          Move(operands, row, first, last);
          break;
        case ResizeWay::kSumChannels:
          SumChannels(operands, row, number, first, last);
          break;
        case ResizeWay::kResampleRows:
          ResampleRow(operands, row, number);
          break;
      }
    }
  }
}

const uint8_t* ResizeKernel::InputOf(const ResizeOperands& operands, const Row& row) const {
  return static_cast<const uint8_t*>(operands.input) + row.batch * spec_.input_batch_stride +
         row.channel * spec_.input_channel_stride;
}

uint8_t* ResizeKernel::OutputOf(const ResizeOperands& operands, const Row& row) const {
  // With an epilogue there is none.
  if (operands.output == nullptr) return nullptr;
  return static_cast<uint8_t*>(operands.output) + row.batch * spec_.output_batch_stride +
         row.channel * spec_.output_channel_stride + row.outer * spec_.axes[0].output_stride +
         row.middle * spec_.axes[1].output_stride;
}

void ResizeKernel::Move(const ResizeOperands& operands, const Row& row, int64_t begin, int64_t end) const {
  const std::vector<ResizeTap>& outer = TapsAt(spec_.axes[0], row.outer);
  const std::vector<ResizeTap>& middle = TapsAt(spec_.axes[1], row.middle);
  const ResizeAxis& axis = spec_.axes[2];
  int64_t missing = 0;
  GatherArgs args = {};
  args.source = InputOf(operands, row);
  // In a row of padding all elements are zeros.
  if (!outer.empty() && !middle.empty()) {
    args.source += outer[0].index * spec_.axes[0].input_stride + middle[0].index * spec_.axes[1].input_stride;
    args.extent = axis.input;
  }
  args.destination = OutputOf(operands, row) + begin * axis.output_stride;
  args.indices = rows_of_elements_.data() + begin;
  args.count = end - begin;
  args.outer = 1;
  args.source_stride = axis.input_stride;
  args.destination_stride = axis.output_stride;
  args.missing = &missing;
  move_code_->entry<void (*)(const GatherArgs*)>()(&args);
}

int64_t ResizeKernel::CombineOuterTaps(const Row& row, ResizeTableTap* taps) const {
  int64_t count = 0;
  for (const ResizeTap& outer : TapsAt(spec_.axes[0], row.outer)) {
    for (const ResizeTap& middle : TapsAt(spec_.axes[1], row.middle)) {
      taps[count++] = {outer.index * spec_.axes[0].input_stride + middle.index * spec_.axes[1].input_stride,
                       outer.weight * middle.weight, 0};
    }
  }
  return count;
}

void ResizeKernel::SumChannels(const ResizeOperands& operands, const Row& row, int64_t number, int64_t begin,
                               int64_t end) const {
  ResizeTableTap* const outer = static_cast<ResizeTableTap*>(operands.scratch);
  ResizeSumArgs args = {};
  args.source = InputOf(operands, row);
  args.destination = OutputOf(operands, row);
  if (args.destination != nullptr) args.destination += begin * spec_.axes[2].output_stride;
  args.places = operands.places;
  args.row = number * spec_.axes[2].output() + begin;
  args.outer = outer;
  args.outer_count = CombineOuterTaps(row, outer);
  args.taps = taps_.data();
  args.elements = elements_.data() + begin;
  args.count = end - begin;
  args.destination_step = spec_.axes[2].output_stride;
  args.vectors = spec_.channels / lanes_;
  args.rest = spec_.channels % lanes_;
  sum_code_->entry<void (*)(const ResizeSumArgs*)>()(&args);
}

void ResizeKernel::ResampleRow(const ResizeOperands& operands, const Row& row, int64_t number) const {
  const ResizeAxis& axis = spec_.axes[2];
  ResizeTableTap* const outer = static_cast<ResizeTableTap*>(operands.scratch);
  const int64_t outer_count = CombineOuterTaps(row, outer);
  ResizeRowArgs args = {};
  if (outer_count == 1 && outer[0].weight == 1 && bases_.empty() && spec_.term == ResizeTerm::kElement) {
    args.source = InputOf(operands, row) + outer[0].offset;
  } else {
    uint8_t* const sums = static_cast<uint8_t*>(operands.scratch) + outer_bytes_;
    ResizeSumArgs sum = {};
    sum.source = InputOf(operands, row);
    sum.destination = sums;
    sum.outer = outer;
    sum.outer_count = outer_count;
    sum.taps = &kWholeRow;
    sum.elements = &kOneElement;
    sum.count = 1;
    sum.vectors = axis.input / lanes_;
    sum.rest = axis.input % lanes_;
    sum_code_->entry<void (*)(const ResizeSumArgs*)>()(&sum);
    args.source = sums;
  }
  args.destination = OutputOf(operands, row);
  args.places = operands.places;
  args.row = number;
  args.indices = indices_.data();
  args.weights = weights_.data();
  args.taps = row_taps_;
  args.tap_stride = padded_elements_ * 4;
  args.vectors = axis.output() / lanes_;
  args.rest = axis.output() % lanes_;
  args.bases = bases_.data();
  row_code_->entry<void (*)(const ResizeRowArgs*)>()(&args);
}

}  // namespace burin::jit
