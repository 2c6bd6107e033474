// Unique: the distinct elements of a tensor, or its distinct slices along one axis.
//
// Inputs: data; optional axis (one integer). An item is one element of data, or with an axis one slice; items are
// numbered in row-major order, or along the axis. Slices compare element by element, the first difference deciding.
// Outputs, u being the number of distinct items and n that of all:
//   0  the distinct items: [u], or data's shape with u at the axis
//   1  for each distinct item the number of its first occurrence, [u]
//   2  for each item the place of its equal in output 0, [n]
//   3  for each distinct item how often it occurs, [u]
// All NaNs are equal to each other here and come last.
// Constraints:
//   Unique_c1: the axis is one integer in [-rank, rank).
//   Unique_c2: index_element_type and count_element_type are i32 or i64.
#include "ir/ops/unique.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/element_order.h"
#include "ir/ops/family/index_space.h"
#include "ir/ops/family/integer_input.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"

namespace burin::ir {
namespace {

// Returns the number of distinct ones among `items`.
Dimension DistinctOf(const Dimension& items) { return Dimension(items.min() > 0 ? 1 : 0, items.max()); }

absl::Status InferUnique(InferContext& context) {
  const UniqueAttributes& attributes = context.attributes<UniqueAttributes>();
  for (const ElementType type : {attributes.index_element_type, attributes.count_element_type}) {
    if (type != ElementType::kI64 && type != ElementType::kI32) {
      return ConstraintError("Unique_c2", absl::StrCat("index and count types must be i32 or i64; got ", Name(type)));
    }
  }
  const PartialShape& data = context.input_shape(0);
  Dimension items = data.ElementCount();
  PartialShape distinct({DistinctOf(items)});
  if (context.has_input(1)) {
    BURIN_ASSIGN_OR_RETURN(const std::optional<int64_t> named, ExactIntegerScalar("Unique_c1", context, 1));
    items = Dimension();
    distinct = data.has_rank() ? PartialShape::OfRank(data.rank()) : PartialShape::DynamicRank();
    if (named.has_value() && data.has_rank()) {
      BURIN_ASSIGN_OR_RETURN(const int64_t axis, WrapAxis("Unique_c1", *named, data.rank()));
      items = data[axis];
      distinct = data;
      distinct[axis] = DistinctOf(items);
    }
  }
  const Dimension count = DistinctOf(items);
  context.SetOutput(0, context.input_type(0), std::move(distinct));
  context.SetOutput(1, attributes.index_element_type, PartialShape({count}));
  context.SetOutput(2, attributes.index_element_type, PartialShape({items}));
  context.SetOutput(3, attributes.count_element_type, PartialShape({count}));
  return absl::OkStatus();
}

// The items of a tensor and their order.
class Items {
 public:
  // Each of `split.length` items has split.outer * split.inner elements.
  Items(const Tensor& data, const AxisSplit& split) : order_(data), split_(split) {}

  // Returns a negative number, 0 or a positive one as item `a` comes before, equals or comes after item `b`.
  int Compare(int64_t a, int64_t b) const {
    for (int64_t outer = 0; outer < split_.outer; ++outer) {
      const int64_t base = outer * split_.length * split_.inner;
      for (int64_t inner = 0; inner < split_.inner; ++inner) {
        const int64_t at_a = base + a * split_.inner + inner;
        const int64_t at_b = base + b * split_.inner + inner;
        if (order_.Less(at_a, at_b)) return -1;
        if (order_.Less(at_b, at_a)) return 1;
      }
    }
    return 0;
  }

