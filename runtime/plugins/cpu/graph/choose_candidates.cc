#include "runtime/plugins/cpu/graph/choose_candidates.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace burin::cpu {

namespace {

// What some nodes cost together: an entry for each combination of their candidates, those of the last node next to each
// other.
struct Table {
  // Ascending.
  std::vector<int> nodes;
  std::vector<double> costs;
};

// A node that is decided once those in `neighbours` are: the candidate for each combination of theirs.
struct Decision {
  int node = 0;
  std::vector<int> neighbours;
  std::vector<int> candidates;
};

// Eliminates the nodes of one choice.
class Elimination {
 public:
  Elimination(const CandidateChoice& choice, int64_t max_table)
      : max_table_(max_table), tables_of_(choice.nodes.size()), table_sizes_(choice.nodes.size(), 0) {
    for (size_t node = 0; node < choice.nodes.size(); ++node) {
      counts_.push_back(static_cast<int>(choice.nodes[node].size()));
      AddTable({{static_cast<int>(node)}, choice.nodes[node]});
    }
    for (const CandidatePair& pair : choice.pairs) AddTable(TableOf(pair));
  }

  ChosenCandidates Run() {
    for (size_t node = 0; node < counts_.size(); ++node) Measure(static_cast<int>(node));
    std::vector<bool> open(counts_.size(), true);
    for (size_t left = counts_.size(); left > 0; --left) {
      int next = -1;
      for (size_t node = 0; node < counts_.size(); ++node) {
        if (open[node] && (next < 0 || table_sizes_[node] < table_sizes_[next])) next = static_cast<int>(node);
      }
      if (table_sizes_[next] > max_table_) {
        next = MostConnected(open);
        Fix(next);
        is_exact_ = false;
      } else {
        Eliminate(next);
      }
      open[next] = false;
    }
    return Decide();
  }

 private:
  Table TableOf(const CandidatePair& pair) const {
    if (pair.a < pair.b) return {{pair.a, pair.b}, pair.costs};
    Table table{{pair.b, pair.a}, std::vector<double>(pair.costs.size())};
    for (int i = 0; i < counts_[pair.a]; ++i) {
      for (int j = 0; j < counts_[pair.b]; ++j) {
        table.costs[j * counts_[pair.a] + i] = pair.costs[i * counts_[pair.b] + j];
      }
    }
    return table;
  }

  void AddTable(Table table) {
    for (const int node : table.nodes) tables_of_[node].push_back(static_cast<int>(tables_.size()));
    tables_.push_back(std::move(table));
  }

  // Returns the other nodes of the tables that `node` is in, ascending.
  std::vector<int> Neighbours(int node) const {
    std::vector<int> neighbours;
    for (const int table : tables_of_[node]) {
      for (const int other : tables_[table].nodes) {
        if (other != node) neighbours.push_back(other);
      }
    }
    std::sort(neighbours.begin(), neighbours.end());
    neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
    return neighbours;
  }

  // Sets how large a table the elimination of `node` goes through; saturated.
  void Measure(int node) {
    int64_t size = counts_[node];
    for (const int other : Neighbours(node)) {
      if (size > max_table_) break;
      size *= counts_[other];
    }
    table_sizes_[node] = size;
  }

  // Takes the tables of `node` away from all nodes that are in them.
  std::vector<Table> TakeTables(int node) {
    const std::vector<int> taken = tables_of_[node];
    std::vector<Table> tables;
    for (const int index : taken) {
      for (const int other : tables_[index].nodes) {
        std::vector<int>& list = tables_of_[other];
        list.erase(std::find(list.begin(), list.end(), index));
      }
      tables.push_back(std::exchange(tables_[index], Table()));
    }
    return tables;
  }

  // Returns by how many entries `table` advances with the candidate of each of `nodes`; 0 for those not in it.
  std::vector<int64_t> Steps(const Table& table, const std::vector<int>& nodes) const {
    std::vector<int64_t> steps(nodes.size(), 0);
    int64_t step = 1;
    for (size_t i = table.nodes.size(); i-- > 0;) {
      const auto found = std::find(nodes.begin(), nodes.end(), table.nodes[i]);
      if (found != nodes.end()) steps[found - nodes.begin()] = step;
      step *= counts_[table.nodes[i]];
    }
    return steps;
  }

  // Replaces the tables of `node` by one over its neighbours: what it costs at best.
  void Eliminate(int node) {
    Decision decision{node, Neighbours(node), {}};
    const std::vector<Table> tables = TakeTables(node);
    // Digits of a combination: the neighbours, then the node itself, which turns fastest.
    std::vector<int> digits = decision.neighbours;
    digits.push_back(node);
    std::vector<std::vector<int64_t>> steps;
    for (const Table& table : tables) steps.push_back(Steps(table, digits));

    Table best{decision.neighbours, {}};
    std::vector<int> digit(digits.size(), 0);
    std::vector<int64_t> place(tables.size(), 0);
    int64_t combinations = 1;
    for (const int other : decision.neighbours) combinations *= counts_[other];
    for (int64_t combination = 0; combination < combinations; ++combination) {
      double least = std::numeric_limits<double>::infinity();
      int candidate = 0;
      for (int i = 0; i < counts_[node]; ++i) {
        double cost = 0;
        for (size_t t = 0; t < tables.size(); ++t) cost += tables[t].costs[place[t] + i * steps[t].back()];
        if (cost < least) {
          least = cost;
          candidate = i;
        }
      }
      best.costs.push_back(least);
      decision.candidates.push_back(candidate);
      for (size_t d = decision.neighbours.size(); d-- > 0;) {
        const bool wraps = ++digit[d] == counts_[digits[d]];
        for (size_t t = 0; t < tables.size(); ++t) place[t] += wraps ? (1 - digit[d]) * steps[t][d] : steps[t][d];
        if (!wraps) break;
        digit[d] = 0;
      }
    }
    const std::vector<int> changed = decision.neighbours;
    decisions_.push_back(std::move(decision));
    if (!changed.empty()) AddTable(std::move(best));
    for (const int other : changed) Measure(other);
  }

