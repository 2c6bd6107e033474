#include "tools/kernel_bench/families/dense/image_work.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <random>
#include <utility>

#include "absl/types/span.h"
#include "base/status_macros.h"

namespace burin::kernel_bench {
namespace {

constexpr int64_t kFloatBytes = 4;

// Pixels that are compared, evenly over all of them, the corners among them.
constexpr int64_t kMostPixels = 24;

}  // namespace

absl::StatusOr<std::shared_ptr<ImageWork>> ImageWork::Create(const ImageShape& shape,
                                                             const std::vector<int64_t>& constant_bytes,
                                                             const CaseOptions& options) {
  const std::shared_ptr<ImageWork> work(new ImageWork(shape));
  int64_t most = shape.in_elements() * kFloatBytes;
  for (const int64_t bytes : constant_bytes) most = std::max(most, bytes);
  BURIN_ASSIGN_OR_RETURN(
      work->buffers_, CaseBuffers::Create(1 + static_cast<int>(constant_bytes.size()), most,
                                          shape.out_elements() * kFloatBytes, options.cold, options.target.caches()));
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(-1, 1);
  float* const input = work->buffers_->In<float>(0, 0);
  std::generate(input, input + shape.in_elements(), [&] { return uniform(random); });
  const int64_t pixels = shape.in_size * shape.in_size;
  work->planar_input_.resize(static_cast<size_t>(shape.in_elements()));
  for (int64_t pixel = 0; pixel < pixels; ++pixel) {
    for (int64_t channel = 0; channel < shape.in_channels; ++channel) {
      work->planar_input_[static_cast<size_t>(channel * pixels + pixel)] = input[pixel * shape.in_channels + channel];
    }
  }
  work->planar_output_.resize(static_cast<size_t>(shape.out_elements()));
  return work;
}

void ImageWork::Finish(const Reference& reference) {
  buffers_->Replicate();
  const int64_t all = shape_.out_size * shape_.out_size;
  const int64_t compared = std::min(all, kMostPixels);
  for (int64_t i = 0; i < compared; ++i) {
    const int64_t pixel = compared == 1 ? 0 : i * (all - 1) / (compared - 1);
    pixels_.push_back(pixel);
    for (int64_t channel = 0; channel < shape_.out_channels; ++channel) {
      expected_.push_back(reference(pixel / shape_.out_size, pixel % shape_.out_size, channel));
    }
  }
}

PeerGraph ImageWork::Graph(PeerGraph::Node node, std::vector<PeerGraph::Constant> constants) const {
  PeerGraph graph;
  graph.inputs = {{"x", {1, shape_.in_channels, shape_.in_size, shape_.in_size}}};
  graph.outputs = {{"y", {1, shape_.out_channels, shape_.out_size, shape_.out_size}}};
  node.inputs = {"x"};
  node.outputs = {"y"};
  for (const PeerGraph::Constant& constant : constants) node.inputs.push_back(constant.name);
  graph.nodes = {std::move(node)};
  graph.constants = std::move(constants);
  graph.copies = {{{planar_input_.data()}, {planar_output_.data()}}};
  return graph;
}

Accuracy ImageWork::Check(const std::function<void()>& call, double tolerance, const After& after) const {
  buffers_->Spoil();
  call();
  return Compare(output(0), shape_.out_channels, 1, tolerance, after);
}

Accuracy ImageWork::CheckOfPeer(const std::function<void()>& call, double tolerance) const {
  std::fill(planar_output_.begin(), planar_output_.end(), std::numeric_limits<float>::quiet_NaN());
  call();
  return Compare(planar_output_.data(), 1, shape_.out_size * shape_.out_size, tolerance, nullptr);
}

double ImageWork::ExpectedRange() const {
  const auto [least, most] = std::minmax_element(expected_.begin(), expected_.end());
  return expected_.empty() ? 0 : *most - *least;
}

Accuracy ImageWork::Compare(const float* values, int64_t pixel_stride, int64_t channel_stride, double tolerance,
                            const After& after) const {
  std::vector<float> found;
  std::vector<double> expected = expected_;
  for (const int64_t pixel : pixels_) {
    for (int64_t channel = 0; channel < shape_.out_channels; ++channel) {
      double& result = expected[found.size()];
      if (after != nullptr) result = after(result, pixel, channel);
      found.push_back(values[pixel * pixel_stride + channel * channel_stride]);
    }
  }
  return CompareResults<float>(found, expected, tolerance);
}

}  // namespace burin::kernel_bench
