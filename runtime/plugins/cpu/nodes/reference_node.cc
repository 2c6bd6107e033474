#include "runtime/plugins/cpu/nodes/reference_node.h"

#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/status_macros.h"
#include "ir/evaluate_op.h"
#include "ir/evaluator.h"
#include "ir/reference_context.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "runtime/plugins/cpu/graph/value_desc.h"

namespace burin::cpu {

namespace {

// Evaluates bodies by the reference too.
class ReferenceBodies final : public ir::BodyRunner {
 public:
  absl::StatusOr<std::vector<ir::Tensor>> Run(const ir::Model& body, absl::Span<const ir::Tensor> inputs) override {
    BURIN_ASSIGN_OR_RETURN(const ir::Evaluator evaluator, ir::Evaluator::Create(body));
    return evaluator.Run(inputs);
  }
};

// Returns the memory of a value as a tensor.
absl::StatusOr<ir::Tensor> ViewOf(const ValueDesc& desc, void* data) {
  if (desc.layout == Layout::kRowMajor) return ir::Tensor::View(desc.type, desc.shape, data);
  return ir::Tensor::View(desc.type, desc.shape, data, StridesOf(desc));
}

class ReferencePrimitive final : public Primitive {
 public:
  ReferencePrimitive(const ir::Node* node, NodeValues values) : node_(node), values_(std::move(values)) {}

  void Execute(const ExecutionArgs& args) const override {
    const absl::Status status = Evaluate(args);
    if (status.ok()) return;
    args.errors->Add(absl::Status(status.code(), absl::StrCat("Node ", node_->name(), ": ", status.message())));
  }

  std::string kernel_name() const override { return "reference"; }
  std::string isa_name() const override { return "none"; }

 private:
  absl::Status Evaluate(const ExecutionArgs& args) const {
    std::vector<ir::Tensor> inputs(values_.inputs.size());
    for (size_t i = 0; i < inputs.size(); ++i) {
      const NodeInput& input = values_.inputs[i];
      if (!input.exists) continue;
      if (input.constant.has_value()) {
        inputs[i] = input.constant;
        continue;
      }
      BURIN_ASSIGN_OR_RETURN(inputs[i], ViewOf(input.desc, const_cast<void*>(args.inputs[i])));
    }
    ir::HeapScratchAllocator scratch;
    ir::ReferenceContext::Environment environment;
    environment.scratch = &scratch;
    ReferenceBodies bodies;
    environment.body_runner = &bodies;
    BURIN_ASSIGN_OR_RETURN(const std::vector<ir::Tensor> outputs,
                           ir::EvaluateOp(node_->op(), node_->attributes(), inputs, environment, node_->bodies()));
    for (size_t i = 0; i < outputs.size(); ++i) {
      const ValueDesc& expected = values_.outputs[i];
      if (outputs[i].shape() != expected.shape) {
        return absl::InternalError(absl::StrCat("an output has another shape than was inferred: expected ",
                                                ir::ToString(expected.shape), ", found ",
                                                ir::ToString(outputs[i].shape())));
      }
      // An output that is an input, which is overwritten, is where it belongs.
      if (outputs[i].byte_size() == 0 || outputs[i].data() == args.outputs[i]) continue;
      BURIN_ASSIGN_OR_RETURN(const ir::Tensor target, ViewOf(expected, args.outputs[i]));
      BURIN_RETURN_IF_ERROR(outputs[i].CopyTo(target));
    }
    return absl::OkStatus();
  }

  const ir::Node* const node_;
  const NodeValues values_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<const Primitive>> ReferenceNode::CreatePrimitive(const NodeValues& values,
                                                                                const NodeContext&) const {
  return std::make_unique<ReferencePrimitive>(node_, values);
}

}  // namespace burin::cpu
