#include "tools/kernel_bench/families/dense/gemm_work.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <random>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "jit/code_cache.h"
#include "jit/kernels/panels/panel_layout.h"
#include "jit/kernels/panels/panel_packer.h"

namespace burin::kernel_bench {
namespace {

constexpr int64_t kFloatBytes = 4;

// Rows that are compared, evenly over all of them.
constexpr int64_t kMostRows = 24;

// Of a sum of k products of numbers below 1, which is added up one by one: some parts of the last place of each.
constexpr double kTolerance = 2e-7;
constexpr double kLeastTolerance = 1e-5;

constexpr size_t kCodeBytes = size_t{1} << 20;

struct OperandName {
  GemmOperand operand;
  absl::string_view name;
};

constexpr OperandName kOperandNames[] = {
    {GemmOperand::kConstant, "constant"}, {GemmOperand::kPlain, "plain"}, {GemmOperand::kTransposed, "transposed"}};

}  // namespace

std::string GemmCase::Name() const {
  for (const OperandName& known : kOperandNames) {
    if (known.operand == b) return absl::StrCat(known.name, "/", m, "x", n, "x", k);
  }
  return "";
}

std::optional<GemmCase> GemmCase::Parse(absl::string_view name) {
  GemmCase parsed;
  for (const OperandName& known : kOperandNames) {
    absl::string_view rest = name;
    if (!absl::ConsumePrefix(&rest, known.name) || !absl::ConsumePrefix(&rest, "/")) continue;
    parsed.b = known.operand;
    const std::vector<absl::string_view> sizes = absl::StrSplit(rest, 'x');
    if (sizes.size() != 3 || !absl::SimpleAtoi(sizes[0], &parsed.m) || !absl::SimpleAtoi(sizes[1], &parsed.n) ||
        !absl::SimpleAtoi(sizes[2], &parsed.k) || std::min({parsed.m, parsed.n, parsed.k}) < 1) {
      return std::nullopt;
    }
    return parsed;
  }
  return std::nullopt;
}

jit::GemmSpec GemmCase::Spec() const {
  if (b == GemmOperand::kConstant) return jit::GemmSpec::Packed(m, n, k);
  jit::GemmSpec spec = jit::GemmSpec::Plain(m, n, k);
  if (b == GemmOperand::kTransposed) {
    spec.b_depth_stride = kFloatBytes;
    spec.b_column_stride = kFloatBytes * k;
  }
  return spec;
}

absl::StatusOr<std::shared_ptr<GemmWork>> GemmWork::Create(const GemmCase& gemm_case, const CaseOptions& options) {
  const std::shared_ptr<GemmWork> work(new GemmWork(gemm_case));
  const auto [m, n, k, b] = gemm_case;
  BURIN_ASSIGN_OR_RETURN(const jit::PanelLayout layout, jit::PanelLayout::Create(ElementType::kF32, k, n));
  work->b_bytes_ = b == GemmOperand::kConstant ? layout.bytes() : k * n * kFloatBytes;
  BURIN_ASSIGN_OR_RETURN(work->buffers_,
                         CaseBuffers::Create(2, std::max(work->b_bytes_, m * k * kFloatBytes), m * n * kFloatBytes,
                                             options.cold, options.target.caches()));
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(-1, 1);
  float* const a = work->buffers_->In<float>(0, 0);
  float* const to = work->buffers_->In<float>(0, 1);
  std::generate(a, a + m * k, [&] { return uniform(random); });
  work->dense_b_.resize(static_cast<size_t>(k * n));
  std::generate(work->dense_b_.begin(), work->dense_b_.end(), [&] { return uniform(random); });
  if (b == GemmOperand::kConstant) {
    jit::CodeCache cache(kCodeBytes);
    BURIN_ASSIGN_OR_RETURN(const jit::PanelPacker packer,
                           jit::PanelPacker::Create(layout, n * kFloatBytes, kFloatBytes, options.target, cache));
    packer.Run(work->dense_b_.data(), to, 0, packer.work_items());
  } else {
    const bool transposed = b == GemmOperand::kTransposed;
    for (int64_t p = 0; p < k; ++p) {
      for (int64_t j = 0; j < n; ++j)
        to[transposed ? j * k + p : p * n + j] = work->dense_b_[static_cast<size_t>(p * n + j)];
    }
  }
  work->buffers_->Replicate();
  const int64_t rows = std::min(m, kMostRows);
  work->expected_.resize(static_cast<size_t>(rows * n));
  for (int64_t i = 0; i < rows; ++i) {
    const int64_t row = rows == 1 ? 0 : i * (m - 1) / (rows - 1);
    work->rows_.push_back(row);
    double* const sums = work->expected_.data() + i * n;
    for (int64_t p = 0; p < k; ++p) {
      const double factor = a[row * k + p];
      const float* const from = work->dense_b_.data() + p * n;
      for (int64_t j = 0; j < n; ++j) sums[j] += factor * static_cast<double>(from[j]);
    }
  }
  return work;
}

PeerGraph GemmWork::Graph() const {
  PeerGraph graph;
  graph.inputs = {{"a", {case_.m, case_.k}}};
  graph.outputs = {{"c", {case_.m, case_.n}}};
  const bool is_constant = case_.b == GemmOperand::kConstant;
  if (is_constant) {
    graph.constants = {{"b", {case_.k, case_.n}, dense_b_}};
  } else if (case_.b == GemmOperand::kPlain) {
    graph.inputs.push_back({"b", {case_.k, case_.n}});
  } else {
    graph.inputs.push_back({"b", {case_.n, case_.k}});
  }
  graph.nodes = {{"", "MatMul", {"a", "b"}, {"c"}, {}}};
  if (case_.b == GemmOperand::kTransposed) graph.nodes = {{"", "Gemm", {"a", "b"}, {"c"}, {{"transB", int64_t{1}}}}};
  for (int copy = 0; copy < buffers_->copies(); ++copy) {
    PeerGraph::Buffers buffers = {{a(copy)}, {c(copy)}};
    if (!is_constant) buffers.in.push_back(b(copy));
    graph.copies.push_back(std::move(buffers));
  }
  return graph;
}

Accuracy GemmWork::Check(const std::function<void()>& call, const After& after) const {
  buffers_->Spoil();
  call();
  std::vector<float> found;
  for (const int64_t row : rows_) found.insert(found.end(), c(0) + row * case_.n, c(0) + (row + 1) * case_.n);
  std::vector<double> expected = expected_;
  for (size_t i = 0; after != nullptr && i < expected.size(); ++i) {
    const auto [row, column] = std::div(static_cast<int64_t>(i), case_.n);
    expected[i] = after(expected[i], rows_[static_cast<size_t>(row)], column);
  }
  return CompareResults<float>(found, expected, std::max(kLeastTolerance, kTolerance * static_cast<double>(case_.k)));
}

}  // namespace burin::kernel_bench
