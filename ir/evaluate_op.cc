#include "ir/evaluate_op.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/aligned_buffer.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "ir/attributes.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"
#include "ir/shape.h"
#include "ir/tensor.h"

namespace burin::ir {
namespace {

using Bodies = absl::Span<const std::unique_ptr<Model>>;

absl::Status CheckArity(const OpDef& op, absl::Span<const ValueInfo* const> inputs, Bodies bodies) {
  const auto error = [&op](const auto&... what) {
    return absl::InvalidArgumentError(absl::StrCat(op.name, ": ", what...));
  };
  // Absent inputs at the end are the same as inputs left out.
  size_t count = inputs.size();
  while (count > 0 && inputs[count - 1] == nullptr) --count;
  if (op.max_inputs >= 0 && count > static_cast<size_t>(op.max_inputs)) {
    return error("too many inputs; at most ", op.max_inputs, ", got: ", count);
  }
  const size_t needed = static_cast<size_t>(std::max(op.min_inputs, 0));
  for (size_t i = 0; i < std::max(count, needed); ++i) {
    const bool may_be_absent = i < 64 && ((op.absent_inputs >> i) & 1) != 0;
    if ((i >= count || inputs[i] == nullptr) && !may_be_absent) {
      return error("input ", i, " is absent; at least ", needed, " are needed, got: ", count);
    }
  }
  if (op.bodies >= 0 && bodies.size() != static_cast<size_t>(op.bodies)) {
    return error("wrong number of bodies; wanted ", op.bodies, ", got: ", bodies.size());
  }
  return absl::OkStatus();
}

// Refuses shapes that no tensor can have, and narrows dimensions to what a size can be.
absl::Status CheckShape(PartialShape* shape) {
  if (!shape->has_rank()) return absl::OkStatus();
  if (shape->rank() > kMaxRank) return absl::InvalidArgumentError(absl::StrCat("rank is above ", kMaxRank));
  for (int64_t i = 0; i < shape->rank(); ++i) {
    if ((*shape)[i].min() < 0 && !Intersect(Dimension(), &(*shape)[i])) {
      return absl::InvalidArgumentError(absl::StrCat("negative dimension in shape ", shape->ToString()));
    }
  }
  if (shape->is_static()) return ElementCount(shape->ToShape()).status();
  return absl::OkStatus();
}

// Returns the number of elements where it is known and small enough to travel, else nullopt.
std::optional<int64_t> SmallCount(const PartialShape& shape) {
  const Dimension count = shape.ElementCount();
  if (shape.is_dynamic() || count.is_dynamic() || count.value() > kMaxPropagatedElements) return std::nullopt;
  return count.value();
}

// Makes `constant` and `content` say the same as far as each can.
absl::Status CompleteValue(ValueInfo* info) {
  if (info->content.has_value() && info->shape.has_rank() && info->shape.rank() == 1) {
    // The number of elements is the dimension.
    if (!Intersect(Dimension(static_cast<int64_t>(info->content->size())), &info->shape[0])) {
      return absl::InternalError(absl::StrCat("content does not fit shape ", info->shape.ToString()));
    }
  }
  const std::optional<int64_t> count = SmallCount(info->shape);
  if (!count.has_value() || !IsInteger(info->type) || info->shape.rank() > 1) return absl::OkStatus();
  if (!info->constant.has_value()) {
    if (!info->content.has_value()) return absl::OkStatus();
    const PartialValue& content = *info->content;
    if (!std::all_of(content.begin(), content.end(), [](const Dimension& d) { return d.is_static(); })) {
      return absl::OkStatus();
    }
    BURIN_ASSIGN_OR_RETURN(info->constant, Tensor::Create(info->type, info->shape.ToShape()));
    for (int64_t i = 0; i < *count; ++i) {
      StoreFromInt64(info->type, info->constant.mutable_data(), i, content[static_cast<size_t>(i)].value());
    }
  }
  // Read back even where it came from `content`: values outside of the type's range have wrapped as they will in a run.
  BURIN_ASSIGN_OR_RETURN(const Tensor dense, info->constant.ToDense());
  PartialValue exact;
  exact.reserve(static_cast<size_t>(*count));
  for (int64_t i = 0; i < *count; ++i) exact.emplace_back(LoadAsInt64(info->type, dense.data(), i));
  info->content = std::move(exact);
  return absl::OkStatus();
}

// Runs the op's inference with all checks but without computing values. Does not evaluate anything, so evaluation may
// rely on it.
absl::StatusOr<std::vector<ValueInfo>> InferOutputs(const OpDef& op, const Attributes& attributes,
                                                    absl::Span<const ValueInfo* const> inputs, Bodies bodies) {
  BURIN_RETURN_IF_ERROR(CheckArity(op, inputs, bodies));
  if (op.infer == nullptr) return absl::UnimplementedError(absl::StrCat("No inference for op: ", op.name));
  InferContext context(attributes, inputs, op.outputs, bodies);
  if (absl::Status status = op.infer(context); !status.ok()) {
    const bool labelled = absl::StartsWith(status.message(), absl::StrCat(op.name, "_"));
    return labelled ? status : WithContext(status, op.name);
  }
  if (op.outputs >= 0 && context.output_count() != op.outputs) {
    return absl::InternalError(absl::StrCat(op.name, ": inference gives a wrong number of outputs; wanted ", op.outputs,
                                            ", got: ", context.output_count()));
  }
  for (int64_t i = 0; i < context.output_count(); ++i) {
    ValueInfo& output = context.output(i);
    const std::string where = absl::StrCat(op.name, ": output ", i);
    if (output.type == ElementType::kUndefined) {
      return absl::InternalError(absl::StrCat(where, " has no type after inference"));
    }
    BURIN_RETURN_IF_ERROR(WithContext(CheckShape(&output.shape), where));
    BURIN_RETURN_IF_ERROR(WithContext(CompleteValue(&output), where));
  }
  return std::move(context.outputs());
}

// Runs the reference on dense inputs (for kShapeOnly ops, whatever has the shapes).
absl::StatusOr<std::vector<Tensor>> RunReference(const OpDef& op, const Attributes& attributes,
                                                 absl::Span<const Tensor> inputs, absl::Span<const ValueInfo> inferred,
                                                 const ReferenceContext::Environment& environment, Bodies bodies) {
  if (op.reference == nullptr) {
    return absl::UnimplementedError(absl::StrCat("No reference evaluation for op: ", op.name));
  }
  std::vector<Tensor> outputs(inferred.size());
  std::vector<ElementType> types;
  types.reserve(inferred.size());
  for (size_t i = 0; i < inferred.size(); ++i) {
    types.push_back(inferred[i].type);
    if (inferred[i].shape.is_dynamic()) continue;
    absl::StatusOr<Tensor> output = Tensor::Create(inferred[i].type, inferred[i].shape.ToShape());
    if (!output.ok()) return WithContext(output.status(), absl::StrCat(op.name, ": output ", i));
    outputs[i] = *std::move(output);
  }
  ReferenceContext context(attributes, inputs, absl::MakeSpan(outputs), types, environment, bodies);
  BURIN_RETURN_IF_ERROR(context.CheckCancelled());
  const absl::Status status = op.reference(context);
  environment.scratch->ReleaseAll();
  if (!status.ok()) return WithContext(status, op.name);
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Tensor& output = outputs[i];
    if (!output.has_value() || output.element_type() != types[i] || !inferred[i].shape.Accepts(output.shape())) {
      return absl::InternalError(absl::StrCat(op.name, ": evaluation and inference disagree on output ", i,
                                              "; inferred ", Name(types[i]), inferred[i].shape.ToString(),
                                              ", got: ", output.ToString(/*max_elements=*/0)));
    }
  }
  return outputs;
}

// Returns a stand-in for a value of which only type and shape are known, for ops that look at nothing else; nullopt
// where there is none. Its elements all lie at one address, so its size costs nothing.
std::optional<Tensor> StandIn(const ValueInfo& info, void* element) {
  if (info.shape.is_dynamic()) return std::nullopt;
  const Shape shape = info.shape.ToShape();
  absl::StatusOr<Tensor> tensor = Tensor::View(info.type, shape, element, ByteStrides(shape.size(), 0));
  if (!tensor.ok()) return std::nullopt;
  return *std::move(tensor);
}

// Returns the tensors to evaluate on where all that the op depends on is known before the model runs, else nullopt.
std::optional<std::vector<Tensor>> KnownInputs(const OpDef& op, absl::Span<const ValueInfo* const> inputs,
                                               void* element) {
  std::vector<Tensor> tensors(inputs.size());
  bool any = false;  // An op without inputs is a source, whose value its inference sets if it can.
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] == nullptr) continue;
    any = true;
    const Tensor& constant = inputs[i]->constant;
    if (constant.has_value() && constant.element_count() <= kMaxPropagatedElements) {
      absl::StatusOr<Tensor> dense = constant.ToDense();
      if (!dense.ok()) return std::nullopt;
      tensors[i] = *std::move(dense);
    } else if (op.Has(kShapeOnly)) {
      std::optional<Tensor> stand_in = StandIn(*inputs[i], element);
      if (!stand_in.has_value()) return std::nullopt;
      tensors[i] = *std::move(stand_in);
    } else {
      return std::nullopt;
    }
  }
  if (!any) return std::nullopt;
  return tensors;
}

