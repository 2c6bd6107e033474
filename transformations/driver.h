// Runs passes on a model: applies what they return, and watches over them.
//
// Passes come in groups. The rules of a group run together until none of them fires anywhere: each is tried at every
// node in topological order, and again near whatever a rewrite changed, so that the work follows the nodes and the
// rewrites and no rewrite costs a walk over the model. A whole-graph pass is a group of its own. Bodies of If and Loop
// are models like any other and are rewritten too. The driver numbers, counts and times every rewrite, verifies the
// model, and stops, reports or gives up as the options say. Which passes there are and their order: pipelines.h.
//
// Stateless: concurrent runs on different models are fine.
#ifndef BURIN_TRANSFORMATIONS_DRIVER_H_
#define BURIN_TRANSFORMATIONS_DRIVER_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "ir/model.h"
#include "ir/rewrite.h"
#include "transformations/pass.h"
#include "transformations/report.h"

namespace burin::transformations {

// Rules that run together, the first that fires at a node winning; or one whole-graph pass.
using PassGroup = std::vector<const Pass*>;

// A rewrite that is about to happen or has just happened.
struct RewriteEvent {
  // From 1, over all runs that share a report. The number that stop_after_rewrite counts.
  int64_t index = 0;
  const Pass* pass = nullptr;
  // Where the pass matched. The node may be gone afterwards; its name is kept.
  ir::NodeId node = ir::NodeId::kNone;
  std::string node_name;
  bool applied = false;
  // The model or body graph, as it is before or after.
  const ir::Model* model = nullptr;
  // Once applied: the nodes that the patch concerned, as Patch::Apply tells them. Empty for Rewriter::Edit.
  std::vector<ir::NodeId> touched;
};

struct PipelineOptions {
  // Names of passes that do not run. A name that no pass has is an error.
  std::vector<std::string> disabled;
  // The model stays as it is after this many rewrites; negative: no limit.
  int64_t stop_after_rewrite = -1;
  // Verifies the model after every rewrite, for tests: each costs a walk over the model. Otherwise the model is
  // verified after each group that rewrote something.
  bool verify_each_rewrite = false;
  // More rewrites in one run are an error: passes undo each other's work. Negative: in proportion to the nodes.
  int64_t max_rewrites = -1;
  // Called before and after every rewrite (before alone where a reader refuses the patch): for dumps (rewrite_dump.h)
  // and bisection.
  std::function<void(const RewriteEvent& event)> observer;
};

// Runs the groups one after the other and adds to `report`, whose rewrites count towards stop_after_rewrite: stages of
// one compilation share a report. InvalidArgument for a name in `disabled` that is neither that of a pass of `groups`
// nor among `known_passes`, or for a model with a cycle; Internal, naming pass and node, where a patch is wrong,
// verification fails or the cap is reached; a pass's own error. A patch that makes known that a node which reads its
// values can never run is no error: it is dropped and counted as refused. After an error the model is to be thrown
// away, and `report` holds what had been done.
absl::Status RunPasses(ir::Model* model, absl::Span<const PassGroup> groups, const ir::PassContext& context,
                       const PipelineOptions& options, CompileReport* report, absl::Span<const Pass> known_passes = {});

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_DRIVER_H_
