#include "snippets/tokenize/graph/group_graph.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace burin::snippets {
namespace {

using Readers = std::vector<std::vector<int>>;

Readers RandomDag(std::mt19937_64& random, int nodes, int edges_per_node, int reach) {
  Readers readers(static_cast<size_t>(nodes));
  for (int i = 1; i < nodes; ++i) {
    for (int k = 0; k < edges_per_node; ++k) {
      const int back = 1 + static_cast<int>(random() % static_cast<uint64_t>(reach));
      if (back <= i) readers[static_cast<size_t>(i - back)].push_back(i);
    }
  }
  return readers;
}

// Returns whether the graph of groups has a cycle.
bool HasCycle(const Readers& readers, const std::vector<int>& group_of) {
  const size_t count = readers.size();
  std::vector<std::vector<int>> next(count);
  std::vector<int> in_degree(count, 0);
  for (size_t i = 0; i < count; ++i) {
    for (const int reader : readers[i]) {
      const int to = group_of[static_cast<size_t>(reader)];
      if (to == group_of[i]) continue;
      next[static_cast<size_t>(group_of[i])].push_back(to);
      ++in_degree[static_cast<size_t>(to)];
    }
  }
  std::vector<int> open;
  for (size_t i = 0; i < count; ++i) {
    if (in_degree[i] == 0) open.push_back(static_cast<int>(i));
  }
  size_t done = 0;
  while (!open.empty()) {
    const int group = open.back();
    open.pop_back();
    ++done;
    for (const int to : next[static_cast<size_t>(group)]) {
      if (--in_degree[static_cast<size_t>(to)] == 0) open.push_back(to);
    }
  }
  return done != count;
}

std::vector<int> GroupsOf(GroupGraph& graph, size_t count) {
  std::vector<int> group_of;
  for (size_t i = 0; i < count; ++i) group_of.push_back(graph.Find(static_cast<int>(i)));
  return group_of;
}

TEST(GroupGraph, ADiamondClosesNoCycleOnceItsSideIsIn) {
  GroupGraph graph({{1, 2}, {2}, {}});
  EXPECT_TRUE(graph.HasWayAround(0, 2));
  EXPECT_EQ(graph.third(), 1);
  EXPECT_FALSE(graph.HasWayAround(0, 1));
  const int group = graph.Join(0, 1);
  EXPECT_EQ(graph.Find(0), group);
  EXPECT_EQ(graph.Find(1), group);
  EXPECT_FALSE(graph.HasWayAround(group, 2));
}

TEST(GroupGraph, AnswersAsASearchForCyclesDoes) {
  int refused = 0;
  int joined = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    std::mt19937_64 random(seed);
    const int nodes = 5 + static_cast<int>(random() % 30);
    const Readers readers = RandomDag(random, nodes, 2, 12);
    GroupGraph graph(readers);
    for (int step = 0; step < 60; ++step) {
      const auto from = static_cast<size_t>(random() % static_cast<uint64_t>(nodes));
      if (readers[from].empty()) continue;
      const int a = graph.Find(static_cast<int>(from));
      const int b = graph.Find(readers[from][random() % readers[from].size()]);
      if (a == b) continue;
      std::vector<int> group_of = GroupsOf(graph, readers.size());
      ASSERT_FALSE(HasCycle(readers, group_of)) << "seed " << seed;
      for (int& group : group_of) group = group == b ? a : group;
      const bool is_cyclic = HasCycle(readers, group_of);
      ASSERT_EQ(graph.HasWayAround(a, b), is_cyclic) << "seed " << seed << ", step " << step;
      ++(is_cyclic ? refused : joined);
      if (!is_cyclic) graph.Join(a, b);
    }
  }
  EXPECT_GT(refused, 200);
  EXPECT_GT(joined, 1000);
}

TEST(GroupGraph, SearchesOfALargeGraphStayNear) {
  std::mt19937_64 random(1);
  constexpr int kNodes = 10000;
  const Readers readers = RandomDag(random, kNodes, 2, 8);
  GroupGraph graph(readers);
  for (int i = 0; i < kNodes; ++i) {
    // One of ten stays outside.
    if (i % 10 == 0) continue;
    for (const int reader : readers[static_cast<size_t>(i)]) {
      if (reader % 10 == 0) continue;
      const int a = graph.Find(i);
      const int b = graph.Find(reader);
      if (a != b && !graph.HasWayAround(a, b)) graph.Join(a, b);
    }
  }
  EXPECT_FALSE(HasCycle(readers, GroupsOf(graph, readers.size())));
  EXPECT_LT(graph.visited(), 100 * kNodes);
}

}  // namespace
}  // namespace burin::snippets