// Computes the outputs' constants where everything is known and small.
absl::Status Fold(const OpDef& op, const Attributes& attributes, absl::Span<const ValueInfo* const> inputs,
                  std::vector<ValueInfo>* outputs) {
  if (op.Has(kImpure) || op.bodies != 0 || op.reference == nullptr) return absl::OkStatus();
  bool all_known = true;
  for (const ValueInfo& output : *outputs) {
    if (!SmallCount(output.shape).has_value()) return absl::OkStatus();
    all_known = all_known && output.constant.has_value();
  }
  if (all_known) return absl::OkStatus();
  int64_t element = 0;  // As wide as the widest type.
  const std::optional<std::vector<Tensor>> tensors = KnownInputs(op, inputs, &element);
  if (!tensors.has_value()) return absl::OkStatus();
  HeapScratchAllocator scratch;
  ReferenceContext::Environment environment;
  environment.scratch = &scratch;
  absl::StatusOr<std::vector<Tensor>> values = RunReference(op, attributes, *tensors, *outputs, environment, {});
  if (!values.ok()) {
    // What cannot be computed now stays unknown, and the run itself reports it; our own bugs surface at once.
    return absl::IsInternal(values.status()) ? values.status() : absl::OkStatus();
  }
  for (size_t i = 0; i < outputs->size(); ++i) {
    ValueInfo& output = (*outputs)[i];
    if (output.constant.has_value()) continue;
    output.constant = std::move((*values)[i]);
    BURIN_RETURN_IF_ERROR(CompleteValue(&output));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<ValueInfo>> InferOp(const OpDef& op, const Attributes& attributes,
                                               absl::Span<const ValueInfo* const> inputs,
                                               absl::Span<const std::unique_ptr<Model>> bodies) {
  BURIN_ASSIGN_OR_RETURN(std::vector<ValueInfo> outputs, InferOutputs(op, attributes, inputs, bodies));
  BURIN_RETURN_IF_ERROR(Fold(op, attributes, inputs, &outputs));
  return outputs;
}

absl::StatusOr<std::vector<Tensor>> EvaluateOp(const OpDef& op, const Attributes& attributes,
                                               absl::Span<const Tensor> inputs,
                                               const ReferenceContext::Environment& environment,
                                               absl::Span<const std::unique_ptr<Model>> bodies) {
  std::vector<Tensor> dense(inputs.size());
  std::vector<ValueInfo> infos(inputs.size());
  std::vector<const ValueInfo*> known(inputs.size(), nullptr);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].has_value()) continue;
    BURIN_ASSIGN_OR_RETURN(dense[i], inputs[i].ToDense());
    infos[i].type = dense[i].element_type();
    infos[i].shape = dense[i].shape();
    infos[i].constant = dense[i];
    BURIN_RETURN_IF_ERROR(CompleteValue(&infos[i]));
    known[i] = &infos[i];
  }
  BURIN_ASSIGN_OR_RETURN(const std::vector<ValueInfo> inferred, InferOutputs(op, attributes, known, bodies));
  return RunReference(op, attributes, dense, inferred, environment, bodies);
}

