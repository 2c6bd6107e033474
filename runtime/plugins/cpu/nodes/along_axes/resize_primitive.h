// Runs resamplings of whole values (jit/kernels/resize), for the nodes that are some.
//
// A value is resampled along some of its dimensions; how, each node says in a file of its own. Stateless, thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_NODES_ALONG_AXES_RESIZE_PRIMITIVE_H_
#define BURIN_RUNTIME_PLUGINS_CPU_NODES_ALONG_AXES_RESIZE_PRIMITIVE_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "ir/shape.h"
#include "jit/kernels/resize/resize_spec.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/graph/primitive.h"
#include "runtime/plugins/cpu/graph/value_desc.h"
#include "runtime/plugins/cpu/nodes/dense/dense_epilogue.h"

namespace burin::cpu {

// How a dimension is resampled.
struct ResampledDimension {
  // Whether it stays as it is; `taps` does not count then.
  bool is_unchanged = true;
  // By element of the output.
  std::vector<std::vector<jit::ResizeTap>> taps;
};

// Returns what a resampling of `dimensions`, one per dimension of `input`, of which one at least changes, is to the
// kernel, with data and result dense and in the order of `layout`: neighbours in memory that stay as they are count as
// one dimension. Nothing to compute where the output has no elements. Unimplemented where more than the kernel's axes
// remain.
absl::StatusOr<jit::ResizeSpec> ResizeSpecOf(ElementType type, const ir::Shape& input, const ir::Shape& output,
                                             Layout layout, const std::vector<ResampledDimension>& dimensions);

// Makes the primitive that resamples input 0; output 0 is the result, or what `epilogue`, which may be null and whose
// full operands are dense and of the result's layout, makes of it. Errors as of jit::ResizeKernel::Create().
absl::StatusOr<std::unique_ptr<const Primitive>> MakeResizePrimitive(const jit::ResizeSpec& spec,
                                                                     std::shared_ptr<const DenseEpilogue> epilogue,
                                                                     const NodeContext& context);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_NODES_ALONG_AXES_RESIZE_PRIMITIVE_H_
