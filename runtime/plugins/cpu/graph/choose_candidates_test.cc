#include "runtime/plugins/cpu/graph/choose_candidates.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

using ::testing::HasSubstr;

ChosenCandidates Choose(const CandidateChoice& choice, int64_t max_table = kMaxChoiceTable) {
  absl::StatusOr<ChosenCandidates> chosen = ChooseCandidates(choice, max_table);
  EXPECT_OK(chosen.status());
  return chosen.ok() ? *chosen : ChosenCandidates();
}

// Looks at all combinations.
double LeastCost(const CandidateChoice& choice) {
  double least = std::numeric_limits<double>::infinity();
  std::vector<int> chosen(choice.nodes.size(), 0);
  while (true) {
    least = std::min(least, CostOf(choice, chosen));
    size_t node = 0;
    while (node < chosen.size() && ++chosen[node] == static_cast<int>(choice.nodes[node].size())) chosen[node++] = 0;
    if (node == chosen.size()) return least;
  }
}

// Returns a graph with pairs between nodes at most `reach` apart.
CandidateChoice RandomChoice(std::mt19937& random, int nodes, int pairs, int most_candidates, int reach) {
  CandidateChoice choice;
  const auto costs = [&](size_t count) {
    std::vector<double> drawn(count);
    for (double& cost : drawn) cost = static_cast<double>(random() % 100);
    return drawn;
  };
  for (int i = 0; i < nodes; ++i) choice.nodes.push_back(costs(1 + random() % most_candidates));
  for (int i = 0; i < pairs && nodes > 1; ++i) {
    const int a = static_cast<int>(random() % nodes);
    const int b = std::clamp(a + static_cast<int>(random() % (2 * reach + 1)) - reach, 0, nodes - 1);
    if (a == b) continue;
    choice.pairs.push_back({a, b, costs(choice.nodes[a].size() * choice.nodes[b].size())});
  }
  return choice;
}

TEST(ChooseCandidatesTest, NothingCostsNothing) {
  const ChosenCandidates chosen = Choose({});
  EXPECT_TRUE(chosen.chosen.empty());
  EXPECT_EQ(chosen.cost, 0);
}

TEST(ChooseCandidatesTest, ALoneNodeGetsItsBest) {
  const ChosenCandidates chosen = Choose({{{3, 1, 2}, {5}}, {}});
  EXPECT_EQ(chosen.chosen, (std::vector<int>{1, 0}));
  EXPECT_EQ(chosen.cost, 6);
}

// A chain whose first node is a little faster in another layout than all that follow: going for the best node by node
// converts once for nothing.
TEST(ChooseCandidatesTest, TheGreedyChoiceIsWorse) {
  const std::vector<double> conversion = {0, 10, 10, 0};
  CandidateChoice choice;
  choice.nodes = {{8, 9}, {9, 5}, {9, 5}, {9, 5}};
  choice.pairs = {{0, 1, conversion}, {1, 2, conversion}, {2, 3, conversion}};
  std::vector<int> greedy;
  for (size_t node = 0; node < choice.nodes.size(); ++node) {
    std::vector<double> costs = choice.nodes[node];
    for (int i = 0; node > 0 && i < 2; ++i) costs[i] += conversion[2 * greedy.back() + i];
    greedy.push_back(costs[1] < costs[0] ? 1 : 0);
  }
  const ChosenCandidates chosen = Choose(choice);
  EXPECT_EQ(chosen.cost, 24);
  EXPECT_GT(CostOf(choice, greedy), chosen.cost);
}

TEST(ChooseCandidatesTest, PairsMayBeGivenEitherWayRoundAndTwice) {
  CandidateChoice choice;
  choice.nodes = {{0, 0}, {0, 0, 0}};
  choice.pairs = {{1, 0, {9, 9, 9, 1, 9, 9}}, {0, 1, {0, 0, 0, 0, 5, 0}}};
  const ChosenCandidates chosen = Choose(choice);
  EXPECT_EQ(chosen.chosen, (std::vector<int>{1, 1}));
  EXPECT_EQ(chosen.cost, 6);
}

TEST(ChooseCandidatesTest, EqualsExhaustiveSearch) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 300; ++round) {
    const int nodes = 1 + static_cast<int>(random() % 10);
    const CandidateChoice choice = RandomChoice(random, nodes, static_cast<int>(random() % 25), 3, 10);
    const ChosenCandidates chosen = Choose(choice);
    EXPECT_TRUE(chosen.is_exact);
    EXPECT_EQ(chosen.cost, CostOf(choice, chosen.chosen));
    EXPECT_EQ(chosen.cost, LeastCost(choice));
  }
}

TEST(ChooseCandidatesTest, AThousandNodesAreExact) {
  std::mt19937 random(11);
  const CandidateChoice choice = RandomChoice(random, 1000, 2000, 4, 3);
  EXPECT_TRUE(Choose(choice).is_exact);
}

// Small tables force guesses: what comes out is a choice, and no worse than one drawn.
TEST(ChooseCandidatesTest, BeyondTheBoundItGuesses) {
  std::mt19937 random(5);
  const CandidateChoice choice = RandomChoice(random, 60, 600, 4, 60);
  const ChosenCandidates chosen = Choose(choice, 64);
  EXPECT_FALSE(chosen.is_exact);
  EXPECT_EQ(chosen.cost, CostOf(choice, chosen.chosen));
  double least_drawn = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 1000; ++round) {
    std::vector<int> drawn;
    for (const std::vector<double>& node : choice.nodes) drawn.push_back(static_cast<int>(random() % node.size()));
    least_drawn = std::min(least_drawn, CostOf(choice, drawn));
  }
  EXPECT_LT(chosen.cost, least_drawn);
}

TEST(ChooseCandidatesTest, RefusesWhatIsNoChoice) {
  const auto message = [](const CandidateChoice& choice) {
    const absl::Status status = ChooseCandidates(choice).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    return std::string(status.message());
  };
  EXPECT_THAT(message({{{}}, {}}), HasSubstr("No candidate for node 0"));
  EXPECT_THAT(message({{{1}, {1}}, {{0, 2, {1}}}}), HasSubstr("Not a pair of nodes: 0 and 2"));
  EXPECT_THAT(message({{{1}, {1}}, {{1, 1, {1}}}}), HasSubstr("Not a pair of nodes: 1 and 1"));
  EXPECT_THAT(message({{{1}, {1, 2}}, {{0, 1, {1}}}}), HasSubstr("are not 1 by 2"));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(message({{{nan}}, {}}), HasSubstr("not finite"));
}

}  // namespace
}  // namespace burin::cpu
