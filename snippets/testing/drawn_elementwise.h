// Draws element-wise operations into the draft of a body.
//
// Use it in a fuzzer of bodies. One call adds one operation, and what its operands need. Not thread-safe.
#ifndef BURIN_SNIPPETS_TESTING_DRAWN_ELEMENTWISE_H_
#define BURIN_SNIPPETS_TESTING_DRAWN_ELEMENTWISE_H_

#include "snippets/testing/body_draft.h"

namespace burin::snippets {

// Returns a random float or integer type; f32 in half of the cases.
ElementType DrawFloatType(BodyDraft& draft);
ElementType DrawIntegerType(BodyDraft& draft);

// Draw one operation: on floats, on integers, from numbers to truth values, on truth values, a choice between two
// values of any type, and from one type to another.
void DrawFloat(BodyDraft& draft);
void DrawInteger(BodyDraft& draft);
void DrawComparison(BodyDraft& draft);
void DrawLogic(BodyDraft& draft);
void DrawSelect(BodyDraft& draft);
void DrawConvert(BodyDraft& draft);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_TESTING_DRAWN_ELEMENTWISE_H_
