// Counts what an inference of a model of static shapes allocates: nothing, in steady state. What oneTBB allocates for
// itself does not count.

#include <cstdlib>
#include <memory>

#include "gtest/gtest.h"
#include "ir/tensor.h"
#include "runtime/dev/async_infer_request.h"
#include "runtime/dev/compiled_model.h"
#include "runtime/dev/property_map.h"
#include "runtime/dev/slot.h"
#include "runtime/plugins/cpu/mlp_testlib.h"
#include "testing/allocation_count_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

constexpr Slot kInput{Slot::Kind::kInput, 0};
constexpr Slot kOutput{Slot::Kind::kOutput, 0};

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

TEST(InferenceAllocationTest, ATeamAllocatesNothing) { ExpectNoAllocations({{"NUM_STREAMS", "1"}}); }

}  // namespace
}  // namespace burin::cpu
