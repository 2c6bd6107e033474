// The variables of a model during one inference: values as they were when it began, and what it assigns.
//
// What an inference that fails has assigned is forgotten with this. Used by one thread at a time.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_SEGMENTS_RUN_VARIABLES_H_
#define BURIN_RUNTIME_PLUGINS_CPU_SEGMENTS_RUN_VARIABLES_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "ir/reference_context.h"
#include "ir/tensor.h"

namespace burin::cpu {

class RunVariables final : public ir::VariableStore {
 public:
  // `target` outlives this.
  explicit RunVariables(ir::VariableStore* target) : target_(target) {}

  const ir::Tensor* Find(absl::string_view variable_id) const override { return target_->Find(variable_id); }
  void Assign(absl::string_view variable_id, ir::Tensor value) override {
    assigned_.emplace_back(std::string(variable_id), std::move(value));
  }

  // Hands on what was assigned, in its order.
  void Commit() {
    for (auto& [id, value] : assigned_) target_->Assign(id, std::move(value));
    assigned_.clear();
  }

 private:
  ir::VariableStore* const target_;
  std::vector<std::pair<std::string, ir::Tensor>> assigned_;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_SEGMENTS_RUN_VARIABLES_H_
