// The body of a Subgraph for values whose channels are last in memory.
//
// Element-wise operations do the same whatever the dimensions are called: with all dimensions permuted alike, a body
// computes permuted results. So a body of these alone serves both layouts, each as row-major values of its own shapes.
// Stateless, thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_NODES_CHANNELS_LAST_BODY_H_
#define BURIN_RUNTIME_PLUGINS_CPU_NODES_CHANNELS_LAST_BODY_H_

#include <cstdint>
#include <memory>
#include <optional>

#include "ir/model.h"
#include "ir/shape.h"

namespace burin::cpu {

// Returns the body that computes what `body`, of primitive operations (snippets/decompose), does for values in the
// order batch, spatial axes, channels; null where there is none: where an operation is not element-wise, a rank is not
// known, or the results have different ranks, or less than 3.
std::unique_ptr<ir::Model> ChannelsLastBody(const ir::Model& body);

// Returns the shape that a value of `shape` has in such a body, whose results have `rank` dimensions: that of
// channels-last values where it has as many itself. A value of fewer dimensions is taken as it lies in memory; nullopt
// where that would be another order of its elements.
std::optional<ir::Shape> ChannelsLastShape(const ir::Shape& shape, int64_t rank);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_NODES_CHANNELS_LAST_BODY_H_
