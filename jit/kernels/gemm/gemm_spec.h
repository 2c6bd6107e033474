// Describes a product of matrices, C[m, n] = A[m, k] x B[k, n], over a batch.
//
// Use it to plan and create a Gemm (jit/kernels/gemm/gemm.h). Transposed operands are strides: there are no layouts
// beside them but packed B (jit/kernels/panels). A value.
#ifndef BURIN_JIT_KERNELS_GEMM_GEMM_SPEC_H_
#define BURIN_JIT_KERNELS_GEMM_GEMM_SPEC_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/element_type.h"

namespace burin::jit {

// Is a dimension over which there are products: bytes from one to the next; 0 repeats A or B (a broadcast).
struct GemmBatchDim {
  int64_t extent = 1;
  int64_t a_stride = 0;
  int64_t b_stride = 0;
  int64_t c_stride = 0;
};

// Describes the product. Strides are bytes.
struct GemmSpec {
  // Of A and B; C is f32. kF32; others are Unimplemented.
  ElementType type = ElementType::kF32;
  // Sizes, of which each may be 0: without a sum (k = 0), C is 0. Rows may be known at run time only.
  std::optional<int64_t> m;
  int64_t n = 0;
  int64_t k = 0;
  // A[i, p] lies at i * a_row_stride + p * a_depth_stride.
  int64_t a_row_stride = 0;
  int64_t a_depth_stride = 4;
  // Whether B is in panels: PanelLayout of k x n. Else B[p, j] lies at p * b_depth_stride + j * b_column_stride.
  bool b_packed = true;
  int64_t b_depth_stride = 0;
  int64_t b_column_stride = 4;
  // C[i, j] lies at i * c_row_stride + 4 * j. Not read where an epilogue stores and UsesC() is false.
  int64_t c_row_stride = 0;
  // The outermost first; any number.
  std::vector<GemmBatchDim> batch;
  // Whether the product is added to what C holds, before the epilogue.
  bool add_to_c = false;

  // Return specs of dense operands, [m, k] x [k, n], with packed B and with B as it is; no batch.
  static GemmSpec Packed(std::optional<int64_t> m, int64_t n, int64_t k);
  static GemmSpec Plain(std::optional<int64_t> m, int64_t n, int64_t k);

  // Returns OK for what there is. InvalidArgument naming the field: a negative size, a stride or an address out of
  // range (2^28 bytes for what code holds, 2^62 for addresses). Unimplemented naming the type.
  absl::Status Validate() const;

  // Returns the number of products: the extents of the batch.
  int64_t BatchSize() const;

  // Returns a text such as "128x768x768 packed", for dumps and tables.
  std::string ToString() const;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_GEMM_GEMM_SPEC_H_
