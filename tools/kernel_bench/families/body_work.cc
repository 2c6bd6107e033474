#include "tools/kernel_bench/families/body_work.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/evaluator.h"
#include "ir/partial_shape.h"
#include "jit/limits/machine_limits.h"

namespace burin::kernel_bench {
namespace {

constexpr double kTolerance = 1e-4;
// In the cold mode, of what the caches have forgotten: more of it where operands are small would be gaps.
constexpr int64_t kMostMemory = 2;
constexpr int64_t kPageBytes = 4096;
// 17 cache lines: from buffer to buffer another place in the page.
constexpr int64_t kStaggerBytes = 17 * 64;
constexpr size_t kHugePageBytes = size_t{2} << 20;
// Of a float: not a number.
constexpr int kSpoiledByte = 0xff;

int64_t RoundUp(int64_t bytes, int64_t unit) { return (bytes + unit - 1) / unit * unit; }

absl::StatusOr<int64_t> BytesOf(const ir::Model& body, ir::NodeId node) {
  const ir::ValueInfo& info = body.info({node, 0});
  if (!info.shape.is_static()) return absl::InvalidArgumentError("The body's shapes are not static");
  BURIN_ASSIGN_OR_RETURN(const int64_t count, ir::ElementCount(info.shape.ToShape()));
  BURIN_ASSIGN_OR_RETURN(const size_t bytes, BytesFor(info.type, count));
  return static_cast<int64_t>(bytes);
}

}  // namespace

absl::StatusOr<std::shared_ptr<BodyWork>> BodyWork::Create(const ir::Model& body, const CaseOptions& options) {
  auto work = std::shared_ptr<BodyWork>(new BodyWork(body.Clone()));
  BURIN_RETURN_IF_ERROR(work->Allocate(options));
  BURIN_RETURN_IF_ERROR(work->FillAndExpect());
  return work;
}

absl::Status BodyWork::Allocate(const CaseOptions& options) {
  for (const ir::NodeId id : body_->parameters()) {
    BURIN_ASSIGN_OR_RETURN(const int64_t bytes, BytesOf(*body_, id));
    input_bytes_.push_back(bytes);
  }
  for (const ir::NodeId id : body_->results()) {
    BURIN_ASSIGN_OR_RETURN(const int64_t bytes, BytesOf(*body_, id));
    output_bytes_.push_back(bytes);
  }
  int64_t copy_bytes = 0;
  const auto place = [&copy_bytes](int64_t bytes) {
    const int64_t at = copy_bytes;
    copy_bytes += RoundUp(bytes, kPageBytes) + kStaggerBytes;
    return at;
  };
  std::vector<int64_t> input_places;
  std::vector<int64_t> output_places;
  for (const int64_t bytes : input_bytes_) input_places.push_back(place(bytes));
  for (const int64_t bytes : output_bytes_) output_places.push_back(place(bytes));
  copy_bytes = RoundUp(copy_bytes, kPageBytes);
  int copies = 1;
  if (options.cold) {
    const int64_t wanted = jit::WorkingSetBytes(jit::Limit::kReadDram, options.target.caches());
    const int64_t most = kMostMemory * wanted / copy_bytes;
    copies = static_cast<int>(
        std::clamp<int64_t>((wanted + bytes() - 1) / std::max<int64_t>(bytes(), 1), 2, std::max<int64_t>(most, 2)));
  }
  BURIN_ASSIGN_OR_RETURN(memory_, AlignedBuffer::Create(static_cast<size_t>(copies * copy_bytes), kHugePageBytes));
  // Advice: where it is not taken, the figures are those of small pages.
  (void)madvise(memory_.data(), memory_.capacity(), MADV_HUGEPAGE);
  std::memset(memory_.data(), 0, memory_.size());
  for (int copy = 0; copy < copies; ++copy) {
    char* const base = static_cast<char*>(memory_.data()) + copy * copy_bytes;
    inputs_.emplace_back();
    outputs_.emplace_back();
    for (const int64_t at : input_places) inputs_.back().push_back(base + at);
    for (const int64_t at : output_places) outputs_.back().push_back(base + at);
  }
  return absl::OkStatus();
}

absl::Status BodyWork::FillAndExpect() {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  std::vector<ir::Tensor> tensors;
  for (size_t i = 0; i < input_bytes_.size(); ++i) {
    const ir::ValueInfo& info = body_->info({body_->parameters()[i], 0});
    // Copy 0 is the body's own to write.
    void* const data = const_cast<void*>(inputs_.front()[i]);
    BURIN_ASSIGN_OR_RETURN(ir::Tensor tensor, ir::Tensor::View(info.type, info.shape.ToShape(), data));
    for (int64_t k = 0; k < tensor.element_count(); ++k) StoreFromDouble(info.type, data, k, normal(random));
    for (size_t copy = 1; copy < inputs_.size(); ++copy) {
      std::memcpy(const_cast<void*>(inputs_[copy][i]), data, static_cast<size_t>(input_bytes_[i]));
    }
    tensors.push_back(std::move(tensor));
  }
  BURIN_ASSIGN_OR_RETURN(const ir::Evaluator evaluator, ir::Evaluator::Create(*body_));
  BURIN_ASSIGN_OR_RETURN(std::vector<ir::Tensor> results, evaluator.Run(tensors));
  for (const ir::Tensor& result : results) {
    BURIN_ASSIGN_OR_RETURN(ir::Tensor dense, result.ToDense());
    expected_.push_back(std::move(dense));
  }
  if (expected_.empty()) return absl::InvalidArgumentError("The body has no results");
  return absl::OkStatus();
}

int64_t BodyWork::bytes() const {
  int64_t sum = 0;
  for (const int64_t bytes : input_bytes_) sum += bytes;
  for (const int64_t bytes : output_bytes_) sum += bytes;
  return sum;
}

Accuracy BodyWork::Check(const std::function<void()>& call) const {
  for (size_t k = 0; k < output_bytes_.size(); ++k) {
    std::memset(outputs_.front()[k], kSpoiledByte, static_cast<size_t>(output_bytes_[k]));
  }
  call();
  Accuracy worst;
  for (size_t k = 0; k < expected_.size(); ++k) {
    const auto count = static_cast<size_t>(expected_[k].element_count());
    const ElementType type = expected_[k].element_type();
    std::vector<double> wanted(count);
    std::vector<double> got(count);
    LoadRangeAsDouble(type, expected_[k].data(), 0, static_cast<int64_t>(count), wanted.data());
    LoadRangeAsDouble(type, outputs_.front()[k], 0, static_cast<int64_t>(count), got.data());
    const std::vector<float> results(got.begin(), got.end());
    const Accuracy one = CompareResults(absl::MakeConstSpan(results), absl::MakeConstSpan(wanted), kTolerance);
    worst.max_absolute = std::max(worst.max_absolute, one.max_absolute);
    worst.max_relative = std::max(worst.max_relative, one.max_relative);
    if (!one.right && worst.right) worst.note = absl::StrCat("output ", k, ": ", one.note);
    worst.right = worst.right && one.right;
  }
  return worst;
}

std::string BodyWork::Describe() const {
  return absl::StrCat(input_bytes_.size(), input_bytes_.size() == 1 ? " input and " : " inputs and ",
                      output_bytes_.size(), output_bytes_.size() == 1 ? " output" : " outputs", " of ", bytes() / 1024,
                      " KiB, aligned to 64 bytes; ",
                      copies() == 1 ? std::string("the same at each repeat")
                                    : absl::StrCat("another of ", copies(), " copies at each repeat: cold"));
}

}  // namespace burin::kernel_bench
