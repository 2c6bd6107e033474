// Several single-item tensors as the one batched tensor that a device reads.
//
// Where the items lie one behind the other in memory they are the batch as they are; otherwise Gather() copies them
// into a buffer of its own before each inference. Not thread-safe.
#ifndef BURIN_RUNTIME_DEV_BATCHED_TENSOR_H_
#define BURIN_RUNTIME_DEV_BATCHED_TENSOR_H_

#include <cstddef>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "ir/tensor.h"
#include "runtime/dev/port.h"

namespace burin {

class BatchedTensor {
 public:
  // Makes a batch of `items`, each with batch dimension 1, for `port`, whose layout has N in front. Allocates what
  // Gather() needs. InvalidArgument, naming port, item, expected and given, where the port has no such layout, there is
  // no item, an item differs from the port in type or from the others in shape, or the batch does not satisfy the port;
  // Unimplemented for items of a packed type that do not fill whole bytes; ResourceExhausted where memory is denied.
  static absl::StatusOr<BatchedTensor> Create(const Port& port, absl::Span<const ir::Tensor> items);

  // Copies what the items hold now; nothing where they are the batch as they are.
  absl::Status Gather() const;

  // Returns the batch: dense, and current after Gather().
  const ir::Tensor& tensor() const { return tensor_; }

 private:
  // What is copied: each item, and its place in the batch. Empty where nothing is.
  std::vector<ir::Tensor> items_;
  std::vector<ir::Tensor> places_;
  ir::Tensor tensor_;
};

}  // namespace burin

#endif  // BURIN_RUNTIME_DEV_BATCHED_TENSOR_H_
