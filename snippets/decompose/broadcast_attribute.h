// Reads and replaces the broadcast rule of an element-wise operation, in whichever attributes it stands.
//
// Stateless, thread-safe.
#ifndef BURIN_SNIPPETS_DECOMPOSE_BROADCAST_ATTRIBUTE_H_
#define BURIN_SNIPPETS_DECOMPOSE_BROADCAST_ATTRIBUTE_H_

#include <memory>

#include "ir/attributes.h"
#include "ir/model.h"
#include "ir/ops/family/broadcast_rule.h"

namespace burin::snippets {

// Returns the node's broadcast rule; NumPy's, where it has none.
ir::BroadcastRule BroadcastRuleOf(const ir::Node& node);

// Returns the node's attributes with NumPy's rule in place of its own.
std::unique_ptr<ir::Attributes> WithNumpyRule(const ir::Node& node);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_DECOMPOSE_BROADCAST_ATTRIBUTE_H_
