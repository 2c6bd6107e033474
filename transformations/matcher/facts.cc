#include "transformations/matcher/facts.h"

#include "base/element_type.h"
#include "ir/dimension.h"
#include "ir/ops/constant.h"
#include "ir/ops/op_code.h"

namespace burin::transformations {

bool MustEqual(const ir::PartialShape& a, const ir::PartialShape& b) {
  if (!a.has_rank() || !b.has_rank() || a.rank() != b.rank()) return false;
  for (int64_t d = 0; d < a.rank(); ++d) {
    if (!a[d].MustEqual(b[d])) return false;
  }
  return true;
}

bool SaysAsMuchAs(const ir::PartialShape& a, const ir::PartialShape& b) {
  if (!b.has_rank()) return true;
  if (!a.has_rank() || a.rank() != b.rank()) return false;
  for (int64_t d = 0; d < a.rank(); ++d) {
    if (a[d].min() < b[d].min() || a[d].max() > b[d].max()) return false;
    if (!a[d].is_static() && !b[d].symbol().empty() && a[d].symbol() != b[d].symbol()) return false;
  }
  return true;
}

std::optional<std::vector<int64_t>> ExactIntegers(const ir::ValueInfo& info) {
  if (!IsInteger(info.type) || !info.content.has_value()) return std::nullopt;
  std::vector<int64_t> elements;
  for (const ir::Dimension& element : *info.content) {
    if (!element.is_static()) return std::nullopt;
    elements.push_back(element.value());
  }
  return elements;
}

const ir::Tensor* ConstantOf(const ir::Model& model, ir::Value value) {
  if (!value.exists()) return nullptr;
  const ir::Node& node = model.node(value.node);
  return node.code() == ir::OpCode::kConstant ? &node.attributes_as<ir::ConstantAttributes>().value : nullptr;
}

bool IsShapeOf(const ir::Model& model, ir::Value value, ir::Value of) {
  if (!value.exists()) return false;
  const ir::Node* node = &model.node(value.node);
  // A narrower type could wrap a size.
  if (node->code() == ir::OpCode::kConvert && model.info(value).type == ElementType::kI64) {
    node = &model.node(node->input(0).node);
  }
  return node->code() == ir::OpCode::kShapeOf && node->input(0) == of;
}

}  // namespace burin::transformations
