// Public header "burin/infer_request.h": one inference at a time, with its tensors, state and times.
//
// A handle: copies refer to one request. Ports are found by name or index; a port found once can be used again without
// a search. Thread-safe; while an inference runs, everything but Wait, WaitFor and Cancel is FailedPrecondition "Busy".
#ifndef BURIN_RUNTIME_API_INFER_REQUEST_H_
#define BURIN_RUNTIME_API_INFER_REQUEST_H_

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
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

class InferRequest {
 public:
  // Make `tensor` the memory of a port: no copy on the way in or out where the device can use it in place. The element
  // type must be the port's and the shape must satisfy it. InvalidArgument otherwise; NotFound, listing the ports, for
  // an unknown name.
  absl::Status SetTensor(const std::string& name, const Tensor& tensor);
  absl::Status SetInputTensor(const Tensor& tensor);  // For a model with one input.
  absl::Status SetInputTensor(size_t index, const Tensor& tensor);
  absl::Status SetOutputTensor(const Tensor& tensor);  // For a model with one output.
  absl::Status SetOutputTensor(size_t index, const Tensor& tensor);
  // Make several single-item tensors one batched input: Unimplemented.
  absl::Status SetTensors(const std::string& name, const std::vector<Tensor>& tensors);
  absl::Status SetInputTensors(size_t index, const std::vector<Tensor>& tensors);

  // Return the memory of a port. Static ports have memory from the start, which the user may fill and read in place; an
  // output of dynamic shape has it after the first inference.
  absl::StatusOr<Tensor> GetTensor(const std::string& name);
  absl::StatusOr<Tensor> GetInputTensor();
  absl::StatusOr<Tensor> GetInputTensor(size_t index);
  absl::StatusOr<Tensor> GetOutputTensor();
  absl::StatusOr<Tensor> GetOutputTensor(size_t index);

  // Runs on the calling thread and returns when done.
  absl::Status Infer();
  // Starts and returns at once.
  absl::Status StartAsync();
  // Waits for the running inference; returns the last one's Status.
  absl::Status Wait();
  // Waits at most `timeout`; returns whether it is done, or its error.
  absl::StatusOr<bool> WaitFor(std::chrono::milliseconds timeout);
  // Asks a running inference to stop; Wait then returns Cancelled, unless it was done before.
  void Cancel();
  // Is called with each asynchronous inference's Status; may start the next one. Null for none.
  absl::Status SetCallback(std::function<void(absl::Status)> callback);

  // Returns the variables of a stateful model, which belong to this request.
  absl::StatusOr<std::vector<VariableState>> QueryState();
  absl::Status ResetState();

  // Returns per-node records. FailedPrecondition without PERF_COUNT=YES.
  absl::StatusOr<std::vector<ProfilingInfo>> GetProfilingInfo() const;

  CompiledModel GetCompiledModel() const;

 private:
  friend class CompiledModel;
  InferRequest(std::shared_ptr<AsyncInferRequest> request, CompiledModel model);

  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace burin

#endif  // BURIN_RUNTIME_API_INFER_REQUEST_H_
