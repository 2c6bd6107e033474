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
