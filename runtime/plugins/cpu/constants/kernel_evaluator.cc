#include "runtime/plugins/cpu/constants/kernel_evaluator.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "base/aligned_buffer.h"
#include "base/element_type.h"
#include "base/mapped_file.h"
#include "base/status_macros.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"
#include "runtime/executor/team.h"
#include "runtime/plugins/cpu/graph/primitive.h"
#include "runtime/plugins/cpu/graph/value_desc.h"
#include "runtime/plugins/cpu/nodes/nodes_factory.h"
#include "snippets/tokenize/tokenize.h"

namespace burin::cpu {

namespace {

// Small integers (axes, shapes, indices) decide what an operation does: they stay constants of the model.
constexpr size_t kMostParameterBytes = 4096;

int64_t BytesOf(const ir::Node& node, absl::Span<const ir::Tensor> inputs) {
  int64_t bytes = 0;
  for (const ir::Tensor& input : inputs) {
    if (input.has_value()) bytes += static_cast<int64_t>(input.byte_size());
  }
  for (const ir::ValueInfo& output : node.outputs()) {
    if (!output.shape.is_static()) continue;
    bytes += ir::ElementCount(output.shape.ToShape()).value_or(0) * BitWidth(output.type) / 8;
  }
  return bytes;
}

bool Computes(const ir::Node& node) {
  const ir::OpCode code = node.code();
  return code != ir::OpCode::kConstant && code != ir::OpCode::kParameter && code != ir::OpCode::kResult;
}

// A model of one operation, with its large inputs as parameters.
struct Operation {
  std::unique_ptr<ir::Model> model;
  // By parameter, the input's content.
  std::vector<ir::Tensor> parameters;
  // What runs, after it was made a Subgraph where it can be one.
  const ir::Node* node = nullptr;
};

absl::StatusOr<Operation> MakeOperation(const ir::Node& node, absl::Span<const ir::Tensor> inputs) {
  Operation operation;
  operation.model = std::make_unique<ir::Model>("constant");
  ir::NodeSpec spec;
  spec.op = &node.op();
  spec.attributes = node.attributes().Clone();
  for (const ir::Tensor& input : inputs) {
    if (!input.has_value()) {
      spec.inputs.emplace_back();
      continue;
    }
    BURIN_ASSIGN_OR_RETURN(const ir::Tensor dense, input.ToDense());
    if (!IsFloat(input.element_type()) && input.byte_size() <= kMostParameterBytes) {
      BURIN_ASSIGN_OR_RETURN(const ir::Value value, operation.model->AddConstant(dense));
      spec.inputs.push_back(value);
      continue;
    }
    BURIN_ASSIGN_OR_RETURN(const ir::Value value,
                           operation.model->AddParameter("", dense.element_type(), ir::PartialShape(dense.shape())));
    spec.inputs.push_back(value);
    operation.parameters.push_back(dense);
  }
  BURIN_ASSIGN_OR_RETURN(const ir::NodeId id, operation.model->AddNode(std::move(spec)));
  for (int64_t i = 0; i < operation.model->node(id).output_count(); ++i) {
    BURIN_RETURN_IF_ERROR(operation.model->AddResult({id, static_cast<int32_t>(i)}, "").status());
  }
  snippets::TokenizeOptions options;
  options.single_ops = true;
  BURIN_RETURN_IF_ERROR(snippets::Tokenize(*operation.model, options).status());
  for (const ir::NodeId each : operation.model->NodeIds()) {
    const ir::Node& made = operation.model->node(each);
    if (!Computes(made)) continue;
    // Of several, none is the one.
    if (operation.node != nullptr) return absl::UnimplementedError("The operation became several");
    operation.node = &made;
  }
  if (operation.node == nullptr) return absl::UnimplementedError("The operation became none");
  return operation;
}

// Returns what the node is asked about, row-major, and its inputs' contents; nullopt where a shape is not known.
std::optional<NodeValues> ValuesOf(const Operation& operation, std::vector<ir::Tensor>* contents) {
  const ir::Model& model = *operation.model;
  NodeValues values;
  for (const ir::Value& value : operation.node->inputs()) {
    NodeInput& input = values.inputs.emplace_back();
    ir::Tensor& content = contents->emplace_back();
    if (!value.exists()) continue;
    const ir::ValueInfo& info = model.info(value);
    for (size_t i = 0; i < operation.parameters.size(); ++i) {
      if (model.parameters()[i] == value.node) content = operation.parameters[i];
    }
    if (!content.has_value()) {
      input.constant = info.constant;
      content = info.constant;
    }
    if (!content.has_value()) return std::nullopt;
    input.exists = true;
    input.desc = {info.type, content.shape(), Layout::kRowMajor};
  }
  for (const ir::ValueInfo& info : operation.node->outputs()) {
    if (!info.shape.is_static()) return std::nullopt;
    values.outputs.push_back({info.type, info.shape.ToShape(), Layout::kRowMajor});
  }
  return values;
}

// Returns whether a kernel computes the node on row-major values, all of its outputs.
bool HasKernel(const Node& node, const NodeValues& values, const NodeContext& context) {
  if (absl::string_view(node.type_name()) == "Reference") return false;
  for (size_t i = 0; i < values.outputs.size(); ++i) {
    if (node.ViewOf(static_cast<int>(i)) >= 0) return false;
  }
  const NodeCandidate row_major = RowMajorCandidate(values);
  for (const NodeCandidate& candidate : node.Candidates(values, context)) {
    if (candidate.inputs == row_major.inputs && candidate.outputs == row_major.outputs) return true;
  }
  return false;
}

// Returns the outputs, or Unimplemented where there is no kernel for the operation.
absl::StatusOr<std::vector<ir::Tensor>> ByKernel(const ir::Node& node, absl::Span<const ir::Tensor> inputs,
                                                 const NodeContext& context) {
  BURIN_ASSIGN_OR_RETURN(const Operation operation, MakeOperation(node, inputs));
  std::vector<ir::Tensor> contents;
  const std::optional<NodeValues> values = ValuesOf(operation, &contents);
  if (!values.has_value()) return absl::UnimplementedError("A shape is not known");
  BURIN_ASSIGN_OR_RETURN(const std::shared_ptr<const Node> made, MakeNode(*operation.node, context));
  if (!HasKernel(*made, *values, context)) return absl::UnimplementedError("There is no kernel");
  BURIN_ASSIGN_OR_RETURN(const std::unique_ptr<const Primitive> primitive, made->CreatePrimitive(*values, context));

  std::vector<ir::Tensor> outputs;
  std::vector<const void*> sources;
  std::vector<void*> targets;
  for (const ir::Tensor& content : contents) sources.push_back(content.has_value() ? content.data() : nullptr);
  for (const ValueDesc& desc : values->outputs) {
    BURIN_ASSIGN_OR_RETURN(outputs.emplace_back(), ir::Tensor::Create(desc.type, desc.shape));
    targets.push_back(outputs.back().mutable_data());
  }
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer scratch, AlignedBuffer::Create(static_cast<size_t>(primitive->ScratchBytes(1))));
  executor::Team alone(1, nullptr);
  RunErrors errors;
  primitive->Execute({sources, targets, scratch.data(), &alone, &errors});
  BURIN_RETURN_IF_ERROR(errors.status());
  // What is folded is hardly read again.
  for (const ir::Tensor& parameter : operation.parameters) {
    MappedFile::ReleasePages(parameter.data(), parameter.byte_size());
  }
  return outputs;
}

}  // namespace

absl::StatusOr<std::vector<ir::Tensor>> KernelEvaluator::Evaluate(const ir::Node& node,
                                                                  absl::Span<const ir::Tensor> inputs) const {
  if (BytesOf(node, inputs) >= least_bytes_) {
    absl::StatusOr<std::vector<ir::Tensor>> outputs = ByKernel(node, inputs, context_);
    // Whatever is wrong, the reference says it as it does without kernels.
    if (outputs.ok()) return outputs;
  }
  return transformations::ReferenceConstantEvaluator().Evaluate(node, inputs);
}

}  // namespace burin::cpu
