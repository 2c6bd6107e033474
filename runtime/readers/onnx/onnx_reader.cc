#include "runtime/readers/onnx/onnx_reader.h"

#include <utility>

#include "base/mapped_file.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "runtime/readers/onnx/model_import.h"
#include "runtime/readers/onnx/onnx_message.h"
#include "runtime/readers/onnx/read_budget.h"
#include "runtime/readers/onnx/tensor_import.h"

namespace burin::onnx {
namespace {

absl::string_view BytesOf(const ir::Storage& storage) {
  return absl::string_view(static_cast<const char*>(storage.data()), storage.size());
}

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace

absl::StatusOr<std::unique_ptr<ir::Model>> ReadOnnxModelFromBytes(std::shared_ptr<ir::Storage> bytes,
                                                                  const std::string& base_dir) {
  ReadBudget budget(bytes->size());
  BURIN_ASSIGN_OR_RETURN(const ModelMessage message, DecodeModel(BytesOf(*bytes), &budget));
  return ImportModel(message, bytes, base_dir, &budget);
}

absl::StatusOr<std::unique_ptr<ir::Model>> ReadOnnxModel(const std::string& path) {
  BURIN_ASSIGN_OR_RETURN(const std::shared_ptr<const MappedFile> file, MappedFile::Open(path));
  absl::StatusOr<std::unique_ptr<ir::Model>> model =
      ReadOnnxModelFromBytes(ir::Storage::Borrow(file, file->data(), file->size()), FolderOf(path));
  if (!model.ok()) return WithContext(model.status(), path);
  return model;
}

absl::StatusOr<ir::Tensor> ReadOnnxTensor(std::shared_ptr<ir::Storage> bytes, std::string* name) {
  ReadBudget budget(bytes->size());
  BURIN_ASSIGN_OR_RETURN(const TensorMessage message, DecodeTensor(BytesOf(*bytes), &budget));
  if (name != nullptr) *name = std::string(message.name);
  return TensorImporter(bytes, "", &budget).Import(message);
}

bool LooksLikeOnnx(absl::string_view first_bytes) { return LooksLikeModelMessage(first_bytes); }

}  // namespace burin::onnx
