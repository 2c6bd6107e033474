#include "snippets/lowering/memory_view.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/model.h"
#include "ir/ops/family/slicing.h"
#include "ir/ops/op_code.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"
#include "snippets/decompose/constant_input.h"
#include "snippets/decompose/primitive.h"

namespace burin::snippets {
namespace {

using ir::Node;
using ir::OpCode;
using ir::Value;

int64_t BytesOf(ElementType type) { return BitWidth(type) / 8; }

// Returns the index of the next dimension around `inner` in memory that is not 1, or -1.
int Outside(const std::vector<ViewDim>& dims, int inner) {
  int found = -1;
  for (int i = 0; i < static_cast<int>(dims.size()); ++i) {
    const ViewDim& dim = dims[static_cast<size_t>(i)];
    if (dim.is_one || dim.position >= dims[static_cast<size_t>(inner)].position) continue;
    if (found < 0 || dim.position > dims[static_cast<size_t>(found)].position) found = i;
  }
  return found;
}

// Returns the step of the dimension right around one of this step, 0 where it is not the same in every run.
int64_t StepAround(int64_t step, const ir::Dimension& inner) { return inner.is_static() ? step * inner.value() : 0; }

// Takes elements first, first + step, ... of a dimension.
void TakeRange(MemoryView& view, size_t axis, const ir::SliceRange& range, bool is_one) {
  ViewDim& dim = view.dims[axis];
  if (range.count > 0) view.offset += range.first * dim.stride;
  TakePiece(view.dims, axis, range.count, is_one);
  dim.packed = dim.packed && range.step == 1;
  dim.stride *= range.step;
  dim.step *= range.step;
}

bool IsOne(const ir::PartialShape& shape, size_t i) { return shape[static_cast<int64_t>(i)] == ir::Dimension(1); }

// Returns the view through a Slice, or nullopt where its bounds are not known.
std::optional<MemoryView> Sliced(const SizedBody& body, const Node& node, MemoryView view) {
  const std::optional<std::vector<int64_t>> start = ConstantIntegers(body.sized, node, 1);
  const std::optional<std::vector<int64_t>> stop = ConstantIntegers(body.sized, node, 2);
  const std::optional<std::vector<int64_t>> step = ConstantIntegers(body.sized, node, 3);
  if (!start.has_value() || !stop.has_value() || !step.has_value()) return std::nullopt;
  std::optional<std::vector<int64_t>> axes;
  if (node.input_count() > 4 && node.input(4).exists()) {
    axes = ConstantIntegers(body.sized, node, 4);
    if (!axes.has_value()) return std::nullopt;
  }
  const ir::PartialShape& shape = body.declared.info({node.id(), 0}).shape;
  for (size_t i = 0; i < start->size(); ++i) {
    int64_t axis = axes.has_value() ? (*axes)[i] : static_cast<int64_t>(i);
    if (axis < 0) axis += static_cast<int64_t>(view.dims.size());
    const auto at = static_cast<size_t>(axis);
    const ir::SliceRange range = ir::ResolveSlice((*start)[i], (*stop)[i], (*step)[i], view.dims[at].extent);
    // A slice of everything changes nothing.
    if (range.step == 1 && shape[axis].MustEqual(body.declared.info(node.input(0)).shape[axis])) continue;
    TakeRange(view, at, range, IsOne(shape, at));
  }
  return view;
}

// Returns the view of one output of a Split or VariadicSplit, or nullopt where the axis is not known.
absl::StatusOr<std::optional<MemoryView>> Piece(const SizedBody& body, const Node& node, int32_t output,
                                                MemoryView view) {
  const std::optional<std::vector<int64_t>> axis = ConstantIntegers(body.sized, node, 1);
  if (!axis.has_value() || axis->size() != 1) return std::optional<MemoryView>();
  const int64_t rank = static_cast<int64_t>(view.dims.size());
  const auto at = static_cast<size_t>(axis->front() < 0 ? axis->front() + rank : axis->front());
  ir::SliceRange range;
  for (int32_t i = 0; i <= output; ++i) {
    BURIN_ASSIGN_OR_RETURN(const ir::Shape shape, SizedShape(body, {node.id(), i}));
    range.first += range.count;
    range.count = shape[at];
  }
  if (node.output_count() > 1) TakeRange(view, at, range, IsOne(body.declared.info({node.id(), output}).shape, at));
  return std::optional<MemoryView>(std::move(view));
}

// Lets every dimension be of as few numbers as it takes to order them.
void RenumberPositions(std::vector<ViewDim>& dims) {
  std::vector<ViewDim*> order;
  for (ViewDim& dim : dims) order.push_back(&dim);
  std::stable_sort(order.begin(), order.end(),
                   [](const ViewDim* a, const ViewDim* b) { return a->position < b->position; });
  for (size_t i = 0; i < order.size(); ++i) order[i]->position = static_cast<int>(i);
}

// Splits and merges the dimensions of a view, so that it has another shape.
class Reshaper {
 public:
  Reshaper(const MemoryView& view, const ir::PartialShape& declared, const ir::Shape& sized)
      : view_(view), declared_(declared), sized_(sized), result_(view) {
    result_.dims.assign(sized.size(), ViewDim());
    for (size_t i = 0; i < sized.size(); ++i) result_.dims[i].is_one = IsOne(declared, i);
  }

