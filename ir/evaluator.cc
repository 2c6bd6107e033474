#include "ir/evaluator.h"

#include <chrono>
#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "ir/evaluate_op.h"
#include "ir/infer_context.h"
#include "ir/ops/constant.h"
#include "ir/ops/op_code.h"
#include "ir/ops/parameter.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"

namespace burin::ir {
namespace {

// Sees the values that the run began with, and keeps what it assigns until Commit().
class DeferredVariableStore final : public VariableStore {
 public:
  explicit DeferredVariableStore(VariableStore* target) : target_(target) {}
  const Tensor* Find(absl::string_view variable_id) const override { return target_->Find(variable_id); }
  void Assign(absl::string_view variable_id, Tensor value) override {
    assigned_.emplace_back(std::string(variable_id), std::move(value));
  }
  void Commit() {
    for (auto& [id, value] : assigned_) target_->Assign(id, std::move(value));
    assigned_.clear();
  }

 private:
  VariableStore* const target_;
  std::vector<std::pair<std::string, Tensor>> assigned_;
};

// Evaluates bodies within one run; each body is planned once.
class PlanningBodyRunner final : public BodyRunner {
 public:
  using RunBody = absl::StatusOr<std::vector<Tensor>> (*)(const Evaluator& evaluator, absl::Span<const Tensor> inputs,
                                                          const ReferenceContext::Environment& environment);

  PlanningBodyRunner(RunBody run_body, const std::atomic<bool>* cancelled, VariableStore* variables)
      : run_body_(run_body) {
    environment_.cancelled = cancelled;
    environment_.body_runner = this;
    environment_.variables = variables;
  }

  absl::StatusOr<std::vector<Tensor>> Run(const Model& body, absl::Span<const Tensor> inputs) override {
    std::unique_ptr<Evaluator>& evaluator = evaluators_[&body];
    if (evaluator == nullptr) {
      BURIN_ASSIGN_OR_RETURN(Evaluator planned, Evaluator::Create(body));
      evaluator = std::make_unique<Evaluator>(std::move(planned));
    }
    // The op that runs the body may hold scratch memory of its own meanwhile.
    HeapScratchAllocator scratch;
    ReferenceContext::Environment environment = environment_;
    environment.scratch = &scratch;
    return run_body_(*evaluator, inputs, environment);
  }

 private:
  const RunBody run_body_;
  ReferenceContext::Environment environment_;
  absl::flat_hash_map<const Model*, std::unique_ptr<Evaluator>> evaluators_;
};

absl::Status CheckInput(const Node& parameter, size_t position, const Tensor& input,
                        absl::flat_hash_map<std::string, int64_t>* symbols) {
  const auto& declared = parameter.attributes_as<ParameterAttributes>();
  const auto fail = [&](absl::string_view what, absl::string_view got, absl::string_view wanted) {
    return absl::InvalidArgumentError(
        absl::StrCat("Input ", position, " '", parameter.name(), "' ", what, ": ", got, " instead of ", wanted));
  };
  if (!input.has_value()) return fail("is missing", "nothing", Name(declared.element_type));
  if (input.element_type() != declared.element_type) {
    return fail("has another element type", Name(input.element_type()), Name(declared.element_type));
  }
  if (!declared.shape.Accepts(input.shape())) {
    return fail("has another shape", ToString(input.shape()), declared.shape.ToString());
  }
  if (!declared.shape.has_rank()) return absl::OkStatus();
  for (int64_t i = 0; i < declared.shape.rank(); ++i) {
    const Dimension& dim = declared.shape[i];
    if (dim.symbol().empty()) continue;
    const int64_t size = input.shape()[static_cast<size_t>(i)];
    const int64_t known = symbols->try_emplace(dim.symbol(), size).first->second;
    if (known != size) {
      return fail(absl::StrCat("contradicts another input in dimension '", dim.symbol(), "'"), absl::StrCat(size),
                  absl::StrCat(known));
    }
  }
  return absl::OkStatus();
}

// Returns the tensors that a node reads, `values` being those of each node by id; empty for an absent input.
std::vector<Tensor> InputsOf(const Node& node, const std::vector<std::vector<Tensor>>& values) {
  std::vector<Tensor> inputs(static_cast<size_t>(node.input_count()));
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Value input = node.inputs()[i];
    if (!input.exists()) continue;
    inputs[i] = values[static_cast<size_t>(Index(input.node))][static_cast<size_t>(input.output)];
  }
  return inputs;
}

absl::StatusOr<std::vector<Tensor>> RunNode(const Node& node, const std::vector<Tensor>& inputs,
                                            const ReferenceContext::Environment& environment) {
  // These two hand on a tensor as it is, which may be strided.
  if (node.code() == OpCode::kResult) return inputs;
  if (node.code() == OpCode::kConstant) return std::vector<Tensor>{node.attributes_as<ConstantAttributes>().value};

  const auto label = [&node] { return absl::StrCat("Node '", node.name(), "' (", node.op().name, ")"); };
  absl::StatusOr<std::vector<Tensor>> outputs =
      EvaluateOp(node.op(), node.attributes(), inputs, environment, node.bodies());
  if (!outputs.ok()) return WithContext(outputs.status(), label());
  if (static_cast<int64_t>(outputs->size()) != node.output_count()) {
    return absl::InternalError(absl::StrCat(label(), ": The number of outputs is not what was inferred: ",
                                            outputs->size(), " instead of ", node.output_count()));
  }
  for (int64_t i = 0; i < node.output_count(); ++i) {
    const Tensor& output = (*outputs)[static_cast<size_t>(i)];
    const ValueInfo& inferred = node.output(i);
    if (output.element_type() != inferred.type || !inferred.shape.Accepts(output.shape())) {
      return absl::InternalError(
          absl::StrCat(label(), ": Output ", i, " is not what was inferred: ", Name(output.element_type()),
                       ToString(output.shape()), " instead of ", Name(inferred.type), inferred.shape.ToString()));
    }
  }
  return outputs;
}

}  // namespace

