#include "runtime/dev/states/variable_states.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/shape.h"
#include "ir/tensor.h"

namespace burin {

namespace {

class State final : public IVariableState {
 public:
  State(const ir::Variable& variable, std::shared_ptr<ir::MapVariableStore> store)
      : variable_(variable), store_(std::move(store)) {}

  const std::string& name() const override { return variable_.id; }

  absl::StatusOr<ir::Tensor> GetState() const override {
    const ir::Tensor* value = store_->Find(variable_.id);
    if (value == nullptr) {
      return absl::FailedPreconditionError(absl::StrCat("Variable has no value yet: ", variable_.id));
    }
    // A copy: the value may share memory with a constant or with what the next inference reads.
    return value->Copy();
  }

  absl::Status SetState(const ir::Tensor& value) override {
    if (!value.has_value() || value.element_type() != variable_.type || !variable_.shape.Accepts(value.shape())) {
      return absl::InvalidArgumentError(absl::StrCat(
          "Variable ", variable_.id, ": expected ", Name(variable_.type), variable_.shape.ToString(), ", given ",
          value.has_value() ? absl::StrCat(Name(value.element_type()), ir::ToString(value.shape())) : "no tensor"));
    }
    // A copy: the user may go on writing to the memory.
    BURIN_ASSIGN_OR_RETURN(ir::Tensor copy, value.Copy());
    store_->Assign(variable_.id, std::move(copy));
    return absl::OkStatus();
  }

  absl::Status Reset() override {
    store_->Reset(variable_.id);
    return absl::OkStatus();
  }

 private:
  const ir::Variable variable_;
  const std::shared_ptr<ir::MapVariableStore> store_;
};

}  // namespace

std::vector<std::shared_ptr<IVariableState>> MakeVariableStates(const std::vector<ir::Variable>& variables,
                                                                const std::shared_ptr<ir::MapVariableStore>& store) {
  std::vector<std::shared_ptr<IVariableState>> states;
  for (const ir::Variable& variable : variables) states.push_back(std::make_shared<State>(variable, store));
  return states;
}

}  // namespace burin
