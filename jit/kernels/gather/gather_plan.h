// Describes a gathering of rows by index, and decides how it is done.
//
// Use it through GatherKernel (jit/kernels/gather/gather.h). Gathers along any axis, with or without batch dimensions,
// are of this form: fold the axes before it into `batch` (those that the indices have too) and `outer`, those behind it
// into rows. Plain values; functions are pure.
#ifndef BURIN_JIT_KERNELS_GATHER_GATHER_PLAN_H_
#define BURIN_JIT_KERNELS_GATHER_GATHER_PLAN_H_

#include <cstdint>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "jit/isa/target.h"
#include "jit/kernels/gather/gather_code.h"

namespace burin::jit {

// Describes destination[b][o][i] = source[b][o][indices[b][i]], each a row of contiguous bytes. Strides are in bytes.
struct GatherSpec {
  int64_t row_bytes = 4;
  // i32 or i64; negative indices count from the end.
  ElementType index_type = ElementType::kI64;
  int64_t batch = 1;
  int64_t outer = 1;
  // Indices of a batch, and rows that each of them chooses from.
  int64_t count = 0;
  int64_t extent = 0;

  int64_t source_batch_stride = 0;
  int64_t source_outer_stride = 0;
  int64_t source_stride = 0;
  int64_t destination_batch_stride = 0;
  int64_t destination_outer_stride = 0;
  int64_t destination_stride = 0;
  // Of the indices, which lie side by side; 0 where all batches have the same.
  int64_t index_batch_stride = 0;

  // Sets all strides to those of dense tensors.
  void SetDenseStrides();

  // Returns OK where it makes sense; else InvalidArgument, naming the field, also where a tensor spans 2^62 bytes or
  // more or rows of the destination coincide.
  absl::Status Validate() const;
};

// Holds the decisions: an item is some indices, for some outer positions where it has all of them, of one batch.
struct GatherPlan {
  GatherCodeSpec code;
  int64_t count_per_item = 1;
  int64_t outer_per_item = 1;

  // Returns the plan of a valid spec.
  static GatherPlan Make(const GatherSpec& spec, const Target& target);

  // Returns the number of work items; 0 where nothing is gathered.
  int64_t WorkItems(const GatherSpec& spec) const;
};

// Estimates the cycles that one core takes for a valid spec.
double EstimateGatherCycles(const GatherSpec& spec, const Target& target);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_GATHER_GATHER_PLAN_H_
