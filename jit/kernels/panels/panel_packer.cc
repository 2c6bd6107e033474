#include "jit/kernels/panels/panel_packer.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "jit/kernels/copy_layout.h"

namespace burin::jit {
namespace {

constexpr int kElementBytes = 4;

// Fills what has no column.
constexpr float kZero = 0;

}  // namespace

absl::StatusOr<PanelPacker> PanelPacker::Create(const PanelLayout& layout, int64_t depth_stride, int64_t column_stride,
                                                const Target& target, CodeCache& cache) {
  return Create(layout, {PanelDim{layout.depth(), depth_stride}}, column_stride, target, cache);
}

absl::StatusOr<PanelPacker> PanelPacker::Create(const PanelLayout& layout, absl::Span<const PanelDim> depth_dims,
                                                int64_t column_stride, const Target& target, CodeCache& cache) {
  // Each dimension of the steps goes along the panel.
  std::vector<CopyDim> steps;
  int64_t count = 1;
  for (size_t i = depth_dims.size(); i-- > 0;) {
    steps.push_back({depth_dims[i].extent, depth_dims[i].stride, count * PanelLayout::kStepBytes});
    if (depth_dims[i].extent < 0 || __builtin_mul_overflow(count, depth_dims[i].extent, &count)) {
      return absl::InvalidArgumentError(absl::StrCat("PanelPacker: an extent is out of range: ", depth_dims[i].extent));
    }
  }
  if (count != layout.depth()) {
    return absl::InvalidArgumentError(
        absl::StrCat("PanelPacker: not the steps of the layout: ", count, ", not ", layout.depth()));
  }
  PanelPacker packer;
  if (count == 0 || layout.columns() == 0) return packer;
  const int64_t whole = layout.columns() / PanelLayout::kColumns;
  const int64_t rest = layout.columns() % PanelLayout::kColumns;
  if (whole > 0) {
    std::vector<CopyDim> dims = steps;
    dims.push_back({whole, PanelLayout::kColumns * column_stride, layout.panel_bytes()});
    dims.push_back({PanelLayout::kColumns, column_stride, kElementBytes});
    BURIN_ASSIGN_OR_RETURN(CopyPlan plan, CopyPlan::Create({kElementBytes, std::move(dims)}, target, cache));
    packer.parts_.push_back({std::move(plan), 0, 0, false});
  }
  if (rest > 0) {
    const int64_t offset = layout.Offset(whole, 0);
    std::vector<CopyDim> dims = steps;
    dims.push_back({rest, column_stride, kElementBytes});
    BURIN_ASSIGN_OR_RETURN(CopyPlan plan, CopyPlan::Create({kElementBytes, std::move(dims)}, target, cache));
    packer.parts_.push_back({std::move(plan), whole * PanelLayout::kColumns * column_stride, offset, false});
    const CopyDim zeros = {PanelLayout::kColumns - rest, 0, kElementBytes};
    const CopyDim zero_steps = {layout.depth(), 0, PanelLayout::kStepBytes};
    BURIN_ASSIGN_OR_RETURN(CopyPlan fill, CopyPlan::Create({kElementBytes, {zero_steps, zeros}}, target, cache));
    packer.parts_.push_back({std::move(fill), 0, offset + rest * kElementBytes, true});
  }
  return packer;
}

int64_t PanelPacker::work_items() const {
  int64_t items = 0;
  for (const Part& part : parts_) items += part.plan.work_items();
  return items;
}

void PanelPacker::Run(const void* source, void* packed, int64_t begin, int64_t end) const {
  for (const Part& part : parts_) {
    const int64_t items = part.plan.work_items();
    const int64_t from = std::clamp<int64_t>(begin, 0, items);
    const int64_t to = std::clamp<int64_t>(end, 0, items);
    if (from < to) {
      const void* const base = part.zeros ? &kZero : source;
      part.plan.Run(static_cast<const uint8_t*>(base) + part.source_offset,
                    static_cast<uint8_t*>(packed) + part.packed_offset, from, to);
    }
    begin -= items;
    end -= items;
  }
}

}  // namespace burin::jit
