#include "runtime/plugins/cpu/nodes/dense/convolution_kernels.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "absl/status/statusor.h"
#include "base/aligned_buffer.h"
#include "base/check.h"
#include "gtest/gtest.h"
#include "jit/kernels/convolution/activation_strides.h"
#include "jit/kernels/convolution/convolution_spec.h"
#include "jit/kernels/convolution/convolution_weights.h"
#include "jit/kernels/depthwise/depthwise_spec.h"
#include "runtime/plugins/cpu/nodes/dense/dense_kernel.h"
#include "runtime/plugins/cpu/nodes/dense/weights_packing.h"
#include "runtime/plugins/cpu/nodes/node_runner_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

// Returns a convolution of 3 x 3 windows that keeps the size.
jit::ConvolutionSpec Square(int64_t channels, int64_t size) {
  jit::ConvolutionSpec spec;
  spec.input_channels = spec.output_channels = channels;
  spec.height = spec.width = {size, size, 3, 1, 1, 1};
  absl::StatusOr<jit::ActivationStrides> strides = jit::ActivationStrides::Dense(1, size, size, channels);
  BURIN_CHECK_OK(strides.status());
  spec.input = spec.output = *strides;
  return spec;
}

jit::ConvolutionWeightStrides StridesOf(const jit::ConvolutionSpec& spec) {
  return {spec.input_channels_of_group() * 9, 9, 9, 3, 1};
}

std::vector<float> RandomValues(size_t count, std::mt19937& random) {
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(random() % 2048) / 1024 - 1;
  return values;
}

// Packs the weights and runs all items.
std::vector<float> RunAll(const DenseKernel& kernel, const std::vector<float>& input, const std::vector<float>& weights,
                          size_t outputs) {
  const WeightsPacking& packing = *kernel.packing();
  const size_t scratch_bytes = static_cast<size_t>(std::max(kernel.scratch_bytes(), packing.scratch_bytes()));
  absl::StatusOr<AlignedBuffer> packed = AlignedBuffer::Create(static_cast<size_t>(packing.packed_bytes()));
  absl::StatusOr<AlignedBuffer> scratch = AlignedBuffer::Create(scratch_bytes);
  BURIN_CHECK_OK(packed.status());
  BURIN_CHECK_OK(scratch.status());
  packing.Run(weights.data(), packed->data(), scratch->data(), 0, packing.work_items());
  std::vector<float> output(outputs);
  DenseArgs args;
  args.input = input.data();
  args.weights = packed->data();
  args.output = output.data();
  args.scratch = scratch->data();
  kernel.Run(args, 0, kernel.work_items());
  return output;
}

TEST(ConvolutionKernelsTest, WinogradIsFasterWhereThereIsMuchToMultiply) {
  const jit::Target target = HostContext(1).target;
  EXPECT_TRUE(WinogradIsFaster(Square(256, 56), target));
  EXPECT_FALSE(WinogradIsFaster(Square(4, 8), target));
  jit::ConvolutionSpec strided = Square(256, 56);
  strided.height.stride = strided.width.stride = 2;
  strided.height.output = strided.width.output = 28;
  EXPECT_FALSE(WinogradIsFaster(strided, target));
}

TEST(ConvolutionKernelsTest, BothWaysComputeTheSame) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  const jit::ConvolutionSpec spec = Square(37, 10);
  const std::vector<float> input = RandomValues(37 * 100, random);
  const std::vector<float> weights = RandomValues(37 * 37 * 9, random);
  const NodeContext context = HostContext(1);
  const auto direct = MakeDirectKernel(spec, StridesOf(spec), nullptr, context);
  const auto winograd = MakeWinogradKernel(spec, StridesOf(spec), nullptr, context);
  ASSERT_OK(direct.status());
  ASSERT_OK(winograd.status());
  EXPECT_NE((*direct)->packing()->key(), (*winograd)->packing()->key());
  const std::vector<float> expected = RunAll(**direct, input, weights, input.size());
  const std::vector<float> actual = RunAll(**winograd, input, weights, input.size());
  const auto [least, most] = std::minmax_element(expected.begin(), expected.end());
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(actual[i], expected[i], 2e-5 * (*most - *least)) << i;
}

TEST(ConvolutionKernelsTest, PackingsOfDifferentWeightsHaveDifferentKeys) {
  const NodeContext context = HostContext(1);
  const auto one = MakeDirectKernel(Square(8, 5), StridesOf(Square(8, 5)), nullptr, context);
  const auto same = MakeDirectKernel(Square(8, 9), StridesOf(Square(8, 9)), nullptr, context);
  const auto other = MakeDirectKernel(Square(9, 5), StridesOf(Square(9, 5)), nullptr, context);
  ASSERT_OK(one.status());
  ASSERT_OK(same.status());
  ASSERT_OK(other.status());
  EXPECT_EQ((*one)->packing()->key(), (*same)->packing()->key());
  EXPECT_NE((*one)->packing()->key(), (*other)->packing()->key());
}

TEST(ConvolutionKernelsTest, DepthwiseSumsEachChannel) {
  jit::DepthwiseSpec spec;
  spec.channels = 5;
  spec.height = spec.width = {3, 1, 3, 1, 1, 0};
  spec.input = *jit::ActivationStrides::Dense(1, 3, 3, 5);
  spec.output = *jit::ActivationStrides::Dense(1, 1, 1, 5);
  const auto kernel = MakeDepthwiseKernel(spec, {9, 9, 3, 1}, nullptr, HostContext(1));
  ASSERT_OK(kernel.status());
  std::vector<float> weights(45);
  for (size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<float>(i / 9);
  EXPECT_EQ(RunAll(**kernel, std::vector<float>(45, 1.0f), weights, 5), (std::vector<float>{0, 9, 18, 27, 36}));
}

}  // namespace
}  // namespace burin::cpu
