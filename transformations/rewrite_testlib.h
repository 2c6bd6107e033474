// Proves a pass on texts: that it turns one model into another, or leaves it alone, and never changes what it computes.
//
// For tests of passes only. Every call runs the pass to its end under the driver, verifies after each rewrite, and
// evaluates the model before and after on random inputs, so that a pass cannot pass its test while changing the maths.
// The seed is printed where a comparison fails. Not thread-safe (GoogleTest expectations).
//
//   ExpectRewrites(&CancelTransposes, R"(model "" { ... })", R"(model "" { ... })");
#ifndef BURIN_TRANSFORMATIONS_REWRITE_TESTLIB_H_
#define BURIN_TRANSFORMATIONS_REWRITE_TESTLIB_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ir/model.h"
#include "ir/rewrite.h"
#include "ir/tensor.h"
#include "transformations/pass.h"

namespace burin::transformations {

enum class Equivalence {
  // Outputs are equal bit by bit, but for the bits of NaNs.
  kBits,
  // Outputs are as near as the operations of both models may be to their reference: the sum of their tolerances
  // (ir/tolerance.h), relative to the output's largest magnitude.
  kByTolerances,
};

struct RewriteTestOptions {
  Equivalence equivalence = Equivalence::kBits;
  const ir::PassContext* context = nullptr;  // Null: an empty one.
  // Inputs on which both models are evaluated, besides the random ones: one tensor per parameter each.
  std::vector<std::vector<ir::Tensor>> inputs;
  // Random integer inputs (indices, shapes) lie in this range.
  int64_t min_integer = -4;
  int64_t max_integer = 6;
  // Every second sample has signed zeros, infinities, NaNs and extreme magnitudes among its floats. Off for passes that
  // round elsewhere, since a product of extreme magnitudes may then overflow elsewhere too.
  bool special_floats = true;
  // Node names, output names and original names must be those of the `after` text too.
  bool compare_names = false;
};

// Expects that the pass turns the text `before` into the text `after` (compared by structure), by at least one rewrite,
// and that both compute the same.
void ExpectRewrites(ir::Rule rule, absl::string_view before, absl::string_view after,
                    const RewriteTestOptions& options = {});
void ExpectRewrites(WholeGraphPass pass, absl::string_view before, absl::string_view after,
                    const RewriteTestOptions& options = {});

// Expects that the pass makes no rewrite.
void ExpectUnchanged(ir::Rule rule, absl::string_view text, const RewriteTestOptions& options = {});
void ExpectUnchanged(WholeGraphPass pass, absl::string_view text, const RewriteTestOptions& options = {});

// What the expectations above check, for tests that go on with the answer. InvalidArgument tells what differs.
absl::Status CheckRewrites(const Pass& pass, absl::string_view before, absl::string_view after,
                           const RewriteTestOptions& options = {});
absl::Status CheckUnchanged(const Pass& pass, absl::string_view text, const RewriteTestOptions& options = {});

// Returns OK where both models compute the same on random inputs: sizes of dynamic dimensions are random too (0 among
// them); models with variables run twice in a row. Inputs that `before` refuses are not counted: FailedPrecondition
// where that leaves no sample. Otherwise InvalidArgument with the seed and the first difference.
absl::Status CheckEquivalent(const ir::Model& before, const ir::Model& after, const RewriteTestOptions& options = {});

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_REWRITE_TESTLIB_H_
