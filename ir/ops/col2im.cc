// Col2Im: adds blocks of elements up to an image.
//
//   image[n, c, q] = sum of data[n, c * |block| + b, p] over all b, p with q = p * stride + b * dilation - pad_begin
//
// Here b counts the elements of a block and p the places of blocks, each in row-major order of its indices along the
// axes of the image; the equation holds along every axis. What lies in the padding is dropped.
//
// Inputs:  0 data, [N, C * |block|, L] or [C * |block|, L]; 1 image sizes, 2 block sizes: lists of integers, one for
//          each axis of the image.
// Output:  [N, C, image sizes] or [C, image sizes], of the data's type; integers wrap. OpenVINO's images have two axes,
//          Burin's any number.
// Constraints:
//   Col2Im_c1: the data is numeric.
//   Col2Im_c2: the data has two or three axes.
//   Col2Im_c3: image and block sizes are lists of equally many integers, at least one, those of the image not negative.
//   Col2Im_c4: attributes are empty or name one number for each axis of the image, in the range of WindowParameters.
//   Col2Im_c5: a block fits into the padded image.
//   Col2Im_c6: |block| divides the rows of the data, and its columns are as many as blocks fit into the image.
#include "ir/ops/col2im.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/accumulation.h"
#include "ir/ops/family/index_space.h"
#include "ir/ops/family/integer_input.h"
#include "ir/ops/family/window.h"
#include "ir/ops/family/wrapping_arithmetic.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"
#include "ir/shape.h"
#include "ir/tolerance.h"

