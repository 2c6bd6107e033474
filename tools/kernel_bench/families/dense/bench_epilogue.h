// Follows a kernel's results up by what usually follows them in models, as one epilogue: to measure what that costs.
//
// Use it in families of kernels that take an EpilogueEmitter (jit/kernels/epilogue_emitter.h). Immutable but for the
// output; used by one thread.
#ifndef BURIN_TOOLS_KERNEL_BENCH_FAMILIES_DENSE_BENCH_EPILOGUE_H_
#define BURIN_TOOLS_KERNEL_BENCH_FAMILIES_DENSE_BENCH_EPILOGUE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/enum_names.h"
#include "jit/kernels/epilogue_emitter.h"
#include "snippets/epilogue/epilogue.h"

namespace burin::kernel_bench {

// Names what follows.
enum class EpilogueKind : uint8_t {
  // Adds a bias to each column and a residual to each element, and takes the maximum with 0.
  kBiasResidualRelu,
  // Adds a bias to each column, and applies Gelu by the error function.
  kBiasGelu,
};

// Is the epilogue, with its operands.
class BenchEpilogue {
 public:
  // Compiles it for a matrix of so many rows and columns, which it stores at `out`, dense. Fails as the compilation
  // does.
  static absl::StatusOr<std::shared_ptr<const BenchEpilogue>> Create(EpilogueKind kind, int64_t rows, int64_t columns,
                                                                     float* out);

  const jit::EpilogueEmitter& emitter() const { return *epilogue_; }
  const jit::EpiloguePlace* places() const { return places_.data(); }

  // Returns what should be stored for a sum.
  double After(double sum, int64_t row, int64_t column) const;

 private:
  BenchEpilogue(EpilogueKind kind, int64_t columns, std::unique_ptr<snippets::Epilogue> epilogue)
      : kind_(kind), columns_(columns), epilogue_(std::move(epilogue)) {}

  const EpilogueKind kind_;
  const int64_t columns_;
  const std::unique_ptr<snippets::Epilogue> epilogue_;
  std::vector<float> bias_;
  // [row][column]; empty where there is none.
  std::vector<float> residual_;
  std::vector<jit::EpiloguePlace> places_;
};

}  // namespace burin::kernel_bench

namespace burin {

template <>
struct EnumNames<kernel_bench::EpilogueKind> {
  static constexpr EnumEntry<kernel_bench::EpilogueKind> kEntries[] = {
      {kernel_bench::EpilogueKind::kBiasResidualRelu, "bias_residual_relu"},
      {kernel_bench::EpilogueKind::kBiasGelu, "bias_gelu"},
  };
};

}  // namespace burin

#endif  // BURIN_TOOLS_KERNEL_BENCH_FAMILIES_DENSE_BENCH_EPILOGUE_H_
