// Lets a kernel bring what it reads and writes next closer to the core while it computes.
//
// Use it for kernels that go over a row several times: the first pass waits for memory and the others leave memory
// alone, so that neither is busy all the time. A pass that computes then fetches the next row meanwhile. A processor
// does that by itself where rows are read once, one after the other. Stateless.
#ifndef BURIN_SNIPPETS_LOWERING_FETCH_AHEAD_H_
#define BURIN_SNIPPETS_LOWERING_FETCH_AHEAD_H_

#include "jit/isa/cache_info.h"
#include "snippets/lowering/lower.h"

namespace burin::snippets {

// Sets LinearBlock::ahead in loops over rows of `kernel` that have several passes: in the one that computes most, if
// that is much. Only where all operands together are more than the second-level cache holds, and the rows under way so
// little of it that what was fetched stays there until it is wanted. Depends on the kernel's sizes, hence so does the
// code; it computes the same.
void FetchAhead(const jit::CacheSizes& caches, LoweredKernel& kernel);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_LOWERING_FETCH_AHEAD_H_
