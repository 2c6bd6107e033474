// Two of Reshape, Squeeze and Unsqueeze in a row => one of them, or nothing.
//
//   Unsqueeze(Unsqueeze(x)), Squeeze(Squeeze(x))  => one, by all axes
//   Squeeze(Unsqueeze(x)), Unsqueeze(Squeeze(x))  => x, or what remains of the two
//   Reshape(any(x), pattern)                      => Reshape(x, pattern), where the pattern does not look at the data
//   any(any(x))                                   => Reshape(x, pattern), the pattern being the output's shape
//
// All keep elements in order, so that only the last shape counts. The new operation must certainly give that
// shape for all sizes, and its inferred shape may not say less. The inner operation stays for those who read it
// besides. The number of such operations above such an operation decreases.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/evaluate_op.h"
#include "ir/infer_context.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/ops/reshape.h"
#include "ir/ops/squeeze.h"
#include "ir/partial_shape.h"
#include "ir/rewrite.h"
#include "ir/tensor.h"
#include "transformations/cleanup/decompression.h"
#include "transformations/cleanup/integer_list.h"
#include "transformations/matcher/explain.h"
#include "transformations/matcher/facts.h"
#include "transformations/matcher/match.h"
#include "transformations/matcher/matcher.h"
#include "transformations/matcher/pattern.h"
#include "transformations/passes.h"

