// What a pass is: a rule or a whole-graph pass, with its name and what it does.
//
// A rule (ir/rewrite.h) looks at one node and returns a patch; nearly every pass is one. A whole-graph pass is for what
// a rule cannot do because it must see all nodes at once; it too changes nothing itself: it hands each of its edits to
// the `Rewriter`, so that every edit is counted, verified and dumped alike. A Pass is plain, constant data.
#ifndef BURIN_TRANSFORMATIONS_PASS_H_
#define BURIN_TRANSFORMATIONS_PASS_H_

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ir/model.h"
#include "ir/rewrite.h"

namespace burin::transformations {

// Makes the edits of a whole-graph pass, one rewrite each. The driver implements it; not thread-safe.
class Rewriter {
 public:
  virtual ~Rewriter() = default;

  // Applies a patch, made at node `at` of the pass's model. Returns false, with the model unchanged, where no further
  // rewrite may happen (PipelineOptions::stop_after_rewrite): the pass then returns. A patch that a reader refuses
  // (FailedPrecondition of Patch::Apply) is dropped, the model unchanged, and the answer is true. Internal where the
  // patch does not apply otherwise, breaks the model, or the cap on rewrites is reached.
  virtual absl::StatusOr<bool> Apply(ir::Patch patch, ir::NodeId at) = 0;

  // As Apply, for an edit that a patch cannot express. `edit` leaves the model unchanged where it fails.
  virtual absl::StatusOr<bool> Edit(ir::NodeId at, absl::FunctionRef<absl::Status(ir::Model& model)> edit) = 0;
};

// Hands each edit of `model` to `rewriter`; returns early where that says so. `model` is the one that the rewriter
// changes. Called once for the model and once for each body graph.
using WholeGraphPass = absl::Status (*)(const ir::Model& model, const ir::PassContext& context, Rewriter& rewriter);

enum class Accuracy {
  // What the model computes stays the same to the bit, but for the bits of NaNs.
  kExact,
  // Sums and products of floats are rounded elsewhere, as if they were real numbers: outputs differ by what rounding
  // does, and a product may overflow or underflow where it did not.
  kRounds,
};

struct Pass {
  const char* name;     // "ConstantFolding": unique.
  const char* summary;  // "before => after".
  // Exactly one of both is set.
  ir::Rule rule = nullptr;
  WholeGraphPass whole_graph = nullptr;
  Accuracy accuracy = Accuracy::kExact;
};

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_PASS_H_
