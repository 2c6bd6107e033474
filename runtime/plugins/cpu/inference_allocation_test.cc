// Counts what an inference allocates in steady state: nothing, where all shapes are static, else no more than its
// results. What oneTBB allocates for itself does not count.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "base/element_type.h"
#include "gtest/gtest.h"
#include "ir/dimension.h"
#include "ir/ops/op_testlib.h"
#include "ir/tensor.h"
#include "runtime/dev/async_infer_request.h"
#include "runtime/dev/compiled_model.h"
#include "runtime/dev/property_map.h"
#include "runtime/dev/slot.h"
#include "runtime/plugins/cpu/mlp_testlib.h"
#include "runtime/plugins/cpu/segments/segments_testlib.h"
#include "testing/allocation_count_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

constexpr Slot kInput{Slot::Kind::kInput, 0};
constexpr Slot kOutput{Slot::Kind::kOutput, 0};

constexpr int64_t kMostAllocationsOfSegments = 150;

void ExpectNoAllocations(const PropertyMap& properties) {
  const std::shared_ptr<ICompiledModel> compiled = CompiledOnCpu(*Mlp(3), properties);
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<AsyncInferRequest> request, compiled->CreateInferRequest());
  const ir::Tensor input = Varied({3, 24});
  ASSERT_OK(request->SetTensor(kInput, input));
  EXPECT_EQ(AllocationsOf([&] { return request->Infer().ok(); }), 0);
  EXPECT_EQ(AllocationsOf([&] {
              return request->SetTensor(kInput, input).ok() && request->Infer().ok() &&
                     request->GetTensor(kOutput).ok();
            }),
            0);
  ExpectMlp(request->GetTensor(kOutput).value(), input);
}

TEST(InferenceAllocationTest, TheCounterCounts) {
  EXPECT_EQ(AllocationsOf([] {
              void* volatile memory = std::malloc(8);  // Not for the compiler to leave out.
              std::free(memory);
              return true;
            }),
            1000);
}

TEST(InferenceAllocationTest, OneThreadAllocatesNothing) {
  ExpectNoAllocations({{"NUM_STREAMS", "1"}, {"INFERENCE_NUM_THREADS", "1"}});
}

TEST(InferenceAllocationTest, StartingAllocatesNothing) {
  // Whoever is told that an inference is over may start the next one before the stream of the last one is free: it
  // waits in line, once in a while.
  for (const char* threads : {"1", "0"}) {
    const std::shared_ptr<ICompiledModel> compiled =
        CompiledOnCpu(*Mlp(3), {{"NUM_STREAMS", "1"}, {"INFERENCE_NUM_THREADS", threads}});
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<AsyncInferRequest> request, compiled->CreateInferRequest());
    EXPECT_EQ(AllocationsOf([&] { return request->StartAsync().ok() && request->Wait().ok(); }), 0);
  }
}

TEST(InferenceAllocationTest, ShapesThatWereSeenAllocateResultsAlone) {
  const std::shared_ptr<ICompiledModel> compiled =
      CompiledOnCpu(*Mlp(ir::Dimension()), {{"NUM_STREAMS", "1"}, {"INFERENCE_NUM_THREADS", "1"}});
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<AsyncInferRequest> request, compiled->CreateInferRequest());
  constexpr int kShapes = 40;
  std::vector<ir::Tensor> inputs;
  for (int i = 0; i < kShapes; ++i) inputs.push_back(Varied({i + 1, 24}));
  int next = 0;
  const auto infer = [&] {
    next = (next + 7) % kShapes;
    return request->SetTensor(kInput, inputs[static_cast<size_t>(next)]).ok() && request->Infer().ok();
  };
  for (int i = 0; i < kShapes; ++i) ASSERT_TRUE(infer());
  // A result of unknown shape is a new tensor, which the user may keep.
  const int64_t results = AllocationsOf([] { return ir::Tensor::Create(ElementType::kF32, {3, 10}).ok(); });
  const int64_t inputs_set = AllocationsOf([&] {
    next = (next + 7) % kShapes;
    return request->SetTensor(kInput, inputs[static_cast<size_t>(next)]).ok();
  });
  EXPECT_LE(AllocationsOf(infer), results + inputs_set);
}

// What an inference in segments allocates does not grow, and is little. It is not nothing: the operations between
// graphs are evaluated by their definition, which makes tensors, and results are tensors that the user may keep.
TEST(InferenceAllocationTest, SegmentsAllocateTheSameEachTime) {
  const std::shared_ptr<ICompiledModel> compiled =
      CompiledOnCpu(*ModelOf(kChoiceModel), {{"NUM_STREAMS", "1"}, {"INFERENCE_NUM_THREADS", "1"}});
  for (const int holds : {1, 0}) {
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<AsyncInferRequest> request, compiled->CreateInferRequest());
    ASSERT_OK(request->SetTensor(kInput, ir::Bool({}, {holds})));
    ASSERT_OK(request->SetTensor({Slot::Kind::kInput, 1}, ir::F32({3}, {1, 2, 3})));
    ASSERT_OK(request->Infer());
    const auto infer = [&] { return request->Infer().ok(); };
    const int64_t first = AllocationsOf(infer);
    EXPECT_EQ(AllocationsOf(infer), first);
    EXPECT_LE(first, 1000 * kMostAllocationsOfSegments) << "holds: " << holds;
  }
}

TEST(InferenceAllocationTest, ATeamAllocatesNothing) { ExpectNoAllocations({{"NUM_STREAMS", "1"}}); }

}  // namespace
}  // namespace burin::cpu