namespace burin::transformations {
namespace {

using ir::OpCode;

// The dimensions of a value: each one of those of x by its place, or a one that was inserted.
constexpr int64_t kInserted = -1;
using Places = std::vector<int64_t>;

// What takes the place of the chain: x itself where there is no op.
struct Replacement {
  const ir::OpDef* op = nullptr;
  std::unique_ptr<ir::Attributes> attributes;
  std::vector<int64_t> list;  // The second input, where `pattern` does not exist.
  ir::Value pattern;
};

// Returns which dimensions of an output of rank `rank` the axes name; nullopt where they are not known.
std::optional<std::vector<bool>> NamedAxes(const ir::Model& model, const ir::Node& node, int64_t rank) {
  std::vector<bool> named(static_cast<size_t>(rank), false);
  if (node.input_count() < 2) return named;
  const std::optional<std::vector<int64_t>> axes = ExactIntegers(model.info(node.input(1)));
  if (!axes.has_value()) return std::nullopt;
  for (const int64_t axis : *axes) named[static_cast<size_t>(axis < 0 ? axis + rank : axis)] = true;
  return named;
}

std::optional<Places> AfterUnsqueeze(const ir::Model& model, const ir::Node& node, const Places& before) {
  if (!node.output(0).shape.has_rank()) return std::nullopt;
  const int64_t rank = node.output(0).shape.rank();
  const std::optional<std::vector<bool>> named = NamedAxes(model, node, rank);
  if (!named.has_value()) return std::nullopt;
  Places after;
  size_t next = 0;
  for (int64_t d = 0; d < rank; ++d) after.push_back((*named)[static_cast<size_t>(d)] ? kInserted : before[next++]);
  return after;
}

std::optional<Places> AfterSqueeze(const ir::Model& model, const ir::Node& node, const Places& before) {
  const ir::PartialShape& data = model.info(node.input(0)).shape;
  // Where the rank is known, it is known of each dimension whether it goes.
  if (!node.output(0).shape.has_rank()) return std::nullopt;
  const std::optional<std::vector<bool>> named = NamedAxes(model, node, data.rank());
  if (!named.has_value()) return std::nullopt;
  const bool all = std::none_of(named->begin(), named->end(), [](bool is_named) { return is_named; });
  const bool by_name = !all && !node.attributes_as<ir::SqueezeAttributes>().allow_axis_skip;
  Places after;
  for (int64_t d = 0; d < data.rank(); ++d) {
    const bool may_go = all || (*named)[static_cast<size_t>(d)];
    const bool goes = may_go && (by_name || data[d] == ir::Dimension(1));
    if (!goes) after.push_back(before[static_cast<size_t>(d)]);
  }
  return after;
}

// Follows the dimensions of x through Squeeze or Unsqueeze; nullopt for a Reshape, and where axes are not known.
std::optional<Places> After(const ir::Model& model, const ir::Node& node, const Places& before) {
  if (node.code() == OpCode::kUnsqueeze) return AfterUnsqueeze(model, node, before);
  if (node.code() == OpCode::kSqueeze) return AfterSqueeze(model, node, before);
  return std::nullopt;
}

// Returns one operation for a chain of Squeeze and Unsqueeze; nullopt where there is none.
std::optional<Replacement> MergeAxes(const ir::Model& model, const Match& match) {
  const ir::PartialShape& x = match.info("x").shape;
  if (!x.has_rank()) return std::nullopt;
  Places places;
  for (int64_t d = 0; d < x.rank(); ++d) places.push_back(d);
  std::optional<Places> after = After(model, match.node("inner"), places);
  if (after.has_value()) after = After(model, match.node("outer"), *after);
  if (!after.has_value()) return std::nullopt;
  Replacement replacement;
  if (*after == places) return replacement;
  std::vector<int64_t> inserted;
  for (size_t d = 0; d < after->size(); ++d) {
    if ((*after)[d] == kInserted) inserted.push_back(static_cast<int64_t>(d));
  }
  const size_t kept = after->size() - inserted.size();
  if (kept == places.size()) {
    replacement.op = &ir::UnsqueezeOp();
    replacement.list = std::move(inserted);
    return replacement;
  }
  if (!inserted.empty()) return std::nullopt;
  replacement.op = &ir::SqueezeOp();
  for (const int64_t d : places) {
    if (std::find(after->begin(), after->end(), d) == after->end()) replacement.list.push_back(d);
  }
  return replacement;
}

// Returns the outer Reshape on x, where its pattern means the same for any data of that many elements.
std::optional<Replacement> KeepPattern(const ir::Model& model, const Match& match) {
  const ir::Node& outer = match.node("outer");
  if (outer.code() != OpCode::kReshape) return std::nullopt;
  if (outer.attributes_as<ir::ReshapeAttributes>().special_zero) {
    const std::optional<ir::PartialValue>& content = model.info(outer.input(1)).content;
    if (!content.has_value()) return std::nullopt;
    for (const ir::Dimension& element : *content) {
      if (element.Contains(0)) return std::nullopt;
    }
  }
  Replacement replacement;
  replacement.op = &ir::ReshapeOp();
  replacement.attributes = outer.attributes().Clone();
  replacement.pattern = outer.input(1);
  return replacement;
}

// Returns a Reshape of x to the output's shape: sizes that are known, zeros for dimensions that x has at the same
// place, and one dimension that the others leave.
std::optional<Replacement> SpellShape(const Match& match) {
  const ir::PartialShape& x = match.info("x").shape;
  const ir::PartialShape& output = match.info("outer").shape;
  if (!output.has_rank()) return std::nullopt;
  Replacement replacement;
  int inferred = 0;
  bool copies = false;
  bool literal_zero = false;
  bool may_be_empty = false;
  for (int64_t d = 0; d < output.rank(); ++d) {
    if (output[d].is_static()) {
      replacement.list.push_back(output[d].value());
      literal_zero = literal_zero || output[d].value() == 0;
    } else if (x.has_rank() && d < x.rank() && output[d].MustEqual(x[d])) {
      replacement.list.push_back(0);
      copies = true;
      may_be_empty = may_be_empty || output[d].min() <= 0;
    } else {
      replacement.list.push_back(-1);
      ++inferred;
    }
  }
  // A zero cannot be both; and of an empty tensor nothing can be inferred.
  if (inferred > 1 || (literal_zero && (copies || inferred > 0)) || (inferred > 0 && may_be_empty)) return std::nullopt;
  auto attributes = std::make_unique<ir::ReshapeAttributes>();
  attributes->special_zero = copies;
  replacement.op = &ir::ReshapeOp();
  replacement.attributes = std::move(attributes);
  return replacement;
}

// Completes the replacement, and adds it to the patch where inference accepts it and says as much of its shape as it
// does now.
absl::StatusOr<bool> Use(const ir::Model& model, const Match& match, std::optional<Replacement> replacement,
                         ir::Patch* patch) {
  if (!replacement.has_value()) return false;
  const ir::PartialShape& wanted = match.info("outer").shape;
  if (replacement->op == nullptr) {
    if (!SaysAsMuchAs(match.info("x").shape, wanted)) return false;
    patch->Replace(match.value("outer"), match.value("x"));
    return true;
  }
  if (replacement->attributes == nullptr) replacement->attributes = replacement->op->make_attributes();
  ir::ValueInfo list;
  ir::Tensor tensor;
  const bool has_pattern = replacement->pattern.exists();
  if (has_pattern) {
    list = model.info(replacement->pattern);
  } else {
    BURIN_ASSIGN_OR_RETURN(tensor, IntegerList(replacement->list));
    list.type = tensor.element_type();
    list.shape = ir::PartialShape(tensor.shape());
    list.constant = tensor;
    list.content.emplace(replacement->list.begin(), replacement->list.end());
  }
  const absl::StatusOr<std::vector<ir::ValueInfo>> outputs =
      ir::InferOp(*replacement->op, *replacement->attributes, {&match.info("x"), &list});
  if (!outputs.ok() || !SaysAsMuchAs(outputs->front().shape, wanted)) return false;
  ir::NodeSpec merged;
  merged.op = replacement->op;
  merged.attributes = std::move(replacement->attributes);
  merged.inputs = {match.value("x"), has_pattern ? replacement->pattern : patch->AddConstant(std::move(tensor))};
  merged.runtime_info = DecompressionMarkOf(match.node("outer"));
  patch->Replace(match.value("outer"), ir::Value{patch->AddNode(std::move(merged)), 0});
  return true;
}

}  // namespace

absl::StatusOr<std::optional<ir::Patch>> ReshapeChains(const ir::Model& model, ir::NodeId node,
                                                       const ir::PassContext& context) {
  static const auto* const chain = [] {
    const Pattern reshaping = Op({OpCode::kReshape, OpCode::kSqueeze, OpCode::kUnsqueeze});
    return new Pattern(reshaping.Capture("outer").Input(0, reshaping.Capture("inner").Input(0, Any().Capture("x"))));
  }();
  const std::optional<Match> match = MatchAt(*chain, model, node, context);
  if (!match.has_value()) return std::nullopt;
  ir::Patch patch(model);
  if (MustEqual(match->info("x").shape, match->info("outer").shape)) {
    patch.Replace(match->value("outer"), match->value("x"));
    return patch;
  }
  BURIN_ASSIGN_OR_RETURN(bool done, Use(model, *match, MergeAxes(model, *match), &patch));
  if (!done) {
    BURIN_ASSIGN_OR_RETURN(done, Use(model, *match, KeepPattern(model, *match), &patch));
  }
  if (!done) {
    BURIN_ASSIGN_OR_RETURN(done, Use(model, *match, SpellShape(*match), &patch));
  }
  if (!done) return Decline(context, node, "no single operation certainly gives the shape");
  return patch;
}

}  // namespace burin::transformations
