// Makes tensors of TensorProto messages: contents in the file, in typed lists, in a file beside it, or sparse.
//
// Raw contents are not copied: the tensor points into the mapped file. Small ones are, where the address is not aligned
// for the element type; large ones lie in the file as they do, for base/element_access.h and vector loads to read. Each
// tensor has a storage of its own. Not thread-safe; lives for one read.
#ifndef BURIN_RUNTIME_READERS_ONNX_TENSOR_IMPORT_H_
#define BURIN_RUNTIME_READERS_ONNX_TENSOR_IMPORT_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "ir/tensor.h"
#include "runtime/readers/onnx/external_data.h"
#include "runtime/readers/onnx/message/read_budget.h"
#include "runtime/readers/onnx/message/tensor_message.h"

namespace burin::onnx {

class TensorImporter {
 public:
  // `owner` keeps the bytes alive that the messages point into; `external` tells where others lie. `budget`
  // outlives this.
  TensorImporter(std::shared_ptr<const void> owner, ExternalSource external, ReadBudget* budget)
      : owner_(std::move(owner)), external_data_(std::move(external)), budget_(budget) {}

  // InvalidArgument where the message contradicts itself (content and shape, bad file, bad type), Unimplemented for
  // strings, complex numbers and segments.
  absl::StatusOr<ir::Tensor> Import(const TensorMessage& message);

  // As Import; the result is dense.
  absl::StatusOr<ir::Tensor> Import(const SparseTensorMessage& message);

 private:
  absl::StatusOr<ir::Tensor> FromBytes(ElementType type, const ir::Shape& shape, absl::string_view bytes,
                                       const std::shared_ptr<const void>& owner);
  absl::StatusOr<ir::Tensor> FromTypedList(ElementType type, const ir::Shape& shape, const TensorMessage& message);
  absl::StatusOr<ir::Tensor> FromExternalData(ElementType type, const ir::Shape& shape, const TensorMessage& message);

  const std::shared_ptr<const void> owner_;
  ExternalData external_data_;
  ReadBudget* const budget_;
};

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_TENSOR_IMPORT_H_
