// Runs the body of a Subgraph whose shapes are known only at run time.
//
// Use it where a body's shapes are dynamic: for each sizes it gives the kernel to run. A new shape costs inference and
// a plan, but no code, unless it broadcasts other dimensions; a shape that was seen lately costs a look-up. Where all
// shapes are static, FusedKernel alone does. Thread-safe.
#ifndef BURIN_SNIPPETS_KERNEL_DYNAMIC_KERNEL_H_
#define BURIN_SNIPPETS_KERNEL_DYNAMIC_KERNEL_H_

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "ir/model.h"
#include "ir/shape.h"
#include "jit/isa/target.h"
#include "snippets/kernel/fused_kernel.h"

namespace burin::snippets {

// Is a body, and the kernels for the shapes that it had lately.
class DynamicKernel {
 public:
  // Is a kernel for certain shapes.
  struct Sized {
    FusedKernel kernel;
    // Of the body's results.
    std::vector<ir::Shape> outputs;
  };

  // The most shapes that are kept.
  static constexpr size_t kMostShapes = 64;

  // Holds a clone of `body`, of primitive operations. Fails as FusedKernel::Create() does where that does not depend on
  // the sizes: the body is compiled once for sizes that its shapes allow.
  static absl::StatusOr<std::unique_ptr<DynamicKernel>> Create(const ir::Model& body, const jit::Target& target,
                                                               const FusedKernel::Options& options);

  // Returns the kernel for parameters of these shapes, in their order. InvalidArgument where the body refuses them.
  absl::StatusOr<std::shared_ptr<const Sized>> For(absl::Span<const ir::Shape> parameters);

 private:
  using Shapes = std::vector<ir::Shape>;
  // The shape that was asked for last comes first.
  using Recent = std::list<std::pair<Shapes, std::shared_ptr<const Sized>>>;

  DynamicKernel(const ir::Model& body, const jit::Target& target, const FusedKernel::Options& options)
      : body_(body.Clone()), target_(target), options_(options) {}

  absl::StatusOr<std::shared_ptr<const Sized>> Plan(absl::Span<const ir::Shape> parameters) const;

  const std::unique_ptr<const ir::Model> body_;
  const jit::Target target_;
  const FusedKernel::Options options_;
  absl::Mutex mutex_;
  Recent recent_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<Shapes, Recent::iterator> by_shapes_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_KERNEL_DYNAMIC_KERNEL_H_
