// Describes a movement of data that is benchmarked, and does it one element at a time, for comparison.
//
// Values and pure functions, hence thread-safe.
#ifndef BURIN_TOOLS_KERNEL_BENCH_FAMILIES_MOVEMENT_H_
#define BURIN_TOOLS_KERNEL_BENCH_FAMILIES_MOVEMENT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "jit/kernels/copy_layout.h"

namespace burin::kernel_bench {

// Fills a dense output from a strided input: element (i, j, ...) of the output is the one at i * strides[0] +
// j * strides[1] + ... of the input.
struct Movement {
  std::string name;
  int element_bytes = 4;
  // Of the output, the outermost first.
  std::vector<int64_t> extents;
  // Of the input, in elements; 0 along what is repeated.
  std::vector<int64_t> strides;
  // Where it is a transposition: the dimensions of the input, and which of them each of the output's is.
  std::vector<int64_t> in_dims;
  std::vector<int> permutation;

  // Copies so many bytes as they are.
  static Movement Contiguous(int64_t bytes);
  // Takes `columns` floats of each of `rows` rows that lie `pitch` floats apart.
  static Movement Rows(int64_t rows, int64_t columns, int64_t pitch);
  // Transposes; `name` is without the dimensions, which are appended.
  static Movement Transpose(const std::string& name, int element_bytes, const std::vector<int64_t>& in_dims,
                            const std::vector<int>& permutation);
  // Repeats a row, or each element of a column, of floats.
  static Movement BroadcastRow(int64_t rows, int64_t columns);
  static Movement BroadcastColumn(int64_t rows, int64_t columns);

  // Returns the bytes that are written, and those from the first that is read to the last.
  int64_t out_bytes() const;
  int64_t in_bytes() const;

  // Returns it as a plan takes it.
  jit::StridedCopySpec ToSpec() const;

  // Does it: `in` and `out` have in_bytes() and out_bytes().
  void Run(const void* in, void* out) const;
};

// Returns those that are benchmarked: what networks do, and the sizes of each cache.
std::vector<Movement> AllMovements();

}  // namespace burin::kernel_bench

#endif  // BURIN_TOOLS_KERNEL_BENCH_FAMILIES_MOVEMENT_H_
