// Which of its candidate implementations each node of a graph gets, so that the whole graph costs least.
//
// A candidate has a cost of its own (its kernel's time), and two nodes that exchange a value have a cost for each pair
// of their candidates (the conversion between a layout and another, or none). It knows neither kernels nor layouts. The
// same algorithm serves graphs of any size: nodes are eliminated one after another, and what an eliminated node costs
// at best becomes a table over the candidates of its neighbours (dynamic programming over an elimination order, the one
// of least table first; Bertele and Brioschi, Nonserial Dynamic Programming, 1972). That is exact. Where a table would
// grow beyond a bound, the least decided neighbour is fixed first, to the candidate that looks best from its tables;
// `is_exact` says whether that has happened. Pure; thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_GRAPH_CHOOSE_CANDIDATES_H_
#define BURIN_RUNTIME_PLUGINS_CPU_GRAPH_CHOOSE_CANDIDATES_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace burin::cpu {

// A pair of nodes whose candidates have to agree, or pay.
struct CandidatePair {
  // Numbers of two different nodes. There may be several pairs of the same nodes.
  int a = 0;
  int b = 0;
  // The cost for candidate i of `a` and j of `b`, at i * (number of candidates of b) + j.
  std::vector<double> costs;
};

// What is to be chosen. Costs are of any one unit and finite.
struct CandidateChoice {
  // By node: the costs of its candidates, of which there is at least one.
  std::vector<std::vector<double>> nodes;
  std::vector<CandidatePair> pairs;
};

struct ChosenCandidates {
  // By node: the number of its candidate.
  std::vector<int> chosen;
  // The sum of all that they cost.
  double cost = 0;
  // Whether no other choice costs less.
  bool is_exact = true;
};

// The most entries of a table.
inline constexpr int64_t kMaxChoiceTable = int64_t{1} << 18;

// Chooses. Of choices that cost the same, which one comes out depends on nothing but the arguments. InvalidArgument
// where a node has no candidate, a pair is not one, or a table has another size.
absl::StatusOr<ChosenCandidates> ChooseCandidates(const CandidateChoice& choice, int64_t max_table = kMaxChoiceTable);

// Returns the sum of what `chosen` costs.
double CostOf(const CandidateChoice& choice, absl::Span<const int> chosen);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_GRAPH_CHOOSE_CANDIDATES_H_
