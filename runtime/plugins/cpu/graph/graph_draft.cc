#include "runtime/plugins/cpu/graph/graph_draft.h"

#include <algorithm>
#include <cstddef>

namespace burin::cpu {

std::vector<int> GraphDraft::Producers() const {
  std::vector<int> producers(values.size(), -1);
  for (size_t step = 0; step < steps.size(); ++step) {
    for (const int value : steps[step].outputs) producers[value] = static_cast<int>(step);
  }
  return producers;
}

std::vector<std::vector<int>> GraphDraft::Readers() const {
  std::vector<std::vector<int>> readers(values.size());
  for (size_t step = 0; step < steps.size(); ++step) {
    for (const int value : steps[step].inputs) {
      if (value < 0) continue;
      std::vector<int>& list = readers[value];
      if (list.empty() || list.back() != static_cast<int>(step)) list.push_back(static_cast<int>(step));
    }
  }
  return readers;
}

int GraphDraft::Viewed(int value, const std::vector<int>& producers) const {
  while (producers[value] >= 0) {
    const GraphStep& step = steps[producers[value]];
    const size_t output = std::find(step.outputs.begin(), step.outputs.end(), value) - step.outputs.begin();
    if (step.memory[output].kind != OutputMemory::Kind::kView) break;
    value = step.inputs[step.memory[output].input];
  }
  return value;
}

NodeValues GraphDraft::ValuesOf(const GraphStep& step) const {
  NodeValues result;
  for (const int value : step.inputs) {
    NodeInput& input = result.inputs.emplace_back();
    if (value < 0) continue;
    input = {true, values[value].desc, values[value].constant};
  }
  for (const int value : step.outputs) result.outputs.push_back(values[value].desc);
  return result;
}

}  // namespace burin::cpu
