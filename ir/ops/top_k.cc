// TopK: the k largest or smallest elements along one axis, and where they are.
//
//   values[..., j, ...] = data[..., indices[..., j, ...], ...],  j = 0 .. k - 1
//
// Inputs: data; k (one integer). Outputs: values and indices, of data's shape with k at the axis.
// Equal elements are selected, and where sorted by value placed, in the order of their indices, whether `stable` asks
// for it or not. A NaN counts as larger than every number.
// Constraints:
//   TopK_c1: k is one integer in [0, size of the axis].
//   TopK_c2: the axis lies in [-rank, rank).
//   TopK_c3: index_element_type is i32 or i64.
#include "ir/ops/top_k.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/element_access.h"
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

absl::Status InferTopK(InferContext& context) {
  const TopKAttributes& attributes = context.attributes<TopKAttributes>();
  if (attributes.index_element_type != ElementType::kI64 && attributes.index_element_type != ElementType::kI32) {
    return ConstraintError(
        "TopK_c3", absl::StrCat("index_element_type must be i32 or i64; got ", Name(attributes.index_element_type)));
  }
  BURIN_ASSIGN_OR_RETURN(const Dimension k_value, IntegerScalar("TopK_c1", context, 1));
  BURIN_ASSIGN_OR_RETURN(Dimension k, ToDimension("TopK_c1", k_value));
  PartialShape output = context.input_shape(0);
  if (output.has_rank()) {
    BURIN_ASSIGN_OR_RETURN(const int64_t axis, WrapAxis("TopK_c2", attributes.axis, output.rank()));
    if (!Intersect(Dimension(0, output[axis].max()), &k)) {
      return ConstraintError(
          "TopK_c1", absl::StrCat("k is larger than the axis; k ", k.ToString(), ", size ", output[axis].ToString()));
    }
    output[axis] = k;
  }
  context.SetOutput(0, context.input_type(0), output);
  context.SetOutput(1, attributes.index_element_type, std::move(output));
  return absl::OkStatus();
}

// Returns the places, along the axis, of the k selected elements of the slice that begins at `base`.
std::vector<int64_t> Select(const TopKAttributes& attributes, const ElementOrder& order, const AxisSplit& split,
                            int64_t base, int64_t k) {
  std::vector<int64_t> places(static_cast<size_t>(split.length));
  std::iota(places.begin(), places.end(), 0);
  const auto before = [&](int64_t a, int64_t b) {
    const int64_t at_a = base + a * split.inner;
    const int64_t at_b = base + b * split.inner;
    const bool max = attributes.mode == TopKMode::kMax;
    if (order.Less(at_a, at_b)) return !max;
    if (order.Less(at_b, at_a)) return max;
    return a < b;
  };
  std::partial_sort(places.begin(), places.begin() + k, places.end(), before);
  places.resize(static_cast<size_t>(k));
  if (attributes.sort == TopKSort::kIndex) std::sort(places.begin(), places.end());
  return places;
}

absl::Status ReferenceTopK(ReferenceContext& context) {
  const TopKAttributes& attributes = context.attributes<TopKAttributes>();
  const Tensor& data = context.input(0);
  const Tensor& values = context.output(0);
  const Tensor& indices = context.output(1);
  if (values.element_count() == 0) return absl::OkStatus();
  BURIN_ASSIGN_OR_RETURN(const int64_t axis,
                         WrapAxis("TopK_c2", attributes.axis, static_cast<int64_t>(data.shape().size())));
  const AxisSplit split = SplitAtAxis(data.shape(), axis);
  const int64_t k = values.shape()[static_cast<size_t>(axis)];
  const ElementOrder order(data);
  for (int64_t outer = 0; outer < split.outer; ++outer) {
    BURIN_RETURN_IF_ERROR(context.CheckCancelled());
    for (int64_t inner = 0; inner < split.inner; ++inner) {
      const int64_t base = outer * split.length * split.inner + inner;
      const std::vector<int64_t> places = Select(attributes, order, split, base, k);
      for (int64_t j = 0; j < k; ++j) {
        const int64_t place = places[static_cast<size_t>(j)];
        const int64_t target = (outer * k + j) * split.inner + inner;
        CopyElements(data.element_type(), data.data(), base + place * split.inner, values.mutable_data(), target, 1);
        StoreFromInt64(indices.element_type(), indices.mutable_data(), target, place);
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace

const OpDef& TopKOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kTopK, "TopK", "opset11");
    d.min_inputs = 2;
    d.max_inputs = 2;
    d.outputs = 2;
    d.make_attributes = &MakeAttributes<TopKAttributes>;
    d.infer = &InferTopK;
    d.reference = &ReferenceTopK;
    // Each element is compared about once on its way out of a bounded heap.
    d.cost = [](const CostContext& context) {
      return Cost{context.InputElements(0), context.InputBytes(), context.OutputBytes()};
    };
    return d;
  }();
  return op;
}

}  // namespace burin::ir
