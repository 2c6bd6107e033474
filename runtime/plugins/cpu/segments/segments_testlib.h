// A model in segments, with what the reference evaluator says of it, for tests.
//
// What cannot be made fails the test or aborts. Used by one thread.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_SEGMENTS_SEGMENTS_TESTLIB_H_
#define BURIN_RUNTIME_PLUGINS_CPU_SEGMENTS_SEGMENTS_TESTLIB_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ir/model.h"
#include "ir/reference_context.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "runtime/executor/team.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/graph/ready_graph.h"
#include "runtime/plugins/cpu/plan_cache.h"
#include "runtime/plugins/cpu/segments/segment.h"
#include "runtime/plugins/cpu/segments/segment_runner.h"

namespace burin::cpu {

// A model that runs in segments: y = -(c ? abs(exp(x)) : where exp(x) is not zero), with c: boolean[] and x: f32[n].
// The bodies of its If take any shape, and what the second gives is as long as the data tell.
inline constexpr absl::string_view kChoiceModel = R"(model "choice" {
  %0 "c" = Parameter() {element_type = boolean, shape = []}
  %1 "x" = Parameter() {element_type = f32, shape = [n]}
  %2 "exp" = Exp(%1)
  %3 "if" = If(%0, %2) {then_inputs = [1], else_inputs = [1]}
    model "then" {
      %0 "a" = Parameter() {element_type = f32, shape = [...]}
      %1 "b" = Abs(%0)
      %2 "c" = Result(%1)
    }
    model "else" {
      %0 "a" = Parameter() {element_type = f32, shape = [...]}
      %1 "w" = NonZero(%0) {output_type = i64}
      %2 "f" = ConvertLike(%1, %0)
      %3 "c" = Result(%2)
    }
  %4 "neg" = Negative(%3)
  %5 "y" = Result(%4)
})";

// Returns the nodes of a model by index of their ids, as the factory makes them.
std::vector<std::shared_ptr<const Node>> NodesOf(const ir::Model& model);

// Returns the names of nodes, and those of the operations that a segment runs: of its graph, then of its cuts.
std::vector<std::string> NamesOf(const ir::Model& model, const std::vector<ir::NodeId>& nodes);
std::vector<std::string> GraphOf(const Segment& segment);
std::vector<std::string> CutsOf(const Segment& segment);

// Runs a model in segments, in any case.
class SegmentedModel {
 public:
  explicit SegmentedModel(absl::string_view text, int64_t most_bytes = PlanCache::kMostBytes);

  const ir::Model& model() const { return *model_; }
  PlanCache& plans() { return *plans_; }
  SegmentRunner& runner() { return runner_; }

  absl::Status Infer(const std::vector<ir::Tensor>& inputs, std::vector<ir::Tensor>* results,
                     ir::VariableStore* variables = nullptr, SegmentObserver* observer = nullptr);

  // Expects what the reference evaluator gives, to the last bit; returns it.
  std::vector<ir::Tensor> ExpectReference(const std::vector<ir::Tensor>& inputs);

 private:
  const std::unique_ptr<ir::Model> model_;
  std::unique_ptr<PlanCache> plans_;
  GraphArena arena_;
  SegmentRunner runner_{&arena_};
  executor::Team team_{1, nullptr};
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_SEGMENTS_SEGMENTS_TESTLIB_H_
