// Makes random graphs to tokenize, and proves that tokenizing one changes nothing but who computes.
//
// For tests only. The same generator state gives the same graph. Not thread-safe (GoogleTest expectations).
#ifndef BURIN_SNIPPETS_TOKENIZE_TOKENIZE_TESTLIB_H_
#define BURIN_SNIPPETS_TOKENIZE_TOKENIZE_TESTLIB_H_

#include <cstdint>
#include <memory>
#include <random>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "snippets/tokenize/fusion_report.h"
#include "snippets/tokenize/tokenize.h"

namespace burin::snippets {

struct RandomGraphOptions {
  int ops = 40;
  // Of 100 operations, so many that can be in no Subgraph.
  int percent_outside = 10;
  bool dynamic = false;
  // Of dynamic graphs, whether dimensions have no symbols: each may then be 1 in a run, or what the others are.
  bool unknown = false;
  // Of 100 operations, so many that are dense anchors.
  int percent_anchors = 0;
  // Whether values are divided: then their signs may turn on the sign of a zero.
  bool divide = true;
};

// Returns a graph of element-wise operations, comparisons, conversions, reductions, softmax, normalisations, views,
// dense anchors, and others, over one domain of three dimensions, with some dimensions of extent 1.
std::unique_ptr<ir::Model> RandomGraph(std::mt19937_64& random, const RandomGraphOptions& options);

// Tokenizes a copy of `model`, and expects: the copy is valid; it computes the same to the bit, on random inputs of
// several sizes (an input that the model refuses, the copy refuses too); each body can be compiled; a second run
// changes nothing. Returns the copy and the report.
struct Tokenized {
  std::unique_ptr<ir::Model> model;
  FusionReport report;
};
Tokenized ExpectTokenizes(const ir::Model& model, uint64_t seed, const TokenizeOptions& options = {});

// Returns a copy of a graph of RandomGraph() with static sizes: the three dimensions of its domain, or 1 for some that
// are dynamic and have no symbol.
std::unique_ptr<ir::Model> WithSizes(const ir::Model& graph, std::mt19937_64& random);

// Returns how many nodes of the model and its bodies, those of Subgraphs apart, are of that operation.
int64_t CountOps(const ir::Model& model, const ir::OpDef& op);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_TOKENIZE_TOKENIZE_TESTLIB_H_
