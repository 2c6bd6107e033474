// Makes a body of some operations of a model, as a Subgraph has it.
//
// Use it to try whether operations can be one kernel, and for the Subgraph that comes of them. The model is unchanged.
// Stateless, thread-safe.
#ifndef BURIN_SNIPPETS_TOKENIZE_CANDIDATE_BODY_H_
#define BURIN_SNIPPETS_TOKENIZE_CANDIDATE_BODY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "ir/infer_context.h"
#include "ir/model.h"

namespace burin::snippets {

// Is a body, and the values of the model that it stands for.
struct CandidateBody {
  std::unique_ptr<ir::Model> body;
  // One for each parameter.
  std::vector<ir::Value> inputs;
  // One for each result.
  std::vector<ir::Value> outputs;
};

// Constants of more bytes stay outside of bodies: they are read from memory in any case, and where they lie is for the
// plugin to say. Smaller ones (scalars, axes, a scale per channel) become part of code, or are computed with
// beforehand.
inline constexpr int64_t kMaxBodyConstantBytes = int64_t{64} << 10;

// Two groups of more nodes than this are not tried as one body where there is a choice: the time of a trial follows
// their number.
inline constexpr size_t kMaxTrialNodes = 128;

// Returns whether the body gets a value of which that is known as a Constant of its own rather than as an input.
bool IsBodyConstant(const ir::ValueInfo& info);

// Builds the body of `nodes`, which come in topological order and have no bodies. Inputs are what the nodes read from
// outside, in the order in which they read it; outputs what is read outside, in the nodes' order. What an anchor
// (snippets/anchor) reads comes first, and is an input also where it is a small constant: weights are packed. Names,
// original names and symbols are those of the model. The body's name says its operations, so that like bodies have one
// name.
absl::StatusOr<CandidateBody> BuildBody(const ir::Model& model, absl::Span<const ir::NodeId> nodes);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_TOKENIZE_CANDIDATE_BODY_H_
