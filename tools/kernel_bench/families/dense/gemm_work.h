// Holds the operands of a product of matrices, and what should come out.
//
// Use it for the cases of the family `gemm` (gemm_family.h). Used by one thread.
#ifndef BURIN_TOOLS_KERNEL_BENCH_FAMILIES_DENSE_GEMM_WORK_H_
#define BURIN_TOOLS_KERNEL_BENCH_FAMILIES_DENSE_GEMM_WORK_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "jit/kernels/gemm/gemm_spec.h"
#include "tools/kernel_bench/bench_case.h"
#include "tools/kernel_bench/families/case_buffers.h"
#include "tools/kernel_bench/family.h"
#include "tools/kernel_bench/peer.h"

namespace burin::kernel_bench {

// Says how B is there.
enum class GemmOperand : uint8_t {
  // A constant, which may be packed ahead.
  kConstant,
  // As it is: [k, n] or, transposed, [n, k].
  kPlain,
  kTransposed,
};

// Is a product of dense matrices.
struct GemmCase {
  int64_t m = 1;
  int64_t n = 1;
  int64_t k = 1;
  GemmOperand b = GemmOperand::kConstant;

  // Returns a name such as "plain/128x768x768", and reads it; nullopt for any other text.
  std::string Name() const;
  static std::optional<GemmCase> Parse(absl::string_view name);

  // Returns what our kernel does.
  jit::GemmSpec Spec() const;
};

// Holds A, B as it is or packed, and C, in as many copies as the mode needs.
class GemmWork {
 public:
  // Fills the operands. Fails as CaseBuffers::Create() and the packer do.
  static absl::StatusOr<std::shared_ptr<GemmWork>> Create(const GemmCase& gemm_case, const CaseOptions& options);

  const GemmCase& gemm_case() const { return case_; }
  CaseBuffers& buffers() const { return *buffers_; }

  // Return the operands of a copy; B is packed where it is a constant.
  const float* a(int copy) const { return buffers_->In<const float>(copy, 0); }
  const float* b(int copy) const { return buffers_->In<const float>(copy, 1); }
  float* c(int copy) const { return buffers_->Out<float>(copy); }

  // Returns the bytes of B as it is there, and those that are read and written.
  int64_t b_bytes() const { return b_bytes_; }
  int64_t bytes() const { return b_bytes_ + 4 * case_.m * (case_.k + case_.n); }

  // Returns the product as a graph of one operator.
  PeerGraph Graph() const;

  // Returns what becomes of a sum.
  using After = std::function<double(double sum, int64_t row, int64_t column)>;

  // Calls what does the work on copy 0, and compares some rows: with the sums, or what `after` makes of them.
  Accuracy Check(const std::function<void()>& call, const After& after = nullptr) const;

 private:
  explicit GemmWork(const GemmCase& gemm_case) : case_(gemm_case) {}

  const GemmCase case_;
  int64_t b_bytes_ = 0;
  std::shared_ptr<CaseBuffers> buffers_;
  // [k, n].
  std::vector<float> dense_b_;
  // Those that are compared, and what they should be.
  std::vector<int64_t> rows_;
  std::vector<double> expected_;
};

}  // namespace burin::kernel_bench

#endif  // BURIN_TOOLS_KERNEL_BENCH_FAMILIES_DENSE_GEMM_WORK_H_
