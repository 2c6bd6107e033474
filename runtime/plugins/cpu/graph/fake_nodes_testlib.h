// Nodes whose behaviour a test decides, and drafts made of them.
//
// For tests of what plans and runs graphs: no kernels, no models. Used by one thread.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_GRAPH_FAKE_NODES_TESTLIB_H_
#define BURIN_RUNTIME_PLUGINS_CPU_GRAPH_FAKE_NODES_TESTLIB_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ir/shape.h"
#include "runtime/plugins/cpu/graph/configure_context.h"
#include "runtime/plugins/cpu/graph/graph_draft.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/graph/primitive.h"

namespace burin::cpu {

// Does what the test says.
class FakeNode final : public Node {
 public:
  std::vector<NodeCandidate> candidates;
  int view_of = -1;
  // Pairs of input and output.
  std::set<std::pair<int, int>> in_place;
  std::function<void(const ExecutionArgs& args)> execute;
  // Inputs that the primitive does not read.
  std::set<int> packed;
  int64_t scratch_bytes = 0;
  int64_t primitive_bytes = 100;
  // Whether it has no way to run, and what its primitive's creation says.
  bool has_no_candidate = false;
  absl::Status creation;

  const char* type_name() const override { return "Fake"; }
  // Row-major, where the test has set none.
  std::vector<NodeCandidate> Candidates(const NodeValues& values, const NodeContext& context) const override;
  int ViewOf(int output) const override;
  bool MayRunInPlace(const NodeValues& values, int input, int output) const override;
  absl::StatusOr<std::unique_ptr<const Primitive>> CreatePrimitive(const NodeValues& values,
                                                                   const NodeContext& context) const override;
};

// Builds a draft by hand.
class DraftBuilder {
 public:
  // Adds a value, by default f32[1,4,2,2]: of 64 bytes, for which layouts matter.
  int Value(ir::Shape shape = {1, 4, 2, 2});
  int Parameter(ir::Shape shape = {1, 4, 2, 2});
  int Constant();
  // Adds a step; returns its node, to be changed before a stage looks at it.
  FakeNode* Step(const std::string& name, std::vector<int> inputs, std::vector<int> outputs);
  void Result(int value) { draft.results.push_back(value); }

  GraphDraft draft;
};

// Returns a context for the machine at hand, whose factory makes FakeNodes.
ConfigureContext FakeContext();

// Returns the names of the steps, in their order.
std::vector<std::string> StepNames(const GraphDraft& draft);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_GRAPH_FAKE_NODES_TESTLIB_H_
