#include "runtime/plugins/cpu/graph/graph_plan.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/aligned_buffer.h"
#include "base/hash.h"
#include "base/mapped_file.h"
#include "base/status_macros.h"
#include "ir/storage.h"
#include "runtime/executor/team.h"
#include "runtime/plugins/cpu/constants/packed_weights.h"
#include "runtime/plugins/cpu/graph/graph_draft.h"
#include "runtime/plugins/cpu/graph/memory_plan.h"
#include "runtime/plugins/cpu/graph/storage_groups.h"

namespace burin::cpu {

namespace {

// Vectors of any width, and lines of the cache.
constexpr int64_t kAlignment = 64;

// Returns what the node is asked about, with the layouts of the candidate that was chosen.
NodeValues ChosenValues(const GraphDraft& graph, const GraphStep& step) {
  NodeValues values = graph.ValuesOf(step);
  const NodeCandidate& chosen = step.candidates[step.chosen];
  for (size_t i = 0; i < values.inputs.size(); ++i) {
    if (values.inputs[i].exists && !values.inputs[i].constant.has_value()) {
      values.inputs[i].desc.layout = chosen.inputs[i];
    }
  }
  for (size_t i = 0; i < values.outputs.size(); ++i) values.outputs[i].layout = chosen.outputs[i];
  return values;
}

bool AllViews(const GraphStep& step) {
  return std::all_of(step.memory.begin(), step.memory.end(),
                     [](const OutputMemory& memory) { return memory.kind == OutputMemory::Kind::kView; });
}

absl::Status WithName(const absl::Status& status, const GraphStep& step) {
  return absl::Status(status.code(), absl::StrCat("Node ", step.name, ": ", status.message()));
}

// A step that is to run, and what runs it.
struct Made {
  // Of the graph.
  size_t step = 0;
  // Which node it is of: that of the step, or its fallback.
  const Node* node = nullptr;
  absl::StatusOr<std::unique_ptr<const Primitive>> primitive;
};

// Makes the primitive of `step`, by its node or its fallback.
void MakePrimitive(const GraphDraft& graph, const GraphStep& step, const NodeContext& context, Made* made) {
  const NodeValues values = ChosenValues(graph, step);
  made->node = step.node.get();
  made->primitive = step.node->CreatePrimitive(values, context);
  const bool has_no_kernel = made->primitive.status().code() == absl::StatusCode::kUnimplemented;
  if (!has_no_kernel || step.fallback == nullptr || step.fallback == step.node) return;
  absl::StatusOr<std::unique_ptr<const Primitive>> other = step.fallback->CreatePrimitive(values, context);
  // What the node says is nearer to the point.
  if (other.status().code() == absl::StatusCode::kUnimplemented) return;
  made->node = step.fallback.get();
  made->primitive = std::move(other);
}

// Lets go of constants that nobody reads once those primitives are made that have packed them.
class ConstantReaders {
 public:
  ConstantReaders(GraphDraft* graph, const StorageGroups& storage)
      : graph_(graph), storage_(storage), unmade_(storage.groups.size()), read_(storage.groups.size()) {
    for (const int result : graph->results) read_[GroupOf(result)] = true;
    // The passes have read them; packing, which comes to each in its turn, reads them from the file again.
    for (const StorageGroup& group : storage_.groups) {
      if (!group.is_constant) continue;
      const ir::Tensor& constant = graph_->values[static_cast<size_t>(group.value)].constant;
      if (constant.has_value()) MappedFile::ReleasePages(constant.data(), constant.byte_size());
    }
  }

  // Counts a step that is to be made.
  void Expect(const GraphStep& step) {
    for (const int value : step.inputs) {
      if (IsConstant(value)) ++unmade_[GroupOf(value)];
    }
  }

  // Notes a step that was made; null where that failed. Of different steps at any time.
  void Note(const GraphStep& step, const Primitive* primitive) {
    for (size_t i = 0; i < step.inputs.size(); ++i) {
      if (!IsConstant(step.inputs[i])) continue;
      const size_t group = GroupOf(step.inputs[i]);
      if (primitive == nullptr || primitive->Reads(static_cast<int>(i))) read_[group] = true;
      if (--unmade_[group] > 0 || read_[group]) continue;
      ir::Tensor& constant = graph_->values[static_cast<size_t>(storage_.groups[group].value)].constant;
      if (constant.has_value()) MappedFile::ReleasePages(constant.data(), constant.byte_size());
      constant = ir::Tensor();
    }
  }

 private:
  size_t GroupOf(int value) const { return static_cast<size_t>(storage_.group_of[static_cast<size_t>(value)]); }
  bool IsConstant(int value) const { return value >= 0 && storage_.groups[GroupOf(value)].is_constant; }

