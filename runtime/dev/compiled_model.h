// What a plugin's CompileModel gives: an executable model that creates requests.
//
// Thread-safe: requests may be created and properties read by any thread.
#ifndef BURIN_RUNTIME_DEV_COMPILED_MODEL_H_
#define BURIN_RUNTIME_DEV_COMPILED_MODEL_H_

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ir/model.h"
#include "runtime/dev/async_infer_request.h"
#include "runtime/dev/port.h"
#include "runtime/dev/remote_context.h"
#include "runtime/dev/slot_table.h"
#include "runtime/dev/sync_infer_request.h"
#include "runtime/dev/task_executor.h"

namespace burin {

class ICompiledModel : public std::enable_shared_from_this<ICompiledModel> {
 public:
  // Takes the ports from `model`; requests run on `task_executor` and call back on `callback_executor`.
  ICompiledModel(const ir::Model& model, std::shared_ptr<ITaskExecutor> task_executor,
                 std::shared_ptr<ITaskExecutor> callback_executor);
  virtual ~ICompiledModel() = default;
  ICompiledModel(const ICompiledModel&) = delete;
  ICompiledModel& operator=(const ICompiledModel&) = delete;

  const std::vector<Port>& inputs() const { return inputs_; }
  const std::vector<Port>& outputs() const { return outputs_; }

  // Returns every name of the ports with its slot.
  const SlotTable& slots() const { return slots_; }

  // Returns a request that holds this model alive; any number may exist and run at once. The object must be owned by a
  // shared_ptr. By default CreateSyncInferRequest()'s on the two executors; a device whose inference has more stages
  // returns a class of its own.
  virtual absl::StatusOr<std::unique_ptr<AsyncInferRequest>> CreateInferRequest();

  // Returns the value of a property that took effect. NotFound, listing the readable ones, for any other.
  virtual absl::StatusOr<std::string> GetProperty(const std::string& name) const = 0;
  // Changes a property of the compiled model; a device without such properties says so with Unimplemented.
  virtual absl::Status SetProperty(const std::string& name, const std::string& value);
  // Writes what ImportModel reads.
  virtual absl::Status Export(std::ostream& stream) const;
  // Returns what is executed, as a model whose nodes carry execution facts.
  virtual absl::StatusOr<std::unique_ptr<ir::Model>> GetRuntimeModel() const;
  // Returns the context whose memory the model uses. Unimplemented where the device has none.
  virtual absl::StatusOr<std::shared_ptr<IRemoteContext>> GetContext() const;
  // Drops buffers that can be made again.
  virtual absl::Status ReleaseMemory();

 protected:
  virtual absl::StatusOr<std::unique_ptr<ISyncInferRequest>> CreateSyncInferRequest() const = 0;

  const std::shared_ptr<ITaskExecutor>& task_executor() const { return task_executor_; }
  const std::shared_ptr<ITaskExecutor>& callback_executor() const { return callback_executor_; }

 private:
  std::vector<Port> inputs_;
  std::vector<Port> outputs_;
  SlotTable slots_;
  std::shared_ptr<ITaskExecutor> task_executor_;
  std::shared_ptr<ITaskExecutor> callback_executor_;
};

// Returns the ports of a model: its parameters, or its results. A port has its node's name and its value's tensor
// names.
std::vector<Port> InputPorts(const ir::Model& model);
std::vector<Port> OutputPorts(const ir::Model& model);

}  // namespace burin

#endif  // BURIN_RUNTIME_DEV_COMPILED_MODEL_H_
