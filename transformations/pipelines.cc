#include "transformations/pipelines.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "absl/status/statusor.h"
#include "base/check.h"
#include "ir/tensor.h"
#include "transformations/constant_evaluator.h"
#include "transformations/pass_table.h"

namespace burin::transformations {
namespace {

PassGroup Group(std::initializer_list<PassId> ids) {
  PassGroup group;
  for (const PassId id : ids) group.push_back(&PassOf(id));
  return group;
}

// The rules that bring a model to its canonical form. They run together because each makes room for the others.
PassGroup Canonicalize() {
  return Group({
      // First, because what is constant needs no other rule; known shapes before the folding that goes on from them.
      PassId::kShapeOfArithmetic,
      PassId::kConstantFolding,
      // As soon as folding has made a condition or a trip count known: then the other rules see the bodies' nodes too.
      PassId::kInlineIf,
      PassId::kUnrollLoop,
      // Before the identities, because a Concat of one operand is one.
      PassId::kDropEmptyOperands,
      // What changes nothing goes before chains are merged, which then are shorter.
      PassId::kEliminateIdentityOps,
      PassId::kArithmeticIdentities,
      // Before constants are merged and scales are folded, which take the parts of a formula into others. What holds
      // another formula comes before that.
      PassId::kFuseMvn,
      PassId::kFuseSoftmax,
      PassId::kFuseGelu,
      PassId::kFuseHSwish,
      PassId::kFuseHSigmoid,
      PassId::kFuseMish,
      PassId::kFuseSwish,
      // Before sinking, which would move what can go altogether.
      PassId::kBroadcastRemoval,
      PassId::kConvertChains,
      PassId::kReshapeChains,
      PassId::kTransposeChains,
      // Before sinking, which would move away what a MatMul reads as it is.
      PassId::kMatMulTransposes,
      // After the chains, so that only what cancels nothing where it is moves down.
      PassId::kTransposeSinking,
      PassId::kReshapeSinking,
      PassId::kConvertSinking,
      // Before scales, of which it makes one.
      PassId::kDecomposeBatchNorm,
      PassId::kFoldPad,
      // Before scales are folded, so that one constant goes into the weights instead of several.
      PassId::kMergeConstants,
      PassId::kFoldScale,
      // After scales, which go into the weights where they can.
      PassId::kCommonFactor,
      // After folding, for the weights have to be known.
      PassId::kIntegerProducts,
      // Last: the form of what the others leave behind an anchor.
      PassId::kBiasForm,
  });
}

std::vector<PassGroup> UpToLpt() {
  return {
      // Before folding, which would round to the narrow type; what it widens decompresses nothing.
      Group({PassId::kConvertPrecision}),
      // Before folding, which would widen the weights.
      Group({PassId::kDecompressionMarking}),
      Canonicalize(),
      // After folding, because equal constants come out of it.
      Group({PassId::kCommonSubexpressions}),
      // Again, because merged nodes have other readers.
      Canonicalize(),
      Group({PassId::kDeadCode}),
  };
}

std::vector<PassGroup> PostLpt() {
  return {
      // Before folding: low precision makes decompression of its own.
      Group({PassId::kDecompressionMarking}),
      Canonicalize(),
      Group({PassId::kCommonSubexpressions}),
      Group({PassId::kDeadCode}),
  };
}

// Adds up the time that another evaluator takes.
class TimedEvaluator final : public ConstantEvaluator {
 public:
  explicit TimedEvaluator(const ConstantEvaluator& evaluator) : evaluator_(evaluator) {}

  absl::StatusOr<std::vector<ir::Tensor>> Evaluate(const ir::Node& node,
                                                   absl::Span<const ir::Tensor> inputs) const override {
    const auto start = std::chrono::steady_clock::now();
    absl::StatusOr<std::vector<ir::Tensor>> outputs = evaluator_.Evaluate(node, inputs);
    total_ns_ += std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count();
    return outputs;
  }
  int64_t total_ns() const { return total_ns_; }

 private:
  const ConstantEvaluator& evaluator_;
  mutable std::atomic<int64_t> total_ns_{0};
};

}  // namespace

absl::Span<const PassGroup> GroupsOf(Stage stage) {
  static const auto* const up_to_lpt = new std::vector<PassGroup>(UpToLpt());
  static const auto* const post_lpt = new std::vector<PassGroup>(PostLpt());
  switch (stage) {
    case Stage::kUpToLpt:
      return *up_to_lpt;
    case Stage::kPostLpt:
      return *post_lpt;
  }
  BURIN_CHECK(false) << "no such stage";
  return {};
}

absl::Status RunPipeline(Stage stage, ir::Model* model, const ir::PassContext& context, const PipelineOptions& options,
                         CompileReport* report) {
  const auto* const given = context.Find<ConstantEvaluator>();
  const TimedEvaluator evaluator(given != nullptr ? *given : ReferenceConstantEvaluator());
  ir::PassContext timed = context;
  timed.Provide<ConstantEvaluator>(&evaluator);
  // Stages of one compilation share a report, and so the budget.
  const FoldingBudget budget(report->constants_growth_bytes);
  timed.Provide(&budget);
  const absl::Status status = RunPasses(model, GroupsOf(stage), timed, options, report, AllPasses());
  report->constants_ns += evaluator.total_ns();
  report->constants_growth_bytes = budget.grown_bytes();
  return status;
}

}  // namespace burin::transformations
