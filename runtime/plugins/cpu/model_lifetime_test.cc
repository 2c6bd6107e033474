// What compiled models leave behind, and what they share: the process's memory and its packed weights.

#include <cstdint>
#include <fstream>
#include <memory>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "ir/dimension.h"
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
