#include "tools/opt/op_counts.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace burin::opt {
namespace {

struct Change {
  std::string op;
  int64_t before = 0;
  int64_t after = 0;
  int64_t difference() const { return after - before; }
};

std::vector<Change> ChangesOf(const OpCounts& before, const OpCounts& after) {
  std::map<std::string, Change> all;
  for (const auto& [op, count] : before.by_op) all[op].before = count;
  for (const auto& [op, count] : after.by_op) all[op].after = count;
  std::vector<Change> changes;
  for (auto& [op, change] : all) {
    if (change.difference() == 0) continue;
    change.op = op;
    changes.push_back(change);
  }
  std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    return std::abs(a.difference()) > std::abs(b.difference());
  });
  return changes;
}

}  // namespace

OpCounts CountOps(const ir::Model& model) {
  OpCounts counts;
  for (const ir::NodeId id : model.NodeIds()) {
    const ir::Node& node = model.node(id);
    ++counts.by_op[node.op().name];
    ++counts.total;
    for (const std::unique_ptr<ir::Model>& body : node.bodies()) {
      const OpCounts inner = CountOps(*body);
      counts.total += inner.total;
      for (const auto& [op, count] : inner.by_op) counts.by_op[op] += count;
    }
  }
  return counts;
}

std::string DescribeChanges(const OpCounts& before, const OpCounts& after) {
  std::string text = absl::StrFormat("nodes: %d -> %d\n", before.total, after.total);
  for (const Change& change : ChangesOf(before, after)) {
    absl::StrAppendFormat(&text, "  %6d -> %6d  %s\n", change.before, change.after, change.op);
  }
  return text;
}

std::string SummarizeChanges(const OpCounts& before, const OpCounts& after, size_t limit) {
  std::string text;
  for (const Change& change : ChangesOf(before, after)) {
    if (limit-- == 0) return absl::StrCat(text, ", ...");
    absl::StrAppendFormat(&text, "%s%s %+d", text.empty() ? "" : ", ", change.op, change.difference());
  }
  return text.empty() ? "none" : text;
}

}  // namespace burin::opt