  GraphDraft* const graph_;
  const StorageGroups& storage_;
  // By group: how many inputs of steps are still to be made, and whether any step that is made reads it.
  std::vector<std::atomic<int>> unmade_;
  std::vector<std::atomic<bool>> read_;
};

// Makes the primitives of all steps that are not views, by the team of `context` where it has one.
std::vector<Made> MakePrimitives(GraphDraft* graph, const StorageGroups& storage, const NodeContext& context) {
  std::vector<Made> made;
  ConstantReaders readers(graph, storage);
  for (size_t i = 0; i < graph->steps.size(); ++i) {
    if (AllViews(graph->steps[i])) continue;
    made.emplace_back().step = i;
    readers.Expect(graph->steps[i]);
  }
  const auto make = [&](int64_t number, int) {
    Made& one = made[static_cast<size_t>(number)];
    const GraphStep& step = graph->steps[one.step];
    MakePrimitive(*graph, step, context, &one);
    readers.Note(step, one.primitive.ok() ? one.primitive->get() : nullptr);
  };
  const auto count = static_cast<int64_t>(made.size());
  if (context.team != nullptr) {
    context.team->Share(count, make);
  } else {
    for (int64_t i = 0; i < count; ++i) make(i, 0);
  }
  return made;
}

// Returns about how many bytes a step takes, with the pointers that each stream has for it.
int64_t BytesOf(const PlannedStep& step) {
  const size_t places = step.inputs.size() + step.outputs.size();
  size_t bytes = sizeof(PlannedStep) + places * (sizeof(ValuePlace) + sizeof(void*)) + step.name.size();
  for (const std::string& name : step.op_names) bytes += sizeof(name) + name.size();
  return static_cast<int64_t>(bytes) + step.primitive->Bytes();
}

// Returns what all steps take, and the constants that nobody else has.
int64_t BytesOf(const std::vector<PlannedStep>& steps, const std::vector<ir::Tensor>& constants) {
  int64_t bytes = 0;
  for (const PlannedStep& step : steps) bytes += BytesOf(step);
  for (const ir::Tensor& constant : constants) {
    if (constant.storage().use_count() == 1) bytes += static_cast<int64_t>(constant.byte_size());
  }
  return bytes;
}

// Returns dense elements as the NUMA node of `context` has them in its own memory: the same, where any memory will do.
absl::StatusOr<ir::Tensor> OnNumaNode(ir::Tensor dense, const NodeContext& context) {
  if (context.numa_node < 0 || dense.byte_size() == 0) return dense;
  // So many that a team shares them, and no two threads write to one page.
  constexpr int64_t kItemBytes = int64_t{1} << 20;
  const auto bytes = static_cast<int64_t>(dense.byte_size());
  WeightPacking copy;
  copy.form = HashBytes("as it is", 8);
  copy.packed_bytes = bytes;
  copy.work_items = (bytes + kItemBytes - 1) / kItemBytes;
  const auto run = [bytes](const void* source, void* packed, void*, int64_t begin, int64_t end) {
    const int64_t first = begin * kItemBytes;
    std::memcpy(static_cast<char*>(packed) + first, static_cast<const char*>(source) + first,
                static_cast<size_t>(std::min(end * kItemBytes, bytes) - first));
  };
  BURIN_ASSIGN_OR_RETURN(const std::shared_ptr<const AlignedBuffer> near, PackWeights(dense, copy, run, context));
  return ir::Tensor::FromStorage(dense.element_type(), dense.shape(),
                                 ir::Storage::Borrow(near, near->data(), dense.byte_size()));
}

// Plans the memory of a graph step by step of the work, and says where each value is.
class MemoryPlanner {
 public:
  MemoryPlanner(const GraphDraft& graph, const StorageGroups& storage, std::vector<ir::Tensor>* constants)
      : graph_(graph), storage_(storage), constants_(constants) {}

  // Adds the scratch memory of a step; returns the number to ask ScratchOffset() with.
  size_t AddScratch(int64_t step, int64_t bytes) {
    scratch_.push_back({step, step, bytes});
    return scratch_.size() - 1;
  }

  // Plans all, with the constants where `context` wants them.
  absl::Status Plan(const NodeContext& context) {
    std::vector<MemoryRequest> requests;
    for (const StorageGroup& group : storage_.groups) {
      MemoryRequest request{std::max<int64_t>(group.first, 0), std::max<int64_t>(group.last, 0), 0};
      if (InArena(group)) {
        BURIN_ASSIGN_OR_RETURN(request.bytes, BytesOf(graph_.values[group.value].desc));
      }
      requests.push_back(request);
    }
    requests.insert(requests.end(), scratch_.begin(), scratch_.end());
    BURIN_ASSIGN_OR_RETURN(plan_, PlanMemory(requests, kAlignment));
    requests_ = std::move(requests);
    for (const StorageGroup& group : storage_.groups) {
      const void* data = nullptr;
      // Null of one that nobody reads.
      if (group.is_constant && graph_.values[group.value].constant.has_value()) {
        BURIN_ASSIGN_OR_RETURN(ir::Tensor dense, graph_.values[group.value].constant.ToDense());
        BURIN_ASSIGN_OR_RETURN(dense, OnNumaNode(std::move(dense), context));
        data = dense.data();
        constants_->push_back(std::move(dense));
      }
      constant_data_.push_back(data);
    }
    return absl::OkStatus();
  }

