// How a model is compiled for the CPU: the one list of stages, from the user's operations to what nodes run.
//
// The stages change a copy of the model that is theirs, and plan the streams; graphs are made of the result
// (runtime/plugins/cpu/graph). Stateless, thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_PIPELINE_H_
#define BURIN_RUNTIME_PLUGINS_CPU_PIPELINE_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ir/model.h"
#include "runtime/dev/configuration.h"
#include "runtime/executor/broker/lease_streams.h"
#include "transformations/constant_evaluator.h"

namespace burin::cpu {

// What is compiled: what the stages read, and what they set.
struct CompilationState {
  const Configuration* configuration = nullptr;
  // Not to lease CPUs, since nothing will run.
  bool plan_only = false;
  // What computes constants; null for the reference.
  const transformations::ConstantEvaluator* constants = nullptr;

  std::unique_ptr<ir::Model> model;
  executor::LeasedStreams streams;
  // How many NUMA nodes the machine has.
  int numa_nodes = 1;
};

struct CompilationStage {
  absl::string_view name;
  absl::Status (*run)(CompilationState& state);
};

// Returns the stages in their order.
absl::Span<const CompilationStage> CompilationStages();

// Runs all stages. Errors are those of the stages.
absl::Status RunStages(CompilationState& state);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_PIPELINE_H_
