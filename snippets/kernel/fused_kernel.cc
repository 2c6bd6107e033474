#include "snippets/kernel/fused_kernel.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/check.h"
#include "base/element_type.h"
#include "base/hash.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/tensor.h"
#include "jit/asm/code_blob.h"
#include "jit/code_cache.h"
#include "jit/code_key.h"
#include "jit/debug/cycle_counters.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "snippets/codegen/fused_kernel_args.h"
#include "snippets/codegen/kernel_emitter.h"
#include "snippets/linear/in_place.h"
#include "snippets/linear/linear_ir.h"
#include "snippets/lowering/body_graph.h"
#include "snippets/lowering/fetch_ahead.h"
#include "snippets/lowering/lower.h"

namespace burin::snippets {
namespace {

constexpr size_t kAlignment = 64;
// Items are at least this many elements where there are so many, and there are at most about this many items.
constexpr int64_t kLeastElements = 1024;
constexpr int64_t kManyItems = 256;

Hash128 SpecHash(const LinearIr& ir, const KernelOptions& options) {
  Hasher hasher;
  hasher.UpdateString(ir.ToString());
  hasher.UpdateInt(options.limits.general);
  hasher.UpdateInt(options.limits.vectors);
  hasher.UpdateInt(options.counts_cycles ? 1 : 0);
  return hasher.Finish();
}

absl::StatusOr<jit::CachedCode> GetCode(const LinearIr& ir, const jit::Target& target,
                                        const FusedKernel::Options& options) {
  const KernelOptions how = {options.limits, options.counts_cycles};
  const jit::CodeKey key = jit::CodeKey::Of("fused", target, SpecHash(ir, how));
  return options.code_cache->GetOrGenerate(key, [&] { return GenerateKernel(ir, target, how); });
}

}  // namespace

absl::StatusOr<FusedKernel> FusedKernel::Create(const SizedBody& body, const jit::Target& target,
                                                const Options& options) {
  BURIN_ASSIGN_OR_RETURN(BodyGraph graph, BodyGraph::Create(body));
  const bool wide = target.Supports(jit::IsaLevel::kAvx512);
  VectorFile vectors = {wide ? jit::VecAvx512::kLanes : jit::VecAvx2::kLanes,
                        std::min(options.limits.vectors, wide ? 32 : 16)};
  const std::string name = "fused_" + body.sized.name();
  BURIN_ASSIGN_OR_RETURN(LoweredKernel lowered, Lower(graph, body.sized, vectors, name));
  FetchAhead(target.caches(), lowered);
  PackedInputs packed = PackedInputs::Choose(graph, lowered);
  absl::StatusOr<jit::CachedCode> code = GetCode(lowered.ir, target, options);
  if (absl::IsResourceExhausted(code.status()) && lowered.ir.block_vectors > 0) {
    // An emitter took more registers than lowering leaves beside a row without loops. With loops, fewer are held.
    vectors.registers = 0;
    BURIN_ASSIGN_OR_RETURN(lowered, Lower(graph, body.sized, vectors, name));
    FetchAhead(target.caches(), lowered);
    packed = PackedInputs::Choose(graph, lowered);
    code = GetCode(lowered.ir, target, options);
  }
  BURIN_RETURN_IF_ERROR(code.status());
  const int64_t packed_chunk = packed.axis() >= 0 ? packed.ChunkOf(lowered, target) : 0;
  std::vector<int64_t> all_strides;
  for (const std::vector<int64_t>& strides : lowered.strides) {
    all_strides.insert(all_strides.end(), strides.begin(), strides.end());
  }
  size_t packed_bytes = 0;
  if (packed_chunk > 0) {
    BURIN_ASSIGN_OR_RETURN(
        packed_bytes, packed.Plan(lowered, packed_chunk, target, *options.code_cache, absl::MakeSpan(all_strides)));
  }
  FusedKernel kernel(std::move(lowered.ir), *std::move(code));
  if (options.counts_cycles) {
    std::vector<std::string> texts;
    for (size_t i = 0; i < kernel.ir_.exprs.size(); ++i) texts.push_back(kernel.ir_.ExprText(static_cast<int32_t>(i)));
    kernel.counts_ = jit::CycleCounters::Process().Table(name, std::move(texts)).counts();
  }
  kernel.constants_ = std::move(graph.constants);
  kernel.parameter_count_ = static_cast<size_t>(graph.parameter_count);
  kernel.extents_ = std::move(lowered.extents);
  kernel.strides_ = std::move(all_strides);
  kernel.offsets_ = std::move(lowered.offsets);
  kernel.PlaceBuffers();
  kernel.packed_ = std::move(packed);
  kernel.packed_offset_ = kernel.scratch_bytes_;
  kernel.scratch_bytes_ += packed_bytes;
  kernel.PlanItems(packed_chunk);
  return kernel;
}

void FusedKernel::PlaceBuffers() {
  const size_t axes = ir_.axes.size();
  // Buffers are dense, with the vector axis innermost.
  for (size_t i = 0; i < ir_.operands.size(); ++i) {
    const LinearOperand& operand = ir_.operands[i];
    if (operand.kind != OperandKind::kBuffer) continue;
    if (operand.in_output >= 0) {
      const auto output = static_cast<size_t>(operand.in_output);
      std::copy_n(strides_.begin() + static_cast<std::ptrdiff_t>(output * axes), axes,
                  strides_.begin() + static_cast<std::ptrdiff_t>(i * axes));
      offsets_[i] = offsets_[output];
      continue;
    }
    auto bytes = static_cast<int64_t>(BitWidth(operand.type) / 8);
    const auto lay = [&](int axis) {
      if ((operand.axes & AxisBit(axis)) == 0) return;
      strides_[i * axes + static_cast<size_t>(axis)] = bytes;
      bytes *= extents_[static_cast<size_t>(axis)];
    };
    lay(ir_.vector_axis);
    for (int axis = static_cast<int>(axes) - 1; axis >= 0; --axis) {
      if (axis != ir_.vector_axis) lay(axis);
    }
    buffer_offsets_.resize(std::max(buffer_offsets_.size(), static_cast<size_t>(operand.port) + 1));
    buffer_offsets_[static_cast<size_t>(operand.port)] = scratch_bytes_;
    const auto aligned = (bytes + static_cast<int64_t>(kAlignment) - 1) / static_cast<int64_t>(kAlignment) *
                         static_cast<int64_t>(kAlignment);
    scratch_bytes_ += static_cast<size_t>(aligned) * kMostRows;
    for (size_t axis = 0; axis < axes; ++axis) {
      if ((operand.axes & AxisBit(static_cast<int>(axis))) == 0) strides_[i * axes + axis] = aligned;
    }
  }
}

void FusedKernel::PlanItems(int64_t packed_chunk) {
  // Along axes that some output does not vary along nothing is cut: it is written by one item alone.
  AxisSet of_all_outputs = ~AxisSet{0};
  for (const LinearOperand& operand : ir_.operands) {
    if (operand.kind == OperandKind::kOutput) of_all_outputs &= operand.axes;
  }
  const auto may_cut = [&](int axis) {
    return ir_.axes[static_cast<size_t>(axis)].parallel && (of_all_outputs & AxisBit(axis)) != 0;
  };
  // From the outermost on, until there are many items; the vector axis, whose loop is the innermost of them, in chunks.
  // A row without loops is not cut.
  std::vector<int> parallel;
  for (int axis = 0; axis < static_cast<int>(ir_.axes.size()); ++axis) {
    if (axis != ir_.vector_axis && may_cut(axis)) parallel.push_back(axis);
  }
  if (packed_chunk > 0) {
    // Items are chunks of what is packed, for each index of the other axes.
    parallel.erase(std::remove(parallel.begin(), parallel.end(), packed_.axis()), parallel.end());
    cut_axes_ = std::move(parallel);
    cut_axes_.push_back(packed_.axis());
    items_ = 1;
    for (const int axis : cut_axes_) {
      if (axis != packed_.axis()) items_ *= std::max<int64_t>(1, extents_[static_cast<size_t>(axis)]);
    }
    chunk_ = packed_chunk;
    chunks_ = (extents_[static_cast<size_t>(packed_.axis())] + chunk_ - 1) / chunk_;
    items_ *= chunks_;
    return;
  }
  if (ir_.block_vectors == 0 && may_cut(ir_.vector_axis)) parallel.push_back(ir_.vector_axis);
  // Without elements there still are outputs: those that do not vary along the axis of none.
  int64_t elements = 1;
  for (const int64_t extent : extents_) elements *= std::max<int64_t>(1, extent);
  items_ = 1;
  for (const int axis : parallel) {
    cut_axes_.push_back(axis);
    const int64_t extent = std::max<int64_t>(1, extents_[static_cast<size_t>(axis)]);
    // So that an item is worth its call.
    const int64_t inside = std::max<int64_t>(1, elements / (items_ * extent));
    chunk_ = std::clamp<int64_t>(kLeastElements / inside, 1, extent);
    chunks_ = (extent + chunk_ - 1) / chunk_;
    if (items_ * chunks_ >= kManyItems || chunk_ > 1) break;
    if (axis != parallel.back()) items_ *= extent;
  }
  items_ *= chunks_;
}

bool FusedKernel::MayRunInPlace(int32_t input, int32_t output) const {
  const auto count = static_cast<int32_t>(ir_.operands.size());
  for (int32_t i = 0; i < count; ++i) {
    const LinearOperand& from = ir_.operands[static_cast<size_t>(i)];
    if (from.kind != OperandKind::kInput || from.port != input) continue;
    for (int32_t k = 0; k < count; ++k) {
      const LinearOperand& to = ir_.operands[static_cast<size_t>(k)];
      if (to.kind != OperandKind::kOutput || to.port != output) continue;
      const auto a = static_cast<size_t>(i);
      const auto b = static_cast<size_t>(k);
      if (packed_.Has(a)) return false;
      const bool same = from.type == to.type && offset(a) == offset(b) && strides(a) == strides(b);
      if (!same || !MayShareMemory(ir_, i, k)) return false;
    }
  }
  return true;
}

void FusedKernel::Run(absl::Span<const void* const> inputs, absl::Span<void* const> outputs, void* scratch,
                      int64_t begin, int64_t end) const {
  BURIN_DCHECK(begin >= 0 && begin <= end && end <= items_) << begin << ".." << end << " of " << items_;
  if (begin == end) return;
  absl::InlinedVector<void*, 16> operands;
  for (size_t i = 0; i < ir_.operands.size(); ++i) {
    const auto port = static_cast<size_t>(ir_.operands[i].port);
    void* base = nullptr;
    switch (ir_.operands[i].kind) {
      case OperandKind::kInput:
        // The code writes to outputs and buffers alone.
        base = const_cast<void*>(port < parameter_count_ ? inputs[port] : constants_[port - parameter_count_].data());
        break;
      case OperandKind::kOutput:
        base = outputs[port];
        break;
      case OperandKind::kBuffer: {
        const int32_t output = ir_.operands[i].in_output;
        base = output >= 0 ? outputs[static_cast<size_t>(ir_.operands[static_cast<size_t>(output)].port)]
                           : static_cast<char*>(scratch) + buffer_offsets_[port];
        break;
      }
    }
    operands.push_back(static_cast<char*>(base) + offsets_[i]);
  }
  absl::InlinedVector<int64_t, 8> extents(extents_.begin(), extents_.end());
  if (cut_axes_.empty()) {
    const FusedKernelArgs args = {operands.data(), extents.data(), strides_.data(), counts_};
    code_->entry<void (*)(const FusedKernelArgs*)>()(&args);
    return;
  }
  // One box for each index of the outer axes, over as many chunks as the range has of it.
  while (begin < end) {
    const int64_t outer = begin / chunks_;
    const int64_t first = begin % chunks_;
    const int64_t last = std::min(chunks_, first + (end - begin));
    RunBox(absl::MakeSpan(operands), absl::MakeSpan(extents), outer, first, last,
           static_cast<char*>(scratch) + packed_offset_);
    begin += last - first;
  }
}

int64_t FusedKernel::SourceStride(size_t operand, int axis) const {
  if (packed_.Has(operand)) return packed_.SourceStride(operand, axis);
  return strides_[operand * ir_.axes.size() + static_cast<size_t>(axis)];
}

void FusedKernel::RunBox(absl::Span<void* const> operands, absl::Span<int64_t> extents, int64_t outer_index,
                         int64_t begin, int64_t end, char* packed) const {
  absl::InlinedVector<void*, 16> moved(operands.begin(), operands.end());
  const auto move = [&](int axis, int64_t index, bool packed_too) {
    for (size_t i = 0; i < moved.size(); ++i) {
      // There is one buffer for all items.
      if (ir_.operands[i].kind == OperandKind::kBuffer && ir_.operands[i].in_output < 0) continue;
      if (!packed_too && packed_.Has(i)) continue;
      moved[i] = static_cast<char*>(moved[i]) + index * SourceStride(i, axis);
    }
  };
  for (size_t k = cut_axes_.size() - 1; k-- > 0;) {
    const auto axis = static_cast<size_t>(cut_axes_[k]);
    const int64_t extent = std::max<int64_t>(1, extents_[axis]);
    move(cut_axes_[k], outer_index % extent, /*packed_too=*/true);
    outer_index /= extent;
    extents[axis] = std::min<int64_t>(extents_[axis], 1);
  }
  const int last = cut_axes_.back();
  const int64_t extent = extents_[static_cast<size_t>(last)];
  const auto run = [&](int64_t first_chunk, int64_t end_chunk) {
    extents[static_cast<size_t>(last)] = std::min(extent, end_chunk * chunk_) - first_chunk * chunk_;
    const FusedKernelArgs args = {moved.data(), extents.data(), strides_.data(), counts_};
    code_->entry<void (*)(const FusedKernelArgs*)>()(&args);
  };
  move(last, begin * chunk_, /*packed_too=*/false);
  if (packed_.axis() < 0) return run(begin, end);
  const absl::InlinedVector<void*, 16> sources = moved;
  for (int64_t chunk = begin; chunk < end; ++chunk) {
    for (size_t i = 0; i < moved.size(); ++i) {
      if (packed_.Has(i)) moved[i] = sources[i];
    }
    packed_.Pack(chunk, packed, absl::MakeSpan(moved));
    run(chunk, chunk + 1);
    move(last, chunk_, /*packed_too=*/false);
  }
}

}  // namespace burin::snippets
