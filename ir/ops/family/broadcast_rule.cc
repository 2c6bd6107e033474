#include "ir/ops/family/broadcast_rule.h"

#include <algorithm>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/status_macros.h"
#include "ir/dimension.h"

namespace burin::ir {
namespace {

// Returns `operand` aligned to `target` by the rule kPdpd; both have a rank.
absl::StatusOr<PartialShape> AlignPdpd(int64_t axis, const PartialShape& target, const PartialShape& operand) {
  if (axis < -1) {
    return absl::InvalidArgumentError(absl::StrCat("Broadcast axis must be -1 or a dimension; got ", axis));
  }
  const int64_t difference = target.rank() - operand.rank();
  const int64_t start = axis == -1 ? difference : axis;
  std::vector<Dimension> dims = operand.dims();
  while (!dims.empty() && dims.back().Contains(1) && start > target.rank() - static_cast<int64_t>(dims.size()) &&
         difference > 0) {
    dims.pop_back();
  }
  if (start > target.rank() - static_cast<int64_t>(dims.size())) {
    return absl::InvalidArgumentError(absl::StrCat("Operand does not fit at the broadcast axis; axis ", axis,
                                                   ", shapes ", target.ToString(), " and ", operand.ToString()));
  }
  dims.insert(dims.begin(), static_cast<size_t>(start), Dimension(1));
  dims.resize(static_cast<size_t>(target.rank()), Dimension(1));
  return PartialShape(std::move(dims));
}

// Returns the dimension of the target, narrowed by what a one-way broadcast of `operand` to it says.
bool BroadcastDimensionOnto(const Dimension& operand, Dimension* target) {
  // An operand that may be 1 says nothing; else the two sizes are the same.
  if (operand.Contains(1)) return true;
  return Intersect(operand, target);
}

}  // namespace

void BroadcastRule::VisitAttributes(AttributeVisitor& visitor) {
  visitor.Visit("auto_broadcast", mode);
  visitor.Visit("axis", axis);
}

absl::StatusOr<PartialShape> BroadcastOperands(const BroadcastRule& rule, const PartialShape& a,
                                               const PartialShape& b) {
  if (rule.mode == AutoBroadcast::kNone) return Merge(a, b);
  if (rule.mode == AutoBroadcast::kPdpd) {
    if (!a.has_rank() || !b.has_rank()) return PartialShape::DynamicRank();
    const bool a_is_target = a.rank() >= b.rank();
    BURIN_ASSIGN_OR_RETURN(const PartialShape aligned, AlignPdpd(rule.axis, a_is_target ? a : b, a_is_target ? b : a));
    return Broadcast(a_is_target ? a : b, aligned);
  }
  return Broadcast(a, b);
}

absl::StatusOr<PartialShape> BroadcastOnto(const BroadcastRule& rule, const PartialShape& target,
                                           const PartialShape& operand) {
  if (rule.mode == AutoBroadcast::kNone) return Merge(target, operand);
  if (!target.has_rank() || !operand.has_rank()) return target;
  if (operand.rank() > target.rank()) {
    return absl::InvalidArgumentError(absl::StrCat("Operand has a higher rank than the shape to broadcast it to: ",
                                                   operand.ToString(), " to ", target.ToString()));
  }
  PartialShape aligned = operand;
  if (rule.mode == AutoBroadcast::kPdpd) {
    BURIN_ASSIGN_OR_RETURN(aligned, AlignPdpd(rule.axis, target, operand));
  }
  PartialShape result = target;
  const int64_t offset = target.rank() - aligned.rank();
  for (int64_t i = 0; i < aligned.rank(); ++i) {
    if (!BroadcastDimensionOnto(aligned[i], &result[offset + i])) {
      return absl::InvalidArgumentError(
          absl::StrCat("Operand does not broadcast: ", operand.ToString(), " to ", target.ToString()));
    }
  }
  return result;
}

Shape AlignShape(const BroadcastRule& rule, const Shape& shape, int64_t rank) {
  Shape result = shape;
  if (rule.mode == AutoBroadcast::kPdpd && rule.axis >= 0 && static_cast<int64_t>(shape.size()) < rank) {
    while (!result.empty() && result.back() == 1 && rule.axis + static_cast<int64_t>(result.size()) > rank) {
      result.pop_back();
    }
    result.insert(result.begin(), static_cast<size_t>(rule.axis), 1);
    BURIN_CHECK(static_cast<int64_t>(result.size()) <= rank) << "operand does not fit at axis " << rule.axis;
    result.resize(static_cast<size_t>(rank), 1);
    return result;
  }
  BURIN_CHECK(static_cast<int64_t>(shape.size()) <= rank) << "operand of rank " << shape.size() << " against " << rank;
  result.insert(result.begin(), static_cast<size_t>(rank) - shape.size(), 1);
  return result;
}

}  // namespace burin::ir
