// Says whether a body can be one kernel, by trying it with the code that compiles it.
//
// Use it before a Subgraph is made, so that what becomes one never fails later. Knows no rule of its own about what
// fuses. The functions are stateless and thread-safe; CheckedEpilogues is for one thread.
#ifndef BURIN_SNIPPETS_TOKENIZE_LEGALITY_H_
#define BURIN_SNIPPETS_TOKENIZE_LEGALITY_H_

#include <cstdint>
#include <memory>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/hash.h"
#include "ir/model.h"
#include "snippets/anchor/anchored_body.h"

namespace burin::snippets {

// Returns `body` decomposed into primitive operations, where it can be lowered and each of its operations has an
// emitter; nothing is generated. A body with dynamic shapes is lowered for sizes of a trial: what it becomes does not
// depend on them. Otherwise Unimplemented with the reason of whatever refused it.
absl::StatusOr<std::unique_ptr<ir::Model>> CheckBody(const ir::Model& body);

// Remembers which epilogues can be compiled: many anchors of a model are followed by the same operations.
class CheckedEpilogues {
 public:
  // Returns OK where `epilogue` can be compiled, else Unimplemented with the reason.
  absl::Status Check(const ir::Model& epilogue);

  // Returns how many epilogues were compiled.
  int64_t compiled() const { return compiled_; }

 private:
  // Structural hashes of those that can be.
  absl::flat_hash_set<Hash128> good_;
  int64_t compiled_ = 0;
};

// As CheckBody(), of a body with one dense anchor: returns it split, where its epilogue can be compiled and there are
// kernels for the anchor's types. What `checked` remembers is not compiled again.
absl::StatusOr<AnchoredBody> CheckAnchoredBody(const ir::Model& body, CheckedEpilogues* checked);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_TOKENIZE_LEGALITY_H_
