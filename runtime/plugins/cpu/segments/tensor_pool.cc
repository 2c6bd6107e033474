#include "runtime/plugins/cpu/segments/tensor_pool.h"

#include <atomic>

#include "base/status_macros.h"

namespace burin::cpu {

absl::StatusOr<ir::Tensor> TensorPool::Take() {
  for (const ir::Tensor& tensor : tensors_) {
    if (tensor.storage().use_count() != 1) continue;
    // What the last other holder read comes before what is written now.
    std::atomic_thread_fence(std::memory_order_acquire);
    return tensor;
  }
  BURIN_ASSIGN_OR_RETURN(ir::Tensor tensor, ir::Tensor::Create(type_, shape_));
  if (tensors_.size() < kMostTensors) {
    tensors_.push_back(tensor);
    bytes_ += static_cast<int64_t>(tensor.byte_size());
  }
  return tensor;
}

}  // namespace burin::cpu
