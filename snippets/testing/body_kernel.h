// What a test runs: a kernel of a body for given shapes, however it was compiled.
//
// Use it to run kernels of static and of dynamic shapes, and kernels that are wrong on purpose, by the same checks. As
// thread-safe as the kernel behind it.
#ifndef BURIN_SNIPPETS_TESTING_BODY_KERNEL_H_
#define BURIN_SNIPPETS_TESTING_BODY_KERNEL_H_

#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "snippets/kernel/fused_kernel.h"

namespace burin::snippets {

// Runs items of work, as snippets/kernel/fused_kernel.h describes them.
class BodyKernel {
 public:
  virtual ~BodyKernel() = default;

  // Returns the number of items.
  virtual int64_t items() const = 0;

  // Returns the bytes of scratch memory of one run, aligned to 64.
  virtual size_t scratch_bytes() const = 0;

  // Runs the items from `begin` to `end`.
  virtual void Run(absl::Span<const void* const> inputs, absl::Span<void* const> outputs, void* scratch, int64_t begin,
                   int64_t end) const = 0;
};

// Is a kernel of static shapes, which outlives it.
class FusedBodyKernel final : public BodyKernel {
 public:
  explicit FusedBodyKernel(const FusedKernel& kernel) : kernel_(kernel) {}

  int64_t items() const override { return kernel_.items(); }
  size_t scratch_bytes() const override { return kernel_.scratch_bytes(); }
  void Run(absl::Span<const void* const> inputs, absl::Span<void* const> outputs, void* scratch, int64_t begin,
           int64_t end) const override {
    kernel_.Run(inputs, outputs, scratch, begin, end);
  }

 private:
  const FusedKernel& kernel_;
};

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_TESTING_BODY_KERNEL_H_