 private:
  const ElementOrder order_;
  const AxisSplit split_;
};

// The distinct items: groups of equal ones, in the order of output 0.
struct Groups {
  std::vector<int64_t> first;    // For each group: the number of its first item.
  std::vector<int64_t> count;    // For each group: how many items.
  std::vector<int64_t> inverse;  // For each item: its group.
};

Groups GroupItems(const Items& items, int64_t item_count, bool sorted) {
  std::vector<int64_t> by_value(static_cast<size_t>(item_count));
  std::iota(by_value.begin(), by_value.end(), 0);
  std::stable_sort(by_value.begin(), by_value.end(),
                   [&items](int64_t a, int64_t b) { return items.Compare(a, b) < 0; });
  // Runs of equal items; the sort is stable, so that a run begins with its first occurrence.
  std::vector<std::pair<int64_t, int64_t>> runs;  // First item, run length.
  std::vector<int64_t> run_of_item(static_cast<size_t>(item_count));
  for (const int64_t item : by_value) {
    if (runs.empty() || items.Compare(runs.back().first, item) != 0) runs.emplace_back(item, 0);
    ++runs.back().second;
    run_of_item[static_cast<size_t>(item)] = static_cast<int64_t>(runs.size()) - 1;
  }
  std::vector<size_t> group_order(runs.size());
  std::iota(group_order.begin(), group_order.end(), size_t{0});
  if (!sorted) {
    std::sort(group_order.begin(), group_order.end(),
              [&runs](size_t a, size_t b) { return runs[a].first < runs[b].first; });
  }
  Groups groups;
  std::vector<int64_t> group_of_run(runs.size());
  for (const size_t run : group_order) {
    group_of_run[run] = static_cast<int64_t>(groups.first.size());
    groups.first.push_back(runs[run].first);
    groups.count.push_back(runs[run].second);
  }
  for (const int64_t run : run_of_item) groups.inverse.push_back(group_of_run[static_cast<size_t>(run)]);
  return groups;
}

absl::Status ReferenceUnique(ReferenceContext& context) {
  const Tensor& data = context.input(0);
  AxisSplit split;
  split.length = data.element_count();
  Shape distinct = {0};
  size_t axis = 0;
  if (context.has_input(1)) {
    BURIN_ASSIGN_OR_RETURN(const int64_t wrapped, WrapAxis("Unique_c1", context.InputAsInts(1).front(),
                                                           static_cast<int64_t>(data.shape().size())));
    axis = static_cast<size_t>(wrapped);
    split = SplitAtAxis(data.shape(), wrapped);
    distinct = data.shape();
    if (data.element_count() == 0 && split.length > 0) {
      // Slices without elements are all equal, and nothing of them is looked at.
      split.outer = 0;
      split.inner = 0;
    }
  }
  BURIN_RETURN_IF_ERROR(context.CheckCancelled());
  const Groups groups = GroupItems(Items(data, split), split.length, context.attributes<UniqueAttributes>().sorted);
  const int64_t count = static_cast<int64_t>(groups.first.size());
  distinct[axis] = count;
  BURIN_RETURN_IF_ERROR(context.AllocateOutput(0, distinct));
  BURIN_RETURN_IF_ERROR(context.AllocateOutput(1, {count}));
  BURIN_RETURN_IF_ERROR(context.AllocateOutput(2, {split.length}));
  BURIN_RETURN_IF_ERROR(context.AllocateOutput(3, {count}));
  const Tensor& output = context.output(0);
  for (int64_t outer = 0; outer < split.outer && split.inner > 0; ++outer) {
    for (int64_t g = 0; g < count; ++g) {
      CopyElements(data.element_type(), data.data(),
                   (outer * split.length + groups.first[static_cast<size_t>(g)]) * split.inner, output.mutable_data(),
                   (outer * count + g) * split.inner, split.inner);
    }
  }
  context.StoreInts(1, groups.first);
  context.StoreInts(2, groups.inverse);
  context.StoreInts(3, groups.count);
  return absl::OkStatus();
}

}  // namespace

const OpDef& UniqueOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kUnique, "Unique", "opset10");
    d.min_inputs = 1;
    d.max_inputs = 2;
    d.outputs = 4;
    d.traits = kDataDependentShape;
    d.make_attributes = &MakeAttributes<UniqueAttributes>;
    d.infer = &InferUnique;
    d.reference = &ReferenceUnique;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
