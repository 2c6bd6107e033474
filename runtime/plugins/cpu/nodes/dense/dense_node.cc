#include "runtime/plugins/cpu/nodes/dense/dense_node.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/types/span.h"
#include "base/aligned_buffer.h"
#include "base/status_macros.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "jit/isa/isa.h"
#include "runtime/executor/team.h"
#include "runtime/plugins/cpu/constants/packed_weights.h"
#include "runtime/plugins/cpu/nodes/copy_primitive.h"
#include "runtime/plugins/cpu/nodes/dense/dense_primitive.h"
#include "runtime/plugins/cpu/nodes/dense/weights_packing.h"

namespace burin::cpu {

namespace {

// Returns a constant in the order of another layout.
absl::StatusOr<ir::Tensor> Moved(const ir::Tensor& constant, const ValueDesc& from, const ValueDesc& to,
                                 const NodeContext& context) {
  BURIN_ASSIGN_OR_RETURN(const ir::Tensor dense, constant.ToDense());
  BURIN_ASSIGN_OR_RETURN(ir::Tensor moved, ir::Tensor::Create(dense.element_type(), dense.shape()));
  BURIN_ASSIGN_OR_RETURN(const ElementMove move, MoveBetween(from, to));
  BURIN_ASSIGN_OR_RETURN(const std::unique_ptr<const Primitive> copy, MakeCopyPrimitive({move}, context));
  const void* const source = dense.data();
  void* const target = moved.mutable_data();
  executor::Team alone(1, nullptr);
  RunErrors errors;
  copy->Execute({absl::MakeConstSpan(&source, 1), absl::MakeConstSpan(&target, 1), nullptr, &alone, &errors});
  return moved;
}

absl::StatusOr<std::shared_ptr<const AlignedBuffer>> PackedConstant(const ir::Tensor& constant,
                                                                    const WeightsPacking& packing,
                                                                    const NodeContext& context) {
  WeightPacking form;
  form.form = packing.key();
  form.packed_bytes = packing.packed_bytes();
  form.scratch_bytes = packing.scratch_bytes();
  form.work_items = packing.work_items();
  form.reads_in_order = packing.reads_in_order();
  const auto run = [&](const void* source, void* packed, void* scratch, int64_t begin, int64_t end) {
    packing.Run(source, packed, scratch, begin, end);
  };
  return PackWeights(constant, form, run, context);
}

}  // namespace

std::vector<NodeCandidate> DenseNode::Candidates(const NodeValues& values, const NodeContext&) const {
  NodeCandidate candidate = RowMajorCandidate(values);
  candidate.inputs[static_cast<size_t>(step_.InputOf(0))] = layout_;
  candidate.outputs.assign(values.outputs.size(), layout_);
  if (step_.epilogue == nullptr) return {std::move(candidate)};
  for (size_t i = 0; i < values.inputs.size(); ++i) {
    const auto input = static_cast<int>(i);
    if (step_.epilogue->IsFull(input)) candidate.inputs[i] = layout_;
  }
  return {std::move(candidate)};
}

absl::StatusOr<DensePasses> DenseNode::PassesOf(const NodeValues& values, const NodeContext& context) const {
  const jit::EpilogueEmitter* const epilogue = step_.epilogue == nullptr ? nullptr : &step_.epilogue->emitter();
  return MakePasses(step_.OperationValues(values), epilogue, context);
}

bool DenseNode::MayRunInPlace(const NodeValues& values, int input, int output) const {
  if (step_.epilogue == nullptr || step_.OperationReads(input)) return false;
  const ValueDesc& from = values.inputs[static_cast<size_t>(input)].desc;
  const ValueDesc& to = values.outputs[static_cast<size_t>(output)];
  if (from.type != to.type || from.layout != to.layout || from.shape != to.shape) return false;
  if (!step_.epilogue->MayRunInPlace(input, output)) return false;
  if (step_.epilogue->SumsOutput() != output) return true;
  const absl::StatusOr<DensePasses> passes = PassesOf(values, context_);
  return passes.ok() &&
         std::none_of(passes->begin(), passes->end(), [](const auto& pass) { return pass->keeps_sums(); });
}

absl::StatusOr<std::unique_ptr<const Primitive>> DenseNode::CreatePrimitive(const NodeValues& values,
                                                                            const NodeContext& context) const {
  DensePrimitive::Parts parts;
  BURIN_ASSIGN_OR_RETURN(parts.passes, PassesOf(values, context));
  parts.step = step_;
  const int weights = step_.InputOf(1);
  const WeightsPacking* const packing = parts.passes[0]->packing();
  if (packing != nullptr && values.inputs[static_cast<size_t>(weights)].constant.has_value()) {
    const ir::Tensor& constant = values.inputs[static_cast<size_t>(weights)].constant;
    BURIN_ASSIGN_OR_RETURN(parts.packed, PackedConstant(constant, *packing, context));
  }
  for (size_t i = 0; i < values.inputs.size(); ++i) {
    const NodeInput& input = values.inputs[i];
    if (!input.constant.has_value() || step_.epilogue == nullptr) continue;
    if (!step_.epilogue->IsFull(static_cast<int>(i))) continue;
    ValueDesc wanted = input.desc;
    wanted.layout = layout_;
    if (SameBytes(input.desc, wanted)) continue;
    BURIN_ASSIGN_OR_RETURN(ir::Tensor moved, Moved(input.constant, input.desc, wanted, context));
    parts.replaced.emplace_back(static_cast<int>(i), std::move(moved));
  }
  const ir::Shape& result = values.outputs[0].shape;
  const int64_t elements = ir::ElementCount(result).value_or(0);
  parts.columns = layout_ == Layout::kChannelsLast ? result[1] : result.empty() ? 1 : result.back();
  parts.rows = parts.columns == 0 ? 0 : elements / parts.columns;
  parts.isa = std::string(Name(context.target.level()));
  return std::make_unique<DensePrimitive>(std::move(parts));
}

}  // namespace burin::cpu
