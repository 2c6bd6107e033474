#include "snippets/kernel/packed_inputs.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "jit/kernels/copy_layout.h"

namespace burin::snippets {
namespace {

constexpr int64_t kLineBytes = 64;

// What is packed begins at multiples of this, and its rows at multiples of a line.
constexpr int64_t kAlignment = 64;

// A chunk has as many indices as a line has elements, or twice as many where they are small enough a part of the cache.
constexpr int64_t kShareOfCache = 4;

// Rows below this many elements have no line to share.
constexpr int64_t kLeastExtent = 16;

int64_t RoundUp(int64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

int64_t BytesOf(const LinearOperand& operand) { return BitWidth(operand.type) / 8; }

// Returns the axis, other than the vectors', along which an operand's elements lie side by side; -1 where it has none,
// or is not long enough for a copy to pay.
int SideBySideAxis(const BodyGraph& graph, const LoweredKernel& kernel, size_t i) {
  const LinearIr& ir = kernel.ir;
  const LinearOperand& operand = ir.operands[i];
  if (operand.kind != OperandKind::kInput || operand.contiguous || operand.step != 0) return -1;
  if (BitWidth(operand.type) < 8) return -1;
  const auto is_long = [&](int axis) {
    const auto at = static_cast<size_t>(axis);
    return graph.declared_extents[at] == kernel.extents[at] && kernel.extents[at] >= kLeastExtent;
  };
  if ((operand.axes & AxisBit(ir.vector_axis)) == 0 || !is_long(ir.vector_axis)) return -1;
  for (int axis = 0; axis < static_cast<int>(ir.axes.size()); ++axis) {
    if (axis == ir.vector_axis || (operand.axes & AxisBit(axis)) == 0) continue;
    if (kernel.strides[i][static_cast<size_t>(axis)] == BytesOf(operand) && is_long(axis)) return axis;
  }
  return -1;
}

bool MayCut(const LinearIr& ir, int axis) {
  if (!ir.axes[static_cast<size_t>(axis)].parallel) return false;
  return std::all_of(ir.operands.begin(), ir.operands.end(), [axis](const LinearOperand& operand) {
    return operand.kind != OperandKind::kOutput || (operand.axes & AxisBit(axis)) != 0;
  });
}

}  // namespace

PackedInputs PackedInputs::Choose(const BodyGraph& graph, LoweredKernel& kernel) {
  PackedInputs packed;
  if (graph.declared_extents.size() != kernel.extents.size()) return packed;
  // Where there is nothing to read along some axis, there is nothing to pack.
  if (std::count(kernel.extents.begin(), kernel.extents.end(), 0) > 0) return packed;
  for (size_t i = 0; i < kernel.ir.operands.size(); ++i) {
    const int axis = SideBySideAxis(graph, kernel, i);
    if (axis < 0 || (packed.axis_ >= 0 && axis != packed.axis_)) continue;
    const AxisSet others = kernel.ir.operands[i].axes & ~AxisBit(kernel.ir.vector_axis);
    bool may_cut = true;
    for (int k = 0; k < static_cast<int>(kernel.extents.size()); ++k) {
      may_cut = may_cut && ((others & AxisBit(k)) == 0 || MayCut(kernel.ir, k));
    }
    if (!may_cut) continue;
    packed.axis_ = axis;
    Input input;
    input.operand = i;
    input.strides = kernel.strides[i];
    packed.inputs_.push_back(std::move(input));
    kernel.ir.operands[i].contiguous = true;
  }
  return packed;
}

bool PackedInputs::Has(size_t operand) const {
  return std::any_of(inputs_.begin(), inputs_.end(), [operand](const Input& one) { return one.operand == operand; });
}

const PackedInputs::Input& PackedInputs::input(size_t operand) const {
  const auto it =
      std::find_if(inputs_.begin(), inputs_.end(), [operand](const Input& one) { return one.operand == operand; });
  BURIN_CHECK(it != inputs_.end()) << "an operand that is not packed: " << operand;
  return *it;
}

int64_t PackedInputs::SourceStride(size_t operand, int axis) const {
  return input(operand).strides[static_cast<size_t>(axis)];
}

int64_t PackedInputs::ChunkOf(const LoweredKernel& kernel, const jit::Target& target) const {
  int64_t indices = kLeastExtent;
  int64_t bytes = 0;
  for (const Input& input : inputs_) {
    const LinearOperand& operand = kernel.ir.operands[input.operand];
    indices = std::max(indices, kLineBytes / BytesOf(operand));
    bytes += kernel.extents[static_cast<size_t>(kernel.ir.vector_axis)] * BytesOf(operand);
  }
  if (2 * indices * bytes <= target.caches().l2 / kShareOfCache) indices *= 2;
  return std::min(indices, kernel.extents[static_cast<size_t>(axis_)]);
}

absl::StatusOr<size_t> PackedInputs::Plan(const LoweredKernel& kernel, int64_t chunk, const jit::Target& target,
                                          jit::CodeCache& cache, absl::Span<int64_t> strides) {
  const size_t axes = kernel.extents.size();
  extent_ = kernel.extents[static_cast<size_t>(axis_)];
  chunk_ = chunk;
  int64_t place = 0;
  for (Input& input : inputs_) {
    const LinearOperand& operand = kernel.ir.operands[input.operand];
    const auto bytes = static_cast<int>(BytesOf(operand));
    input.place = static_cast<size_t>(place);
    const absl::Span<int64_t> in_scratch = strides.subspan(input.operand * axes, axes);
    std::fill(in_scratch.begin(), in_scratch.end(), 0);
    jit::StridedCopySpec spec;
    spec.element_bytes = bytes;
    // Rows lie one after the other.
    int64_t next = bytes;
    const auto lay = [&](int axis, int64_t extent) {
      const auto at = static_cast<size_t>(axis);
      if ((operand.axes & AxisBit(axis)) == 0) return;
      in_scratch[at] = next;
      spec.dims.push_back({extent, input.strides[at], next});
      next *= extent;
      if (axis == kernel.ir.vector_axis) next = RoundUp(next);
    };
    lay(kernel.ir.vector_axis, kernel.extents[static_cast<size_t>(kernel.ir.vector_axis)]);
    lay(axis_, chunk_);
    BURIN_ASSIGN_OR_RETURN(input.whole, jit::CopyPlan::Create(spec, target, cache));
    if (extent_ % chunk_ != 0) {
      spec.dims.back().extent = extent_ % chunk_;
      BURIN_ASSIGN_OR_RETURN(input.last, jit::CopyPlan::Create(spec, target, cache));
    }
    place += RoundUp(next);
  }
  return static_cast<size_t>(place);
}

void PackedInputs::Pack(int64_t index, char* scratch, absl::Span<void*> operands) const {
  const int64_t first = index * chunk_;
  for (const Input& input : inputs_) {
    const bool is_whole = extent_ - first >= chunk_;
    const jit::CopyPlan& plan = is_whole ? *input.whole : *input.last;
    void*& pointer = operands[input.operand];
    const char* const source = static_cast<const char*>(pointer) + first * input.strides[static_cast<size_t>(axis_)];
    pointer = scratch + input.place;
    plan.Run(source, pointer, 0, plan.work_items());
  }
}

}  // namespace burin::snippets
