// Tells under which rule the inputs of an element-wise node are brought to one shape. Stateless, thread-safe.
#ifndef BURIN_TRANSFORMATIONS_CLEANUP_ELEMENTWISE_RULE_H_
#define BURIN_TRANSFORMATIONS_CLEANUP_ELEMENTWISE_RULE_H_

#include "ir/model.h"
#include "ir/ops/family/broadcast_rule.h"

namespace burin::transformations {

// Returns the rule of a node whose inputs all stretch to one shape alike, or null for any other node: among them
// FakeQuantize, whose limits stretch but whose data do not, and PRelu, whose slope has a rule of its own.
const ir::BroadcastRule* BroadcastRuleOf(const ir::Node& node);

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_CLEANUP_ELEMENTWISE_RULE_H_
