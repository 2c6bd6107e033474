#include "snippets/lowering/axis_numbering.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace burin::snippets {
namespace {

// Is a dimension of an access and its axis.
struct NumberedDim {
  int64_t stride = 0;
  bool packed = true;
  int64_t step = 0;
  int axis = -1;
};

// Returns whether there is code for elements so many elements apart.
bool IsSpacing(int64_t step) { return step >= 2 && step <= LinearOperand::kMostStep; }

// Returns whether memory, if it has either axis, has both once, the one right around the other.
bool AreAsOneInMemory(const std::vector<NumberedDim>& access, int outer, int inner) {
  for (size_t k = 0; k < access.size(); ++k) {
    if (access[k].axis == inner && (k == 0 || access[k - 1].axis != outer || !access[k - 1].packed)) return false;
    if (access[k].axis == outer && (k + 1 == access.size() || access[k + 1].axis != inner)) return false;
  }
  return true;
}

// Numbers the axes of one body.
class Numberer {
 public:
  Numberer(const std::vector<ValueDims>& values, AxisClasses& classes) : values_(values), classes_(classes) {}

  absl::StatusOr<AxisNumbering> Number(bool merges, absl::string_view body) {
    BURIN_RETURN_IF_ERROR(AssignAxes());
    if (merges) Collapse();
    SetStrides();
    BURIN_RETURN_IF_ERROR(CheckValues(body));
    return std::move(result_);
  }

 private:
  // Numbers the axes, from the outermost on as the outputs have them, then the inputs.
  absl::Status AssignAxes() {
    std::vector<DimId> order;
    const auto insert = [&](const ValueDims& value) {
      size_t place = 0;
      for (const DimId dim : value.dims) {
        const DimId leader = classes_.Leader(dim);
        if (leader == kNoDim) continue;
        const auto it = std::find(order.begin(), order.end(), leader);
        if (it == order.end()) {
          order.insert(order.begin() + static_cast<std::ptrdiff_t>(place), leader);
          ++place;
        } else {
          place = static_cast<size_t>(it - order.begin()) + 1;
        }
      }
    };
    for (const ValueDims::Rank rank : {ValueDims::Rank::kStore, ValueDims::Rank::kLoad, ValueDims::Rank::kCompute}) {
      for (const ValueDims& value : values_) {
        if (value.rank == rank) insert(value);
      }
    }
    if (order.size() > kMaxAxes) {
      return absl::UnimplementedError(absl::StrCat("More axes than a kernel has: ", order.size()));
    }
    std::map<DimId, int> axis_of;
    for (const DimId dim : order) {
      axis_of[dim] = static_cast<int>(result_.extents.size());
      result_.extents.push_back(classes_.extent(dim));
      result_.declared_extents.push_back(classes_.declared(dim));
    }
    const auto axis = [&](DimId dim) {
      const DimId leader = classes_.Leader(dim);
      return leader == kNoDim ? -1 : axis_of.at(leader);
    };
    for (const ValueDims& value : values_) {
      ValueAxes numbered;
      for (const DimId dim : value.dims) numbered.axes |= axis(dim) < 0 ? 0 : AxisBit(axis(dim));
      for (const DimId dim : value.reduced) numbered.reduced |= axis(dim) < 0 ? 0 : AxisBit(axis(dim));
      result_.values.push_back(std::move(numbered));
      std::vector<NumberedDim> access;
      for (const AccessDim& dim : value.access) {
        if (axis(dim.dim) >= 0) access.push_back({dim.stride, dim.packed, dim.step, axis(dim.dim)});
      }
      access_.push_back(std::move(access));
    }
    return absl::OkStatus();
  }

  // Makes one axis of two neighbours that nothing tells apart.
  void Collapse() {
    for (int inner = static_cast<int>(result_.extents.size()) - 1; inner > 0; --inner) {
      const int outer = inner - 1;
      const AxisSet both = AxisBit(inner) | AxisBit(outer);
      bool alike = true;
      for (size_t i = 0; i < result_.values.size(); ++i) {
        const AxisSet axes = result_.values[i].axes & both;
        const AxisSet reduced = result_.values[i].reduced & both;
        alike = alike && (axes == 0 || axes == both) && (reduced == 0 || reduced == both);
        alike = alike && AreAsOneInMemory(access_[i], outer, inner);
      }
      if (alike) Merge(outer, inner);
    }
  }

  void Merge(int outer, int inner) {
    const auto merge = [outer, inner](std::vector<int64_t>& extents) {
      int64_t& into = extents[static_cast<size_t>(outer)];
      const int64_t extent = extents[static_cast<size_t>(inner)];
      into = into < 0 || extent < 0 ? AxisClasses::kUndeclared : into * extent;
      extents.erase(extents.begin() + inner);
    };
    merge(result_.extents);
    merge(result_.declared_extents);
    const auto squeeze = [inner](AxisSet axes) {
      const AxisSet below = axes & (AxisBit(inner) - 1);
      return below | ((axes >> (inner + 1)) << inner);
    };
    for (ValueAxes& value : result_.values) {
      value.axes = squeeze(value.axes);
      value.reduced = squeeze(value.reduced);
    }
    for (std::vector<NumberedDim>& access : access_) {
      access.erase(
          std::remove_if(access.begin(), access.end(), [outer](const NumberedDim& dim) { return dim.axis == outer; }),
          access.end());
      for (NumberedDim& dim : access) dim.axis -= dim.axis >= inner ? 1 : 0;
    }
  }

  // Writes down where memory is along each axis.
  void SetStrides() {
    for (size_t i = 0; i < result_.values.size(); ++i) {
      ValueAxes& value = result_.values[i];
      const std::vector<NumberedDim>& access = access_[i];
      if (access.empty()) continue;
      value.strides.assign(result_.extents.size(), 0);
      for (const NumberedDim& dim : access) value.strides[static_cast<size_t>(dim.axis)] += dim.stride;
      const NumberedDim& last = access.back();
      const auto times = std::count_if(access.begin(), access.end(),
                                       [&last](const NumberedDim& dim) { return dim.axis == last.axis; });
      if (times != 1 || !(last.packed || IsSpacing(last.step))) continue;
      value.unit_axis = last.axis;
      value.unit_step = last.packed ? 1 : static_cast<int>(last.step);
    }
  }

  // Refuses values that would have to vary twice along one axis.
  absl::Status CheckValues(absl::string_view body) const {
    for (const ValueDims& value : values_) {
      if (value.rank == ValueDims::Rank::kLoad) continue;
      std::vector<DimId> leaders;
      for (const std::vector<DimId>* dims : {&value.dims, &value.reduced}) {
        for (const DimId dim : *dims) {
          if (classes_.Leader(dim) != kNoDim) leaders.push_back(classes_.Leader(dim));
        }
      }
      std::sort(leaders.begin(), leaders.end());
      if (std::adjacent_find(leaders.begin(), leaders.end()) != leaders.end()) {
        return absl::UnimplementedError(absl::StrCat("A value varies twice along one axis, in body \"", body, "\""));
      }
    }
    return absl::OkStatus();
  }

  const std::vector<ValueDims>& values_;
  AxisClasses& classes_;
  AxisNumbering result_;
  // Of each value.
  std::vector<std::vector<NumberedDim>> access_;
};

}  // namespace

absl::StatusOr<AxisNumbering> AxisNumbering::Create(const std::vector<ValueDims>& values, AxisClasses& classes,
                                                    bool merges, absl::string_view body) {
  return Numberer(values, classes).Number(merges, body);
}

}  // namespace burin::snippets
