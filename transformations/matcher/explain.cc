#include "transformations/matcher/explain.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/text.h"

namespace burin::transformations {

std::string MatchFailure::ToString(const ir::Model& model) const {
  std::string text = absl::StrCat(where, ": ", why);
  if (model.Contains(at)) absl::StrAppend(&text, "; at ", ir::PrintNode(model, at));
  return text;
}

std::optional<ir::Patch> Decline(const ir::PassContext& context, ir::NodeId at, absl::string_view why) {
  if (const Explainer* explainer = context.Find<Explainer>(); explainer != nullptr) {
    explainer->Report(MatchFailure{at, "guard", std::string(why)});
  }
  return std::nullopt;
}

std::optional<ir::Patch> Decline(const ir::PassContext& context, ir::NodeId at, absl::FunctionRef<std::string()> why) {
  if (context.Find<Explainer>() == nullptr) return std::nullopt;
  return Decline(context, at, absl::string_view(why()));
}

absl::StatusOr<std::string> Explain(ir::Rule rule, const ir::Model& model, ir::NodeId node,
                                    const ir::PassContext& context) {
  if (!model.Contains(node)) {
    return absl::InvalidArgumentError(absl::StrCat("The model has no node with id ", ir::Index(node)));
  }
  const Explainer explainer;
  ir::PassContext explained = context;
  explained.Provide(&explainer);
  BURIN_ASSIGN_OR_RETURN(const std::optional<ir::Patch> patch, rule(model, node, explained));
  if (patch.has_value()) return absl::StrCat("fires at ", ir::PrintNode(model, node));
  std::string text = absl::StrCat("does not fire at ", ir::PrintNode(model, node));
  if (explainer.failures().empty()) absl::StrAppend(&text, "\n  the rule gives no reason");
  for (const MatchFailure& failure : explainer.failures()) absl::StrAppend(&text, "\n  ", failure.ToString(model));
  return text;
}

}  // namespace burin::transformations
