// Declares every decomposition of rules.inc: a rule that rewrites one operation of a Subgraph's body into primitive
// ones.
//
// What a rule's own file includes; its definition stands there alone. Use decompose.h to apply them all. A rule takes
// nothing from the pass context. It returns nullopt where the node is not its operation or is primitive already, and
// Unimplemented, with the reason, where its operation cannot be decomposed as it stands. Each removes an operation that
// is not primitive and adds none, or one that a rule lower in this order removes, so that they end. Stateless,
// thread-safe.
//
// What a rule adds computes in f32 where the operation's type is a narrower float, and rounds once at the end.
#ifndef BURIN_SNIPPETS_DECOMPOSE_RULES_H_
#define BURIN_SNIPPETS_DECOMPOSE_RULES_H_

#include <optional>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "ir/rewrite.h"

namespace burin::snippets {

#define BURIN_DECOMPOSITION(name, summary)                                               \
  absl::StatusOr<std::optional<ir::Patch>> name(const ir::Model& model, ir::NodeId node, \
                                                const ir::PassContext& context);
#include "snippets/decompose/rules.inc"
#undef BURIN_DECOMPOSITION

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_DECOMPOSE_RULES_H_
