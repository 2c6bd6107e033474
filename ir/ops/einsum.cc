// Einsum: sums of products of elements by Einstein's convention.
//
// Each input has a subscript of letters, one per axis; axes with the same letter share one index, and sizes of 1
// broadcast. `...` stands for any number of axes, aligned at their last. The output's element at some indices is the
// sum over all indices that its subscript lacks of the product of the inputs' elements. Without `->` the output's
// subscript is the ellipsis, if any, and the letters that occur once, capitals first. Blanks mean nothing.
//
// Inputs:  one or more, of one numeric type.
// Output:  the same type, one axis per label of the output's subscript.
// Constraints:
//   Einsum_c1: the inputs have one numeric type.
//   Einsum_c2: the equation is well formed: letters, at most one `...` per subscript, as many subscripts as inputs, and
//              an output of different labels that the inputs have.
//   Einsum_c3: each input has as many axes as its subscript has labels (at least as many letters, with an ellipsis).
//   Einsum_c4: axes with the same label broadcast; within one input they have one size.
#include "ir/ops/einsum.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/accumulation.h"
#include "ir/ops/family/index_space.h"
#include "ir/ops/family/integer_input.h"
#include "ir/ops/family/wrapping_arithmetic.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"
#include "ir/shape.h"

namespace burin::ir {
namespace {

// A letter is its code; the axes of an ellipsis are -1 for the last, -2 for the one before, and so on. While a
// subscript is not yet matched with a rank, its ellipsis is kEllipsis.
using Labels = std::vector<int64_t>;
constexpr int64_t kEllipsis = 0;

absl::Status SyntaxError(absl::string_view what, absl::string_view equation) {
  return ConstraintError("Einsum_c2", absl::StrCat(what, ": ", equation));
}

absl::StatusOr<Labels> ParseSubscript(absl::string_view text, absl::string_view equation) {
  Labels labels;
  while (!text.empty()) {
    if (absl::ascii_isalpha(static_cast<unsigned char>(text[0]))) {
      labels.push_back(text[0]);
      text.remove_prefix(1);
    } else if (text.substr(0, 3) == "..." && std::count(labels.begin(), labels.end(), kEllipsis) == 0) {
      labels.push_back(kEllipsis);
      text.remove_prefix(3);
    } else {
      return SyntaxError("a subscript holds something other than letters and one ellipsis", equation);
    }
  }
  return labels;
}

// The subscripts as written.
struct Equation {
  std::vector<Labels> inputs;
  Labels output;
};

// Returns the output that an equation without an arrow means: kEllipsis sorts first, then capitals.
Labels ImplicitOutput(const std::vector<Labels>& inputs) {
  std::map<int64_t, int> counts;
  for (const Labels& labels : inputs) {
    for (int64_t label : labels) ++counts[label];
  }
  Labels output;
  for (const auto& [label, count] : counts) {
    if (label == kEllipsis || count == 1) output.push_back(label);
  }
  return output;
}

absl::StatusOr<Equation> ParseEquation(const std::string& equation, int64_t input_count) {
  std::string text = equation;
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  const std::vector<std::string> sides = absl::StrSplit(text, "->");
  if (sides.size() > 2) return SyntaxError("the equation has several arrows", equation);
  Equation parsed;
  for (absl::string_view subscript : absl::StrSplit(sides[0], ',')) {
    BURIN_ASSIGN_OR_RETURN(Labels labels, ParseSubscript(subscript, equation));
    parsed.inputs.push_back(std::move(labels));
  }
  if (static_cast<int64_t>(parsed.inputs.size()) != input_count) {
    return SyntaxError(absl::StrCat("the equation has not one subscript per input, of which there are ", input_count),
                       equation);
  }
  if (sides.size() == 1) {
    parsed.output = ImplicitOutput(parsed.inputs);
    return parsed;
  }
  BURIN_ASSIGN_OR_RETURN(parsed.output, ParseSubscript(sides[1], equation));
  for (int64_t label : parsed.output) {
    const bool known = label == kEllipsis ||
                       std::any_of(parsed.inputs.begin(), parsed.inputs.end(),
                                   [&](const Labels& l) { return std::find(l.begin(), l.end(), label) != l.end(); });
    if (!known || std::count(parsed.output.begin(), parsed.output.end(), label) > 1) {
      return SyntaxError("the output has a label twice, or one that no input has", equation);
    }
  }
  return parsed;
}

// Returns the labels with the ellipsis replaced by `covered` axes.
Labels ExpandEllipsis(const Labels& labels, int64_t covered) {
  Labels expanded;
  for (int64_t label : labels) {
    if (label != kEllipsis) expanded.push_back(label);
    for (int64_t i = covered; label == kEllipsis && i > 0; --i) expanded.push_back(-i);
  }
  return expanded;
}

// Replaces every ellipsis by the axes that it covers in inputs of these ranks.
absl::Status MatchRanks(const std::vector<int64_t>& ranks, Equation* equation) {
  int64_t most = 0;
  for (size_t i = 0; i < ranks.size(); ++i) {
    Labels& labels = equation->inputs[i];
    const bool ellipsis = std::count(labels.begin(), labels.end(), kEllipsis) > 0;
    const int64_t covered = ranks[i] - static_cast<int64_t>(labels.size()) + (ellipsis ? 1 : 0);
    if (covered < 0 || (covered > 0 && !ellipsis)) {
      return ConstraintError("Einsum_c3",
                             absl::StrCat("input ", i, " has another rank than its subscript: ", ranks[i]));
    }
    labels = ExpandEllipsis(labels, covered);
    most = std::max(most, covered);
  }
  equation->output = ExpandEllipsis(equation->output, most);
  return absl::OkStatus();
}

// Returns the size of each label.
absl::StatusOr<std::map<int64_t, Dimension>> SizesOf(const std::vector<PartialShape>& shapes,
                                                     const Equation& equation) {
  std::map<int64_t, Dimension> sizes;
  for (size_t i = 0; i < shapes.size(); ++i) {
    std::map<int64_t, Dimension> own;
    for (size_t axis = 0; axis < equation.inputs[i].size(); ++axis) {
      const auto [at, is_new] = own.emplace(equation.inputs[i][axis], shapes[i][static_cast<int64_t>(axis)]);
      if (!is_new && !Intersect(shapes[i][static_cast<int64_t>(axis)], &at->second)) {
        return ConstraintError(
            "Einsum_c4", absl::StrCat("a label of input ", i, " stands for different sizes: ", shapes[i].ToString()));
      }
    }
    for (const auto& [label, size] : own) {
      const auto [at, is_new] = sizes.emplace(label, size);
      Dimension both;
      if (is_new) continue;
      if (!BroadcastDimension(at->second, size, &both)) {
        return ConstraintError("Einsum_c4", absl::StrCat("axes of one label do not broadcast: ", at->second.ToString(),
                                                         " and ", size.ToString(), " of input ", i));
      }
      at->second = both;
    }
  }
  return sizes;
}

absl::Status Infer(InferContext& context) {
  BURIN_ASSIGN_OR_RETURN(const ElementType type, context.SameType("Einsum_c1", 0, context.input_count() - 1));
  if (!IsFloat(type) && !IsInteger(type)) {
    return ConstraintError("Einsum_c1", absl::StrCat("the type is not numeric: ", Name(type)));
  }
  BURIN_ASSIGN_OR_RETURN(Equation equation,
                         ParseEquation(context.attributes<EinsumAttributes>().equation, context.input_count()));
  std::vector<PartialShape> shapes;
  std::vector<int64_t> ranks;
  for (int64_t i = 0; i < context.input_count(); ++i) {
    shapes.push_back(context.input_shape(i));
    if (!shapes.back().has_rank()) {
      context.SetOutput(0, type, PartialShape::DynamicRank());
      return absl::OkStatus();
    }
    ranks.push_back(shapes.back().rank());
  }
  BURIN_RETURN_IF_ERROR(MatchRanks(ranks, &equation));
  BURIN_ASSIGN_OR_RETURN(const auto sizes, SizesOf(shapes, equation));
  PartialShape output;
  for (int64_t label : equation.output) output.Append(sizes.at(label));
  BURIN_RETURN_IF_ERROR(RequireRepresentable("Einsum_c3", output));
  context.SetOutput(0, type, std::move(output));
  return absl::OkStatus();
}

// Returns how far a step of each of `labels` moves in an input; axes of size 1 do not move.
StridedView ViewOf(const Shape& shape, const Labels& subscript, const Labels& labels) {
  const std::vector<int64_t> strides = RowMajorStrides(shape);
  StridedView view;
  for (int64_t label : labels) {
    int64_t stride = 0;
    for (size_t axis = 0; axis < subscript.size(); ++axis) {
      if (subscript[axis] == label && shape[axis] != 1) stride += strides[axis];
    }
    view.strides.push_back(stride);
  }
  return view;
}

// One evaluation: the boxes of output and summed indices, and the views of each input under both.
struct Contraction {
  Shape output;
  Shape summed;
  std::vector<StridedView> output_views;
  std::vector<StridedView> summed_views;
};

absl::StatusOr<Contraction> MakeContraction(const ReferenceContext& context) {
  BURIN_ASSIGN_OR_RETURN(Equation equation,
                         ParseEquation(context.attributes<EinsumAttributes>().equation, context.input_count()));
  std::vector<PartialShape> shapes;
  std::vector<int64_t> ranks;
  for (int64_t i = 0; i < context.input_count(); ++i) {
    shapes.emplace_back(context.input(i).shape());
    ranks.push_back(shapes.back().rank());
  }
  BURIN_RETURN_IF_ERROR(MatchRanks(ranks, &equation));
  BURIN_ASSIGN_OR_RETURN(const auto sizes, SizesOf(shapes, equation));
  Contraction result;
  Labels summed;
  for (int64_t label : equation.output) result.output.push_back(sizes.at(label).value());
  for (const auto& [label, size] : sizes) {
    if (std::find(equation.output.begin(), equation.output.end(), label) != equation.output.end()) continue;
    summed.push_back(label);
    result.summed.push_back(size.value());
  }
  for (int64_t i = 0; i < context.input_count(); ++i) {
    const Shape& shape = context.input(i).shape();
    const Labels& subscript = equation.inputs[static_cast<size_t>(i)];
    result.output_views.push_back(ViewOf(shape, subscript, equation.output));
    result.summed_views.push_back(ViewOf(shape, subscript, summed));
  }
  return result;
}

template <class T>
absl::Status Evaluate(ReferenceContext& context) {
  BURIN_ASSIGN_OR_RETURN(const Contraction contraction, MakeContraction(context));
  std::vector<std::vector<T>> inputs;
  for (int64_t i = 0; i < context.input_count(); ++i) inputs.push_back(LoadInput<T>(context, i));
  std::vector<T> sums;
  int64_t products = 0;
  std::vector<StridedView> inner = contraction.summed_views;
  for (BoxWalker outer(contraction.output, contraction.output_views); !outer.done(); outer.Next()) {
    for (size_t i = 0; i < inputs.size(); ++i) inner[i].offset = outer.position(i);
    T sum{};
    for (BoxWalker walker(contraction.summed, inner); !walker.done(); walker.Next()) {
      constexpr int64_t kProductsBetweenChecks = 65536;
      if (products++ % kProductsBetweenChecks == 0) BURIN_RETURN_IF_ERROR(context.CheckCancelled());
      T product{1};
      for (size_t i = 0; i < inputs.size(); ++i) {
        product = WrapMultiply(product, inputs[i][static_cast<size_t>(walker.position(i))]);
      }
      sum = WrapAdd(sum, product);
    }
    sums.push_back(sum);
  }
  StoreRange(context.output(0), 0, static_cast<int64_t>(sums.size()), sums.data());
  return absl::OkStatus();
}

absl::Status Reference(ReferenceContext& context) {
  return DispatchAccumulator(context.output_type(0), [&](auto zero) { return Evaluate<decltype(zero)>(context); });
}

// Every pair of an output and a summed index costs one product per input.
Cost EinsumCost(const CostContext& context) {
  Cost cost = ElementwiseCost(context);
  absl::StatusOr<Equation> equation =
      ParseEquation(context.attributes<EinsumAttributes>().equation, context.input_count());
  std::vector<PartialShape> shapes;
  std::vector<int64_t> ranks;
  for (int64_t i = 0; i < context.input_count(); ++i) {
    shapes.push_back(context.input(i).shape);
    ranks.push_back(shapes.back().rank());
  }
  if (!equation.ok() || !MatchRanks(ranks, &*equation).ok()) return cost;
  const auto sizes = SizesOf(shapes, *equation);
  if (!sizes.ok()) return cost;
  cost.flops = static_cast<double>(context.input_count());
  for (const auto& [label, size] : *sizes) cost.flops *= static_cast<double>(size.value());
  return cost;
}

}  // namespace

const OpDef& EinsumOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kEinsum, "Einsum", "opset7");
    d.min_inputs = 1;
    d.max_inputs = -1;
    d.make_attributes = &MakeAttributes<EinsumAttributes>;
    d.infer = &Infer;
    d.reference = &Reference;
    d.cost = &EinsumCost;
    d.tolerance = ToleranceClass::kAccumulated;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
