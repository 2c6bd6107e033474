#include "snippets/testing/kernel_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "ir/ops/op_testlib.h"
#include "snippets/testing/body_kernel.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

using ::testing::HasSubstr;

// Computes an element an item.
class FakeKernel final : public BodyKernel {
 public:
  using Compute = std::function<void(const float* in, float* out, int64_t i)>;

  explicit FakeKernel(Compute compute) : compute_(std::move(compute)) {}

  int64_t items() const override { return 8; }
  size_t scratch_bytes() const override { return 4; }
  void Run(absl::Span<const void* const> inputs, absl::Span<void* const> outputs, void* scratch, int64_t begin,
           int64_t end) const override {
    *static_cast<float*>(scratch) = 0;
    for (int64_t i = begin; i < end; ++i) {
      compute_(static_cast<const float*>(inputs[0]), static_cast<float*>(outputs[0]), i);
    }
  }

 private:
  Compute compute_;
};

const std::vector<double> kNumbers = {1, 2, 3, 4, 5, 6, 7, 8};
const std::vector<double> kDoubled = {2, 4, 6, 8, 10, 12, 14, 16};

absl::StatusOr<ComparedElements> Check(FakeKernel::Compute compute, std::vector<InPlace> in_place = {},
                                       std::vector<double> bounds = {}) {
  const std::vector<ExpectedOutput> expected = {{ir::F32({8}, kDoubled), std::move(bounds)}};
  return CheckKernel(FakeKernel(std::move(compute)), {ir::F32({8}, kNumbers)}, expected, in_place, 1);
}

TEST(KernelCheckTest, AcceptsWhatIsRight) {
  const auto right = [](const float* in, float* out, int64_t i) { out[i] = 2 * in[i]; };
  ASSERT_OK_AND_ASSIGN(const ComparedElements compared, Check(right, {{0, 0}}));
  EXPECT_EQ(compared.closely, 8);
  EXPECT_EQ(compared.not_at_all, 0);
}

TEST(KernelCheckTest, RefusesWhatIsWrong) {
  const auto wrong = [](const float* in, float* out, int64_t i) { out[i] = i == 5 ? 12.001f : 2 * in[i]; };
  EXPECT_THAT(Check(wrong), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Output 0, element 5")));
  const auto forgets = [](const float* in, float* out, int64_t i) {
    if (i != 7) out[i] = 2 * in[i];
  };
  EXPECT_THAT(Check(forgets), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("element 7")));
}

TEST(KernelCheckTest, KeepsToTheBounds) {
  const auto off = [](const float* in, float* out, int64_t i) { out[i] = 2 * in[i] + 0.5f; };
  ASSERT_OK_AND_ASSIGN(const ComparedElements compared, Check(off, {}, std::vector<double>(8, 0.5)));
  EXPECT_EQ(compared.loosely, 8);
  EXPECT_FALSE(Check(off, {}, std::vector<double>(8, 0.4)).ok());
  ASSERT_OK_AND_ASSIGN(const ComparedElements anything,
                       Check(off, {}, std::vector<double>(8, std::numeric_limits<double>::infinity())));
  EXPECT_EQ(anything.not_at_all, 8);
}

TEST(KernelCheckTest, FindsWhatDoesNotWorkInPlace) {
  const auto reads_neighbour = [](const float* in, float* out, int64_t i) {
    out[i] = in[i] + (i == 0 ? 1 : in[i - 1] + 1);
  };
  EXPECT_THAT(Check(reads_neighbour, {{0, 0}}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("in the memory of input 0")));
}

TEST(KernelCheckTest, FindsAChangedInput) {
  const auto spoils = [](const float* in, float* out, int64_t i) {
    out[i] = 2 * in[i];
    if (i == 7) const_cast<float*>(in)[0] = 9;
  };
  EXPECT_FALSE(Check(spoils).ok());
}

// Writes one byte.
class TruthKernel final : public BodyKernel {
 public:
  explicit TruthKernel(uint8_t byte) : byte_(byte) {}

  int64_t items() const override { return 1; }
  size_t scratch_bytes() const override { return 0; }
  void Run(absl::Span<const void* const> /*inputs*/, absl::Span<void* const> outputs, void* /*scratch*/, int64_t begin,
           int64_t end) const override {
    if (begin < end) *static_cast<uint8_t*>(outputs[0]) = byte_;
  }

 private:
  uint8_t byte_;
};

TEST(KernelCheckTest, TruthIsOne) {
  const std::vector<ExpectedOutput> expected = {{ir::Bool({1}, {1}), {}}};
  EXPECT_OK(CheckKernel(TruthKernel(1), {}, expected, {}, 1));
  EXPECT_FALSE(CheckKernel(TruthKernel(255), {}, expected, {}, 1).ok());
  EXPECT_FALSE(CheckKernel(TruthKernel(0), {}, expected, {}, 1).ok());
  const std::vector<ExpectedOutput> either = {{ir::Bool({1}, {1}), {1}}};
  EXPECT_OK(CheckKernel(TruthKernel(0), {}, either, {}, 1));
  EXPECT_FALSE(CheckKernel(TruthKernel(2), {}, either, {}, 1).ok());
}

}  // namespace
}  // namespace burin::snippets
