#include "tools/kernel_bench/families/movement.h"

#include <cstddef>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace burin::kernel_bench {
namespace {

std::vector<int64_t> DenseStrides(const std::vector<int64_t>& dims) {
  std::vector<int64_t> strides(dims.size(), 1);
  for (size_t i = dims.size(); i > 1; --i) strides[i - 2] = strides[i - 1] * dims[i - 1];
  return strides;
}

// Moves to the next index in row-major order; false behind the last one.
bool Next(const std::vector<int64_t>& extents, std::vector<int64_t>& index) {
  for (size_t i = extents.size(); i > 0; --i) {
    if (++index[i - 1] < extents[i - 1]) return true;
    index[i - 1] = 0;
  }
  return false;
}

}  // namespace

Movement Movement::Contiguous(int64_t bytes) {
  Movement movement;
  movement.name = absl::StrCat("contiguous/", bytes >> 10, "KiB");
  movement.extents = {bytes / 4};
  movement.strides = {1};
  return movement;
}

Movement Movement::Rows(int64_t rows, int64_t columns, int64_t pitch) {
  Movement movement;
  movement.name = absl::StrCat("rows/", rows, "x", columns, "_of_", pitch);
  movement.extents = {rows, columns};
  movement.strides = {pitch, 1};
  return movement;
}

Movement Movement::Transpose(const std::string& name, int element_bytes, const std::vector<int64_t>& in_dims,
                             const std::vector<int>& permutation) {
  Movement movement;
  movement.name = absl::StrCat(name, "/", absl::StrJoin(in_dims, "x"));
  movement.element_bytes = element_bytes;
  const std::vector<int64_t> strides = DenseStrides(in_dims);
  for (const int dimension : permutation) {
    movement.extents.push_back(in_dims[static_cast<size_t>(dimension)]);
    movement.strides.push_back(strides[static_cast<size_t>(dimension)]);
  }
  movement.in_dims = in_dims;
  movement.permutation = permutation;
  return movement;
}

Movement Movement::BroadcastRow(int64_t rows, int64_t columns) {
  Movement movement;
  movement.name = absl::StrCat("broadcast_row/", rows, "x", columns);
  movement.extents = {rows, columns};
  movement.strides = {0, 1};
  return movement;
}

Movement Movement::BroadcastColumn(int64_t rows, int64_t columns) {
  Movement movement;
  movement.name = absl::StrCat("broadcast_column/", rows, "x", columns);
  movement.extents = {rows, columns};
  movement.strides = {1, 0};
  return movement;
}

int64_t Movement::out_bytes() const {
  int64_t bytes = element_bytes;
  for (const int64_t extent : extents) bytes *= extent;
  return bytes;
}

int64_t Movement::in_bytes() const {
  int64_t last = 0;
  for (size_t i = 0; i < extents.size(); ++i) last += (extents[i] - 1) * strides[i];
  return (last + 1) * element_bytes;
}

jit::StridedCopySpec Movement::ToSpec() const {
  jit::StridedCopySpec spec;
  spec.element_bytes = element_bytes;
  const std::vector<int64_t> out_strides = DenseStrides(extents);
  for (size_t i = 0; i < extents.size(); ++i) {
    spec.dims.push_back({extents[i], strides[i] * element_bytes, out_strides[i] * element_bytes});
  }
  return spec;
}

void Movement::Run(const void* in, void* out) const {
  const char* const from = static_cast<const char*>(in);
  char* to = static_cast<char*>(out);
  std::vector<int64_t> index(extents.size(), 0);
  do {
    int64_t place = 0;
    for (size_t i = 0; i < index.size(); ++i) place += index[i] * strides[i];
    std::memcpy(to, from + place * element_bytes, static_cast<size_t>(element_bytes));
    to += element_bytes;
  } while (Next(extents, index));
}

std::vector<Movement> AllMovements() {
  std::vector<Movement> movements;
  for (const int64_t kib : {8, 256, 4096, 65536}) movements.push_back(Movement::Contiguous(kib << 10));
  movements.push_back(Movement::Rows(1024, 250, 256));
  movements.push_back(Movement::Rows(4096, 64, 192));
  movements.push_back(Movement::Rows(8192, 3, 6));
  movements.push_back(Movement::Rows(8192, 15, 30));
  movements.push_back(Movement::BroadcastRow(512, 1024));
  movements.push_back(Movement::BroadcastColumn(512, 1024));
  for (const int64_t size : {64, 256, 512, 1024, 2048}) {
    movements.push_back(Movement::Transpose("transpose_f32", 4, {size, size}, {1, 0}));
  }
  movements.push_back(Movement::Transpose("transpose_f32", 4, {1000, 1001}, {1, 0}));
  movements.push_back(Movement::Transpose("transpose_f32", 4, {384, 1024}, {1, 0}));
  movements.push_back(Movement::Transpose("transpose_u8", 1, {1024, 1024}, {1, 0}));
  movements.push_back(Movement::Transpose("transpose_f16", 2, {1024, 1024}, {1, 0}));
  movements.push_back(Movement::Transpose("transpose_f64", 8, {512, 512}, {1, 0}));
  movements.push_back(Movement::Transpose("nchw_to_nhwc_f32", 4, {1, 64, 56, 56}, {0, 2, 3, 1}));
  movements.push_back(Movement::Transpose("nhwc_to_nchw_f32", 4, {1, 56, 56, 64}, {0, 3, 1, 2}));
  movements.push_back(Movement::Transpose("nchw_to_nhwc_f32", 4, {1, 3, 224, 224}, {0, 2, 3, 1}));
  movements.push_back(Movement::Transpose("nhwc_to_nchw_f32", 4, {1, 224, 224, 3}, {0, 3, 1, 2}));
  movements.push_back(Movement::Transpose("nchw_to_nhwc_u8", 1, {1, 3, 224, 224}, {0, 2, 3, 1}));
  movements.push_back(Movement::Transpose("nhwc_to_nchw_u8", 1, {1, 224, 224, 3}, {0, 3, 1, 2}));
  movements.push_back(Movement::Transpose("swap_heads_f32", 4, {1, 128, 12, 64}, {0, 2, 1, 3}));
  return movements;
}

}  // namespace burin::kernel_bench
