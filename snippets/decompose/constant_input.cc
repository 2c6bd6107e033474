#include "snippets/decompose/constant_input.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/infer_context.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"

namespace burin::snippets {

bool IsConstant(const ir::Model& model, const ir::Node& node, int64_t input) {
  return input < node.input_count() && node.input(input).exists() && model.info(node.input(input)).constant.has_value();
}

std::optional<std::vector<int64_t>> ConstantIntegers(const ir::Model& model, const ir::Node& node, int64_t input) {
  if (!IsConstant(model, node, input)) return std::nullopt;
  const absl::StatusOr<ir::Tensor> dense = model.info(node.input(input)).constant.ToDense();
  if (!dense.ok() || !IsInteger(dense->element_type())) return std::nullopt;
  std::vector<int64_t> values;
  for (int64_t i = 0; i < dense->element_count(); ++i) {
    values.push_back(LoadAsInt64(dense->element_type(), dense->data(), i));
  }
  return values;
}

absl::StatusOr<std::vector<int64_t>> ConstantAxes(const ir::Model& model, const ir::Node& node) {
  BURIN_ASSIGN_OR_RETURN(const int64_t rank, KnownRank(model, node.input(0), node));
  std::optional<std::vector<int64_t>> axes = ConstantIntegers(model, node, 1);
  if (!axes.has_value()) return CannotDecompose("The axes are not constant", node);
  for (int64_t& axis : *axes) {
    if (axis < -rank || axis >= rank) {
      return absl::InvalidArgumentError(absl::StrCat("An axis lies outside of the rank: '", node.name(), "' (",
                                                     node.op().name, "): axis ", axis, ", rank ", rank));
    }
    if (axis < 0) axis += rank;
  }
  std::sort(axes->begin(), axes->end());
  axes->erase(std::unique(axes->begin(), axes->end()), axes->end());
  return *std::move(axes);
}

absl::Status CannotDecompose(absl::string_view reason, const ir::Node& node) {
  return absl::UnimplementedError(absl::StrCat(reason, ": '", node.name(), "' (", node.op().name, ")"));
}

absl::StatusOr<int64_t> KnownRank(const ir::Model& model, ir::Value value, const ir::Node& node) {
  const ir::PartialShape& shape = model.info(value).shape;
  if (!shape.has_rank()) return CannotDecompose("The rank is not known", node);
  return shape.rank();
}

}  // namespace burin::snippets
