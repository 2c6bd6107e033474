// Public header "burin/variable_state.h": the state of a stateful model's variable, in one request.
//
// A handle. Not thread-safe, and not to be used while the request runs.
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
  // Returns the value; FailedPrecondition where it has none yet.
  absl::StatusOr<Tensor> GetState() const;
  absl::Status SetState(const Tensor& value);
  // Forgets the value.
  void Reset();

 private:
  std::shared_ptr<IVariableState> state_;
};

}  // namespace burin

#endif  // BURIN_RUNTIME_API_VARIABLE_STATE_H_
