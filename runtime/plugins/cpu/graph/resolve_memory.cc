#include "runtime/plugins/cpu/graph/resolve_memory.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "runtime/plugins/cpu/graph/value_desc.h"

namespace burin::cpu {

absl::Status ResolveInplaceDirections(GraphDraft& draft, const ConfigureContext&) {
  const std::vector<std::vector<int>> readers = draft.Readers();
  std::vector<bool> is_result(draft.values.size(), false);
  for (const int value : draft.results) is_result[value] = true;
  for (GraphStep& step : draft.steps) {
    const NodeValues values = draft.ValuesOf(step);
    step.memory.assign(step.outputs.size(), OutputMemory());
    std::vector<bool> taken(step.inputs.size(), false);
    for (size_t output = 0; output < step.outputs.size(); ++output) {
      OutputMemory& memory = step.memory[output];
      const int viewed = step.node->ViewOf(static_cast<int>(output));
      if (viewed >= 0) {
        memory = {OutputMemory::Kind::kView, viewed};
        continue;
      }
      BURIN_ASSIGN_OR_RETURN(const int64_t bytes, BytesOf(values.outputs[output]));
      int best = -1;
      bool best_is_alone = false;
      for (size_t input = 0; input < step.inputs.size(); ++input) {
        const int value = step.inputs[input];
        if (value < 0 || taken[input] || !draft.values[value].is_computed()) continue;
        BURIN_ASSIGN_OR_RETURN(const int64_t input_bytes, BytesOf(draft.values[value].desc));
        // Another reader may come later; which of them is the last is known once the memory is planned.
        const bool alone = readers[value].size() == 1 && !is_result[value] &&
                           std::count(step.inputs.begin(), step.inputs.end(), value) == 1;
        if (input_bytes != bytes || (best >= 0 && (best_is_alone || !alone)) ||
            !step.node->MayRunInPlace(values, static_cast<int>(input), static_cast<int>(output))) {
          continue;
        }
        best = static_cast<int>(input);
        best_is_alone = alone;
      }
      if (best < 0) continue;
      memory = {OutputMemory::Kind::kMayOverwrite, best};
      taken[best] = true;
    }
  }
  return absl::OkStatus();
}

}  // namespace burin::cpu
