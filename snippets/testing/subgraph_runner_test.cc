#include "snippets/testing/subgraph_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ir/tensor.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "snippets/kernel/fused_kernel.h"
#include "snippets/testing/body_kernel.h"
#include "snippets/testing/random_inputs.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

using ::testing::HasSubstr;

constexpr char kNormalised[] = R"(model "" {
  %0 "x" = Parameter() {shape = [6,37]}
  %1 "bias" = Parameter() {shape = [37]}
  %2 = Add(%0, %1)
  %3 = Constant() {value = i64[1]{1}}
  %4 = MVN(%2, %3) {eps = 0.001}
  %5 = Softmax(%4) {axis = 1}
  %6 "y" = Result(%5)
  %7 "sum" = Result(%2)
})";

// The same with another function.
constexpr char kOther[] = R"(model "" {
  %0 "x" = Parameter() {shape = [6,37]}
  %1 "bias" = Parameter() {shape = [37]}
  %2 = Add(%0, %1)
  %3 = Tanh(%2)
  %4 "y" = Result(%3)
  %5 "sum" = Result(%2)
})";

std::vector<ir::Tensor> InputsOf(const SubgraphRunner& runner) {
  std::mt19937_64 random(1);
  return RandomInputs(runner.body(), {}, random).value();
}

TEST(SubgraphRunnerTest, ABodyIsOneKernel) {
  ASSERT_OK_AND_ASSIGN(const jit::Target target, jit::Target::Host());
  jit::CodeCache cache(jit::CodeCache::kDefaultMaxBytes);
  FusedKernel::Options options;
  options.code_cache = &cache;
  {
    ASSERT_OK_AND_ASSIGN(const SubgraphRunner runner, SubgraphRunner::Create(kNormalised, target, options));
    EXPECT_EQ(cache.GetStats().generations, 1);
    ASSERT_OK_AND_ASSIGN(const ComparedElements compared, runner.Check(InputsOf(runner), 1));
    EXPECT_EQ(compared.closely, 2 * 6 * 37);
    EXPECT_EQ(cache.GetStats().generations, 1);
  }
}

TEST(SubgraphRunnerTest, FindsAWrongKernel) {
  ASSERT_OK_AND_ASSIGN(const jit::Target target, jit::Target::Host());
  ASSERT_OK_AND_ASSIGN(const SubgraphRunner runner, SubgraphRunner::Create(kNormalised, target));
  ASSERT_OK_AND_ASSIGN(const SubgraphRunner other, SubgraphRunner::Create(kOther, target));
  EXPECT_THAT(runner.Check(other.kernel(), InputsOf(runner), 1),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Output 0")));
  EXPECT_OK(other.Check(InputsOf(other), 1));
}

// Rounds each output element of another kernel to fewer bits.
class CoarseKernel final : public BodyKernel {
 public:
  explicit CoarseKernel(const FusedKernel& kernel) : kernel_(kernel) {}

  int64_t items() const override { return kernel_.items(); }
  size_t scratch_bytes() const override { return kernel_.scratch_bytes(); }
  void Run(absl::Span<const void* const> inputs, absl::Span<void* const> outputs, void* scratch, int64_t begin,
           int64_t end) const override {
    kernel_.Run(inputs, outputs, scratch, begin, end);
    if (end == kernel_.items()) static_cast<float*>(outputs[0])[0] *= 1.0001f;
  }

 private:
  const FusedKernel& kernel_;
};

TEST(SubgraphRunnerTest, FindsAnErrorOfAFewUlp) {
  ASSERT_OK_AND_ASSIGN(const jit::Target target, jit::Target::Host());
  ASSERT_OK_AND_ASSIGN(const SubgraphRunner runner, SubgraphRunner::Create(kOther, target));
  EXPECT_FALSE(runner.Check(CoarseKernel(runner.kernel()), InputsOf(runner), 1).ok());
}

TEST(SubgraphRunnerTest, WhatIsComputedOfIntegersBeforehandIsBoundedToo) {
  // All of it becomes one constant, by steps each of which rounds: the logarithm of 1 + Exp(-12) is off by as much as
  // the sum, which is one of the smallest steps of f16.
  ASSERT_OK_AND_ASSIGN(const jit::Target target, jit::Target::Host());
  ASSERT_OK_AND_ASSIGN(const SubgraphRunner runner, SubgraphRunner::Create(R"(model "" {
    %0 = Constant() {value = i8[2]{10, -2}}
    %1 = Constant() {value = i8[2]{10, 10}}
    %2 = Add(%0, %1)
    %3 = Convert(%2) {destination_type = f16}
    %4 = LogSoftmax(%3) {axis = 0}
    %5 "y" = Result(%4)
  })",
                                                                           target));
  EXPECT_OK(runner.Check({}, 1));
}

TEST(SubgraphRunnerTest, OutputsTakeTheMemoryOfInputs) {
  ASSERT_OK_AND_ASSIGN(const jit::Target target, jit::Target::Host());
  ASSERT_OK_AND_ASSIGN(const SubgraphRunner runner, SubgraphRunner::Create(R"(model "" {
    %0 "x" = Parameter() {shape = [6,37]}
    %1 "y" = Parameter() {shape = [6,1]}
    %2 = Add(%0, %1)
    %3 "z" = Result(%2)
  })",
                                                                           target));
  const std::vector<InPlace> pairs = runner.InPlacePairs(runner.kernel());
  ASSERT_EQ(pairs.size(), 1);
  EXPECT_EQ(pairs[0].input, 0);
  EXPECT_EQ(pairs[0].output, 0);
}

TEST(SubgraphRunnerTest, SaysWhatIsNoKernel) {
  ASSERT_OK_AND_ASSIGN(const jit::Target target, jit::Target::Host());
  EXPECT_THAT(SubgraphRunner::Create(R"(model "" {
    %0 "x" = Parameter() {shape = [4,4]}
    %1 = MatMul(%0, %0)
    %2 "y" = Result(%1)
  })",
                                     target)
                  .status(),
              StatusIs(absl::StatusCode::kUnimplemented));
  EXPECT_THAT(SubgraphRunner::Create("model", target).status(), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin::snippets
