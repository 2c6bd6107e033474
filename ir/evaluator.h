// Runs a model with reference implementations only: the oracle for everything, and the REFERENCE device's engine.
//
// An Evaluator is compiled once from a model (order, last uses) and runs any number of times; Run() is const and
// thread-safe as long as each call has its own RunOptions state. Slow and obviously right: nothing is fused, reordered
// or approximated; intermediate tensors are freed after their last use. ReadValue sees the variables as they were when
// the run began: what a run assigns takes effect when it has succeeded, and not at all where it fails.
#ifndef BURIN_IR_EVALUATOR_H_
#define BURIN_IR_EVALUATOR_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ir/model.h"
#include "ir/reference_context.h"
#include "ir/tensor.h"

namespace burin::ir {

// Keeps variables in a map; one per request.
class MapVariableStore final : public VariableStore {
 public:
  const Tensor* Find(absl::string_view variable_id) const override;
  void Assign(absl::string_view variable_id, Tensor value) override;
  // Forgets one variable's value, or all.
  void Reset(absl::string_view variable_id);
  void ResetAll() { values_.clear(); }

 private:
  absl::flat_hash_map<std::string, Tensor> values_;
};

struct RunOptions {
  using Observer = std::function<void(const Node& node, int64_t nanoseconds, absl::Span<const Tensor> inputs,
                                      absl::Span<const Tensor> outputs)>;

  const std::atomic<bool>* cancelled = nullptr;
  VariableStore* variables = nullptr;  // Null: variables live for the run alone.
  // Called after each node of the top-level graph has run, with its wall time in nanoseconds, its input tensors (empty
  // for an absent input) and its output tensors.
  Observer observer;
};

class Evaluator {
 public:
  // Plans the order; `model` outlives the evaluator. InvalidArgument where the model has a cycle.
  static absl::StatusOr<Evaluator> Create(const Model& model);

  // Runs on one tensor per parameter, in their order; returns one tensor per result, which may share memory with an
  // input, a constant or a variable. InvalidArgument where an input's type or shape does not satisfy its parameter, or
  // where two inputs give different sizes to one symbol; Cancelled; any op's own error with node name and op.
  absl::StatusOr<std::vector<Tensor>> Run(absl::Span<const Tensor> inputs, const RunOptions& options = {}) const;

 private:
  explicit Evaluator(const Model& model) : model_(&model) {}

  absl::StatusOr<std::vector<Tensor>> RunIn(absl::Span<const Tensor> inputs,
                                            const ReferenceContext::Environment& environment,
                                            const RunOptions::Observer& observer) const;

  const Model* model_;
  std::vector<NodeId> order_;
  std::vector<std::vector<NodeId>> last_uses_;  // By position in order_: the nodes whose outputs nobody reads later.
};

}  // namespace burin::ir

#endif  // BURIN_IR_EVALUATOR_H_
