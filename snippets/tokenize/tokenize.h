// Collects the operations of a model into Subgraphs: what one generated kernel computes becomes one node.
//
// The place that decides what is fused below the level of graphs; run it when the passes of transformations are
// through. A Subgraph is any graph of element-wise operations with broadcasting, reductions, softmax, normalisations
// and views, with any number of outputs; an operation alone becomes one too. Operations with effects or states never
// do. What cannot be known from symbols and sizes is taken not to be so. Stateless: concurrent runs on different models
// are fine.
#ifndef BURIN_SNIPPETS_TOKENIZE_TOKENIZE_H_
#define BURIN_SNIPPETS_TOKENIZE_TOKENIZE_H_

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "snippets/tokenize/fusion_report.h"

namespace burin::snippets {

struct TokenizeOptions {
  // Makes each eligible operation a Subgraph of its own: for comparing results and times with and without fusion.
  bool single_ops = false;
  // Lets a Subgraph have one dense anchor (snippets/anchor): a product of matrices, a convolution or a pooling, whose
  // epilogue the rest of it is. An anchor alone stays as it is.
  bool dense_anchors = false;
};

// Makes Subgraphs in `model` and in the bodies of its nodes, those of Subgraphs apart; what it computes stays the same,
// but that kernels may round elsewhere. A Subgraph has the name of an operation that it replaces and the original names
// of all. Running it again changes nothing. The result is the same on every machine. InvalidArgument where the model
// has a cycle; after an error the model is to be thrown away.
absl::StatusOr<FusionReport> Tokenize(ir::Model& model, const TokenizeOptions& options = {});

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_TOKENIZE_TOKENIZE_H_
