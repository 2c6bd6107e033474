// Compares a computed tensor with the expected one and says how far apart they are, and where.
//
// Errors are relative to the expected tensor's largest finite magnitude, not element by element: an element near zero
// in a tensor of large values has no relative precision to keep. Stateless, thread-safe.
#ifndef BURIN_TESTING_ORACLE_COMPARE_H_
#define BURIN_TESTING_ORACLE_COMPARE_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "ir/tensor.h"

namespace burin::oracle {

struct Comparison {
  int64_t elements = 0;
  // The largest |actual - expected|; infinite where one is NaN or infinite and the other is not the same.
  double max_abs_error = 0;
  // max_abs_error divided by `scale`.
  double max_scaled_error = 0;
  // The largest finite magnitude of the expected tensor; 1 where that is 0.
  double scale = 1;
  // The largest error relative to its own expected element, for information; elements expected to be 0 do not count.
  double max_element_error = 0;
  // Position of the largest error in row-major order, and what stood there.
  int64_t worst_index = 0;
  double worst_actual = 0;
  double worst_expected = 0;
  // How many elements differ at all.
  int64_t differing = 0;
  // Cosine of the angle between both as vectors; 1 where both are zero.
  double cosine = 1;

  // Prints the figures on one line.
  std::string ToString() const;
};

// Compares two tensors of one element type and shape; strided tensors are fine. NaN equals NaN, and an infinity the
// same infinity. InvalidArgument where types or shapes differ.
absl::StatusOr<Comparison> Compare(const ir::Tensor& actual, const ir::Tensor& expected);

}  // namespace burin::oracle

#endif  // BURIN_TESTING_ORACLE_COMPARE_H_
