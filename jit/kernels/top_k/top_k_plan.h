// Describes a selection of the k largest or smallest elements along one axis, and decides how it is computed.
//
// Use it through TopKKernel (jit/kernels/top_k/top_k.h). Fold the axes before the one that is selected along into
// `outer` and those behind it into `inner`. Plain values; functions are pure.
#ifndef BURIN_JIT_KERNELS_TOP_K_TOP_K_PLAN_H_
#define BURIN_JIT_KERNELS_TOP_K_TOP_K_PLAN_H_

#include <cstdint>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "jit/isa/target.h"
#include "jit/kernels/top_k/top_k_code.h"

namespace burin::jit {

// Says in which order the selected elements are.
enum class TopKOrder : uint8_t {
  // The largest first, or the smallest where those are selected; equal ones by index.
  kValue,
  kIndex,
};

// Describes the selection, of which equal elements are taken by index, the first ones first. NaNs are equal and larger
// than all numbers; zeros are equal. Elements of the inner axis lie side by side; strides are in bytes.
struct TopKSpec {
  // The most elements that are selected.
  static constexpr int64_t kMaxK = 64;

  // f32 or i32.
  ElementType type = ElementType::kF32;
  // i32 or i64.
  ElementType index_type = ElementType::kI32;
  bool smallest = false;
  TopKOrder order = TopKOrder::kValue;
  int64_t k = 1;
  int64_t outer = 1;
  int64_t length = 1;
  int64_t inner = 1;
  int64_t source_outer_stride = 0;
  int64_t source_stride = 0;
  // Of the values; the indices lie likewise, element for element.
  int64_t destination_outer_stride = 0;
  int64_t destination_stride = 0;

  // Sets all strides to those of dense tensors.
  void SetDenseStrides();

  // Returns OK where it can be computed. InvalidArgument, naming the field, where it makes no sense or a tensor spans
  // 2^62 bytes or more; Unimplemented for k above kMaxK, other types, and 2^31 elements or more along the axis.
  absl::Status Validate() const;
};

// Holds the decisions: an item is some outer positions, or some vectors of inner elements of one.
struct TopKPlan {
  TopKCodeSpec code;
  int64_t outer_per_item = 1;
  int64_t inner_per_item = 1;

  // Returns the plan of a valid spec.
  static TopKPlan Make(const TopKSpec& spec, const Target& target);

  // Returns the number of work items; 0 where there is nothing to compute.
  int64_t WorkItems(const TopKSpec& spec) const;
};

// Estimates the cycles that one core takes for a valid spec, of elements in random order.
double EstimateTopKCycles(const TopKSpec& spec, const Target& target);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_TOP_K_TOP_K_PLAN_H_
