// Keeps which nodes of a graph are one group, and finds out whether joining two groups would close a cycle.
//
// Use it while groups grow. Nodes are numbered so that each comes after those it reads. Each node belongs to one group,
// at first alone. Groups are kept in an order in which each comes after those it reads, so that a search looks at
// nothing but what lies between two groups. Not thread-safe.
#ifndef BURIN_SNIPPETS_TOKENIZE_GRAPH_GROUP_GRAPH_H_
#define BURIN_SNIPPETS_TOKENIZE_GRAPH_GROUP_GRAPH_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace burin::snippets {

class GroupGraph {
 public:
  // `readers[i]` are the nodes that read node i, all above i.
  explicit GroupGraph(std::vector<std::vector<int>> readers);

  // Returns the node that stands for the group of `node`.
  int Find(int node);

  // Returns whether there is a way from group `from` to group `to`, which reads it, through a third: then joining them
  // closes a cycle. Both are what Find() returns, and differ.
  bool HasWayAround(int from, int to);

  // Returns the third group that HasWayAround() found last, which `to` reads.
  int third() const { return third_; }

  // Makes one group of both and returns what stands for it. Requires that there is no way around.
  int Join(int from, int to);

  // Returns how many groups searches have visited so far.
  int64_t visited() const { return visited_; }

 private:
  struct Group {
    // Nodes that read one of the group; those that have come into the group go when they are met.
    std::vector<int> readers;
    // In order_.
    int place = 0;
    // The number of the last search that met it.
    int64_t met = 0;
  };

  Group& group(int i) { return groups_[static_cast<size_t>(i)]; }
  // Marks what is reached from `from` and lies before `to` as met. Returns false as soon as it has reached `to` from
  // anything but `from` itself.
  bool MarkReached(int from, int to);

  std::vector<int> leader_;
  std::vector<Group> groups_;
  // Groups; -1 where one is gone.
  std::vector<int> order_;
  int64_t search_ = 0;
  int third_ = -1;
  int64_t visited_ = 0;
};

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_TOKENIZE_GRAPH_GROUP_GRAPH_H_
