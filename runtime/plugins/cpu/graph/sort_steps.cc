#include "runtime/plugins/cpu/graph/sort_steps.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace burin::cpu {

absl::Status SortTopologically(GraphDraft& draft, const ConfigureContext&) {
  const std::vector<int> producers = draft.Producers();
  std::vector<std::vector<int>> followers(draft.steps.size());
  std::vector<int> waits(draft.steps.size(), 0);
  for (size_t step = 0; step < draft.steps.size(); ++step) {
    for (const int value : draft.steps[step].inputs) {
      if (value < 0 || producers[value] < 0) continue;
      followers[producers[value]].push_back(static_cast<int>(step));
      ++waits[step];
    }
  }
  // By rank, then by place.
  using Entry = std::pair<int64_t, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> ready;
  for (size_t step = 0; step < waits.size(); ++step) {
    if (waits[step] == 0) ready.emplace(draft.steps[step].rank, static_cast<int>(step));
  }
  std::vector<GraphStep> sorted;
  sorted.reserve(draft.steps.size());
  while (!ready.empty()) {
    const int step = ready.top().second;
    ready.pop();
    for (const int follower : followers[step]) {
      if (--waits[follower] == 0) ready.emplace(draft.steps[follower].rank, follower);
    }
    sorted.push_back(std::move(draft.steps[step]));
    sorted.back().rank = static_cast<int64_t>(sorted.size()) - 1;
  }
  if (sorted.size() != followers.size()) {
    return absl::InternalError(absl::StrCat("The steps of a graph wait for each other: ", sorted.size(), " of ",
                                            followers.size(), " can run"));
  }
  draft.steps = std::move(sorted);
  return absl::OkStatus();
}

}  // namespace burin::cpu
