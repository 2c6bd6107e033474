// Remembers which epilogues can be compiled.
//
// Use one for all that cuts a graph into kernels: many anchors of a model are followed by the same operations, and each
// of these is asked about when an operation is classified, when groups grow, and when a Subgraph is made. Not for the
// compiled code, which is thrown away. Not thread-safe.
#ifndef BURIN_SNIPPETS_TOKENIZE_ANCHOR_CHECKED_EPILOGUES_H_
#define BURIN_SNIPPETS_TOKENIZE_ANCHOR_CHECKED_EPILOGUES_H_

#include <cstdint>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "base/hash.h"
#include "ir/model.h"

namespace burin::snippets {

class CheckedEpilogues {
 public:
  // Returns OK where `epilogue` can be compiled, else Unimplemented with the reason. One of a structure that could be
  // is not compiled again.
  absl::Status Check(const ir::Model& epilogue);

  // Returns how many epilogues were compiled, or tried to be.
  int64_t compiled() const { return compiled_; }

 private:
  // Structural hashes of those that can be.
  absl::flat_hash_set<Hash128> good_;
  int64_t compiled_ = 0;
};

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_TOKENIZE_ANCHOR_CHECKED_EPILOGUES_H_