const Tensor* MapVariableStore::Find(absl::string_view variable_id) const {
  const auto it = values_.find(variable_id);
  return it == values_.end() ? nullptr : &it->second;
}

void MapVariableStore::Assign(absl::string_view variable_id, Tensor value) {
  values_.insert_or_assign(std::string(variable_id), std::move(value));
}

void MapVariableStore::Reset(absl::string_view variable_id) {
  const auto it = values_.find(variable_id);
  if (it != values_.end()) values_.erase(it);
}

absl::StatusOr<Evaluator> Evaluator::Create(const Model& model) {
  Evaluator evaluator(model);
  BURIN_ASSIGN_OR_RETURN(evaluator.order_, model.TopologicalOrder());
  // Going backwards, the first reader seen of a node is its last.
  evaluator.last_uses_.resize(evaluator.order_.size());
  std::vector<bool> seen(static_cast<size_t>(model.id_bound()));
  // A result's tensor stays to the end, also where another node reads it; what nobody reads goes at once.
  for (NodeId result : model.results()) seen[static_cast<size_t>(Index(result))] = true;
  for (size_t i = evaluator.order_.size(); i-- > 0;) {
    const NodeId id = evaluator.order_[i];
    const auto last_use = [&](NodeId used) {
      if (seen[static_cast<size_t>(Index(used))]) return;
      seen[static_cast<size_t>(Index(used))] = true;
      evaluator.last_uses_[i].push_back(used);
    };
    last_use(id);
    for (const Value& input : model.node(id).inputs()) {
      if (input.exists()) last_use(input.node);
    }
  }
  return evaluator;
}

absl::StatusOr<std::vector<Tensor>> Evaluator::Run(absl::Span<const Tensor> inputs, const RunOptions& options) const {
  MapVariableStore own_variables;
  DeferredVariableStore variables(options.variables != nullptr ? options.variables : &own_variables);
  PlanningBodyRunner bodies(
      [](const Evaluator& evaluator, absl::Span<const Tensor> body_inputs,
         const ReferenceContext::Environment& environment) { return evaluator.RunIn(body_inputs, environment, {}); },
      options.cancelled, &variables);
  HeapScratchAllocator scratch;
  ReferenceContext::Environment environment;
  environment.scratch = &scratch;
  environment.cancelled = options.cancelled;
  environment.body_runner = &bodies;
  environment.variables = &variables;
  BURIN_ASSIGN_OR_RETURN(std::vector<Tensor> results, RunIn(inputs, environment, options.observer));
  variables.Commit();
  return results;
}

absl::StatusOr<std::vector<Tensor>> Evaluator::RunIn(absl::Span<const Tensor> inputs,
                                                     const ReferenceContext::Environment& environment,
                                                     const RunOptions::Observer& observer) const {
  const std::vector<NodeId>& parameters = model_->parameters();
  if (inputs.size() != parameters.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("The number of inputs is wrong: ", inputs.size(), " instead of ", parameters.size()));
  }
  std::vector<std::vector<Tensor>> values(static_cast<size_t>(model_->id_bound()));
  absl::flat_hash_map<std::string, int64_t> symbols;
  for (size_t i = 0; i < inputs.size(); ++i) {
    BURIN_RETURN_IF_ERROR(CheckInput(model_->node(parameters[i]), i, inputs[i], &symbols));
    values[static_cast<size_t>(Index(parameters[i]))] = {inputs[i]};
  }

  for (size_t i = 0; i < order_.size(); ++i) {
    if (environment.cancelled != nullptr && environment.cancelled->load(std::memory_order_relaxed)) {
      return absl::CancelledError("The run was cancelled");
    }
    const Node& node = model_->node(order_[i]);
    const auto begin = std::chrono::steady_clock::now();
    const std::vector<Tensor> node_inputs = InputsOf(node, values);
    std::vector<Tensor>& outputs = values[static_cast<size_t>(Index(node.id()))];
    if (node.code() != OpCode::kParameter) {
      BURIN_ASSIGN_OR_RETURN(outputs, RunNode(node, node_inputs, environment));
    }
    if (observer) {
      const auto elapsed = std::chrono::steady_clock::now() - begin;
      observer(node, std::chrono::duration_cast<std::chrono::nanoseconds>(elapsed).count(), node_inputs, outputs);
    }
    for (const NodeId id : last_uses_[i]) std::vector<Tensor>().swap(values[static_cast<size_t>(Index(id))]);
  }

  std::vector<Tensor> results;
  results.reserve(model_->results().size());
  for (const NodeId id : model_->results()) results.push_back(values[static_cast<size_t>(Index(id))][0]);
  return results;
}

}  // namespace burin::ir