  ValuePlace PlaceOf(int value) const {
    if (value < 0) return ValuePlace();
    const size_t index = storage_.group_of[value];
    const StorageGroup& group = storage_.groups[index];
    if (group.is_constant) return {ValueHome::kConstant, 0, constant_data_[index]};
    if (group.parameter >= 0) return {ValueHome::kInput, group.parameter, nullptr};
    if (group.result >= 0) return {ValueHome::kOutput, group.result, nullptr};
    return {ValueHome::kArena, plan_.offsets[index], nullptr};
  }

  int64_t ScratchOffset(size_t number) const { return plan_.offsets[storage_.groups.size() + number]; }
  const MemoryPlan& plan() const { return plan_; }

  // Returns what is dead after each of `steps` steps.
  std::vector<std::vector<ArenaRange>> DeadAfter(size_t steps) const {
    std::vector<std::vector<ArenaRange>> dead(steps);
    for (size_t i = 0; i < requests_.size(); ++i) {
      const MemoryRequest& request = requests_[i];
      if (request.bytes > 0 && request.last < static_cast<int64_t>(steps)) {
        dead[request.last].push_back({plan_.offsets[i], request.bytes});
      }
    }
    return dead;
  }

 private:
  static bool InArena(const StorageGroup& group) {
    return !group.is_constant && group.parameter < 0 && group.result < 0;
  }

  const GraphDraft& graph_;
  const StorageGroups& storage_;
  std::vector<MemoryRequest> scratch_;
  std::vector<MemoryRequest> requests_;
  MemoryPlan plan_;
  std::vector<ir::Tensor>* const constants_;
  // By group.
  std::vector<const void*> constant_data_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const GraphPlan>> GraphPlan::Activate(ConfiguredGraph configured,
                                                                     const NodeContext& context) {
  GraphDraft graph = std::move(configured).TakeGraph();
  std::shared_ptr<GraphPlan> plan(new GraphPlan());
  plan->input_count_ = graph.parameters.size();
  plan->output_count_ = graph.results.size();

  const StorageGroups storage = GroupStorage(graph);
  std::vector<Made> made = MakePrimitives(&graph, storage, context);
  MemoryPlanner memory(graph, storage, &plan->constants_);
  std::vector<size_t> scratch;
  std::vector<size_t> origin;
  std::vector<std::string> missing;
  for (Made& one : made) {
    const GraphStep& step = graph.steps[one.step];
    if (one.primitive.status().code() == absl::StatusCode::kUnimplemented) {
      missing.push_back(absl::StrCat(step.name, ": ", one.primitive.status().message()));
      continue;
    }
    if (!one.primitive.ok()) return WithName(one.primitive.status(), step);
    PlannedStep& planned = plan->steps_.emplace_back();
    planned.primitive = *std::move(one.primitive);
    scratch.push_back(
        memory.AddScratch(static_cast<int64_t>(one.step), planned.primitive->ScratchBytes(context.threads)));
    planned.name = step.name;
    planned.type_name = one.node->type_name();
    planned.op_names = step.op_names;
    planned.cost = step.cost;
    if (!step.outputs.empty()) planned.output_desc = graph.values[step.outputs[0]].desc;
    origin.push_back(one.step);
  }
  if (!missing.empty()) {
    return absl::UnimplementedError(
        absl::StrCat("Nodes that the device cannot run, ", missing.size(), ": ", absl::StrJoin(missing, "; ")));
  }
  BURIN_RETURN_IF_ERROR(memory.Plan(context));
  for (size_t i = 0; i < origin.size(); ++i) {
    for (const int value : graph.steps[origin[i]].inputs) plan->steps_[i].inputs.push_back(memory.PlaceOf(value));
    for (const int value : graph.steps[origin[i]].outputs) plan->steps_[i].outputs.push_back(memory.PlaceOf(value));
    plan->steps_[i].scratch_offset = memory.ScratchOffset(scratch[i]);
  }
  plan->arena_bytes_ = memory.plan().bytes;
  plan->least_arena_bytes_ = memory.plan().least_bytes;
  // What dies with a view dies with the step before it.
  plan->dead_after_.resize(plan->steps_.size());
  const std::vector<std::vector<ArenaRange>> dead = memory.DeadAfter(graph.steps.size());
  size_t next = 0;
  for (size_t i = 0; i < dead.size(); ++i) {
    if (next < origin.size() && origin[next] == i) ++next;
    if (next == 0) continue;
    std::vector<ArenaRange>& ranges = plan->dead_after_[next - 1];
    ranges.insert(ranges.end(), dead[i].begin(), dead[i].end());
  }
  graph = GraphDraft();
  plan->bytes_ = BytesOf(plan->steps_, plan->constants_);
  return plan;
}

}  // namespace burin::cpu
