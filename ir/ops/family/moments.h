// Mean and population variance of a set of numbers, for normalisations.
//
// For reference evaluation, not for kernels. Stateless, thread-safe.
#ifndef BURIN_IR_OPS_FAMILY_MOMENTS_H_
#define BURIN_IR_OPS_FAMILY_MOMENTS_H_

#include "absl/types/span.h"

namespace burin::ir {

struct Moments {
  double mean = 0;
  double variance = 0;
};

// Returns the mean of `values` and the mean of their squared distances from it, in two passes. NaN for no values.
inline Moments MomentsOf(absl::Span<const double> values) {
  const double count = static_cast<double>(values.size());
  Moments moments;
  for (double value : values) moments.mean += value;
  moments.mean /= count;
  for (double value : values) moments.variance += (value - moments.mean) * (value - moments.mean);
  moments.variance /= count;
  return moments;
}

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_FAMILY_MOMENTS_H_
