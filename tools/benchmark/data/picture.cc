#include "tools/benchmark/data/picture.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/evaluate_op.h"
#include "ir/layout.h"
#include "ir/ops/interpolate.h"
#include "ir/ops/ops.h"
#include "tools/image/image.h"

namespace burin::benchmark {

namespace {

absl::Status PortError(const Port& port, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("Input takes no pictures: ", ToString(port), ": ", what));
}

bool IsChannelCount(int64_t size) { return size == 1 || size == 3 || size == 4; }

bool HoldsChannels(const ir::Dimension& dimension) {
  return dimension.is_static() && IsChannelCount(dimension.value());
}

// Samples up to 255, fractions of them in floats alone.
bool HoldsSamples(ElementType type) {
  if (IsPacked(type) || BitWidth(type) < 8) return false;
  switch (KindOf(type)) {
    case ElementKind::kFloat:
      return BitWidth(type) >= 16;
    case ElementKind::kSignedInteger:
      return BitWidth(type) >= 16;
    case ElementKind::kUnsignedInteger:
      return true;
    default:
      return false;
  }
}

absl::StatusOr<image::Image> Resize(image::Image image, int64_t height, int64_t width) {
  if (image.height == height && image.width == width) return image;
  BURIN_ASSIGN_OR_RETURN(
      ir::Tensor data,
      ir::Tensor::View(ElementType::kU8, {image.height, image.width, image.channels}, image.samples.data()));
  int64_t size_values[] = {height, width};
  int64_t axis_values[] = {0, 1};
  BURIN_ASSIGN_OR_RETURN(ir::Tensor sizes, ir::Tensor::View(ElementType::kI64, {2}, size_values));
  BURIN_ASSIGN_OR_RETURN(ir::Tensor axes, ir::Tensor::View(ElementType::kI64, {2}, axis_values));
  ir::InterpolateAttributes attributes;
  attributes.mode = ir::InterpolateMode::kLinearOnnx;
  attributes.shape_calculation_mode = ir::ShapeCalculationMode::kSizes;
  BURIN_ASSIGN_OR_RETURN(std::vector<ir::Tensor> resized,
                         ir::EvaluateOp(ir::InterpolateOp(), attributes, {data, sizes, axes}));
  image::Image result;
  result.height = height;
  result.width = width;
  result.channels = image.channels;
  const uint8_t* samples = resized.front().data_as<uint8_t>();
  result.samples.assign(samples, samples + resized.front().byte_size());
  return result;
}

// Returns the shape of the tensor, whose height and width may come from a picture.
absl::StatusOr<ir::Shape> TensorShape(const Port& port, const PictureAxes& axes, const image::Image& first) {
  ir::Shape shape;
  for (int64_t axis = 0; axis < port.shape.rank(); ++axis) {
    const ir::Dimension& dimension = port.shape[axis];
    if (dimension.is_static()) {
      shape.push_back(dimension.value());
    } else if (axis == axes.height) {
      shape.push_back(first.height);
    } else if (axis == axes.width) {
      shape.push_back(first.width);
    } else if (axes.batch == axis) {
      shape.push_back(1);
    } else {
      return PortError(port, "a dimension besides batch, height and width is dynamic");
    }
    const bool is_used = axis == axes.channels || axis == axes.height || axis == axes.width || axes.batch == axis;
    if (!is_used && shape.back() != 1) return PortError(port, "it has a dimension that pictures have not");
  }
  if (!port.shape.Accepts(shape)) {
    return PortError(port, absl::StrCat("a picture of ", first.height, "x", first.width, " does not satisfy it"));
  }
  return shape;
}

void Store(const image::Image& image, const PictureAxes& axes, int64_t item, const ir::Tensor& tensor) {
  const std::vector<int64_t> strides = ir::RowMajorStrides(tensor.shape());
  const auto stride = [&strides](int64_t axis) { return strides[static_cast<size_t>(axis)]; };
  const int64_t base = axes.batch.has_value() ? item * stride(*axes.batch) : 0;
  const uint8_t* sample = image.samples.data();
  for (int64_t y = 0; y < image.height; ++y) {
    for (int64_t x = 0; x < image.width; ++x) {
      for (int64_t c = 0; c < image.channels; ++c) {
        const int64_t index = base + y * stride(axes.height) + x * stride(axes.width) + c * stride(axes.channels);
        StoreFromInt64(tensor.element_type(), tensor.mutable_data(), index, *sample++);
      }
    }
  }
}

}  // namespace

