// Finds patterns in a model. Stateless, thread-safe.
#ifndef BURIN_TRANSFORMATIONS_MATCHER_MATCHER_H_
#define BURIN_TRANSFORMATIONS_MATCHER_MATCHER_H_

#include <optional>

#include "ir/model.h"
#include "ir/rewrite.h"
#include "transformations/matcher/match.h"
#include "transformations/matcher/pattern.h"

namespace burin::transformations {

// Returns the first match of the pattern whose root is the node (its output 0), or nullopt. Reports what the attempt
// that came furthest missed to the Explainer of the context, if any.
std::optional<Match> MatchAt(const Pattern& pattern, const ir::Model& model, ir::NodeId root,
                             const ir::PassContext& context);
// As above, at any value; an absent value matches Absent() alone.
std::optional<Match> MatchValue(const Pattern& pattern, const ir::Model& model, ir::Value root,
                                const ir::PassContext& context);

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_MATCHER_MATCHER_H_
