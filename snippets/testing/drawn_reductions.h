// Draws reductions, and operations that are made of them, into the draft of a body.
//
// Use it in a fuzzer of bodies. One call adds one operation, and what its operands need. Not thread-safe.
#ifndef BURIN_SNIPPETS_TESTING_DRAWN_REDUCTIONS_H_
#define BURIN_SNIPPETS_TESTING_DRAWN_REDUCTIONS_H_

#include "snippets/testing/body_draft.h"

namespace burin::snippets {

// Draws a reduction of floats, integers or truth values over random axes.
void DrawReduction(BodyDraft& draft);

// Draws a softmax, a normalisation, or another operation that is no primitive one; an element-wise operation where the
// space has no place for what was drawn.
void DrawComposite(BodyDraft& draft);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_TESTING_DRAWN_REDUCTIONS_H_