namespace burin::ir {
namespace {

// Returns the number of image axes, or nullopt where nothing tells it.
absl::StatusOr<std::optional<int64_t>> ImageRank(const InferContext& context) {
  std::optional<int64_t> rank;
  for (const int64_t input : {1, 2}) {
    BURIN_RETURN_IF_ERROR(context.RequireIntegerType("Col2Im_c3", input));
    BURIN_RETURN_IF_ERROR(context.RequireRank("Col2Im_c3", input, 1));
    const Dimension count = context.input_shape(input).ElementCount();
    if (count.max() < 1 || count.min() > kMaxRank) {
      return ConstraintError("Col2Im_c3", absl::StrCat("too few or too many sizes: ", count.ToString()));
    }
    if (!count.is_static()) continue;
    if (rank.has_value() && *rank != count.value()) {
      return ConstraintError("Col2Im_c3",
                             absl::StrCat("numbers of image and block sizes differ: ", *rank, " and ", count.value()));
    }
    rank = count.value();
  }
  const int64_t named = SpatialRankOf(context.attributes<Col2ImAttributes>().window);
  if (!rank.has_value() && named > 0) rank = named;
  return rank;
}

// What the sizes say about data and output.
struct Blocks {
  PartialShape image;
  Dimension size = 1;   // |block|
  Dimension count = 1;  // Of the places.
};

// Returns a * b, which no saturation hides: nothing where the product of known numbers passes int64_t.
std::optional<Dimension> Product(const Dimension& a, const Dimension& b) {
  const Dimension product = a * b;
  if (a.is_static() && b.is_static() && !product.is_static()) return std::nullopt;
  return product;
}

absl::StatusOr<Blocks> DescribeBlocks(const InferContext& context, int64_t rank) {
  BURIN_ASSIGN_OR_RETURN(const std::vector<WindowAxis> axes,
                         MakeWindowAxes("Col2Im_c4", context.attributes<Col2ImAttributes>().window, rank));
  Blocks blocks;
  BURIN_ASSIGN_OR_RETURN(blocks.image, ShapeFromInput("Col2Im_c3", context, 1));
  if (!blocks.image.has_rank()) blocks.image = PartialShape::OfRank(rank);
  BURIN_ASSIGN_OR_RETURN(std::optional<PartialValue> sizes, IntegerList("Col2Im_c3", context, 2));
  if (!sizes.has_value()) sizes.emplace(static_cast<size_t>(rank), Dimension::AnyValue());
  for (int64_t i = 0; i < rank; ++i) {
    const Dimension& size = (*sizes)[static_cast<size_t>(i)];
    BURIN_ASSIGN_OR_RETURN(const Dimension count,
                           WindowCount("Col2Im_c5", blocks.image[i], size, axes[static_cast<size_t>(i)],
                                       AutoPad::kExplicit, RoundingType::kFloor));
    Dimension at_least_one = size;
    Intersect(Dimension(1, kMaxWindowParameter), &at_least_one);
    const std::optional<Dimension> block = Product(blocks.size, at_least_one);
    const std::optional<Dimension> places = Product(blocks.count, count);
    if (!block.has_value() || !places.has_value()) {
      return ConstraintError("Col2Im_c6", "no data has so many rows or columns as the sizes ask for");
    }
    blocks.size = *block;
    blocks.count = *places;
  }
  return blocks;
}

// Returns the number of channels for that many rows of the data.
absl::StatusOr<Dimension> Channels(const Dimension& rows, const Dimension& block) {
  if (!block.is_static()) return Dimension(0, rows.max());
  if (rows.is_static() && rows.value() % block.value() != 0) {
    return ConstraintError("Col2Im_c6", absl::StrCat("the rows are no whole number of blocks; rows ", rows.value(),
                                                     ", block ", block.value()));
  }
  return block.value() == 1 ? rows : FloorDiv(rows, block.value());
}

absl::Status InferCol2Im(InferContext& context) {
  const ElementType type = context.input_type(0);
  if (!IsFloat(type) && !IsInteger(type)) {
    return ConstraintError("Col2Im_c1", absl::StrCat("data must be numeric; got ", Name(type)));
  }
  BURIN_RETURN_IF_ERROR(context.RequireRankBetween("Col2Im_c2", 0, 2, 3));
  BURIN_ASSIGN_OR_RETURN(const std::optional<int64_t> rank, ImageRank(context));
  const PartialShape& data = context.input_shape(0);
  PartialShape output = PartialShape::DynamicRank();
  if (rank.has_value()) {
    BURIN_ASSIGN_OR_RETURN(const Blocks blocks, DescribeBlocks(context, *rank));
    if (data.has_rank()) {
      const int64_t rows = data.rank() - 2;
      if (!data[rows + 1].MayEqual(blocks.count)) {
        return ConstraintError("Col2Im_c6",
                               absl::StrCat("other columns than places of blocks; columns ", data[rows + 1].ToString(),
                                            ", places ", blocks.count.ToString()));
      }
      output = PartialShape();
      if (rows == 1) output.Append(data[0]);
      BURIN_ASSIGN_OR_RETURN(Dimension channels, Channels(data[rows], blocks.size));
      output.Append(std::move(channels));
      for (const Dimension& size : blocks.image.dims()) output.Append(size);
    }
  }
  BURIN_RETURN_IF_ERROR(RequireRepresentable("Col2Im_c3", output));
  context.SetOutput(0, type, std::move(output));
  return absl::OkStatus();
}

// One axis of the image, with the places of blocks where the block's element at hand lies inside.
struct ImageAxis {
  WindowAxis window;
  int64_t size = 0;
  int64_t places = 0;
  int64_t shift = 0;  // Of the element, from the beginning of a block at place 0.
  TapRange inside;
};

// Adds row `row` of the data, the block's element at hand at all places, to the image.
template <class T>
void AddRow(const std::vector<ImageAxis>& axes, size_t d, int64_t column, int64_t position, const T* row, T* image) {
  const ImageAxis& axis = axes[d];
  for (int64_t p = axis.inside.first; p < axis.inside.last; ++p) {
    const int64_t next_column = column * axis.places + p;
    const int64_t next_position = position * axis.size + p * axis.window.stride + axis.shift;
    if (d + 1 < axes.size()) {
      AddRow(axes, d + 1, next_column, next_position, row, image);
    } else {
      image[next_position] = WrapAdd(image[next_position], row[next_column]);
    }
  }
}

// Makes the axes those of element `element` of the block, in row-major order.
void SetElement(int64_t element, std::vector<ImageAxis>& axes) {
  for (size_t d = axes.size(); d-- > 0;) {
    ImageAxis& axis = axes[d];
    const int64_t tap = element % axis.window.kernel;
    element /= axis.window.kernel;
    axis.shift = tap * axis.window.dilation - axis.window.pad_begin;
    axis.inside = OutputsOfTap(axis.window, tap, axis.size, axis.places);
  }
}

absl::StatusOr<std::vector<ImageAxis>> MakeImageAxes(const ReferenceContext& context) {
  const std::vector<int64_t> image = context.InputAsInts(1);
  const std::vector<int64_t> block = context.InputAsInts(2);
  BURIN_ASSIGN_OR_RETURN(
      const std::vector<WindowAxis> windows,
      MakeWindowAxes("Col2Im_c4", context.attributes<Col2ImAttributes>().window, static_cast<int64_t>(image.size())));
  std::vector<ImageAxis> axes(image.size());
  for (size_t d = 0; d < axes.size(); ++d) {
    axes[d].window = windows[d];
    axes[d].window.kernel = block[d];
    axes[d].size = image[d];
    BURIN_ASSIGN_OR_RETURN(const Dimension count, WindowCount("Col2Im_c5", image[d], block[d], windows[d],
                                                              AutoPad::kExplicit, RoundingType::kFloor));
    axes[d].places = count.value();
  }
  return axes;
}

absl::Status ReferenceCol2Im(ReferenceContext& context) {
  BURIN_ASSIGN_OR_RETURN(std::vector<ImageAxis> axes, MakeImageAxes(context));
  const Shape& data = context.input(0).shape();
  const Shape& output = context.output(0).shape();
  if (context.output(0).element_count() == 0) return absl::OkStatus();
  int64_t block_size = 1;
  for (const ImageAxis& axis : axes) block_size *= axis.window.kernel;
  const int64_t columns = data.back();
  const auto rank = static_cast<int64_t>(output.size());
  const int64_t image_size = ProductOf(output, rank - static_cast<int64_t>(axes.size()), rank);
  const int64_t images = context.output(0).element_count() / image_size;
  return DispatchAccumulator(context.output_type(0), [&](auto type) {
    using T = decltype(type);
    const std::vector<T> rows = LoadInput<T>(context, 0);
    std::vector<T> sums(static_cast<size_t>(images * image_size), T{0});
    for (int64_t element = 0; element < block_size; ++element) {
      SetElement(element, axes);
      for (int64_t i = 0; i < images; ++i) {
        BURIN_RETURN_IF_ERROR(context.CheckCancelled());
        AddRow(axes, 0, 0, 0, rows.data() + (i * block_size + element) * columns, sums.data() + i * image_size);
      }
    }
    StoreRange(context.output(0), 0, images * image_size, sums.data());
    return absl::OkStatus();
  });
}

// One addition for each element of the data.
Cost Col2ImCost(const CostContext& context) {
  Cost cost = ElementwiseCost(context);
  cost.flops = context.InputElements(0);
  return cost;
}

}  // namespace

const OpDef& Col2ImOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kCol2Im, "Col2Im", "opset15");
    d.min_inputs = 3;
    d.max_inputs = 3;
    d.make_attributes = &MakeAttributes<Col2ImAttributes>;
    d.infer = &InferCol2Im;
    d.reference = &ReferenceCol2Im;
    d.cost = &Col2ImCost;
    d.tolerance = ToleranceClass::kAccumulated;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
