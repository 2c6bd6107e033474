#include "testing/allocation_count_testlib.h"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

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

int64_t AllocationsOf(const std::function<bool()>& call) {
  for (int i = 0; i < 50; ++i) {
    if (!call()) return -1;
  }
  const int64_t before = allocations.load();
  bool good = true;
  for (int i = 0; i < 1000; ++i) good = call() && good;
  const int64_t after = allocations.load();
  return good ? after - before : -1;
}

}  // namespace burin
