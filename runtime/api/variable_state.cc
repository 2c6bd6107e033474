#include "runtime/api/variable_state.h"

#include "runtime/dev/sync_infer_request.h"

namespace burin {

const std::string& VariableState::name() const { return state_->name(); }
absl::StatusOr<Tensor> VariableState::GetState() const { return state_->GetState(); }
absl::Status VariableState::SetState(const Tensor& value) { return state_->SetState(value); }
absl::Status VariableState::Reset() { return state_->Reset(); }

}  // namespace burin
