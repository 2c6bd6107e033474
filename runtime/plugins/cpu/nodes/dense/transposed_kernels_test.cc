#include "runtime/plugins/cpu/nodes/dense/transposed_kernels.h"

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "jit/kernels/convolution/activation_strides.h"
#include "jit/kernels/convolution/convolution_spec.h"
#include "runtime/plugins/cpu/nodes/dense/dense_kernel.h"
#include "runtime/plugins/cpu/nodes/node_runner_testlib.h"
#include "snippets/epilogue/epilogue.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

// Returns the convolution whose transpose has windows of 2 x 2 with a stride.
jit::ConvolutionSpec Forward(int64_t stride) {
  const int64_t size = (5 - 1) * stride + 2;
  jit::ConvolutionSpec forward;
  forward.input_channels = 6;
  forward.output_channels = 4;
  forward.height = forward.width = {size, 5, 2, stride, 1, 0};
  forward.input = *jit::ActivationStrides::Dense(1, size, size, 6);
  forward.output = *jit::ActivationStrides::Dense(1, 5, 5, 4);
  return forward;
}

// What the results are is tested by the nodes (dense_nodes_test).
TEST(TransposedKernelsTest, AnEpilogueIsAPassWhereThereAreStrides) {
  const std::unique_ptr<ir::Model> body = ParseOrDie(R"(model "relu" {
    %0 "acc" = Parameter() {element_type = f32, shape = [m, n]}
    %1 = Relu(%0)
    %2 = Result(%1)
  })");
  const absl::StatusOr<std::unique_ptr<snippets::Epilogue>> epilogue = snippets::Epilogue::Create(*body);
  ASSERT_OK(epilogue.status());
  for (const int64_t stride : {1, 2}) {
    const absl::StatusOr<DensePasses> alone =
        MakeTransposedPasses(Forward(stride), {24, 4, 4, 2, 1}, nullptr, HostContext(1));
    const absl::StatusOr<DensePasses> with_epilogue =
        MakeTransposedPasses(Forward(stride), {24, 4, 4, 2, 1}, epilogue->get(), HostContext(1));
    ASSERT_OK(alone.status());
    ASSERT_OK(with_epilogue.status());
    EXPECT_EQ(alone->size(), 1);
    EXPECT_EQ(with_epilogue->size(), stride);
    EXPECT_EQ(with_epilogue->front()->keeps_sums(), stride > 1);
    EXPECT_EQ(with_epilogue->back()->packing() == nullptr, stride > 1);
  }
}

}  // namespace
}  // namespace burin::cpu
