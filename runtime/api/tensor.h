// Public header "burin/tensor.h": tensors, shapes and layouts.
//
//   auto owned = burin::Tensor::Create(type, shape);              // 64-byte aligned, uninitialised
//   auto view = burin::Tensor::View(type, shape, data, strides);  // of the caller's memory; strides in bytes, or none
//   auto adopted = burin::Tensor::Adopt(type, shape, shared);     // memory of the caller's allocator
//   auto part = owned->Region(begin, end);                        // shares memory
#ifndef BURIN_RUNTIME_API_TENSOR_H_
#define BURIN_RUNTIME_API_TENSOR_H_

#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "ir/dimension.h"
#include "ir/layout.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "runtime/dev/port.h"

namespace burin {

using ir::Dimension;
using ir::Layout;
using ir::PartialShape;
using ir::Shape;
using ir::Tensor;

// Allocate a tensor for a port, or refer to the caller's memory, dense, as one. InvalidArgument where the port's shape
// is not static; otherwise as Tensor::Create and Tensor::View.
absl::StatusOr<Tensor> CreateTensor(const Port& port);
absl::StatusOr<Tensor> ViewTensor(const Port& port, void* data);

}  // namespace burin

#endif  // BURIN_RUNTIME_API_TENSOR_H_
