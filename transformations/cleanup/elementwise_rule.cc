#include "transformations/cleanup/elementwise_rule.h"

#include "ir/attributes.h"
#include "ir/ops/divide.h"
#include "ir/ops/family/elementwise.h"

namespace burin::transformations {

const ir::BroadcastRule* BroadcastRuleOf(const ir::Node& node) {
  if (const auto* const plain = ir::AttributesAs<ir::BroadcastAttributes>(node.attributes())) return &plain->broadcast;
  if (const auto* const divide = ir::AttributesAs<ir::DivideAttributes>(node.attributes())) return &divide->broadcast;
  return nullptr;
}

}  // namespace burin::transformations
