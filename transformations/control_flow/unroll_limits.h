// How much a Loop may grow the model when it is unrolled: a service that a caller hands to UnrollLoop with the
// PassContext. Plain data.
#ifndef BURIN_TRANSFORMATIONS_CONTROL_FLOW_UNROLL_LIMITS_H_
#define BURIN_TRANSFORMATIONS_CONTROL_FLOW_UNROLL_LIMITS_H_

#include <cstdint>

namespace burin::transformations {

// PassContext::Provide<UnrollLimits>(...) replaces the defaults. 0 keeps every Loop that runs at all.
struct UnrollLimits {
  // Iterations of one Loop. What loops over layers or over the few steps of a decoder has at most this many; more are
  // as a rule steps in time, whose number says nothing of what is worth compiling separately.
  int64_t max_iterations = 16;
  // Nodes that come out of one Loop and of the Loops in its body together, Constants not counted: a few per cent of a
  // large model, so that no model, however its loops are nested, becomes slow to compile by them.
  int64_t max_nodes = 512;
};

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_CONTROL_FLOW_UNROLL_LIMITS_H_