  // Returns nullopt where the elements do not lie as dimensions do.
  std::optional<MemoryView> Run() && {
    size_t from = 0;
    size_t to = 0;
    while (true) {
      std::vector<size_t> sources;
      std::vector<size_t> targets;
      int64_t before = NextSource(from, sources);
      int64_t after = NextTarget(to, targets);
      while (before != after) {
        const bool more = before < after ? from < view_.dims.size() : to < sized_.size();
        if (!more) return std::nullopt;
        if (before < after) {
          before *= NextSource(from, sources);
        } else {
          after *= NextTarget(to, targets);
        }
      }
      if (sources.empty() && targets.empty()) break;
      if (!Map(sources, targets)) return std::nullopt;
    }
    RenumberPositions(result_.dims);
    return std::move(result_);
  }

 private:
  // Room between positions for the dimensions that one is split into.
  static constexpr int kStep = 64;

  // Take the next dimension that is not always 1, and return its extent; 1 where there is none.
  int64_t NextSource(size_t& i, std::vector<size_t>& list) const {
    while (i < view_.dims.size() && view_.dims[i].is_one) ++i;
    if (i == view_.dims.size()) return 1;
    list.push_back(i);
    return view_.dims[i++].extent;
  }
  int64_t NextTarget(size_t& i, std::vector<size_t>& list) const {
    while (i < sized_.size() && result_.dims[i].is_one) ++i;
    if (i == sized_.size()) return 1;
    list.push_back(i);
    return sized_[i++];
  }

  // Lets the memory of some dimensions be that of others, with as many elements.
  bool Map(const std::vector<size_t>& sources, const std::vector<size_t>& targets) {
    for (size_t k = 1; k < sources.size(); ++k) {
      const bool neighbours = Outside(view_.dims, static_cast<int>(sources[k])) == static_cast<int>(sources[k - 1]);
      if (!neighbours || !view_.dims[sources[k - 1]].packed) return false;
    }
    // Without a source, they happen to be 1.
    ViewDim inner = sources.empty() ? ViewDim{false, 1, 0, 0, false, 0} : view_.dims[sources.back()];
    for (size_t k = targets.size(); k-- > 0;) {
      ViewDim& target = result_.dims[targets[k]];
      target.extent = sized_[targets[k]];
      target.stride = inner.stride;
      target.position = inner.position * kStep + static_cast<int>(k);
      target.packed = inner.packed;
      target.step = inner.step;
      inner.stride *= target.extent;
      inner.step = StepAround(inner.step, declared_[static_cast<int64_t>(targets[k])]);
      inner.packed = true;
    }
    return true;
  }

