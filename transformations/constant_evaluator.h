// Who computes what is folded, and how much may be and is: services that a caller hands to constant folding with the
// PassContext.
//
// For callers that compute faster than the reference, or must bound what a compilation costs. Evaluators are
// thread-safe: one may serve concurrent compilations.
#ifndef BURIN_TRANSFORMATIONS_CONSTANT_EVALUATOR_H_
#define BURIN_TRANSFORMATIONS_CONSTANT_EVALUATOR_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "ir/model.h"
#include "ir/tensor.h"

namespace burin::transformations {

// PassContext::Provide<ConstantEvaluator>(...) replaces the reference evaluation.
class ConstantEvaluator {
 public:
  virtual ~ConstantEvaluator() = default;

  // Returns one dense tensor per output of a pure node without bodies; `inputs` holds one tensor per input, empty for
  // an absent one. An error other than Internal leaves the node as it is, to fail where the model runs.
  virtual absl::StatusOr<std::vector<ir::Tensor>> Evaluate(const ir::Node& node,
                                                           absl::Span<const ir::Tensor> inputs) const = 0;
};

// Returns the reference evaluation, which lives as long as the process.
const ConstantEvaluator& ReferenceConstantEvaluator();

// PassContext::Provide<FoldingLimits>(...) replaces the defaults.
struct FoldingLimits {
  // One fold may add this many bytes to the model: outputs, less the constants that nobody else reads. A view of the
  // same bytes adds none.
  int64_t max_growth_bytes = int64_t{4} << 20;
  // All folds of one compilation together may add this many bytes, reckoned likewise: more than what shapes, masks and
  // tables of real models take, so that it holds those back whose folds would go on.
  int64_t max_total_growth_bytes = int64_t{256} << 20;
  // A node that takes more work than this is left as it is. 10^8 is about a second of reference evaluation.
  double max_flops = 1e8;
};

// Counts what the folds of one compilation have added. RunPipeline (pipelines.h) hands one to the passes; where there
// is none, each fold is limited by itself alone. A pass context hands it on as a const service; not thread-safe.
class FoldingBudget {
 public:
  explicit FoldingBudget(int64_t grown_bytes = 0) : grown_bytes_(grown_bytes) {}

  // Adds what one fold adds; negative where it frees more.
  void Add(int64_t growth_bytes) const { grown_bytes_ += growth_bytes; }
  int64_t grown_bytes() const { return grown_bytes_; }

 private:
  mutable int64_t grown_bytes_;
};

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_CONSTANT_EVALUATOR_H_
