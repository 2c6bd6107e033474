// The execution graph of a model that the REFERENCE device runs, and what is known of its nodes.
//
// Stateless, thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_REFERENCE_RUNTIME_MODEL_H_
#define BURIN_RUNTIME_PLUGINS_REFERENCE_RUNTIME_MODEL_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "runtime/dev/profiling_info.h"

namespace burin::reference {

// The nodes that run, which constants do not.
struct RunningNodes {
  // What is known before any has run, in the order of execution; work and traffic where the shapes are static.
  std::vector<ProfilingInfo> nodes;
  std::vector<int32_t> index;  // By node id: into `nodes`, or -1.
};

// Returns them. InvalidArgument where the model has a cycle.
absl::StatusOr<RunningNodes> DescribeRunningNodes(const ir::Model& model);

// Returns a copy of the model whose nodes carry the runtime info of runtime/dev/profiling/execution_info.h. `profile`
// tells, for each of `running.nodes`, what it did. InvalidArgument where the model has a cycle.
absl::StatusOr<std::unique_ptr<ir::Model>> MakeRuntimeModel(const ir::Model& model, const RunningNodes& running,
                                                            const std::vector<ProfilingInfo>& profile);

}  // namespace burin::reference

#endif  // BURIN_RUNTIME_PLUGINS_REFERENCE_RUNTIME_MODEL_H_
