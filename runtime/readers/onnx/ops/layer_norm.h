// Layer normalisation by its definition, as the standard operators and other runtimes' extensions share it.
#ifndef BURIN_RUNTIME_READERS_ONNX_OPS_LAYER_NORM_H_
#define BURIN_RUNTIME_READERS_ONNX_OPS_LAYER_NORM_H_

#include <cstdint>
#include <vector>

#include "ir/model.h"
#include "runtime/readers/onnx/node_context.h"

namespace burin::onnx {

// Returns the axes [first, rank).
std::vector<int64_t> AxesFrom(int64_t first, int64_t rank);

// Returns (x - mean) / sqrt(variance + epsilon) over the axes.
ir::Value NormalizeVariance(NodeContext& node, ir::Value x, const std::vector<int64_t>& axes, double epsilon);

// Returns x / sqrt(mean(x^2) + epsilon) * scale, the mean over the axes from `axis` on, computed in the type that the
// node's stash_type names.
ir::Value RmsNormalize(NodeContext& node, ir::Value x, ir::Value scale, int64_t axis, double epsilon);

// Returns (x - mean) / sqrt(variance + epsilon) * scale + bias over the axes from `axis` on (the bias may be absent),
// and, where they are wanted, the mean and 1 / sqrt(variance + epsilon) with those axes of size 1.
std::vector<ir::Value> LayerNormalize(NodeContext& node, ir::Value x, ir::Value scale, ir::Value bias, int64_t axis,
                                      double epsilon, bool wants_statistics);

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_OPS_LAYER_NORM_H_
