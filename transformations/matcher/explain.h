// Says why a rule does not fire at a node.
//
// A rule needs no code of its own for that: MatchAt() reports what its pattern missed, and Decline() what a guard in
// the rule's code refuses, to an `Explainer` where the pass context holds one. Without one no text is made, so that
// declining costs nothing in a compilation. Not for errors: those are a Status. Stateless but for the reports that an
// Explainer collects, which is not thread-safe.
#ifndef BURIN_TRANSFORMATIONS_MATCHER_EXPLAIN_H_
#define BURIN_TRANSFORMATIONS_MATCHER_EXPLAIN_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ir/model.h"
#include "ir/rewrite.h"

namespace burin::transformations {

// One reason, and where in the model and in the pattern it lies.
struct MatchFailure {
  ir::NodeId at = ir::NodeId::kNone;  // The node that was looked at; kNone for an absent input.
  std::string where;                  // The way from the pattern's root: "root", "input 1 of input 0 ('bias')".
  std::string why;                    // "is Relu, not Add or Subtract", "the order is not known".

  // Prints one line that names the node, its op and its outputs.
  std::string ToString(const ir::Model& model) const;
};

// Collects reasons. A pass context hands it on as a const service.
class Explainer {
 public:
  void Report(MatchFailure failure) const { failures_.push_back(std::move(failure)); }
  const std::vector<MatchFailure>& failures() const { return failures_; }

 private:
  mutable std::vector<MatchFailure> failures_;
};

// Returns nullopt, for a rule to return, and reports `why` at the node where somebody asks.
std::optional<ir::Patch> Decline(const ir::PassContext& context, ir::NodeId at, absl::string_view why);
// As above, for a text that has to be made.
std::optional<ir::Patch> Decline(const ir::PassContext& context, ir::NodeId at, absl::FunctionRef<std::string()> why);

// Returns, in words, whether the rule fires at the node, and if not, why: a line per reason. Passes on the rule's
// error; InvalidArgument where the model has no such node.
absl::StatusOr<std::string> Explain(ir::Rule rule, const ir::Model& model, ir::NodeId node,
                                    const ir::PassContext& context);

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_MATCHER_EXPLAIN_H_
