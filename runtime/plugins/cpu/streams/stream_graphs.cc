#include "runtime/plugins/cpu/streams/stream_graphs.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/status_macros.h"
#include "ir/partial_shape.h"
#include "runtime/executor/stream_cpus.h"
#include "runtime/executor/team.h"
#include "runtime/plugins/cpu/constants/release_constants.h"
#include "runtime/plugins/cpu/graph/ready_graph.h"
#include "runtime/plugins/cpu/streams/each_stream.h"

namespace burin::cpu {

namespace {

// Returns the shapes of the parameters where all are static.
bool StaticInputs(const ir::Model& model, std::vector<ir::Shape>* shapes) {
  for (const ir::NodeId parameter : model.parameters()) {
    const ir::PartialShape& shape = model.node(parameter).output(0).shape;
    if (shape.is_dynamic()) return false;
    shapes->push_back(shape.ToShape());
  }
  return true;
}

}  // namespace

StreamGraphs::StreamGraphs(const executor::CpuStreamsExecutor& executor, const Options& options) {
  for (size_t i = 0; i < executor.streams().size(); ++i) {
    const int stream = static_cast<int>(i);
    const int node = options.numa_nodes > 1 ? executor.streams()[i].node.value_or(-1) : -1;
    auto part = std::find_if(parts_.begin(), parts_.end(), [node](const Part& one) { return one.numa_node == node; });
    if (part == parts_.end()) {
      part = parts_.emplace(part);
      part->numa_node = node;
    }
    part->streams.push_back(stream);
    part_of_.push_back(static_cast<size_t>(part - parts_.begin()));
    graphs_.push_back(
        std::make_unique<GraphGuard>(executor.threads(stream), executor.helpers(stream), options.flush_denormals));
  }
}

absl::StatusOr<std::unique_ptr<StreamGraphs>> StreamGraphs::Create(
    ir::Model* model, const std::vector<std::shared_ptr<const Node>>& nodes, const NodeContext& context,
    const executor::CpuStreamsExecutor& executor, const Options& options) {
  std::unique_ptr<StreamGraphs> graphs(new StreamGraphs(executor, options));
  for (Part& part : graphs->parts_) {
    NodeContext own = context;
    own.numa_node = part.numa_node;
    for (const int stream : part.streams) own.threads = std::max(own.threads, executor.threads(stream));
    part.plans = std::make_unique<PlanCache>(model, nodes, own);
  }
  std::vector<ir::Shape> shapes;
  if (StaticInputs(*model, &shapes)) BURIN_RETURN_IF_ERROR(graphs->Prepare(shapes, executor, model));
  return graphs;
}

absl::Status StreamGraphs::Prepare(const std::vector<ir::Shape>& shapes, const executor::CpuStreamsExecutor& executor,
                                   ir::Model* model) {
  // On each node one stream of all threads that its streams have.
  std::vector<executor::CpuStream> places;
  for (const Part& part : parts_) {
    executor::CpuStream& place = places.emplace_back();
    place.threads = 0;
    for (const int stream : part.streams) {
      const std::vector<int>& cpus = executor.streams()[static_cast<size_t>(stream)].cpus;
      place.threads += executor.threads(stream);
      if (part.numa_node >= 0) place.cpus.insert(place.cpus.end(), cpus.begin(), cpus.end());
    }
  }
  // Memory is on the node of the thread that writes it first.
  executor::CpuStreamsExecutor compilation(std::move(places), /*pin=*/true);
  absl::Status released;
  const bool is_one = parts_.size() == 1;
  BURIN_RETURN_IF_ERROR(InEachStream(compilation, [&](int index) {
    executor::Team team(compilation.threads(index), compilation.helpers(index));
    PlanningHelp help;
    help.team = &team;
    // Several parts read the model's constants at any time.
    if (is_one) help.configured = [&] { released = ReleaseConstants(model); };
    return PreparePart(shapes, help, parts_[static_cast<size_t>(index)]);
  }));
  const bool all_planned =
      std::all_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.plan->graph != nullptr; });
  if (!is_one && all_planned) released = ReleaseConstants(model);
  return released;
}

absl::Status StreamGraphs::PreparePart(const std::vector<ir::Shape>& shapes, const PlanningHelp& help, Part& part) {
  BURIN_ASSIGN_OR_RETURN(part.plan, part.plans->For(shapes, help));
  if (part.plan->graph == nullptr) return absl::OkStatus();
  std::vector<absl::Status> statuses(part.streams.size());
  help.team->Share(static_cast<int64_t>(part.streams.size()), [&](int64_t number, int) {
    const auto i = static_cast<size_t>(number);
    GraphGuard::Lock lock(graph(part.streams[i]));
    statuses[i] = lock.GraphFor(part.plan).status();
  });
  for (const absl::Status& status : statuses) BURIN_RETURN_IF_ERROR(status);
  return absl::OkStatus();
}

}  // namespace burin::cpu
