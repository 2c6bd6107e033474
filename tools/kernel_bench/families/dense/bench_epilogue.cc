#include "tools/kernel_bench/families/dense/bench_epilogue.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/text.h"
#include "snippets/decompose/decompose.h"

namespace burin::kernel_bench {
namespace {

constexpr int64_t kFloatBytes = 4;

std::string BodyOf(EpilogueKind kind, int64_t columns) {
  const std::string parameters =
      absl::StrCat("model \"\" {\n  %0 \"sums\" = Parameter() {shape = [?,?]}\n  %1 \"bias\" = Parameter() {shape = [",
                   columns, "]}\n  %2 = Add(%0, %1)\n");
  if (kind == EpilogueKind::kBiasGelu) return absl::StrCat(parameters, "  %3 = Gelu(%2)\n  %4 \"y\" = Result(%3)\n}");
  return absl::StrCat(parameters,
                      "  %3 \"residual\" = Parameter() {shape = [?,?]}\n  %4 = Add(%2, %3)\n  %5 = Relu(%4)\n"
                      "  %6 \"y\" = Result(%5)\n}");
}

}  // namespace

absl::StatusOr<std::shared_ptr<const BenchEpilogue>> BenchEpilogue::Create(EpilogueKind kind, int64_t rows,
                                                                           int64_t columns, float* out) {
  BURIN_ASSIGN_OR_RETURN(const std::unique_ptr<ir::Model> body, ir::ParseModel(BodyOf(kind, columns)));
  BURIN_RETURN_IF_ERROR(snippets::Decompose(*body));
  BURIN_ASSIGN_OR_RETURN(std::unique_ptr<snippets::Epilogue> epilogue, snippets::Epilogue::Create(*body));
  const std::shared_ptr<BenchEpilogue> made(new BenchEpilogue(kind, columns, std::move(epilogue)));
  std::mt19937 random(3);
  std::uniform_real_distribution<float> uniform(-1, 1);
  const int64_t row_bytes = columns * kFloatBytes;
  made->bias_.resize(static_cast<size_t>(columns));
  std::generate(made->bias_.begin(), made->bias_.end(), [&] { return uniform(random); });
  made->places_.push_back({made->bias_.data(), 0});
  if (kind == EpilogueKind::kBiasResidualRelu) {
    made->residual_.resize(static_cast<size_t>(rows * columns));
    std::generate(made->residual_.begin(), made->residual_.end(), [&] { return uniform(random); });
    made->places_.push_back({made->residual_.data(), row_bytes});
  }
  made->places_.push_back({out, row_bytes});
  return std::shared_ptr<const BenchEpilogue>(made);
}

double BenchEpilogue::After(double sum, int64_t row, int64_t column) const {
  const double biased = sum + static_cast<double>(bias_[static_cast<size_t>(column)]);
  if (kind_ == EpilogueKind::kBiasGelu) return 0.5 * biased * (1 + std::erf(biased * std::sqrt(0.5)));
  return std::max(0.0, biased + static_cast<double>(residual_[static_cast<size_t>(row * columns_ + column)]));
}

}  // namespace burin::kernel_bench
