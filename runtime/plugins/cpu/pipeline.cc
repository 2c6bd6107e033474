#include "runtime/plugins/cpu/pipeline.h"

#include <utility>

#include "base/status_macros.h"
#include "ir/rewrite.h"
#include "runtime/executor/cpu_allowance.h"
#include "runtime/executor/cpu_topology.h"
#include "runtime/executor/read_cpu_topology.h"
#include "runtime/executor/streams_table.h"
#include "runtime/executor/system_files.h"
#include "runtime/plugins/cpu/name_dimensions.h"
#include "runtime/plugins/cpu/streams/streams_request.h"
#include "snippets/tokenize/fusion_report.h"
#include "snippets/tokenize/tokenize.h"
#include "transformations/driver.h"
#include "transformations/pipelines.h"
#include "transformations/precision/computed_types.h"
#include "transformations/report.h"

namespace burin::cpu {

namespace {

// There are kernels of f32 alone: for what models have of narrower floats, of narrow weights, and of products of bytes.
constexpr transformations::ComputedTypes kComputedTypes = {/*widens_f16=*/true, /*widens_bf16=*/true,
                                                           /*widens_weights=*/true,
                                                           /*multiplies_integers_in_f32=*/true};

absl::Status RunPasses(transformations::Stage stage, CompilationState& state) {
  ir::PassContext context;
  context.Provide<transformations::ComputedTypes>(&kComputedTypes);
  if (state.constants != nullptr) context.Provide<transformations::ConstantEvaluator>(state.constants);
  transformations::CompileReport report;
  return transformations::RunPipeline(stage, state.model.get(), context, transformations::PipelineOptions(), &report);
}

absl::Status UpToLpt(CompilationState& state) {
  // First, because passes look at shapes.
  BURIN_RETURN_IF_ERROR(NameDimensions(state.model.get()));
  return RunPasses(transformations::Stage::kUpToLpt, state);
}

absl::Status CalculateStreams(CompilationState& state) {
  if (state.plan_only) return absl::OkStatus();
  BURIN_ASSIGN_OR_RETURN(const executor::StreamsRequest request, MakeStreamsRequest(*state.configuration));
  const executor::RootedSystemFiles files;
  const executor::CpuTopology topology = executor::ReadCpuTopology(files, executor::ReadAffinityMask());
  state.numa_nodes = static_cast<int>(topology.nodes().size());
  const executor::CpuAllowance allowance = executor::ReadCpuAllowance(files, executor::ReadAffinityMask());
  BURIN_ASSIGN_OR_RETURN(state.streams, executor::LeaseStreams(&executor::CoreBroker::OfProcess(), state.model->name(),
                                                               topology, allowance, request));
  return absl::OkStatus();
}

absl::Status PostLpt(CompilationState& state) { return RunPasses(transformations::Stage::kPostLpt, state); }

absl::Status Snippets(CompilationState& state) {
  snippets::TokenizeOptions options;
  options.dense_anchors = true;
  return snippets::Tokenize(*state.model, options).status();
}

}  // namespace

absl::Span<const CompilationStage> CompilationStages() {
  static constexpr CompilationStage kStages[] = {
      {"UpToLpt", &UpToLpt},
      {"CalculateStreams", &CalculateStreams},
      {"PostLpt", &PostLpt},
      {"Snippets", &Snippets},
  };
  return kStages;
}

absl::Status RunStages(CompilationState& state) {
  for (const CompilationStage& stage : CompilationStages()) BURIN_RETURN_IF_ERROR(stage.run(state));
  return absl::OkStatus();
}

}  // namespace burin::cpu
