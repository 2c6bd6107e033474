// Counts what the facade allocates: nothing, in steady state.

#include <cstdlib>
#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "runtime/api/compiled_model.h"
#include "runtime/api/idle_model_testlib.h"
#include "runtime/api/infer_request.h"
#include "runtime/api/tensor.h"
#include "runtime/dev/port.h"
#include "testing/allocation_count_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

class InferRequestAllocationTest : public ::testing::Test {
 protected:
  const CompiledModel model_ = IdleModel();
  InferRequest request_ = model_.CreateInferRequest().value();
  const Tensor tensor_ = Tensor::CreateZeroed(ElementType::kF32, {1, 3}).value();
};

TEST_F(InferRequestAllocationTest, TheCounterCounts) {
  EXPECT_EQ(AllocationsOf([] {
              void* volatile memory = std::malloc(8);  // Not for the compiler to leave out.
              std::free(memory);
              return true;
            }),
            1000);
  EXPECT_GE(AllocationsOf([] { return !std::string(1000, 'x').empty(); }), 1000);
  EXPECT_GE(AllocationsOf([] { return Tensor::Create(ElementType::kF32, {16}).ok(); }), 1000);
}

TEST_F(InferRequestAllocationTest, InferAllocatesNothing) {
  EXPECT_EQ(AllocationsOf([&] { return request_.Infer().ok(); }), 0);
}

TEST_F(InferRequestAllocationTest, StartAsyncAndWaitAllocateNothing) {
  EXPECT_EQ(AllocationsOf([&] { return request_.StartAsync().ok() && request_.Wait().ok(); }), 0);
}

TEST_F(InferRequestAllocationTest, TensorsByIndexPortAndNameAllocateNothing) {
  EXPECT_EQ(AllocationsOf([&] {
              return request_.SetInputTensor(1, tensor_).ok() && request_.SetOutputTensor(0, tensor_).ok() &&
                     request_.GetInputTensor(0).ok() && request_.GetOutputTensor(1).ok();
            }),
            0);
  const Port mask = model_.inputs()[1];
  const Port z = model_.outputs()[1];
  EXPECT_EQ(AllocationsOf([&] {
              return request_.SetTensor(mask, tensor_).ok() && request_.SetTensor(z, tensor_).ok() &&
                     request_.GetTensor(mask).ok() && request_.GetTensor(z).ok();
            }),
            0);
  const std::string name = "mask:0";
  EXPECT_EQ(AllocationsOf([&] { return request_.SetTensor(name, tensor_).ok() && request_.GetTensor(name).ok(); }), 0);
}

TEST_F(InferRequestAllocationTest, ASetInferGetLoopAllocatesNothing) {
  EXPECT_EQ(AllocationsOf([&] {
              return request_.SetInputTensor(0, tensor_).ok() && request_.Infer().ok() &&
                     request_.GetOutputTensor(0).ok();
            }),
            0);
}

}  // namespace
}  // namespace burin
