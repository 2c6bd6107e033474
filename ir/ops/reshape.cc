// Reshape: gives the same elements, in row-major order, another shape.
//
// Inputs: data; pattern, a list of integers: n >= 0 is a dimension, -1 (once at most) is the dimension that makes the
// element counts agree, and with special_zero a 0 is data's dimension at the same place. A scalar pattern of value 1
// (or -1) asks for a scalar. Output: the shape so described.
// An element of the pattern that is known by a symbol or a positive interval only is taken for the dimension itself:
// for such an element to be the special 0 in one run, the same tensor would have to be empty. Constraints:
//   Reshape_c1: pattern is a list of integers, at most kMaxRank, or one scalar.
//   Reshape_c2: no element of the pattern is below -1, at most one is -1.
//   Reshape_c3: a special zero stands at a dimension of the data.
//   Reshape_c4: the element counts of data and output agree.
#include "ir/ops/reshape.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/index_space.h"
#include "ir/ops/family/integer_input.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"

namespace burin::ir {
namespace {

// The output while it is being read from the pattern.
struct Target {
  PartialShape shape;
  int64_t inferred = -1;      // The place of the -1, or -1 for none.
  std::vector<bool> copied;   // Which of the data's dimensions a special zero has copied to the output.
  std::vector<bool> is_copy;  // Which of the output's dimensions are such copies.
  bool uncertain = false;     // Some element may be a -1 or a special zero without being known to be one.
};

absl::Status AppendSpecialZero(const PartialShape& data, Target& target) {
  const int64_t place = target.shape.rank();
  if (!data.has_rank()) {
    target.shape.Append(Dimension());
    target.is_copy.push_back(false);
    target.uncertain = true;
    return absl::OkStatus();
  }
  if (place >= data.rank()) {
    return ConstraintError("Reshape_c3", absl::StrCat("special zero beyond the data's dimensions; place ", place,
                                                      ", data ", data.ToString()));
  }
  target.shape.Append(data[place]);
  target.copied[static_cast<size_t>(place)] = true;
  target.is_copy.push_back(true);
  return absl::OkStatus();
}

absl::Status AppendElement(const Dimension& element, const PartialShape& data, bool special_zero, Target& target) {
  if (element.max() < -1) {
    return ConstraintError("Reshape_c2", absl::StrCat("negative dimension; got ", element.ToString()));
  }
  if (special_zero && element == Dimension(0)) return AppendSpecialZero(data, target);
  const int64_t place = target.shape.rank();
  target.is_copy.push_back(false);
  if (element == Dimension(-1)) {
    if (target.inferred >= 0) return ConstraintError("Reshape_c2", "more than one dimension is -1");
    target.inferred = place;
    target.shape.Append(Dimension());
  } else if (element.min() < 0) {
    target.uncertain = true;
    target.shape.Append(Dimension());
  } else if (special_zero && element.Contains(0) && element.symbol().empty()) {
    target.uncertain = true;
    const bool copies = data.has_rank() && place < data.rank();
    target.shape.Append(copies ? Hull(element, data[place]) : Dimension());
  } else {
    target.shape.Append(element);
  }
  return absl::OkStatus();
}

// Returns the dimension in place of the -1: the data's element count divided by the other dimensions. Factors that both
// have are cancelled first, so that a symbol which alone remains is kept.
absl::StatusOr<Dimension> InferredDimension(const PartialShape& data, const Target& target) {
  std::vector<Dimension> numerators;
  Dimension known = 1;
  for (int64_t d = 0; d < data.rank(); ++d) {
    if (target.copied[static_cast<size_t>(d)]) continue;
    if (data[d].is_static()) {
      known = known * data[d];
    } else {
      numerators.push_back(data[d]);
    }
  }
  Dimension divisor = 1;
  Dimension unknown_divisor = 1;
  for (int64_t d = 0; d < target.shape.rank(); ++d) {
    const Dimension& dimension = target.shape[d];
    if (d == target.inferred || target.is_copy[static_cast<size_t>(d)]) continue;
    if (dimension.is_static()) {
      divisor = divisor * dimension;
      continue;
    }
    bool cancelled = false;
    for (auto it = numerators.begin(); it != numerators.end() && !cancelled; ++it) {
      if (!it->MustEqual(dimension)) continue;
      numerators.erase(it);
      cancelled = true;
      break;
    }
    if (!cancelled) unknown_divisor = unknown_divisor * dimension;
  }
  if (divisor == Dimension(0)) {
    if (numerators.empty() && known.is_static() && known.value() != 0) {
      return ConstraintError("Reshape_c4",
                             absl::StrCat("an empty shape asked of data with elements; data ", data.ToString()));
    }
    return Dimension(0);
  }
  if (!divisor.is_static()) {
    return ConstraintError("Reshape_c4", absl::StrCat("output is too large; output ", target.shape.ToString()));
  }
  if (!(unknown_divisor == Dimension(1)) || !known.is_static()) return Dimension();
  if (numerators.empty()) {
    if (known.value() % divisor.value() != 0) {
      return ConstraintError("Reshape_c4", absl::StrCat("dimensions do not divide the element count; data ",
                                                        data.ToString(), ", output ", target.shape.ToString()));
    }
    return Dimension(known.value() / divisor.value());
  }
  Dimension product = numerators.front();
  for (size_t i = 1; i < numerators.size(); ++i) product = product * numerators[i];
  if (known.value() % divisor.value() == 0) return product * Dimension(known.value() / divisor.value());
  const Dimension scaled = product * known;
  const int64_t min = CeilDiv(scaled, divisor.value()).min();
  const int64_t max = FloorDiv(scaled, divisor.value()).max();
  if (min > max) {
    return ConstraintError("Reshape_c4", absl::StrCat("dimensions do not divide the element count; data ",
                                                      data.ToString(), ", output ", target.shape.ToString()));
  }
  return Dimension(min, max);
}

absl::StatusOr<PartialShape> OutputShape(const PartialShape& data, const PartialValue& pattern, bool special_zero) {
  if (static_cast<int64_t>(pattern.size()) > kMaxRank) {
    return ConstraintError("Reshape_c1",
                           absl::StrCat("too many dimensions; at most ", kMaxRank, ", got ", pattern.size()));
  }
  Target target;
  if (data.has_rank()) target.copied.assign(static_cast<size_t>(data.rank()), false);
  for (const Dimension& element : pattern) {
    BURIN_RETURN_IF_ERROR(AppendElement(element, data, special_zero, target));
  }
  if (target.inferred >= 0 && data.has_rank() && !target.uncertain) {
    BURIN_ASSIGN_OR_RETURN(target.shape[target.inferred], InferredDimension(data, target));
  }
  BURIN_RETURN_IF_ERROR(RequireRepresentable("Reshape_c1", target.shape));
  if (!target.shape.ElementCount().MayEqual(data.ElementCount())) {
    return ConstraintError("Reshape_c4", absl::StrCat("element counts differ; data ", data.ToString(), ", output ",
                                                      target.shape.ToString()));
  }
  return target.shape;
}

absl::Status InferReshape(InferContext& context) {
  BURIN_ASSIGN_OR_RETURN(const std::optional<PartialValue> pattern, IntegerList("Reshape_c1", context, 1));
  const PartialShape& data = context.input_shape(0);
  const PartialShape& pattern_shape = context.input_shape(1);
  PartialShape output = PartialShape::DynamicRank();
  if (pattern_shape.has_rank() && pattern_shape.rank() == 0) {
    if (pattern.has_value() && !pattern->front().Contains(1) && !pattern->front().Contains(-1)) {
      return ConstraintError("Reshape_c1",
                             absl::StrCat("a scalar pattern must be 1; got ", pattern->front().ToString()));
    }
    BURIN_ASSIGN_OR_RETURN(output, OutputShape(data, {}, false));
  } else if (pattern.has_value() && pattern_shape.has_rank()) {
    BURIN_ASSIGN_OR_RETURN(output, OutputShape(data, *pattern, context.attributes<ReshapeAttributes>().special_zero));
  } else if (pattern_shape.has_rank() && pattern_shape[0].min() > kMaxRank) {
    return ConstraintError("Reshape_c1", absl::StrCat("too many dimensions; at most ", kMaxRank));
  }
  context.SetOutput(0, context.input_type(0), std::move(output));
  if (std::optional<PartialValue> content = TravellingContent(context, 0);
      content.has_value() && context.output(0).shape.has_rank() && context.output(0).shape.rank() <= 1) {
    PropagateContent(context, 0, *std::move(content));
  }
  return absl::OkStatus();
}

absl::Status ReferenceReshape(ReferenceContext& context) {
  CopyAll(context.input(0), context.output(0));
  return absl::OkStatus();
}

}  // namespace

const OpDef& ReshapeOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kReshape, "Reshape", "opset1");
    d.min_inputs = 2;
    d.max_inputs = 2;
    d.traits = kMovesData;
    d.make_attributes = &MakeAttributes<ReshapeAttributes>;
    d.infer = &InferReshape;
    d.reference = &ReferenceReshape;
    d.cost = &ViewCost;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
