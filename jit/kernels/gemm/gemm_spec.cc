#include "jit/kernels/gemm/gemm_spec.h"

#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"

namespace burin::jit {
namespace {

constexpr int kElementBytes = 4;

// Strides that generated code holds, or multiplies.
constexpr int64_t kMostStride = int64_t{1} << 28;
constexpr int64_t kMostBytes = int64_t{1} << 62;

absl::Status OutOfRange(absl::string_view field, int64_t value) {
  return absl::InvalidArgumentError(absl::StrCat("GemmSpec: a field is out of range: ", field, " = ", value));
}

// Adds up the bytes that indexes reach.
class Reach {
 public:
  // Adds `extent` indexes at this stride; false where there are too many.
  bool Add(int64_t extent, int64_t stride) {
    int64_t bytes = 0;
    return extent <= 1 || stride == 0 ||
           (stride > -kMostBytes && stride < kMostBytes &&
            !__builtin_mul_overflow(extent - 1, std::abs(stride), &bytes) &&
            !__builtin_add_overflow(total_, bytes, &total_) && total_ < kMostBytes);
  }

 private:
  int64_t total_ = 0;
};

}  // namespace

GemmSpec GemmSpec::Packed(std::optional<int64_t> m, int64_t n, int64_t k) {
  GemmSpec spec;
  spec.m = m;
  spec.n = n;
  spec.k = k;
  spec.a_row_stride = k * kElementBytes;
  spec.c_row_stride = n * kElementBytes;
  return spec;
}

GemmSpec GemmSpec::Plain(std::optional<int64_t> m, int64_t n, int64_t k) {
  GemmSpec spec = Packed(m, n, k);
  spec.b_packed = false;
  spec.b_depth_stride = n * kElementBytes;
  return spec;
}

absl::Status GemmSpec::Validate() const {
  if (type != ElementType::kF32) {
    return absl::UnimplementedError(absl::StrCat("Products of elements of this type: ", Name(type)));
  }
  if (m.value_or(0) < 0) return OutOfRange("m", *m);
  if (n < 0) return OutOfRange("n", n);
  if (k < 0 || k >= kMostBytes) return OutOfRange("k", k);
  Reach a;
  Reach b;
  Reach c;
  int64_t count = 1;
  for (const GemmBatchDim& dim : batch) {
    if (dim.extent < 0 || __builtin_mul_overflow(count, dim.extent, &count)) return OutOfRange("batch", dim.extent);
    if (!a.Add(dim.extent, dim.a_stride)) return OutOfRange("batch.a_stride", dim.a_stride);
    if (!b.Add(dim.extent, dim.b_stride)) return OutOfRange("batch.b_stride", dim.b_stride);
    if (!c.Add(dim.extent, dim.c_stride)) return OutOfRange("batch.c_stride", dim.c_stride);
  }
  int64_t products = 0;
  if (__builtin_mul_overflow(count, m.value_or(1), &products) || __builtin_mul_overflow(products, n, &products)) {
    return OutOfRange("n", n);
  }
  if (std::abs(a_depth_stride) > kMostStride || !a.Add(k, a_depth_stride)) {
    return OutOfRange("a_depth_stride", a_depth_stride);
  }
  if (!a.Add(m.value_or(1), a_row_stride)) return OutOfRange("a_row_stride", a_row_stride);
  if (!c.Add(m.value_or(1), c_row_stride) || !c.Add(n, kElementBytes)) return OutOfRange("c_row_stride", c_row_stride);
  if (b_packed) return b.Add(k, n * kElementBytes) ? absl::OkStatus() : OutOfRange("n", n);
  if (!b.Add(k, b_depth_stride)) return OutOfRange("b_depth_stride", b_depth_stride);
  if (!b.Add(n, b_column_stride)) return OutOfRange("b_column_stride", b_column_stride);
  return absl::OkStatus();
}

int64_t GemmSpec::BatchSize() const {
  int64_t size = 1;
  for (const GemmBatchDim& dim : batch) size *= dim.extent;
  return size;
}

std::string GemmSpec::ToString() const {
  std::string text = batch.empty() ? "" : absl::StrCat(BatchSize(), " of ");
  absl::StrAppend(&text, m.has_value() ? absl::StrCat(*m) : "?", "x", n, "x", k);
  absl::StrAppend(&text, b_packed ? " packed" : b_depth_stride == kElementBytes ? " transposed" : " plain");
  return text;
}

}  // namespace burin::jit
