#include "tools/models/network_builder.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace burin::models {

NetworkBuilder::Scope::Scope(NetworkBuilder* builder, absl::string_view name)
    : builder_(builder), outer_size_(builder->prefix_.size()) {
  absl::StrAppend(&builder->prefix_, name, "/");
}

Value NetworkBuilder::Scalar(float value) {
  absl::StatusOr<ir::Tensor> tensor = ir::Tensor::Create(ElementType::kF32, {});
  if (tensor.ok()) *tensor->mutable_data_as<float>() = value;
  return Constant(std::move(tensor), Numbered("scalar"));
}

Value NetworkBuilder::Scalar64(int64_t value) {
  absl::StatusOr<ir::Tensor> tensor = ir::Tensor::Create(ElementType::kI64, {});
  if (tensor.ok()) *tensor->mutable_data_as<int64_t>() = value;
  return Constant(std::move(tensor), Numbered("integer"));
}

Value NetworkBuilder::Integers(const std::vector<int64_t>& values) {
  absl::StatusOr<ir::Tensor> tensor = ir::Tensor::Create(ElementType::kI64, {static_cast<int64_t>(values.size())});
  if (tensor.ok()) std::copy(values.begin(), values.end(), tensor->mutable_data_as<int64_t>());
  return Constant(std::move(tensor), Numbered("integers"));
}

void NetworkBuilder::Fail(const absl::Status& status) {
  if (status_.ok()) status_ = status;
}

std::string NetworkBuilder::Scoped(absl::string_view name) const { return absl::StrCat(prefix_, name); }

std::string NetworkBuilder::Numbered(absl::string_view op) { return absl::StrCat(op, "_", ++names_); }

}  // namespace burin::models
