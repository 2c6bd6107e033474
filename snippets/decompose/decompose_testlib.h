// Proves decompositions on texts of bodies: what they become, and that they compute the same.
//
// For tests only. Both bodies are evaluated on random inputs of many sizes; the seed is printed where they differ. Not
// thread-safe (GoogleTest expectations).
#ifndef BURIN_SNIPPETS_DECOMPOSE_DECOMPOSE_TESTLIB_H_
#define BURIN_SNIPPETS_DECOMPOSE_DECOMPOSE_TESTLIB_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ir/model.h"
#include "ir/rewrite.h"
#include "ir/tensor.h"

namespace burin::snippets {

// Expects that the rule, applied to all nodes until it matches none, turns the text `before` into the text `after`
// (compared by structure), and that both compute the same as CheckSameResults() has it.
void ExpectRewrites(ir::Rule rule, absl::string_view before, absl::string_view after);

// Expects that the rule matches no node.
void ExpectUnchanged(ir::Rule rule, absl::string_view text);

// Expects that the rule fails at a node with Unimplemented and a message that holds `reason`.
void ExpectRefuses(ir::Rule rule, absl::string_view text, const std::string& reason);

// Expects that Decompose() accepts the text, leaves a primitive body with results of the same types and at least as
// well known shapes, and that both compute the same, on random inputs and on these.
void ExpectDecomposes(absl::string_view text, const std::vector<std::vector<ir::Tensor>>& inputs = {});

// As ExpectDecomposes for every text that comes of `pattern` by putting, for "$T", each of f32, f16 and bf16, and for
// "$S" each of the shapes.
void ExpectDecomposesAll(absl::string_view pattern, const std::vector<std::string>& shapes);

// Expects that Decompose() fails with Unimplemented and a message that holds `reason`, and leaves the body as it was.
void ExpectCannotDecompose(absl::string_view text, const std::string& reason);

// Returns OK where both bodies give, on random inputs, results within the loosest tolerance of `before`'s operations.
// Dimensions that share a symbol are equal. InvalidArgument with the seed and the first difference.
absl::Status CheckSameResults(const ir::Model& before, const ir::Model& after);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_DECOMPOSE_DECOMPOSE_TESTLIB_H_
