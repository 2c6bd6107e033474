// Public header "burin/infer_request.h": one inference at a time, with its tensors, state and times.
//
// A handle: copies refer to one request. Ports are found by name, by index, or by the Port that a model gives: the last
// two cost no look-up. Thread-safe; while an inference runs, everything but Wait, WaitFor and Cancel is
// FailedPrecondition "Busy". With the last handle the request goes: a running inference is cancelled, waited for and
// not called back for, while the callbacks of earlier ones are waited for. A callback may drop the last handle: what it
// would have to wait for itself then goes on without it, and callbacks that have not begun are not called.
#ifndef BURIN_RUNTIME_API_INFER_REQUEST_H_
#define BURIN_RUNTIME_API_INFER_REQUEST_H_

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/api/tensor.h"
#include "runtime/api/variable_state.h"
#include "runtime/dev/port.h"
#include "runtime/dev/profiling_info.h"

namespace burin {

class AsyncInferRequest;
class CompiledModel;
class ICompiledModel;

class InferRequest {
 public:
  // Make `tensor` the memory of a port, strides and all: no copy on the way in or out where the device can use it in
  // place. The element type must be the port's and the shape must satisfy it. InvalidArgument otherwise, and for a port
  // of another model; NotFound, listing the ports, for an unknown name; FailedPrecondition for a read-only output.
  absl::Status SetTensor(const std::string& name, const Tensor& tensor);
  absl::Status SetTensor(const Port& port, const Tensor& tensor);
  absl::Status SetInputTensor(const Tensor& tensor);  // For a model with one input.
  absl::Status SetInputTensor(size_t index, const Tensor& tensor);
  absl::Status SetOutputTensor(const Tensor& tensor);  // For a model with one output.
  absl::Status SetOutputTensor(size_t index, const Tensor& tensor);
  // Make several tensors of one item each the batch of an input, whose layout has N in front. Each inference reads them
  // anew, in place where they lie one behind the other in memory. One tensor is as SetTensor. InvalidArgument, naming
  // port, item, expected and given, for whatever does not fit.
  absl::Status SetTensors(const std::string& name, const std::vector<Tensor>& tensors);
  absl::Status SetTensors(const Port& port, const std::vector<Tensor>& tensors);
  absl::Status SetInputTensors(const std::vector<Tensor>& tensors);  // For a model with one input.
  absl::Status SetInputTensors(size_t index, const std::vector<Tensor>& tensors);

  // Return the memory of a port. Static ports have memory from the start, which the user may fill and read in place; an
  // output of dynamic shape has it after the first inference. FailedPrecondition where there is none yet, and for an
  // input that was set as a batch of separate tensors.
  absl::StatusOr<Tensor> GetTensor(const std::string& name);
  absl::StatusOr<Tensor> GetTensor(const Port& port);
  absl::StatusOr<Tensor> GetInputTensor();  // For a model with one input.
  absl::StatusOr<Tensor> GetInputTensor(size_t index);
  absl::StatusOr<Tensor> GetOutputTensor();  // For a model with one output.
  absl::StatusOr<Tensor> GetOutputTensor(size_t index);

  // Runs on the calling thread and returns when done. InvalidArgument where an input of dynamic shape has not been set;
  // Cancelled after Cancel().
  absl::Status Infer();
  // Starts and returns at once.
  absl::Status StartAsync();
  // Waits for the inference that runs now, if any; returns the last one's Status. FailedPrecondition where none was
  // ever started.
  absl::Status Wait();
  // Waits at most `timeout`; returns whether it is done, or its error.
  absl::StatusOr<bool> WaitFor(std::chrono::milliseconds timeout);
  // Asks a running inference to stop; Wait then returns Cancelled, unless it was done before.
  void Cancel();
  // Is called with each asynchronous inference's Status, on a thread of the device's, once the inference is over; may
  // start the next one. Null for none.
  absl::Status SetCallback(std::function<void(absl::Status)> callback);

  // Returns the variables of a stateful model, which belong to this request.
  absl::StatusOr<std::vector<VariableState>> QueryState();
  // Resets all of them.
  absl::Status ResetState();

  // Returns per-node records. FailedPrecondition without PERF_COUNT=YES.
  absl::StatusOr<std::vector<ProfilingInfo>> GetProfilingInfo() const;

  CompiledModel GetCompiledModel() const;

 private:
  friend class CompiledModel;
  InferRequest(std::unique_ptr<AsyncInferRequest> request, std::shared_ptr<ICompiledModel> compiled);

  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace burin

#endif  // BURIN_RUNTIME_API_INFER_REQUEST_H_
