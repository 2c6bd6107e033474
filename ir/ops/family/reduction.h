// What reductions share: the attribute, inference, the split of a tensor into slices, and the reference loop.
//
// Use it for the Reduce* operations, and `SliceSplit` for everything that treats the elements along some axes as one
// group (normalisations). Stateless functions and plain data, thread-safe.
#ifndef BURIN_IR_OPS_FAMILY_REDUCTION_H_
#define BURIN_IR_OPS_FAMILY_REDUCTION_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"
#include "ir/shape.h"

namespace burin::ir {

// The attribute of every Reduce* operation.
struct ReductionAttributes final : AttributesOf<ReductionAttributes> {
  bool keep_dims = false;  // Whether reduced axes stay, with size 1.

  using AttributesOf::VisitAttributes;
  void VisitAttributes(AttributeVisitor& visitor) override { visitor.Visit("keep_dims", keep_dims); }
};

// Which element types a reduction takes.
enum class ReductionTypes : uint8_t { kNumeric, kBoolean };

// Returns `axes` mapped to [0, rank), sorted. InvalidArgument beginning with `label` for one outside [-rank, rank) or
// given twice.
absl::StatusOr<std::vector<int64_t>> SortedAxes(absl::string_view label, absl::Span<const int64_t> axes, int64_t rank);

// Returns the axes of `data_shape` that input `input` names, as SortedAxes does, or nullopt where they or the rank are
// not known. InvalidArgument beginning with `label` for what is no scalar or list of integers, too.
absl::StatusOr<std::optional<std::vector<int64_t>>> AxesFromInput(absl::string_view label, const InferContext& context,
                                                                  int64_t input, const PartialShape& data_shape);

// The elements of a dense tensor, grouped into slices along some axes: element r of slice s lies at
// slice_offsets[s] + element_offsets[r]. Both are in row-major order of their axes.
struct SliceSplit {
  std::vector<int64_t> slice_offsets;
  std::vector<int64_t> element_offsets;
};
// Returns the split of `shape` into slices that run along `axes` (normalised, different).
SliceSplit SplitIntoSlices(const Shape& shape, const std::vector<int64_t>& axes);

// Infers a reduction: input 0 is the data, input 1 the axes, constant or not. `combine`, where not null, is the
// reduction of two partially known numbers, through which the content of a small integer tensor travels.
// Constraints, with `op` in front of each label:
//   <op>_c1: the data has one of `types`.
//   <op>_c2: the axes are different integers in [-rank, rank), of rank 0 or 1.
absl::Status InferReduction(InferContext& context, absl::string_view op, ReductionTypes types,
                            Dimension (*combine)(const Dimension&, const Dimension&) = nullptr);

// Evaluates a reduction: `reduce_doubles` gets the elements of each slice of a float tensor, `reduce_ints` those of an
// integer or boolean one (u64 as the same 64 bits; `type` says which), which may be none.
using DoubleReducer = double (*)(absl::Span<const double> values);
using IntReducer = int64_t (*)(absl::Span<const int64_t> values, ElementType type);
absl::Status ReferenceReduction(ReferenceContext& context, DoubleReducer reduce_doubles, IntReducer reduce_ints);

// Returns the cost of a reduction: one flop per input element.
Cost ReductionCost(const CostContext& context);

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_FAMILY_REDUCTION_H_
