// Writes mean and variance normalisation as a formula, for every operation that has it as a part.
//
// Stateless, thread-safe.
#ifndef BURIN_SNIPPETS_DECOMPOSE_MOMENTS_H_
#define BURIN_SNIPPETS_DECOMPOSE_MOMENTS_H_

#include <cstdint>

#include "absl/types/span.h"
#include "ir/model.h"
#include "snippets/decompose/formula.h"

namespace burin::snippets {

// Returns x less its mean over the axes, which are sorted and not negative.
ir::Value Centred(Formula& formula, ir::Value x, absl::Span<const int64_t> axes);

// Returns the mean square of `centred` over the axes: the variance of what Centred() took. In two passes, so that what
// the mean takes away does not cancel.
ir::Value Variance(Formula& formula, ir::Value centred, absl::Span<const int64_t> axes);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_DECOMPOSE_MOMENTS_H_