absl::StatusOr<std::vector<Tensor>> EvaluateOp(const OpDef& op, const Attributes& attributes,
                                               absl::Span<const Tensor> inputs) {
  HeapScratchAllocator scratch;
  ReferenceContext::Environment environment;
  environment.scratch = &scratch;
  return EvaluateOp(op, attributes, inputs, environment);
}

absl::StatusOr<void*> HeapScratchAllocator::Lend(size_t bytes) {
  const auto free = blocks_.begin() + static_cast<ptrdiff_t>(lent_);
  const auto fitting =
      std::find_if(free, blocks_.end(), [bytes](const AlignedBuffer& block) { return block.capacity() >= bytes; });
  if (fitting != blocks_.end()) {
    std::swap(*free, *fitting);
  } else if (free != blocks_.end()) {
    // Too small ones would pile up: one of them makes room for the new block.
    *free = AlignedBuffer();
    BURIN_ASSIGN_OR_RETURN(*free, AlignedBuffer::Create(bytes));
  } else {
    BURIN_ASSIGN_OR_RETURN(AlignedBuffer block, AlignedBuffer::Create(bytes));
    blocks_.push_back(std::move(block));
  }
  return blocks_[lent_++].data();
}

void HeapScratchAllocator::ReleaseAll() { lent_ = 0; }

}  // namespace burin::ir
