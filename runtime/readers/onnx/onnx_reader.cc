#include "runtime/readers/onnx/onnx_reader.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "runtime/readers/onnx/external_data.h"
#include "runtime/readers/onnx/message/onnx_message.h"
#include "runtime/readers/onnx/message/read_budget.h"
#include "runtime/readers/onnx/message/tensor_message.h"
#include "runtime/readers/onnx/model_import.h"
#include "runtime/readers/onnx/tensor_import.h"

namespace burin::onnx {
namespace {

absl::string_view BytesOf(const ir::Storage& storage) {
  return absl::string_view(static_cast<const char*>(storage.data()), storage.size());
}

absl::StatusOr<std::unique_ptr<ir::Model>> Read(std::shared_ptr<ir::Storage> bytes, ExternalSource external) {
  ReadBudget budget(bytes->size());
  BURIN_ASSIGN_OR_RETURN(const ModelMessage message, DecodeModel(BytesOf(*bytes), &budget));
  return ImportModel(message, bytes, std::move(external), &budget);
}

}  // namespace

absl::StatusOr<std::unique_ptr<ir::Model>> ReadOnnxModelFromBytes(std::shared_ptr<ir::Storage> bytes,
                                                                  const std::string& base_dir, bool use_mmap) {
  ExternalSource external;
  external.folder = base_dir;
  external.use_mmap = use_mmap;
  return Read(std::move(bytes), std::move(external));
}

absl::StatusOr<std::unique_ptr<ir::Model>> ReadOnnxModelFromMemory(std::shared_ptr<ir::Storage> bytes,
                                                                   ir::Tensor weights) {
  if (weights.has_value() && !weights.is_dense()) {
    return absl::InvalidArgumentError(absl::StrCat("A tensor of weights must be dense: ", weights.ToString(0)));
  }
  ExternalSource external;
  external.weights = std::move(weights);
  return Read(std::move(bytes), std::move(external));
}

absl::StatusOr<ir::Tensor> ReadOnnxTensor(std::shared_ptr<ir::Storage> bytes, std::string* name) {
  ReadBudget budget(bytes->size());
  BURIN_ASSIGN_OR_RETURN(const TensorMessage message, DecodeTensor(BytesOf(*bytes), &budget));
  if (name != nullptr) *name = std::string(message.name);
  BURIN_ASSIGN_OR_RETURN(ir::Tensor tensor, TensorImporter(bytes, ExternalSource(), &budget).Import(message));
  // For users, who read elements by themselves.
  const size_t alignment = static_cast<size_t>(std::max(1, BitWidth(tensor.element_type()) / 8));
  if (reinterpret_cast<uintptr_t>(tensor.data()) % alignment == 0) return tensor;
  return tensor.Copy();
}

bool LooksLikeOnnx(absl::string_view first_bytes) { return LooksLikeModelMessage(first_bytes); }

}  // namespace burin::onnx
