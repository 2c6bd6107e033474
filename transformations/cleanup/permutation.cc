#include "transformations/cleanup/permutation.h"

#include <algorithm>
#include <cstddef>

#include "ir/partial_shape.h"
#include "transformations/matcher/facts.h"

namespace burin::transformations {

std::optional<Permutation> OrderOf(const ir::Model& model, const ir::Node& transpose) {
  std::optional<Permutation> order = ExactIntegers(model.info(transpose.input(1)));
  if (!order.has_value() || !order->empty()) return order;
  const ir::PartialShape& shape = model.info(transpose.input(0)).shape;
  if (!shape.has_rank()) return std::nullopt;
  for (int64_t d = shape.rank(); d-- > 0;) order->push_back(d);
  return order;
}

bool IsIdentity(const Permutation& order) {
  // A sorted permutation is that of the dimensions as they are.
  return std::is_sorted(order.begin(), order.end());
}

Permutation Inverse(const Permutation& order) {
  Permutation inverse(order.size());
  for (size_t d = 0; d < order.size(); ++d) inverse[static_cast<size_t>(order[d])] = static_cast<int64_t>(d);
  return inverse;
}

Permutation Compose(const Permutation& inner, const Permutation& outer) {
  Permutation order;
  for (const int64_t d : outer) order.push_back(inner[static_cast<size_t>(d)]);
  return order;
}

}  // namespace burin::transformations
