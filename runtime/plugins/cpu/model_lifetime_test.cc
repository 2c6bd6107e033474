// What compiled models leave behind, and what they share: the process's memory and its packed weights.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "ir/dimension.h"
#include "ir/ops/op_testlib.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "runtime/dev/async_infer_request.h"
#include "runtime/dev/compiled_model.h"
#include "runtime/dev/slot.h"
#include "runtime/plugins/cpu/constants/packed_weights.h"
#include "runtime/plugins/cpu/mlp_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

constexpr Slot kInput{Slot::Kind::kInput, 0};
constexpr Slot kOutput{Slot::Kind::kOutput, 0};

[[maybe_unused]] constexpr int kShapes = 10000;
constexpr int64_t kMostRows = 9000;

// Returns the bytes of memory that the process has.
int64_t ResidentBytes() {
  std::ifstream statm("/proc/self/statm");
  int64_t total = 0;
  int64_t resident = 0;
  statm >> total >> resident;
  return resident * 4096;
}

void InferAndExpect(ICompiledModel& compiled, int seed) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<AsyncInferRequest> request, compiled.CreateInferRequest());
  const ir::Tensor input = Varied({3, 24}, seed);
  ASSERT_OK(request->SetTensor(kInput, input));
  ASSERT_OK(request->Infer());
  ExpectMlp(request->GetTensor(kOutput).value(), input);
}

TEST(ModelLifetimeTest, AThousandModelsLeaveTheMemoryAsItWas) {
  const auto run = [](int times) {
    for (int i = 0; i < times; ++i) InferAndExpect(*CompiledOnCpu(*Mlp(3)), i);
  };
  run(200);
  const int64_t before = ResidentBytes();
  run(800);
  EXPECT_EQ(PackedWeightsStore::Process().count(), 0);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // Which keep what is freed for a while.
  // Less than a hundredth of what these models take together.
  EXPECT_LT(ResidentBytes() - before, int64_t{1} << 20);
#endif
}

TEST(ModelLifetimeTest, AWalkOverTenThousandShapesLeavesTheMemoryAsItWas) {
  const std::shared_ptr<ICompiledModel> compiled =
      CompiledOnCpu(*Mlp(ir::Dimension()), {{"NUM_STREAMS", "1"}, {"INFERENCE_NUM_THREADS", "1"}});
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<AsyncInferRequest> request, compiled->CreateInferRequest());
  std::minstd_rand random(7);
  const ir::Tensor all = Varied({kMostRows, 24});
  const auto walk = [&](int steps) {
    for (int i = 0; i < steps; ++i) {
      const auto rows = static_cast<int64_t>(1 + random() % kMostRows);
      ASSERT_OK(request->SetTensor(kInput, all.Region({0, 0}, {rows, 24}).value()));
      ASSERT_OK(request->Infer());
    }
  };
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  walk(500);
#else
  // Until the cache is full.
  walk(kShapes / 2);
  const int64_t before = ResidentBytes();
  walk(kShapes / 2);
  EXPECT_LT(ResidentBytes() - before, int64_t{4} << 20);
#endif
  const ir::Tensor input = Varied({3, 24});
  ASSERT_OK(request->SetTensor(kInput, input));
  ASSERT_OK(request->Infer());
  ExpectMlp(request->GetTensor(kOutput).value(), input);
}

// What the data tells differs at each step, in a body too.
TEST(ModelLifetimeTest, AWalkOverWhatTheDataTellsLeavesTheMemoryAsItWas) {
  const std::shared_ptr<ICompiledModel> compiled =
      CompiledOnCpu(*ModelOf(R"(model "where" {
    %0 "x" = Parameter() {element_type = f32, shape = [n]}
    %1 "where" = NonZero(%0) {output_type = i64}
    %2 "abs" = Abs(%1)
    %3 "c" = Parameter() {element_type = boolean, shape = []}
    %4 "if" = If(%3, %2) {then_inputs = [1], else_inputs = [1]}
      model "then" {
        %0 "a" = Parameter() {element_type = i64, shape = [...]}
        %1 "b" = Negative(%0)
        %2 "c" = Result(%1)
      }
      model "else" {
        %0 "a" = Parameter() {element_type = i64, shape = [...]}
        %1 "c" = Result(%0)
      }
    %5 "y" = Result(%4)
  })"),
                    {{"NUM_STREAMS", "1"}, {"INFERENCE_NUM_THREADS", "1"}});
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<AsyncInferRequest> request, compiled->CreateInferRequest());
  std::minstd_rand random(11);
  const auto walk = [&](int steps) {
    for (int i = 0; i < steps; ++i) {
      const auto elements = static_cast<int64_t>(1 + random() % 300);
      const auto ones = static_cast<int64_t>(random() % static_cast<uint32_t>(elements + 1));
      std::vector<double> values(static_cast<size_t>(elements));
      std::fill_n(values.begin(), ones, 1);
      const bool holds = random() % 2 != 0;
      ASSERT_OK(request->SetTensor(kInput, ir::F32({elements}, values)));
      ASSERT_OK(request->SetTensor({Slot::Kind::kInput, 1}, ir::Bool({}, {holds ? 1 : 0})));
      ASSERT_OK(request->Infer());
      ASSERT_OK_AND_ASSIGN(const ir::Tensor found, request->GetTensor(kOutput));
      ASSERT_EQ(found.shape(), ir::Shape({1, ones}));
      if (ones == 0) continue;
      EXPECT_EQ(found.data_as<int64_t>()[ones - 1], holds ? 1 - ones : ones - 1);
    }
  };
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  walk(200);
#else
  walk(kShapes / 4);
  const int64_t before = ResidentBytes();
  walk(kShapes / 4);
  EXPECT_LT(ResidentBytes() - before, int64_t{4} << 20);
#endif
}

TEST(ModelLifetimeTest, EightThreadsCompileOneModelAtATime) {
  const std::shared_ptr<ICompiledModel> alone = CompiledOnCpu(*Mlp(3));
  const int64_t weights = PackedWeightsStore::Process().count();
  ASSERT_GT(weights, 0);
  std::vector<std::shared_ptr<ICompiledModel>> compiled(8);
  std::vector<std::thread> threads;
  for (auto& one : compiled) {
    threads.emplace_back([&one] {
      one = CompiledOnCpu(*Mlp(3));
      for (int i = 0; i < 20; ++i) InferAndExpect(*one, i);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(PackedWeightsStore::Process().count(), weights) << "weights are there more than once";
  compiled.clear();
  EXPECT_EQ(PackedWeightsStore::Process().count(), weights);
}

TEST(ModelLifetimeTest, PlansOfOtherShapesShareWeights) {
  const std::shared_ptr<ICompiledModel> compiled = CompiledOnCpu(*Mlp(ir::Dimension()));
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<AsyncInferRequest> request, compiled->CreateInferRequest());
  int64_t weights = 0;
  for (const int64_t rows : {1, 3, 8, 100}) {
    const ir::Tensor input = Varied({rows, 24});
    ASSERT_OK(request->SetTensor(kInput, input));
    ASSERT_OK(request->Infer());
    ExpectMlp(request->GetTensor(kOutput).value(), input);
    if (weights == 0) weights = PackedWeightsStore::Process().count();
    EXPECT_EQ(PackedWeightsStore::Process().count(), weights);
  }
  EXPECT_GT(weights, 0);
}

}  // namespace
}  // namespace burin::cpu
