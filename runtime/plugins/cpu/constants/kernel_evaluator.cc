#include "runtime/plugins/cpu/constants/kernel_evaluator.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/aligned_buffer.h"
#include "base/element_type.h"
#include "base/mapped_file.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"
#include "ir/structural.h"
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

// Returns whether the operation is one of any shapes: element by element, of floats alone, none empty.
bool IsOfAnyShape(const ir::Node& node, absl::Span<const ir::Tensor> inputs) {
  const bool is_elementwise = node.op().Has(ir::kElementwise) && node.output_count() == 1;
  return is_elementwise && node.output(0).shape.is_static() &&
         std::all_of(inputs.begin(), inputs.end(), [](const ir::Tensor& input) {
           return input.has_value() && IsFloat(input.element_type()) && input.element_count() > 0;
         });
}

// Returns a shape for any tensor that is broadcast as `shape` is: axes, counted from the last, have an extent each.
ir::PartialShape AnyShapeLike(const ir::Shape& shape) {
  ir::PartialShape any;
  for (size_t i = 0; i < shape.size(); ++i) {
    any.Append(shape[i] == 1 ? ir::Dimension(1) : ir::Dimension::Symbol(absl::StrCat("axis", shape.size() - i)));
  }
  return any;
}

// Names what is computed, and along which axes inputs are broadcast.
Hash128 PatternOf(const ir::Node& node, absl::Span<const ir::Tensor> inputs) {
  Hasher hasher;
  hasher.UpdateString(node.op().name);
  hasher.Update(ir::HashAttributes(node.attributes()));
  for (const ir::Tensor& input : inputs) {
    hasher.UpdateInt(input.element_type());
    hasher.UpdateString(AnyShapeLike(input.shape()).ToString());
  }
  return hasher.Finish();
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

}  // namespace

// A model of one operation, with its large inputs as parameters.
struct KernelEvaluator::Operation {
  // Makes the operation for these inputs, or, with `any_shape`, for all that PatternOf() names alike.
  static absl::StatusOr<std::shared_ptr<const Operation>> Make(const ir::Node& node,
                                                               absl::Span<const ir::Tensor> inputs, bool any_shape,
                                                               const NodeContext& context);

  // Returns what the node is asked about, row-major, and its inputs' contents; nullopt where a shape is not known.
  std::optional<NodeValues> ValuesOf(const ir::Node& original, absl::Span<const ir::Tensor> inputs,
                                     std::vector<ir::Tensor>* contents) const;

  std::unique_ptr<ir::Model> model;
  // By parameter, which of the inputs it is.
  std::vector<size_t> parameters;
  // What runs, after it was made a Subgraph where it can be one.
  const ir::Node* node = nullptr;
  std::shared_ptr<const Node> made;
};

absl::StatusOr<std::shared_ptr<const KernelEvaluator::Operation>> KernelEvaluator::Operation::Make(
    const ir::Node& node, absl::Span<const ir::Tensor> inputs, bool any_shape, const NodeContext& context) {
  auto operation = std::make_shared<Operation>();
  operation->model = std::make_unique<ir::Model>("constant");
  ir::Model& model = *operation->model;
  ir::NodeSpec spec;
  spec.op = &node.op();
  spec.attributes = node.attributes().Clone();
  for (size_t i = 0; i < inputs.size(); ++i) {
    const ir::Tensor& input = inputs[i];
    if (!input.has_value()) {
      spec.inputs.emplace_back();
      continue;
    }
    if (!IsFloat(input.element_type()) && input.byte_size() <= kMostParameterBytes) {
      BURIN_ASSIGN_OR_RETURN(const ir::Value value, model.AddConstant(input));
      spec.inputs.push_back(value);
      continue;
    }
    const ir::PartialShape shape = any_shape ? AnyShapeLike(input.shape()) : ir::PartialShape(input.shape());
    BURIN_ASSIGN_OR_RETURN(const ir::Value value, model.AddParameter("", input.element_type(), shape));
    spec.inputs.push_back(value);
    operation->parameters.push_back(i);
  }
  BURIN_ASSIGN_OR_RETURN(const ir::NodeId id, model.AddNode(std::move(spec)));
  for (int64_t i = 0; i < model.node(id).output_count(); ++i) {
    BURIN_RETURN_IF_ERROR(model.AddResult({id, static_cast<int32_t>(i)}, "").status());
  }
  snippets::TokenizeOptions options;
  options.single_ops = true;
  BURIN_RETURN_IF_ERROR(snippets::Tokenize(model, options).status());
  for (const ir::NodeId each : model.NodeIds()) {
    const ir::Node& made = model.node(each);
    if (!Computes(made)) continue;
    // Of several, none is the one.
    if (operation->node != nullptr) return absl::UnimplementedError("The operation became several");
    operation->node = &made;
  }
  if (operation->node == nullptr) return absl::UnimplementedError("The operation became none");
  BURIN_ASSIGN_OR_RETURN(operation->made, MakeNode(*operation->node, context));
  return operation;
}

