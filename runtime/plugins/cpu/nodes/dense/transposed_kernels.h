// Makes kernels of transposed convolutions (jit/kernels/convolution/transposed_convolution.h), with epilogues whatever
// the strides.
//
// For nodes of transposed convolutions. Stateless, thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_NODES_DENSE_TRANSPOSED_KERNELS_H_
#define BURIN_RUNTIME_PLUGINS_CPU_NODES_DENSE_TRANSPOSED_KERNELS_H_

#include "absl/status/statusor.h"
#include "jit/kernels/convolution/convolution_spec.h"
#include "jit/kernels/convolution/convolution_weights.h"
#include "jit/kernels/epilogue_emitter.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/nodes/dense/dense_kernel.h"

namespace burin::cpu {

// Makes the kernels of the transpose of `forward`, whose weights have `strides`. `epilogue` may be null. With strides
// the results of a tile are not neighbours, so that an epilogue is a pass of its own, over what the first pass has left
// as sums. Fails as jit::TransposedConvolution::Create() and jit::Gemm::Create() do.
absl::StatusOr<DensePasses> MakeTransposedPasses(const jit::ConvolutionSpec& forward,
                                                 const jit::ConvolutionWeightStrides& strides,
                                                 const jit::EpilogueEmitter* epilogue, const NodeContext& context);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_NODES_DENSE_TRANSPOSED_KERNELS_H_
