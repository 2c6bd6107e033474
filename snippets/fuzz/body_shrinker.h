// Makes a body that fails smaller, for a report that can be read.
//
// Use it where a fuzzer has found something. Stateless, hence thread-safe as far as the predicate is.
#ifndef BURIN_SNIPPETS_FUZZ_BODY_SHRINKER_H_
#define BURIN_SNIPPETS_FUZZ_BODY_SHRINKER_H_

#include <memory>
#include <vector>

#include "absl/functional/function_ref.h"
#include "ir/model.h"
#include "snippets/testing/random_inputs.h"

namespace burin::snippets {

// Is a body and what its parameters hold.
struct ShrunkBody {
  std::unique_ptr<ir::Model> body;
  std::vector<InputRange> ranges;
  // Of each dimension of each parameter, which axis of the space it is; -1 for none.
  std::vector<std::vector<int>> parameter_axes;
};

// Returns a body that still fails, by dropping results, taking an operation's input in its place, and taking a new
// parameter in the place of an operation, as long as `fails` says that the body does. A new parameter has the default
// range.
ShrunkBody ShrinkBody(ShrunkBody body, absl::FunctionRef<bool(const ShrunkBody&)> fails);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_FUZZ_BODY_SHRINKER_H_