std::optional<NodeValues> KernelEvaluator::Operation::ValuesOf(const ir::Node& original,
                                                               absl::Span<const ir::Tensor> inputs,
                                                               std::vector<ir::Tensor>* contents) const {
  NodeValues values;
  for (const ir::Value& value : node->inputs()) {
    NodeInput& input = values.inputs.emplace_back();
    ir::Tensor& content = contents->emplace_back();
    if (!value.exists()) continue;
    const ir::ValueInfo& info = model->info(value);
    for (size_t i = 0; i < parameters.size(); ++i) {
      if (model->parameters()[i] == value.node) content = inputs[parameters[i]];
    }
    if (!content.has_value()) {
      input.constant = info.constant;
      content = info.constant;
    }
    if (!content.has_value()) return std::nullopt;
    input.exists = true;
    input.desc = {info.type, content.shape(), Layout::kRowMajor};
  }
  for (size_t i = 0; i < node->outputs().size(); ++i) {
    const ir::ValueInfo& info = node->output(static_cast<int64_t>(i));
    // Of an operation of any shape the model at hand knows more.
    const ir::PartialShape& shape =
        info.shape.is_static() ? info.shape : original.output(static_cast<int64_t>(i)).shape;
    if (!shape.is_static()) return std::nullopt;
    values.outputs.push_back({info.type, shape.ToShape(), Layout::kRowMajor});
  }
  return values;
}

KernelEvaluator::KernelEvaluator(NodeContext context, int64_t least_bytes)
    : context_(std::move(context)), least_bytes_(least_bytes) {}

KernelEvaluator::~KernelEvaluator() = default;

int64_t KernelEvaluator::nodes_made() const {
  const absl::MutexLock lock(&mutex_);
  return nodes_made_;
}

absl::StatusOr<std::shared_ptr<const KernelEvaluator::Operation>> KernelEvaluator::OperationFor(
    const ir::Node& node, absl::Span<const ir::Tensor> inputs) const {
  const bool any_shape = IsOfAnyShape(node, inputs);
  const Hash128 pattern = any_shape ? PatternOf(node, inputs) : Hash128();
  if (any_shape) {
    const absl::MutexLock lock(&mutex_);
    const auto known = operations_.find(pattern);
    if (known != operations_.end()) return known->second;
  }
  BURIN_ASSIGN_OR_RETURN(const std::shared_ptr<const Operation> operation,
                         Operation::Make(node, inputs, any_shape, context_));
  const absl::MutexLock lock(&mutex_);
  ++nodes_made_;
  if (any_shape) operations_.emplace(pattern, operation);
  return operation;
}

absl::StatusOr<std::vector<ir::Tensor>> KernelEvaluator::ByKernel(const ir::Node& node,
                                                                  absl::Span<const ir::Tensor> inputs) const {
  std::vector<ir::Tensor> dense;
  for (const ir::Tensor& input : inputs) {
    dense.emplace_back();
    if (input.has_value()) {
      BURIN_ASSIGN_OR_RETURN(dense.back(), input.ToDense());
    }
  }
  BURIN_ASSIGN_OR_RETURN(const std::shared_ptr<const Operation> operation, OperationFor(node, dense));
  std::vector<ir::Tensor> contents;
  const std::optional<NodeValues> values = operation->ValuesOf(node, dense, &contents);
  if (!values.has_value()) return absl::UnimplementedError("A shape is not known");
  const Node& made = *operation->made;
  if (!HasKernel(made, *values, context_)) return absl::UnimplementedError("There is no kernel");
  BURIN_ASSIGN_OR_RETURN(const std::unique_ptr<const Primitive> primitive, made.CreatePrimitive(*values, context_));

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
  for (const size_t i : operation->parameters) MappedFile::ReleasePages(dense[i].data(), dense[i].byte_size());
  return outputs;
}

absl::StatusOr<std::vector<ir::Tensor>> KernelEvaluator::Evaluate(const ir::Node& node,
                                                                  absl::Span<const ir::Tensor> inputs) const {
  if (BytesOf(node, inputs) >= least_bytes_) {
    absl::StatusOr<std::vector<ir::Tensor>> outputs = ByKernel(node, inputs);
    // Whatever is wrong, the reference says it as it does without kernels.
    if (outputs.ok()) return outputs;
  }
  return transformations::ReferenceConstantEvaluator().Evaluate(node, inputs);
}

}  // namespace burin::cpu
