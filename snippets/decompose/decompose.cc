#include "snippets/decompose/decompose.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "ir/rewrite.h"
#include "snippets/decompose/primitive.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {
namespace {

struct NamedRule {
  const char* name;
  ir::Rule rule;
};

// In the order in which they are tried at a node.
constexpr NamedRule kRules[] = {
#define BURIN_DECOMPOSITION(name, summary) {#name, &name},
#include "snippets/decompose/rules.inc"
#undef BURIN_DECOMPOSITION
};

// Applies the first rule that matches at the node. Returns false where none does.
absl::StatusOr<bool> RewriteAt(ir::Model& body, ir::NodeId id) {
  const ir::PassContext none;
  for (const NamedRule& rule : kRules) {
    BURIN_ASSIGN_OR_RETURN(std::optional<ir::Patch> patch, rule.rule(body, id, none));
    if (!patch.has_value()) continue;
    BURIN_RETURN_IF_ERROR(WithContext(std::move(*patch).Apply(&body), rule.name));
    return true;
  }
  return false;
}

absl::Status RewriteToFixedPoint(ir::Model& body) {
  // Each rule lessens what is left to do; a body that takes more steps than this has met a rule that does not.
  const int64_t most = 100 + 100 * body.node_count();
  int64_t steps = 0;
  for (bool changed = true; changed;) {
    changed = false;
    BURIN_ASSIGN_OR_RETURN(const std::vector<ir::NodeId> order, body.TopologicalOrder());
    for (const ir::NodeId id : order) {
      if (!body.Contains(id)) continue;
      BURIN_ASSIGN_OR_RETURN(const bool rewritten, RewriteAt(body, id));
      changed = changed || rewritten;
      if (rewritten && ++steps > most) {
        return absl::InternalError(absl::StrCat("Decomposition does not come to an end: ", steps, " steps"));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status Decompose(ir::Model& body) {
  const std::unique_ptr<ir::Model> work = body.Clone();
  // Nodes that nobody reads need not be decomposable.
  work->RemoveDeadNodes();
  BURIN_RETURN_IF_ERROR(RewriteToFixedPoint(*work));
  BURIN_RETURN_IF_ERROR(CheckPrimitive(*work));
  body = std::move(*work);
  return absl::OkStatus();
}

}  // namespace burin::snippets
