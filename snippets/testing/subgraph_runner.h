// Runs the body of any Subgraph as one kernel, and checks it against its reference evaluation.
//
// Use it in tests of all of snippets: from a text or a model to guarded memory, with no step left out. Not for
// measuring. Const methods may be called from any thread.
#ifndef BURIN_SNIPPETS_TESTING_SUBGRAPH_RUNNER_H_
#define BURIN_SNIPPETS_TESTING_SUBGRAPH_RUNNER_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ir/model.h"
#include "ir/tensor.h"
#include "jit/isa/target.h"
#include "snippets/kernel/fused_kernel.h"
#include "snippets/testing/body_kernel.h"
#include "snippets/testing/kernel_check.h"

namespace burin::snippets {

// Holds a body, what it is decomposed to, and its one kernel.
class SubgraphRunner {
 public:
  // Decomposes a copy of `body`, which has static shapes, and compiles it. Unimplemented, with the reason, for what
  // cannot be part of a kernel.
  static absl::StatusOr<SubgraphRunner> Create(const ir::Model& body, const jit::Target& target,
                                               const FusedKernel::Options& options = {});
  // As above, of a text (ir/text.h).
  static absl::StatusOr<SubgraphRunner> Create(absl::string_view text, const jit::Target& target,
                                               const FusedKernel::Options& options = {});

  // Runs the kernel as CheckKernel() does and compares it with the reference evaluation of the body as it was given,
  // within what RunBounded() allows; an output takes the memory of each input that it may. InvalidArgument, naming the
  // first element, where they differ.
  absl::StatusOr<ComparedElements> Check(absl::Span<const ir::Tensor> inputs, uint64_t seed) const;

  // As above, of another kernel that should compute the body.
  absl::StatusOr<ComparedElements> Check(const FusedKernel& kernel, absl::Span<const ir::Tensor> inputs,
                                         uint64_t seed) const;
  // As above, of one that need not be able to work in place.
  absl::StatusOr<ComparedElements> Check(const BodyKernel& kernel, absl::Span<const ir::Tensor> inputs,
                                         uint64_t seed) const;

  // Return the body as it was given, and in primitive operations.
  const ir::Model& body() const { return *body_; }
  const ir::Model& primitive() const { return *primitive_; }

  // Returns the kernel.
  const FusedKernel& kernel() const { return kernel_; }

  // Returns which outputs the kernel may write into the memory of which inputs.
  std::vector<InPlace> InPlacePairs(const FusedKernel& kernel) const;

 private:
  // Is a body in primitive operations, none of which is computed beforehand but what is exact: constants of floats and
  // truth values, and integers that are made ones, are parameters behind the body's own.
  struct UnfoldedBody {
    std::unique_ptr<ir::Model> primitive;
    std::vector<ir::Tensor> constants;
  };

  SubgraphRunner(std::unique_ptr<ir::Model> body, std::unique_ptr<ir::Model> primitive, UnfoldedBody unfolded,
                 FusedKernel kernel)
      : body_(std::move(body)),
        primitive_(std::move(primitive)),
        unfolded_(std::move(unfolded)),
        kernel_(std::move(kernel)) {}

  // Makes parameters of integers that are known and read by what makes floats or truth values of integers alone.
  static absl::Status UnfoldIntegers(UnfoldedBody& unfolded);
  static absl::StatusOr<UnfoldedBody> Unfold(const ir::Model& body);
  absl::StatusOr<std::vector<ExpectedOutput>> Expect(absl::Span<const ir::Tensor> inputs) const;

  std::unique_ptr<ir::Model> body_;
  std::unique_ptr<ir::Model> primitive_;
  UnfoldedBody unfolded_;
  FusedKernel kernel_;
};

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_TESTING_SUBGRAPH_RUNNER_H_
