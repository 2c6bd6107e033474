// Says what the epilogue of a dense anchor iterates over: the rows and columns of the anchor's result.
//
// Use it in place of DescribeBody() (body_space.h) for a body with an anchor. Stateless, thread-safe.
#ifndef BURIN_SNIPPETS_TOKENIZE_ANCHOR_ANCHOR_SPACE_H_
#define BURIN_SNIPPETS_TOKENIZE_ANCHOR_ANCHOR_SPACE_H_

#include "absl/status/statusor.h"
#include "snippets/anchor/anchored_body.h"
#include "snippets/tokenize/body_space.h"

namespace burin::snippets {

// Returns the space of the epilogue, rows and columns being of typical extents. The work of the anchor itself is not in
// it; parameters and results are the epilogue's.
absl::StatusOr<BodySpace> DescribeEpilogue(const AnchoredBody& split);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_TOKENIZE_ANCHOR_ANCHOR_SPACE_H_
