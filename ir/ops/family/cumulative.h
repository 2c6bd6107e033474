// What CumSum and CumProd share: running results along one axis, from either end.
//
//   output[..., i, ...] = combination of data[..., j, ...] over j <= i    (exclusive: j < i; reverse: j >= i, or j > i)
//
// An operation states how two elements combine and what no elements give. Floats are combined in double and rounded
// once, integers wrap. For reference evaluation, not for kernels. Stateless, thread-safe.
#ifndef BURIN_IR_OPS_FAMILY_CUMULATIVE_H_
#define BURIN_IR_OPS_FAMILY_CUMULATIVE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/attributes.h"
#include "ir/infer_context.h"
#include "ir/ops/family/accumulation.h"
#include "ir/ops/family/index_space.h"
#include "ir/ops/family/integer_input.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"
#include "ir/shape.h"

namespace burin::ir {

struct CumulativeAttributes final : AttributesOf<CumulativeAttributes> {
  using AttributesOf::VisitAttributes;
  bool exclusive = false;  // Whether an element itself is left out of its result.
  bool reverse = false;    // Whether the results run from the end.

  void VisitAttributes(AttributeVisitor& visitor) override {
    visitor.Visit("exclusive", exclusive);
    visitor.Visit("reverse", reverse);
  }
};

// Sets output 0 to the type and shape of input 0. InvalidArgument that begins with `data_label` where the data is not
// numeric, with `axis_label` where the optional input 1 is not one integer in [-rank, rank).
inline absl::Status InferCumulative(InferContext& context, absl::string_view data_label, absl::string_view axis_label) {
  const ElementType type = context.input_type(0);
  if (!IsFloat(type) && !IsInteger(type)) {
    return ConstraintError(data_label, absl::StrCat("data must be numeric; got ", Name(type)));
  }
  std::optional<int64_t> axis = 0;
  if (context.has_input(1)) {
    BURIN_ASSIGN_OR_RETURN(axis, ExactIntegerScalar(axis_label, context, 1));
  }
  const PartialShape& data = context.input_shape(0);
  if (axis.has_value() && data.has_rank()) {
    BURIN_RETURN_IF_ERROR(WrapAxis(axis_label, *axis, data.rank()).status());
  }
  context.SetOutput(0, type, data);
  return absl::OkStatus();
}

// Replaces `values` by their running results. `combine(a, b)` combines two elements, `identity` is what none give.
template <class T, class Combine>
absl::Status CombineAlong(const ReferenceContext& context, const AxisSplit& split, T identity, Combine combine,
                          std::vector<T>& values) {
  const auto& attributes = context.attributes<CumulativeAttributes>();
  for (int64_t outer = 0; outer < split.outer; ++outer) {
    BURIN_RETURN_IF_ERROR(context.CheckCancelled());
    for (int64_t inner = 0; inner < split.inner; ++inner) {
      T result = identity;
      for (int64_t step = 0; step < split.length; ++step) {
        const int64_t i = attributes.reverse ? split.length - 1 - step : step;
        T& value = values[static_cast<size_t>((outer * split.length + i) * split.inner + inner)];
        const T next = combine(result, value);
        value = attributes.exclusive ? result : next;
        result = next;
      }
    }
  }
  return absl::OkStatus();
}

// Computes output 0 along the axis that input 1 names, or the first one where it is absent. `combine` is called with
// doubles for data of a float type, else with int64_t.
template <class Combine>
absl::Status ReferenceCumulative(ReferenceContext& context, int64_t identity, Combine combine) {
  const Shape& shape = context.input(0).shape();
  if (context.input(0).element_count() == 0) return absl::OkStatus();
  const int64_t named = context.has_input(1) ? context.InputAsInts(1).front() : 0;
  BURIN_ASSIGN_OR_RETURN(const int64_t axis, WrapAxis("axis", named, static_cast<int64_t>(shape.size())));
  return DispatchAccumulator(context.output_type(0), [&](auto type) {
    using T = decltype(type);
    std::vector<T> values = LoadInput<T>(context, 0);
    BURIN_RETURN_IF_ERROR(CombineAlong(context, SplitAtAxis(shape, axis), static_cast<T>(identity), combine, values));
    StoreRange(context.output(0), 0, static_cast<int64_t>(values.size()), values.data());
    return absl::OkStatus();
  });
}

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_FAMILY_CUMULATIVE_H_
