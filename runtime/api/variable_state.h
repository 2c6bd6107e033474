// Public header "burin/variable_state.h": the state of a stateful model's variable, in one request.
//
// A handle, which may outlive the request's. Thread-safe; every call but name() is FailedPrecondition "Busy" while the
// request runs.
#ifndef BURIN_RUNTIME_API_VARIABLE_STATE_H_
#define BURIN_RUNTIME_API_VARIABLE_STATE_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/api/tensor.h"

namespace burin {

class IVariableState;

class VariableState {
 public:
  explicit VariableState(std::shared_ptr<IVariableState> state) : state_(std::move(state)) {}
  const std::string& name() const;
  // Returns a copy of the value; FailedPrecondition where it has none yet.
  absl::StatusOr<Tensor> GetState() const;
  // Copies `value` in. InvalidArgument where type or shape do not satisfy the variable.
  absl::Status SetState(const Tensor& value);
  // Forgets the value: the next inference starts from the model's initial one.
  absl::Status Reset();

 private:
  std::shared_ptr<IVariableState> state_;
};

}  // namespace burin

#endif  // BURIN_RUNTIME_API_VARIABLE_STATE_H_
