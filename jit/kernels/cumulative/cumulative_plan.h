// Describes running sums along one axis, and decides how they are computed.
//
// Use it through CumulativeKernel (jit/kernels/cumulative/cumulative.h). Fold the axes before the one that is added up
// into `outer` and those behind it into `inner`. Plain values; functions are pure.
#ifndef BURIN_JIT_KERNELS_CUMULATIVE_CUMULATIVE_PLAN_H_
#define BURIN_JIT_KERNELS_CUMULATIVE_CUMULATIVE_PLAN_H_

#include <cstdint>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "jit/isa/target.h"
#include "jit/kernels/cumulative/cumulative_code.h"

namespace burin::jit {

// Describes y[o][i][k] = the sum of x[o][j][k] over j up to i: below i where it is exclusive, from i on or above it in
// reverse. Elements k lie side by side; strides are in bytes.
struct CumulativeSpec {
  ElementType type = ElementType::kF32;
  bool exclusive = false;
  bool reverse = false;
  int64_t outer = 1;
  int64_t length = 1;
  int64_t inner = 1;
  int64_t source_outer_stride = 0;
  int64_t source_stride = 0;
  int64_t destination_outer_stride = 0;
  int64_t destination_stride = 0;

  // Sets all strides to those of dense tensors.
  void SetDenseStrides();

  // Returns OK where it can be computed. InvalidArgument, naming the field, where it makes no sense or a tensor spans
  // 2^62 bytes or more; Unimplemented for a type of less than 4 bytes or without sums.
  absl::Status Validate() const;
};

// Holds the decisions: an item is some rows along which is added, or so many inner elements of one outer position.
struct CumulativePlan {
  CumulativeCodeSpec code;
  int64_t outer_per_item = 1;
  int64_t inner_per_item = 1;

  // Returns the plan of a valid spec.
  static CumulativePlan Make(const CumulativeSpec& spec, const Target& target);

  // Returns the number of work items; 0 where there is nothing to compute.
  int64_t WorkItems(const CumulativeSpec& spec) const;
};

// Estimates the cycles that one core takes for a valid spec.
double EstimateCumulativeCycles(const CumulativeSpec& spec, const Target& target);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_CUMULATIVE_CUMULATIVE_PLAN_H_
