// Draws a body, compiles it and checks its kernel: one step of a fuzzer.
//
// Use it in the fuzzer itself and in the small run of it that is a test. Stateless, hence thread-safe as far as the
// counters are one's own.
#ifndef BURIN_SNIPPETS_FUZZ_FUZZ_RUN_H_
#define BURIN_SNIPPETS_FUZZ_FUZZ_RUN_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "jit/isa/target.h"
#include "snippets/fuzz/fuzz_counters.h"
#include "snippets/testing/body_fuzzer.h"

namespace burin::snippets {

// Compiles the body for the target and checks it on random inputs. `counters` may be null. Unimplemented for a body
// that is refused; InvalidArgument where the kernel computes something else.
absl::Status RunDrawn(const DrawnBody& drawn, const jit::Target& target, FuzzCounters* counters);

// Returns the drawn body as small as it fails in the same way, as a text behind a comment that says how to run it. Each
// try runs in a process of its own, which it may end. For programs of one thread.
std::string ExplainFailure(uint64_t seed, const jit::Target& target);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_FUZZ_FUZZ_RUN_H_
