// Makes kernels of convolutions: directly, depthwise where every group has one channel, or by Winograd's method
// (jit/kernels/convolution, jit/kernels/depthwise, jit/kernels/winograd).
//
// For nodes of convolutions. Stateless, thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_NODES_DENSE_CONVOLUTION_KERNELS_H_
#define BURIN_RUNTIME_PLUGINS_CPU_NODES_DENSE_CONVOLUTION_KERNELS_H_

#include <memory>

#include "absl/status/statusor.h"
#include "jit/isa/target.h"
#include "jit/kernels/convolution/convolution_spec.h"
#include "jit/kernels/convolution/convolution_weights.h"
#include "jit/kernels/depthwise/depthwise_kernel.h"
#include "jit/kernels/depthwise/depthwise_spec.h"
#include "jit/kernels/epilogue_emitter.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/nodes/dense/dense_kernel.h"

namespace burin::cpu {

// Returns whether Winograd's method is legal for a convolution, and takes less time by its cost than the direct one.
// Whether its errors are allowed is for the caller to say.
bool WinogradIsFaster(const jit::ConvolutionSpec& spec, const jit::Target& target);

// Make a kernel; `epilogue` may be null. `strides` are those of weights that are not packed. Fail as the Create() of
// their kernels and weights do.
absl::StatusOr<std::unique_ptr<const DenseKernel>> MakeDirectKernel(const jit::ConvolutionSpec& spec,
                                                                    const jit::ConvolutionWeightStrides& strides,
                                                                    const jit::EpilogueEmitter* epilogue,
                                                                    const NodeContext& context);
absl::StatusOr<std::unique_ptr<const DenseKernel>> MakeWinogradKernel(const jit::ConvolutionSpec& spec,
                                                                      const jit::ConvolutionWeightStrides& strides,
                                                                      const jit::EpilogueEmitter* epilogue,
                                                                      const NodeContext& context);
absl::StatusOr<std::unique_ptr<const DenseKernel>> MakeDepthwiseKernel(const jit::DepthwiseSpec& spec,
                                                                       const jit::DepthwiseWeightStrides& strides,
                                                                       const jit::EpilogueEmitter* epilogue,
                                                                       const NodeContext& context);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_NODES_DENSE_CONVOLUTION_KERNELS_H_
