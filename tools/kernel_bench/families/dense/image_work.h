// Holds an image that goes in and one that comes out, and what should come out.
//
// Use it for the cases of families whose kernels go over images with windows (convolution_family.h, pooling_family.h).
// Ours have the channels of a pixel side by side; other libraries are given the same values with the pixels of a
// channel side by side, as ONNX has them. Used by one thread.
#ifndef BURIN_TOOLS_KERNEL_BENCH_FAMILIES_DENSE_IMAGE_WORK_H_
#define BURIN_TOOLS_KERNEL_BENCH_FAMILIES_DENSE_IMAGE_WORK_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/kernel_bench/bench_case.h"
#include "tools/kernel_bench/families/case_buffers.h"
#include "tools/kernel_bench/family.h"
#include "tools/kernel_bench/peer.h"

namespace burin::kernel_bench {

// Describes the images: squares of so many pixels by so many.
struct ImageShape {
  int64_t in_channels = 1;
  int64_t in_size = 1;
  int64_t out_channels = 1;
  int64_t out_size = 1;

  int64_t in_elements() const { return in_channels * in_size * in_size; }
  int64_t out_elements() const { return out_channels * out_size * out_size; }
};

// Holds the images, and constants such as packed weights, in as many copies as the mode needs.
class ImageWork {
 public:
  // Returns what an output should be, from the pixel's row and column and the channel.
  using Reference = std::function<double(int64_t row, int64_t column, int64_t channel)>;

  // Returns what becomes of a result.
  using After = std::function<double(double result, int64_t pixel, int64_t channel)>;

  // Makes the buffers and fills the input with numbers from -1 to 1. Fails as CaseBuffers::Create() does.
  static absl::StatusOr<std::shared_ptr<ImageWork>> Create(const ImageShape& shape,
                                                           const std::vector<int64_t>& constant_bytes,
                                                           const CaseOptions& options);

  const ImageShape& shape() const { return shape_; }
  CaseBuffers& buffers() const { return *buffers_; }

  // Return the operands of a copy: images as [row][column][channel], and a constant, to be filled in copy 0.
  const float* input(int copy) const { return buffers_->In<const float>(copy, 0); }
  float* constant(int copy, int index) const { return buffers_->In<float>(copy, 1 + index); }
  float* output(int copy) const { return buffers_->Out<float>(copy); }

  // Copies the constants into all copies and computes what some of the pixels should be: called when they are filled.
  void Finish(const Reference& reference);

  // Returns a graph of this node, from the image "x" (and constants, such as of weights) to the image "y".
  PeerGraph Graph(PeerGraph::Node node, std::vector<PeerGraph::Constant> constants) const;

  // Return how a result compares that a call leaves in output(0), or where Graph() has it. `tolerance` is that of
  // CompareResults(). Results are those of the reference, or what `after` makes of them.
  Accuracy Check(const std::function<void()>& call, double tolerance, const After& after = nullptr) const;
  Accuracy CheckOfPeer(const std::function<void()>& call, double tolerance) const;

  // Returns the largest of what is expected minus the smallest.
  double ExpectedRange() const;

 private:
  explicit ImageWork(const ImageShape& shape) : shape_(shape) {}

  // Compares what is at `values` with these distances, in elements.
  Accuracy Compare(const float* values, int64_t pixel_stride, int64_t channel_stride, double tolerance,
                   const After& after) const;

  const ImageShape shape_;
  std::shared_ptr<CaseBuffers> buffers_;
  // As [channel][row][column].
  std::vector<float> planar_input_;
  mutable std::vector<float> planar_output_;
  // Those pixels that are compared, and what they should be: [pixel][channel].
  std::vector<int64_t> pixels_;
  std::vector<double> expected_;
};

}  // namespace burin::kernel_bench

#endif  // BURIN_TOOLS_KERNEL_BENCH_FAMILIES_DENSE_IMAGE_WORK_H_
