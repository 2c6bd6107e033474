#include "runtime/plugins/cpu/graph/storage_groups.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace burin::cpu {

namespace {

class Grouping {
 public:
  explicit Grouping(const GraphDraft& graph) : graph_(graph), last_read_(graph.values.size(), -1) {
    result_.group_of.assign(graph.values.size(), -1);
    for (size_t step = 0; step < graph.steps.size(); ++step) {
      for (const int value : graph.steps[step].inputs) {
        if (value >= 0) last_read_[value] = static_cast<int64_t>(step);
      }
    }
    for (const int value : graph.results) last_read_[value] = StorageGroup::kForever;
  }

  StorageGroups Run() {
    for (size_t value = 0; value < graph_.values.size(); ++value) {
      if (!graph_.values[value].is_computed()) Begin(static_cast<int>(value), -1);
    }
    for (size_t step = 0; step < graph_.steps.size(); ++step) {
      for (size_t output = 0; output < graph_.steps[step].outputs.size(); ++output) Place(step, output);
    }
    for (size_t i = 0; i < graph_.results.size(); ++i) {
      result_.groups[result_.group_of[graph_.results[i]]].result = static_cast<int>(i);
    }
    return std::move(result_);
  }

 private:
  void Begin(int value, int64_t step) {
    StorageGroup group;
    group.value = value;
    group.first = step;
    group.last = std::max(step, last_read_[value]);
    group.parameter = graph_.values[value].parameter;
    group.is_constant = graph_.values[value].is_constant();
    result_.group_of[value] = static_cast<int>(result_.groups.size());
    result_.groups.push_back(group);
  }

  void Join(int value, int group, int64_t step) {
    result_.group_of[value] = group;
    result_.groups[group].last = std::max({result_.groups[group].last, step, last_read_[value]});
  }

  void Place(size_t step, size_t output) {
    const GraphStep& graph_step = graph_.steps[step];
    const int value = graph_step.outputs[output];
    const OutputMemory& memory = graph_step.memory[output];
    const int64_t now = static_cast<int64_t>(step);
    if (memory.kind == OutputMemory::Kind::kView) {
      Join(value, result_.group_of[graph_step.inputs[memory.input]], now);
    } else if (memory.kind == OutputMemory::Kind::kMayOverwrite && MayOverwrite(graph_step, memory.input, now)) {
      Join(value, result_.group_of[graph_step.inputs[memory.input]], now);
    } else {
      Begin(value, now);
    }
  }

  bool MayOverwrite(const GraphStep& step, int input, int64_t now) const {
    const int index = result_.group_of[step.inputs[input]];
    const StorageGroup& group = result_.groups[index];
    // A later view of the input would be a later reader of it.
    if (group.is_constant || group.parameter >= 0 || group.last > now) return false;
    for (size_t other = 0; other < step.inputs.size(); ++other) {
      const int value = step.inputs[other];
      if (static_cast<int>(other) != input && value >= 0 && result_.group_of[value] == index) return false;
    }
    // Nor may another output of this step have it already.
    for (const int value : step.outputs) {
      if (result_.group_of[value] == index) return false;
    }
    return true;
  }

  const GraphDraft& graph_;
  // By value: the step that reads it last, or -1.
  std::vector<int64_t> last_read_;
  StorageGroups result_;
};

}  // namespace

StorageGroups GroupStorage(const GraphDraft& graph) { return Grouping(graph).Run(); }

}  // namespace burin::cpu
