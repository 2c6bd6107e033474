// Col2Im: adds blocks of elements up to an image.
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "ir/ops/family/scatter.h"
#include "ir/ops/ops.h"
#include "ir/ops/scatter_elements_update.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {
namespace {

// What is known of the image along one axis.
struct ImageAxis {
  int64_t size = 0;
  int64_t block = 0;
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t pad_begin = 0;
  int64_t pad_end = 0;

  int64_t padded() const { return size + pad_begin + pad_end; }
  // The number of places where a block lies inside.
  int64_t places() const { return (padded() - dilation * (block - 1) - 1) / stride + 1; }
};

// Sizes beyond this are none of an image: what is made of them is to fit into an int64_t.
constexpr int64_t kMaxSize = int64_t{1} << 31;

bool IsSane(const ImageAxis& axis) {
  for (const int64_t number : {axis.size, axis.block, axis.stride, axis.dilation}) {
    if (number < 1 || number > kMaxSize) return false;
  }
  for (const int64_t pad : {axis.pad_begin, axis.pad_end}) {
    if (pad < 0 || pad > kMaxSize) return false;
  }
  return axis.block <= kMaxSize / axis.dilation && axis.dilation * (axis.block - 1) < axis.padded();
}

std::optional<std::vector<ImageAxis>> ReadAxes(NodeContext& node) {
  const auto image = node.IntsOf(node.Input(1));
  const auto block = node.IntsOf(node.Input(2));
  if (!node.ok()) return std::nullopt;
  if (!image.has_value() || !block.has_value()) {
    node.Fail(absl::UnimplementedError("sizes that are computed"));
    return std::nullopt;
  }
  const size_t count = image->size();
  const std::vector<int64_t> ones(count, 1);
  const std::vector<int64_t> strides = node.IntsAttribute("strides", ones);
  const std::vector<int64_t> dilations = node.IntsAttribute("dilations", ones);
  const std::vector<int64_t> pads = node.IntsAttribute("pads", std::vector<int64_t>(2 * count, 0));
  std::vector<ImageAxis> axes;
  if (count > 0 && block->size() == count && strides.size() == count && dilations.size() == count &&
      pads.size() == 2 * count) {
    for (size_t i = 0; i < count; ++i) {
      axes.push_back({(*image)[i], (*block)[i], strides[i], dilations[i], pads[i], pads[count + i]});
      if (!IsSane(axes.back())) axes.clear();
      if (axes.empty()) break;
    }
  }
  if (axes.empty()) {
    node.Fail(absl::InvalidArgumentError("The sizes of a Col2Im do not describe blocks of an image"));
    return std::nullopt;
  }
  return axes;
}

// Returns, for each element of each block in the order of the input, its place in the padded image.
ir::Value PlacesInImage(NodeContext& node, const std::vector<ImageAxis>& axes) {
  const size_t count = axes.size();
  ir::Value places = node.Int(0);
  ir::Value plane = node.Int(1);
  for (size_t i = count; i-- > 0;) {
    const auto along = [&](size_t d, int64_t size, int64_t step) {
      std::vector<int64_t> shape(2 * count, 1);
      shape[d] = size;
      return node.Times(node.Reshape(node.Range(node.Int(0), node.Int(size)), shape), node.Int(step));
    };
    const ir::Value place =
        node.Plus(along(i, axes[i].block, axes[i].dilation), along(count + i, axes[i].places(), axes[i].stride));
    places = node.Plus(places, node.Times(place, plane));
    plane = node.Times(plane, node.Int(axes[i].padded()));
  }
  return node.Reshape(places, {1, -1});
}

}  // namespace

// The input is [N, C * block elements, places of the block]: each element is added to its place in the image, that to
// which padding is added first and cut away last.
absl::Status TranslateCol2Im(NodeContext& node) {
  const ir::Value x = node.Input(0);
  if (node.KnownRank(x) != 3) return node.ok() ? node.Invalid("Col2Im is of tensors with three axes") : node.status();
  const std::optional<std::vector<ImageAxis>> axes = ReadAxes(node);
  if (!axes.has_value()) return node.status();

  int64_t block_size = 1;
  std::vector<int64_t> padded;
  std::vector<int64_t> begins;
  std::vector<int64_t> ends;
  std::vector<int64_t> along;
  for (size_t i = 0; i < axes->size(); ++i) {
    const ImageAxis& axis = (*axes)[i];
    if (block_size > kMaxSize / axis.block) return node.Invalid("The block of a Col2Im is too large");
    block_size *= axis.block;
    padded.push_back(axis.padded());
    begins.push_back(axis.pad_begin);
    ends.push_back(axis.pad_begin + axis.size);
    along.push_back(static_cast<int64_t>(i) + 2);
  }
  const ir::Value channels = node.Over(node.SizesOf(x, 1, 2), node.Ints({block_size}));
  const ir::Value images = node.Concat({node.SizesOf(x, 0, 1), channels}, 0);
  // A row for each image and channel.
  const ir::Value places = PlacesInImage(node, *axes);
  const ir::Value blocks = node.Reshape(x, node.Concat({node.Ints({-1}), node.SizesOf(places, 1, 2)}, 0));
  const ir::Value indices = node.Broadcast(places, node.SizesOf(blocks));
  const ir::Value sizes = node.Concat({images, node.Ints(padded)}, 0);
  const ir::Value zeros = node.Reshape(node.Broadcast(node.ScalarLike(x, 0), sizes),
                                       node.Concat({node.SizesOf(blocks, 0, 1), node.Ints({-1})}, 0));
  auto attributes = std::make_unique<ir::ScatterElementsUpdateAttributes>();
  attributes->reduction = ir::ScatterReduction::kSum;
  const ir::Value sums =
      node.Add(ir::ScatterElementsUpdateOp(), {zeros, indices, blocks, node.Int(1)}, std::move(attributes));
  const std::vector<int64_t> steps(axes->size(), 1);
  return node.Finish({node.Add(ir::SliceOp(), {node.Reshape(sums, sizes), node.Ints(begins), node.Ints(ends),
                                               node.Ints(steps), node.Ints(along)})});
}

}  // namespace burin::onnx
