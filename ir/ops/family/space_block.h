// Moves elements between the depth dimension and blocks of the spatial ones: what DepthToSpace and SpaceToDepth share.
//
// The two are inverse to each other. With K spatial dimensions and block size b,
//
//   space[n, c, x_1 * b + j_1, ..., x_K * b + j_K] = depth[n, q, x_1, ..., x_K]
//   blocks_first: q = ((j_1 * b + j_2) ... * b + j_K) * C + c       depth_first: q = c * b^K + (j_1 * b + j_2) ... +
//   j_K
//
// for space of C channels and depth of C * b^K. Plain data and stateless functions; thread-compatible.
#ifndef BURIN_IR_OPS_FAMILY_SPACE_BLOCK_H_
#define BURIN_IR_OPS_FAMILY_SPACE_BLOCK_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/enum_names.h"
#include "ir/attributes.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/ops/family/index_space.h"
#include "ir/shape.h"

namespace burin {
namespace ir {

enum class SpaceBlockMode : uint8_t { kBlocksFirst, kDepthFirst };

}  // namespace ir

template <>
struct EnumNames<ir::SpaceBlockMode> {
  static constexpr EnumEntry<ir::SpaceBlockMode> kEntries[] = {{ir::SpaceBlockMode::kBlocksFirst, "blocks_first"},
                                                               {ir::SpaceBlockMode::kDepthFirst, "depth_first"}};
};

namespace ir {

// The attributes of DepthToSpace and of SpaceToDepth.
struct SpaceBlockAttributes final : AttributesOf<SpaceBlockAttributes> {
  using AttributesOf::VisitAttributes;
  int64_t block_size = 1;  // Elements of a block along each spatial dimension.
  SpaceBlockMode mode = SpaceBlockMode::kBlocksFirst;

  void VisitAttributes(AttributeVisitor& visitor) override {
    visitor.Visit("block_size", block_size);
    visitor.Visit("mode", mode);
  }
};

// Checks block_size and input 0's rank; errors begin with `label`. Returns the number of elements of one block for that
// rank, or 0 where the rank is not known.
absl::StatusOr<int64_t> BlockElements(absl::string_view label, const InferContext& context);

// Divides a dimension. InvalidArgument with `label` where it cannot be a multiple of the divisor.
absl::StatusOr<Dimension> DivideExactly(absl::string_view label, const Dimension& dimension, int64_t divisor);

// The correspondence above as views of one box.
struct SpaceBlockViews {
  Shape box;          // [N, C, x_1, j_1, ..., x_K, j_K]
  StridedView space;  // Positions in space[N, C, x_1 * b, ..., x_K * b].
  StridedView depth;  // Positions in depth[N, C * b^K, x_1, ..., x_K].
};

// Returns the views for `space` of rank 3 or more whose spatial dimensions are multiples of the block size.
SpaceBlockViews ViewSpaceBlocks(const SpaceBlockAttributes& attributes, const Shape& space);

}  // namespace ir
}  // namespace burin

#endif  // BURIN_IR_OPS_FAMILY_SPACE_BLOCK_H_