  const MemoryView& view_;
  const ir::PartialShape& declared_;
  const ir::Shape& sized_;
  MemoryView result_;
};

// Returns whether the dimensions are those of dense memory, whatever the sizes.
bool IsDense(const std::vector<ViewDim>& dims) {
  int last = -1;
  for (const ViewDim& dim : dims) {
    if (dim.is_one) continue;
    if (!dim.packed || dim.position < last) return false;
    last = dim.position;
  }
  return true;
}

absl::StatusOr<std::optional<MemoryView>> Reshaped(const SizedBody& body, const Node& node, MemoryView view) {
  BURIN_ASSIGN_OR_RETURN(const ir::Shape shape, SizedShape(body, {node.id(), 0}));
  const ir::PartialShape& declared = body.declared.info({node.id(), 0}).shape;
  // Where there are no elements, they lie anywhere.
  if (IsDense(view.dims) || std::count(shape.begin(), shape.end(), 0) > 0) {
    view.dims = DenseDims(declared, shape, view.type);
    return std::optional<MemoryView>(std::move(view));
  }
  return Reshaper(view, declared, shape).Run();
}

std::optional<MemoryView> Transposed(const SizedBody& body, const Node& node, MemoryView view) {
  const std::optional<std::vector<int64_t>> order = ConstantIntegers(body.sized, node, 1);
  if (!order.has_value()) return std::nullopt;
  std::vector<ViewDim> dims;
  for (size_t i = 0; i < view.dims.size(); ++i) {
    dims.push_back(view.dims[order->empty() ? view.dims.size() - 1 - i : static_cast<size_t>((*order)[i])]);
  }
  view.dims = std::move(dims);
  return view;
}

}  // namespace

absl::StatusOr<ir::Shape> SizedShape(const SizedBody& body, ir::Value value) {
  const ir::PartialShape& shape = body.sized.info(value).shape;
  if (!shape.is_static()) {
    return absl::InvalidArgumentError(absl::StrCat("The body's shapes are not all static: \"",
                                                   body.sized.node(value.node).name(), "\": ", shape.ToString()));
  }
  return shape.ToShape();
}

void TakePiece(std::vector<ViewDim>& dims, size_t axis, int64_t extent, bool is_one) {
  const int outside = Outside(dims, static_cast<int>(axis));
  if (outside >= 0) dims[static_cast<size_t>(outside)].packed = false;
  dims[axis].extent = extent;
  dims[axis].is_one = is_one;
}

std::vector<ViewDim> DenseDims(const ir::PartialShape& declared, const ir::Shape& sized, ElementType type) {
  std::vector<ViewDim> dims(sized.size());
  const std::vector<int64_t> strides = ir::RowMajorStrides(sized);
  int64_t step = 1;
  for (size_t i = dims.size(); i-- > 0;) {
    dims[i] = {IsOne(declared, i), sized[i], strides[i] * BytesOf(type), static_cast<int>(i), true, step};
    step = StepAround(step, declared[static_cast<int64_t>(i)]);
  }
  return dims;
}

absl::StatusOr<std::optional<MemoryView>> ViewOf(const SizedBody& body, Value value) {
  const Node& node = body.sized.node(value.node);
  const OpCode code = node.code();
  if (code == OpCode::kParameter || code == OpCode::kConstant) {
    MemoryView view;
    view.source = node.id();
    view.type = body.sized.info(value).type;
    BURIN_ASSIGN_OR_RETURN(const ir::Shape shape, SizedShape(body, value));
    view.dims = DenseDims(body.declared.info(value).shape, shape, view.type);
    return std::optional<MemoryView>(std::move(view));
  }
  const bool is_piece = code == OpCode::kSplit || code == OpCode::kVariadicSplit;
  if (code != OpCode::kTranspose && code != OpCode::kSlice && !is_piece && !IsReshape(code)) {
    return std::optional<MemoryView>();
  }
  BURIN_ASSIGN_OR_RETURN(std::optional<MemoryView> view, ViewOf(body, node.input(0)));
  if (!view.has_value()) return view;
  if (is_piece) return Piece(body, node, value.output, *std::move(view));
  if (IsReshape(code)) return Reshaped(body, node, *std::move(view));
  if (code == OpCode::kTranspose) return Transposed(body, node, *std::move(view));
  return Sliced(body, node, *std::move(view));
}

}  // namespace burin::snippets
