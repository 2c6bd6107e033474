// What the tokenizer did to a model: the Subgraphs that it made, and why what could have been together is not.
//
// Filled by Tokenize() (tokenize.h) and printed by `opt -dump_fusion`. Plain data.
#ifndef BURIN_SNIPPETS_TOKENIZE_FUSION_REPORT_H_
#define BURIN_SNIPPETS_TOKENIZE_FUSION_REPORT_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace burin::snippets {

// Is why two operations that can both be in a Subgraph are not in one.
enum class FusionReason : uint8_t {
  kCycle,        // Something between them cannot be in it: the Subgraph would read what it gives.
  kAxes,         // A value would have to vary twice along one axis, or there are too many axes.
  kView,         // A reshape splits or merges dimensions of what is not in memory.
  kBody,         // The code that compiles bodies refuses the joint one.
  kParallelism,  // Together they would be too few items of work to share.
  kBuffer,       // Their reductions run along different axes, and what lies between exceeds the cache.
  kRecompute,    // What one computes or writes once would be computed or written again and again.
  kCodeSize,     // The code would be too large.
  kAnchors,      // Both have a dense anchor.
  kEpilogue,     // What has a dense anchor takes nothing but its epilogue, and this cannot be in that.
  kSingleOps,    // It was not asked for (TokenizeOptions::single_ops).
};

// Returns the reason as one word: "cycle".
const char* Name(FusionReason reason);

// Is a pair of operations, one of which reads the other, in different kernels.
struct FusionRefusal {
  // Names of nodes; those of bodies have the names of the nodes around them in front: "loop/0/add".
  std::string producer;
  std::string consumer;
  FusionReason reason = FusionReason::kCycle;
  // The reason with its figures.
  std::string text;
};

// Is a Subgraph that was made.
struct FusedSubgraph {
  std::string name;
  // Its operations as "name (Op)", its inputs and outputs as names of the nodes that give them.
  std::vector<std::string> ops;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  // What no longer goes through memory, both ways; dynamic dimensions count as a typical extent.
  double bytes_saved = 0;
  // Its dense anchor as "name (Op)"; empty where it has none.
  std::string anchor;
};

// Is an operation that cannot be in any Subgraph.
struct IneligibleOp {
  std::string name;
  std::string op;
  std::string reason;
};

struct FusionReport {
  std::vector<FusedSubgraph> subgraphs;
  std::vector<FusionRefusal> refusals;
  std::vector<IneligibleOp> ineligible;
  // Operations that can be in a Subgraph, views of memory and dense anchors apart.
  int64_t eligible_ops = 0;
  // Dense anchors that can be in a Subgraph; of those that are in none nothing follows that could be their epilogue.
  int64_t eligible_anchors = 0;
  // Pairs of them, one of which reads the other, views between them included; those that ended in one Subgraph.
  int64_t eligible_edges = 0;
  int64_t fused_edges = 0;

  // Returns how many refusals there are for each reason.
  std::map<FusionReason, int64_t> RefusalsByReason() const;

  // Prints a summary, each Subgraph, each refusal, and the ineligible operations, like ones together.
  std::string ToString() const;
};

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_TOKENIZE_FUSION_REPORT_H_
