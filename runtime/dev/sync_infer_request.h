// What a plugin implements to run one inference: tensors in slots, and Infer().
//
// The base class owns the slots and checks every tensor that a user sets against its port, so that plugins do not. A
// request is used by one thread at a time; AsyncInferRequest gives it to the executor's.
#ifndef BURIN_RUNTIME_DEV_SYNC_INFER_REQUEST_H_
#define BURIN_RUNTIME_DEV_SYNC_INFER_REQUEST_H_

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "ir/tensor.h"
#include "runtime/dev/batched_tensor.h"
#include "runtime/dev/port.h"
#include "runtime/dev/profiling_info.h"
#include "runtime/dev/slot.h"

namespace burin {

// The value of one variable of a stateful model in one request. Thread-compatible.
class IVariableState {
 public:
  virtual ~IVariableState() = default;
  virtual const std::string& name() const = 0;
  // Returns a copy of the current value; FailedPrecondition where the variable has none yet.
  virtual absl::StatusOr<ir::Tensor> GetState() const = 0;
  // Copies `value` in. InvalidArgument where type or shape do not satisfy the variable.
  virtual absl::Status SetState(const ir::Tensor& value) = 0;
  // Forgets the value: the next inference starts from the model's initial one.
  virtual absl::Status Reset() = 0;
};

class ISyncInferRequest {
 public:
  // The ports outlive the request.
  ISyncInferRequest(const std::vector<Port>* inputs, const std::vector<Port>* outputs);
  virtual ~ISyncInferRequest() = default;
  ISyncInferRequest(const ISyncInferRequest&) = delete;
  ISyncInferRequest& operator=(const ISyncInferRequest&) = delete;

  // Makes `tensor` the memory of a slot; it may have any strides. InvalidArgument, naming port, expected and given,
  // where the type is another or the shape does not satisfy the port's; FailedPrecondition for a read-only tensor in an
  // output slot.
  absl::Status SetTensor(Slot slot, const ir::Tensor& tensor);

  // Makes several tensors of one item each the batch of an input, read anew by each inference; one tensor is as
  // SetTensor. InvalidArgument as for SetTensor, for an output, and where the port's layout does not have N in front;
  // the rest as BatchedTensor::Create.
  absl::Status SetTensors(Slot slot, absl::Span<const ir::Tensor> tensors);

  // Returns the memory of a slot. An input or output that the user has not set and whose shape is static is allocated
  // at first use; an output of dynamic shape is there after the first Infer. FailedPrecondition where there is none,
  // and for an input that SetTensors has set: it has no memory of its own.
  absl::StatusOr<ir::Tensor> GetTensor(Slot slot);

  // Makes every input ready to be read: gathers batches, gives zeroed memory to inputs of static shape that nobody has
  // asked for. InvalidArgument where an input of dynamic shape has not been set. Allocates nothing from the second time
  // on. AsyncInferRequest calls it before the first stage.
  absl::Status PrepareInputs();

  // Runs once; PrepareInputs() has been called since the last change of an input. Cancelled after Cancel().
  virtual absl::Status Infer() = 0;

  // Returns the variables' states; empty for a model without.
  virtual std::vector<std::shared_ptr<IVariableState>> QueryState() { return {}; }

  // Returns one record per node since creation. FailedPrecondition where the model was compiled without PERF_COUNT.
  virtual absl::StatusOr<std::vector<ProfilingInfo>> GetProfilingInfo() const = 0;

  // Asks the running Infer() to return Cancelled soon; may be called by any thread. Cleared when the next Infer starts.
  void Cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  void ClearCancel() { cancelled_.store(false, std::memory_order_relaxed); }
  bool is_cancelled() const { return cancelled_.load(std::memory_order_relaxed); }

  const std::vector<Port>& inputs() const { return *inputs_; }
  const std::vector<Port>& outputs() const { return *outputs_; }

 protected:
  const std::atomic<bool>& cancelled() const { return cancelled_; }
  // The tensors to read, all of them present after PrepareInputs(); possibly strided, and possibly read-only.
  const std::vector<ir::Tensor>& input_tensors() const { return input_tensors_; }
  // Whether the user has the output's memory, which must then be written to.
  bool IsUserOutput(size_t index) const { return user_outputs_[index]; }
  const ir::Tensor& output_tensor(size_t index) const { return output_tensors_[index]; }
  // Stores a result that the plugin allocated.
  void SetOutputTensor(size_t index, ir::Tensor tensor) { output_tensors_[index] = std::move(tensor); }
  // Puts the results of an evaluation, one for each output, where the user sees them: all of them, or none. They may
  // share memory with inputs, with constants and with what the user set, and are copied where that shows. For a device
  // that cannot write in place. InvalidArgument, naming the port, where the tensor that was set has another shape;
  // ResourceExhausted where memory is denied.
  absl::Status DeliverOutputs(std::vector<ir::Tensor> results);

 private:
  const std::vector<Port>* inputs_;
  const std::vector<Port>* outputs_;
  std::vector<ir::Tensor> input_tensors_;
  std::vector<std::optional<BatchedTensor>> batches_;  // By input; its tensor is in input_tensors_ as well.
  std::vector<ir::Tensor> output_tensors_;
  std::vector<bool> user_outputs_;
  std::atomic<bool> cancelled_{false};
};

}  // namespace burin

#endif  // BURIN_RUNTIME_DEV_SYNC_INFER_REQUEST_H_