absl::StatusOr<PictureAxes> FindPictureAxes(const Port& port) {
  if (!port.shape.has_rank()) return PortError(port, "its rank is dynamic");
  const int64_t rank = port.shape.rank();
  PictureAxes axes;
  if (port.layout == ir::Layout()) {
    if (rank != 3 && rank != 4) return PortError(port, "-layout says what its dimensions mean");
    const bool channels_first = HoldsChannels(port.shape[rank - 3]);
    if (channels_first == HoldsChannels(port.shape[rank - 1])) {
      return PortError(port, "-layout says which of its dimensions holds 1, 3 or 4 channels");
    }
    if (rank == 4) axes.batch = 0;
    axes.channels = channels_first ? rank - 3 : rank - 1;
    axes.height = channels_first ? rank - 2 : rank - 3;
    axes.width = axes.height + 1;
    return axes;
  }
  const struct {
    const char* name;
    int64_t* axis;
  } kWanted[] = {{"C", &axes.channels}, {"H", &axes.height}, {"W", &axes.width}};
  for (const auto& wanted : kWanted) {
    BURIN_ASSIGN_OR_RETURN(std::optional<int64_t> found, port.layout.Find(wanted.name, rank));
    if (!found.has_value()) {
      return PortError(port, absl::StrCat("its layout ", port.layout.ToString(), " has no ", wanted.name));
    }
    *wanted.axis = *found;
  }
  BURIN_ASSIGN_OR_RETURN(axes.batch, port.layout.Find("N", rank));
  if (!HoldsChannels(port.shape[axes.channels])) return PortError(port, "it has not 1, 3 or 4 channels");
  return axes;
}

bool HasPictureName(const std::string& path) {
  return absl::EndsWithIgnoreCase(path, ".png") || absl::EndsWithIgnoreCase(path, ".bmp");
}

absl::StatusOr<int64_t> PicturesPerTensor(const Port& port) {
  BURIN_ASSIGN_OR_RETURN(PictureAxes axes, FindPictureAxes(port));
  if (!axes.batch.has_value() || !port.shape[*axes.batch].is_static()) return 1;
  const int64_t batch = port.shape[*axes.batch].value();
  if (batch == 0) return PortError(port, "its batch is empty");
  return batch;
}

absl::StatusOr<ir::Tensor> ReadPictures(const std::vector<std::string>& paths, const Port& port) {
  BURIN_ASSIGN_OR_RETURN(PictureAxes axes, FindPictureAxes(port));
  if (!HoldsSamples(port.element_type)) {
    return absl::UnimplementedError(absl::StrCat("Pictures cannot be given as ", Name(port.element_type), ": input ",
                                                 ToString(port), "; -ip u8 changes its type"));
  }
  BURIN_ASSIGN_OR_RETURN(const int64_t batch, PicturesPerTensor(port));
  const int64_t channels = port.shape[axes.channels].value();
  ir::Tensor tensor;
  for (int64_t item = 0; item < batch; ++item) {
    const std::string& path = paths[static_cast<size_t>(item) % paths.size()];
    BURIN_ASSIGN_OR_RETURN(image::Image image, image::Read(path, channels));
    if (!tensor.has_value()) {
      BURIN_ASSIGN_OR_RETURN(ir::Shape shape, TensorShape(port, axes, image));
      BURIN_ASSIGN_OR_RETURN(tensor, ir::Tensor::CreateZeroed(port.element_type, shape));
    }
    const int64_t height = tensor.shape()[static_cast<size_t>(axes.height)];
    const int64_t width = tensor.shape()[static_cast<size_t>(axes.width)];
    absl::StatusOr<image::Image> resized = Resize(std::move(image), height, width);
    if (!resized.ok()) return WithContext(resized.status(), path);
    Store(*resized, axes, item, tensor);
  }
  return tensor;
}

}  // namespace burin::benchmark
