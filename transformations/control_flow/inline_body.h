// Puts the nodes of a body graph into the graph around it.
//
// For rules that replace an If or a Loop by what it runs. Not thread-safe.
#ifndef BURIN_TRANSFORMATIONS_CONTROL_FLOW_INLINE_BODY_H_
#define BURIN_TRANSFORMATIONS_CONTROL_FLOW_INLINE_BODY_H_

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ir/infer_context.h"
#include "ir/model.h"
#include "ir/rewrite.h"

namespace burin::transformations {

// Returns OK where a patch can carry the body's nodes into another graph; else FailedPrecondition that says why not:
// variables belong to the graph that declares them, and what assigns them is read by nobody.
absl::Status CheckInlinable(const ir::Model& body);

// Returns whether the body's parameters declare no more of the arguments than is known of them: then nothing is lost
// where the arguments take the parameters' place. Symbols do not count, since a declaration's mean nothing outside of
// it. Requires one argument per parameter.
bool DeclaresNothingNew(const ir::Model& body, absl::Span<const ir::ValueInfo* const> arguments);

// Adds a body's nodes to a patch, once or again and again. What an earlier call has added from the same inputs is used
// again, so that what does not depend on the arguments that change is there once.
class BodyInliner {
 public:
  // Both outlive the inliner. CheckInlinable(body) holds.
  BodyInliner(const ir::Model& body, ir::Patch* patch) : body_(body), patch_(*patch) {}

  // Adds the nodes, `arguments` standing for the parameters, and returns the value of each result. Nodes are named
  // as in the body, with `suffix` behind; names of tensors stay behind, since they are those of the body's values.
  // InvalidArgument where the body has a cycle.
  absl::StatusOr<std::vector<ir::Value>> Inline(absl::Span<const ir::Value> arguments, absl::string_view suffix);

 private:
  // What the last call made of a node of the body.
  struct Copy {
    std::vector<ir::Value> inputs;
    ir::NodeId id = ir::NodeId::kNone;
  };

  ir::NodeId Add(const ir::Node& node, std::vector<ir::Value> inputs, absl::string_view suffix);

  const ir::Model& body_;
  ir::Patch& patch_;
  absl::flat_hash_map<ir::NodeId, Copy> copies_;
};

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_CONTROL_FLOW_INLINE_BODY_H_
