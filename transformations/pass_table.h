// Looks passes up by id and by name: passes.inc as values.
//
// For pipelines, options and tools; depends on every pass. A pass's own file and its test include passes.h instead.
// Stateless, thread-safe.
#ifndef BURIN_TRANSFORMATIONS_PASS_TABLE_H_
#define BURIN_TRANSFORMATIONS_PASS_TABLE_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "transformations/pass.h"
#include "transformations/passes.h"

namespace burin::transformations {

// Returns every pass, in the order of passes.inc; the table lives as long as the process.
absl::Span<const Pass> AllPasses();

// Returns the pass with that id.
const Pass& PassOf(PassId id);

// Returns the pass with that name, or null.
const Pass* FindPass(absl::string_view name);

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_PASS_TABLE_H_
