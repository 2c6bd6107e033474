// Tensors of one type and shape, used again once nobody else holds them.
//
// For what crosses from one graph to the next: who keeps a tensor (a state, a loop that carries it on) is not written
// over. Used by one thread at a time; who lets go of a tensor may be another one.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_SEGMENTS_TENSOR_POOL_H_
#define BURIN_RUNTIME_PLUGINS_CPU_SEGMENTS_TENSOR_POOL_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "ir/shape.h"
#include "ir/tensor.h"

namespace burin::cpu {

class TensorPool {
 public:
  // The most tensors that are kept: one to read while another is written.
  static constexpr size_t kMostTensors = 2;

  TensorPool(ElementType type, ir::Shape shape) : type_(type), shape_(std::move(shape)) {}

  // Returns a tensor that nobody else holds; its elements are anything. ResourceExhausted where memory is denied.
  absl::StatusOr<ir::Tensor> Take();

  // Returns the bytes of the tensors that are kept.
  int64_t bytes() const { return bytes_; }

 private:
  const ElementType type_;
  const ir::Shape shape_;
  std::vector<ir::Tensor> tensors_;
  int64_t bytes_ = 0;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_SEGMENTS_TENSOR_POOL_H_
