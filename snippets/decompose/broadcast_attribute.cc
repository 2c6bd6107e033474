#include "snippets/decompose/broadcast_attribute.h"

#include <utility>

#include "ir/ops/divide.h"
#include "ir/ops/fake_quantize.h"
#include "ir/ops/family/elementwise.h"

namespace burin::snippets {
namespace {

// Returns a copy with NumPy's rule, or null where the attributes are of another type than T.
template <class T>
std::unique_ptr<ir::Attributes> NumpyCopy(const ir::Attributes& attributes) {
  const T* const typed = ir::AttributesAs<T>(attributes);
  if (typed == nullptr) return nullptr;
  auto copy = std::make_unique<T>(*typed);
  copy->broadcast = ir::BroadcastRule();
  return copy;
}

}  // namespace

ir::BroadcastRule BroadcastRuleOf(const ir::Node& node) {
  const ir::Attributes& attributes = node.attributes();
  if (const auto* plain = ir::AttributesAs<ir::BroadcastAttributes>(attributes)) return plain->broadcast;
  if (const auto* divide = ir::AttributesAs<ir::DivideAttributes>(attributes)) return divide->broadcast;
  if (const auto* quantize = ir::AttributesAs<ir::FakeQuantizeAttributes>(attributes)) return quantize->broadcast;
  return ir::BroadcastRule();
}

std::unique_ptr<ir::Attributes> WithNumpyRule(const ir::Node& node) {
  const ir::Attributes& attributes = node.attributes();
  std::unique_ptr<ir::Attributes> copy = NumpyCopy<ir::BroadcastAttributes>(attributes);
  if (copy == nullptr) copy = NumpyCopy<ir::DivideAttributes>(attributes);
  if (copy == nullptr) copy = NumpyCopy<ir::FakeQuantizeAttributes>(attributes);
  return copy != nullptr ? std::move(copy) : attributes.Clone();
}

}  // namespace burin::snippets
