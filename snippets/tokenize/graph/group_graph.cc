#include "snippets/tokenize/graph/group_graph.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace burin::snippets {

GroupGraph::GroupGraph(std::vector<std::vector<int>> readers)
    : leader_(readers.size()), groups_(readers.size()), order_(readers.size()) {
  std::iota(leader_.begin(), leader_.end(), 0);
  std::iota(order_.begin(), order_.end(), 0);
  for (size_t i = 0; i < readers.size(); ++i) {
    groups_[i].place = static_cast<int>(i);
    groups_[i].readers = std::move(readers[i]);
  }
}

int GroupGraph::Find(int node) {
  while (leader_[static_cast<size_t>(node)] != node) {
    int& leader = leader_[static_cast<size_t>(node)];
    leader = leader_[static_cast<size_t>(leader)];
    node = leader;
  }
  return node;
}

bool GroupGraph::MarkReached(int from, int to) {
  const int end = group(to).place;
  ++search_;
  std::vector<int> open = {from};
  while (!open.empty()) {
    const int at = open.back();
    open.pop_back();
    ++visited_;
    std::vector<int>& readers = group(at).readers;
    readers.erase(std::remove_if(readers.begin(), readers.end(), [&](int reader) { return Find(reader) == at; }),
                  readers.end());
    for (const int reader : readers) {
      const int next = Find(reader);
      if (next == to && at != from) {
        third_ = at;
        return false;
      }
      Group& found = group(next);
      if (found.met == search_ || found.place >= end) continue;
      found.met = search_;
      open.push_back(next);
    }
  }
  return true;
}

bool GroupGraph::HasWayAround(int from, int to) { return !MarkReached(from, to); }

int GroupGraph::Join(int from, int to) {
  MarkReached(from, to);
  // The new group takes the place of `to`; what `from` reaches before that place moves behind it.
  const int first = group(from).place;
  const int last = group(to).place;
  std::vector<int> moved;
  int place = first;
  const auto put = [&](int i) {
    group(i).place = place;
    order_[static_cast<size_t>(place++)] = i;
  };
  const bool keeps_from = group(from).readers.size() >= group(to).readers.size();
  const int into = keeps_from ? from : to;
  const int gone = keeps_from ? to : from;
  for (int i = first + 1; i < last; ++i) {
    const int other = order_[static_cast<size_t>(i)];
    if (other < 0) continue;
    if (group(other).met == search_) {
      moved.push_back(other);
    } else {
      put(other);
    }
  }
  put(into);
  for (const int other : moved) put(other);
  while (place <= last) order_[static_cast<size_t>(place++)] = -1;
  leader_[static_cast<size_t>(gone)] = into;
  std::vector<int> readers = std::move(group(gone).readers);
  group(into).readers.insert(group(into).readers.end(), readers.begin(), readers.end());
  return into;
}

}  // namespace burin::snippets