  // Returns the open node with most neighbours: without it most tables become smaller.
  int MostConnected(const std::vector<bool>& open) const {
    int most = -1;
    size_t neighbours = 0;
    for (size_t node = 0; node < counts_.size(); ++node) {
      if (!open[node]) continue;
      const size_t count = Neighbours(static_cast<int>(node)).size();
      if (most < 0 || count > neighbours) {
        most = static_cast<int>(node);
        neighbours = count;
      }
    }
    return most;
  }

  // Gives `node` the candidate that costs least where its neighbours adapt to it, each table by itself.
  void Fix(int node) {
    const std::vector<int> neighbours = Neighbours(node);
    const std::vector<Table> tables = TakeTables(node);
    std::vector<double> estimate(counts_[node], 0);
    for (const Table& table : tables) {
      const int64_t step = Steps(table, {node})[0];
      std::vector<double> least(counts_[node], std::numeric_limits<double>::infinity());
      for (size_t i = 0; i < table.costs.size(); ++i) {
        double& entry = least[static_cast<int64_t>(i) / step % counts_[node]];
        entry = std::min(entry, table.costs[i]);
      }
      for (int i = 0; i < counts_[node]; ++i) estimate[i] += least[i];
    }
    const int candidate = static_cast<int>(std::min_element(estimate.begin(), estimate.end()) - estimate.begin());
    for (const Table& table : tables) {
      const int64_t step = Steps(table, {node})[0];
      Table rest;
      for (const int other : table.nodes) {
        if (other != node) rest.nodes.push_back(other);
      }
      for (size_t i = 0; i < table.costs.size(); ++i) {
        if (static_cast<int64_t>(i) / step % counts_[node] == candidate) rest.costs.push_back(table.costs[i]);
      }
      if (!rest.nodes.empty()) AddTable(std::move(rest));
    }
    decisions_.push_back({node, {}, {candidate}});
    for (const int other : neighbours) Measure(other);
  }

  // Returns the candidates: the node that was eliminated last is free of others, and so on backwards.
  ChosenCandidates Decide() const {
    ChosenCandidates result;
    result.chosen.assign(counts_.size(), 0);
    result.is_exact = is_exact_;
    for (size_t i = decisions_.size(); i-- > 0;) {
      const Decision& decision = decisions_[i];
      int64_t place = 0;
      for (const int other : decision.neighbours) place = place * counts_[other] + result.chosen[other];
      result.chosen[decision.node] = decision.candidates[place];
    }
    return result;
  }

  const int64_t max_table_;
  std::vector<int> counts_;
  std::vector<Table> tables_;
  // By node: the numbers of the tables that it is in.
  std::vector<std::vector<int>> tables_of_;
  std::vector<int64_t> table_sizes_;
  std::vector<Decision> decisions_;
  bool is_exact_ = true;
};

absl::Status Validate(const CandidateChoice& choice) {
  const int count = static_cast<int>(choice.nodes.size());
  for (int node = 0; node < count; ++node) {
    if (choice.nodes[node].empty()) return absl::InvalidArgumentError(absl::StrCat("No candidate for node ", node));
    for (const double cost : choice.nodes[node]) {
      if (!std::isfinite(cost)) {
        return absl::InvalidArgumentError(absl::StrCat("A cost is not finite: ", cost, " of node ", node));
      }
    }
  }
  for (const CandidatePair& pair : choice.pairs) {
    if (pair.a < 0 || pair.b < 0 || pair.a >= count || pair.b >= count || pair.a == pair.b) {
      return absl::InvalidArgumentError(absl::StrCat("Not a pair of nodes: ", pair.a, " and ", pair.b));
    }
    if (pair.costs.size() != choice.nodes[pair.a].size() * choice.nodes[pair.b].size()) {
      return absl::InvalidArgumentError(absl::StrCat("The costs of nodes ", pair.a, " and ", pair.b, " are not ",
                                                     choice.nodes[pair.a].size(), " by ", choice.nodes[pair.b].size()));
    }
    for (const double cost : pair.costs) {
      if (!std::isfinite(cost)) {
        return absl::InvalidArgumentError(
            absl::StrCat("A cost is not finite: ", cost, " of nodes ", pair.a, " and ", pair.b));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace

double CostOf(const CandidateChoice& choice, absl::Span<const int> chosen) {
  double cost = 0;
  for (size_t node = 0; node < choice.nodes.size(); ++node) cost += choice.nodes[node][chosen[node]];
  for (const CandidatePair& pair : choice.pairs) {
    cost += pair.costs[chosen[pair.a] * choice.nodes[pair.b].size() + chosen[pair.b]];
  }
  return cost;
}

absl::StatusOr<ChosenCandidates> ChooseCandidates(const CandidateChoice& choice, int64_t max_table) {
  absl::Status status = Validate(choice);
  if (!status.ok()) return status;
  ChosenCandidates result = Elimination(choice, max_table).Run();
  result.cost = CostOf(choice, result.chosen);
  return result;
}

}  // namespace burin::cpu
