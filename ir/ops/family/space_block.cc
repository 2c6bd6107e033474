#include "ir/ops/family/space_block.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/ops/family/integer_input.h"

namespace burin::ir {

absl::StatusOr<int64_t> BlockElements(absl::string_view label, const InferContext& context) {
  const int64_t block = context.attributes<SpaceBlockAttributes>().block_size;
  BURIN_RETURN_IF_ERROR(context.RequireRankBetween(label, 0, 3, kMaxRank));
  if (block < 1) return ConstraintError(label, absl::StrCat("block_size must be positive; got ", block));
  if (!context.input_shape(0).has_rank()) return 0;
  int64_t elements = 1;
  for (int64_t d = 2; d < context.input_shape(0).rank(); ++d) {
    if (__builtin_mul_overflow(elements, block, &elements)) {
      return ConstraintError(label, absl::StrCat("block_size is too large; got ", block));
    }
  }
  return elements;
}

absl::StatusOr<Dimension> DivideExactly(absl::string_view label, const Dimension& dimension, int64_t divisor) {
  if (divisor == 1) return dimension;
  const int64_t min = CeilDiv(dimension, divisor).min();
  const int64_t max = FloorDiv(dimension, divisor).max();
  if (min > max) {
    return ConstraintError(label, absl::StrCat("the block does not divide the dimension; dimension ",
                                               dimension.ToString(), ", divisor ", divisor));
  }
  return Dimension(min, max);
}

SpaceBlockViews ViewSpaceBlocks(const SpaceBlockAttributes& attributes, const Shape& space) {
  const size_t spatial = space.size() - 2;
  const bool blocks_first = attributes.mode == SpaceBlockMode::kBlocksFirst;
  // The depth tensor seen as [N, j_1, ..., j_K, C, x_1, ...] or [N, C, j_1, ..., j_K, x_1, ...].
  Shape seen = {space[0]};
  if (!blocks_first) seen.push_back(space[1]);
  seen.insert(seen.end(), spatial, attributes.block_size);
  if (blocks_first) seen.push_back(space[1]);
  for (size_t k = 0; k < spatial; ++k) seen.push_back(space[2 + k] / attributes.block_size);
  const std::vector<int64_t> strides = RowMajorStrides(seen);

  SpaceBlockViews views;
  views.box = {space[0], space[1]};
  views.depth.strides = {strides[0], strides[blocks_first ? spatial + 1 : 1]};
  for (size_t k = 0; k < spatial; ++k) {
    views.box.insert(views.box.end(), {space[2 + k] / attributes.block_size, attributes.block_size});
    views.depth.strides.insert(views.depth.strides.end(),
                               {strides[spatial + 2 + k], strides[(blocks_first ? 1 : 2) + k]});
  }
  // Splitting a dimension in two leaves a dense tensor dense.
  views.space = DenseView(views.box);
  return views;
}

}  // namespace burin::ir
