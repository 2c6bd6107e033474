// Counts what the facade allocates: nothing, in steady state. A program of its own: it replaces operator new and wraps
// malloc and its kin (linker option --wrap), for the code that is linked into it.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <new>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "runtime/api/compiled_model.h"
#include "runtime/api/idle_model_testlib.h"
#include "runtime/api/infer_request.h"
#include "runtime/api/tensor.h"
#include "runtime/dev/port.h"
#include "testing/gtest/status_matchers.h"

namespace {

std::atomic<int64_t> allocations{0};

void* Count(void* memory) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return memory;
}

}  // namespace

extern "C" {

// The names are the linker's.
void* __real_malloc(size_t size);
void* __real_calloc(size_t count, size_t size);
void* __real_realloc(void* memory, size_t size);
void* __real_aligned_alloc(size_t alignment, size_t size);
int __real_posix_memalign(void** memory, size_t alignment, size_t size);

void* __wrap_malloc(size_t size) { return Count(__real_malloc(size)); }
void* __wrap_calloc(size_t count, size_t size) { return Count(__real_calloc(count, size)); }
void* __wrap_realloc(void* memory, size_t size) { return Count(__real_realloc(memory, size)); }
void* __wrap_aligned_alloc(size_t alignment, size_t size) { return Count(__real_aligned_alloc(alignment, size)); }
int __wrap_posix_memalign(void** memory, size_t alignment, size_t size) {
  Count(nullptr);
  return __real_posix_memalign(memory, alignment, size);
}

}  // extern "C"

// The forms that are not here call these two.
void* operator new(size_t size) {
  void* memory = std::malloc(size == 0 ? 1 : size);  // Counted there.
  if (memory == nullptr) std::abort();
  return memory;
}
void* operator new(size_t size, std::align_val_t alignment) {
  void* memory = nullptr;
  if (posix_memalign(&memory, static_cast<size_t>(alignment), size == 0 ? 1 : size) != 0) std::abort();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, size_t, std::align_val_t) noexcept { std::free(memory); }

namespace burin {
namespace {

class InferRequestAllocationTest : public ::testing::Test {
 protected:
  // Returns how many allocations all threads together make in 1000 calls, after a few that may warm up.
  static int64_t AllocationsOf(const std::function<bool()>& call) {
    for (int i = 0; i < 50; ++i) {
      if (!call()) return -1;
    }
    const int64_t before = allocations.load();
    bool good = true;
    for (int i = 0; i < 1000; ++i) good = call() && good;
    const int64_t after = allocations.load();
    return good ? after - before : -1;
  }

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
