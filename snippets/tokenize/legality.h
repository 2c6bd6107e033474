// Says whether a body can be one kernel, by trying it with the code that compiles it.
//
// Use it before a Subgraph is made, so that what becomes one never fails later. Knows no rule of its own about what
// fuses. Stateless, thread-safe.
#ifndef BURIN_SNIPPETS_TOKENIZE_LEGALITY_H_
#define BURIN_SNIPPETS_TOKENIZE_LEGALITY_H_

#include <memory>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "snippets/anchor/anchored_body.h"
#include "snippets/tokenize/anchor/checked_epilogues.h"

namespace burin::snippets {

// Returns `body` decomposed into primitive operations, where it can be lowered and each of its operations has an
// emitter; nothing is generated. A body with dynamic shapes is lowered for sizes of a trial: what it becomes does not
// depend on them. Otherwise Unimplemented with the reason of whatever refused it.
absl::StatusOr<std::unique_ptr<ir::Model>> CheckBody(const ir::Model& body);

// As CheckBody(), of a body with one dense anchor: returns it split, where its epilogue can be compiled and there are
// kernels for the anchor's types. What `checked` remembers is not compiled again.
absl::StatusOr<AnchoredBody> CheckAnchoredBody(const ir::Model& body, CheckedEpilogues* checked);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_TOKENIZE_LEGALITY_H_
