#include "snippets/testing/drawn_reductions.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "base/element_type.h"
#include "ir/ops/batch_norm_inference.h"
#include "ir/ops/family/elementwise.h"
#include "ir/ops/family/reduction.h"
#include "ir/ops/group_normalization.h"
#include "ir/ops/log_softmax.h"
#include "ir/ops/mvn.h"
#include "ir/ops/normalize_l2.h"
#include "ir/ops/ops.h"
#include "ir/ops/softmax.h"
#include "snippets/testing/drawn_elementwise.h"

namespace burin::snippets {
namespace {

using OpFunction = const ir::OpDef& (*)();

// Returns some of the axes of a shape, at least one; in any order, some counted from the end.
std::vector<int64_t> DrawAxes(BodyDraft& draft, size_t rank) {
  std::vector<int64_t> axes(rank);
  std::iota(axes.begin(), axes.end(), 0);
  std::shuffle(axes.begin(), axes.end(), draft.random());
  axes.resize(1 + (draft.Chance(60) ? 0 : draft.Below(rank)));
  for (int64_t& axis : axes) {
    if (draft.Chance(25)) axis -= static_cast<int64_t>(rank);
  }
  return axes;
}

double CountAlong(const ir::Shape& shape, const std::vector<int64_t>& axes) {
  double count = 1;
  for (const int64_t axis : axes) {
    count *=
        static_cast<double>(shape[static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(shape.size()) : axis)]);
  }
  return std::max(count, 1.0);
}

// Returns an operand that has dimensions.
DraftId OperandWithRank(BodyDraft& draft, ElementType type) {
  const DraftId x = draft.Chance(50) ? draft.Operand(type) : draft.WholeOperand(type);
  return draft.at(x).shape.empty() ? draft.WholeOperand(type) : x;
}

// Adds the reduction. Where it drops dimensions, they come back behind it, or it can only be a result.
void Reduce(BodyDraft& draft, const ir::OpDef& op, DraftId x, const std::vector<int64_t>& axes, double low,
            double high) {
  auto attributes = std::make_unique<ir::ReductionAttributes>();
  attributes->keep_dims = draft.Chance(60);
  const bool keeps = attributes->keep_dims;
  const DraftId reduced = draft.Apply(op, {x}, low, high, std::move(attributes), {draft.Integers(axes)});
  if (keeps) return;
  draft.MoveToEdge(reduced);
  if (draft.Chance(25)) return;
  draft.Apply(ir::UnsqueezeOp(), {reduced}, low, high, nullptr, {draft.Integers(axes)});
}

void ReduceFloats(BodyDraft& draft) {
  const ElementType type = draft.Chance(12) ? ElementType::kF64 : DrawFloatType(draft);
  const DraftId x = OperandWithRank(draft, type);
  const std::vector<int64_t> axes = DrawAxes(draft, draft.at(x).shape.size());
  const double count = CountAlong(draft.at(x).shape, axes);
  // Sums stay within what f16 holds.
  const double most = std::min(100.0, 30000 / count);
  switch (draft.Below(7)) {
    case 0:
      return Reduce(draft, ir::ReduceSumOp(), draft.Fit(x, -most, most), axes, -most * count, most * count);
    case 1:
      return Reduce(draft, ir::ReduceMeanOp(), draft.Fit(x, -most, most), axes, -most, most);
    case 2:
      return Reduce(draft, ir::ReduceMaxOp(), draft.Fit(x, -1000, 1000), axes, -1000, 1000);
    case 3:
      return Reduce(draft, ir::ReduceMinOp(), draft.Fit(x, -1000, 1000), axes, -1000, 1000);
    case 4: {
      // Factors about 1, for a product about 1.
      const double spread = std::min(0.5, 2 / count);
      return Reduce(draft, ir::ReduceProdOp(), draft.Fit(x, 1 - spread, 1 + spread), axes, 0, 8);
    }
    case 5:
      return Reduce(draft, ir::ReduceL1Op(), draft.Fit(x, -most, most), axes, 0, most * count);
    default: {
      const double root = std::min(30.0, std::sqrt(30000 / count));
      return Reduce(draft, ir::ReduceL2Op(), draft.Fit(x, -root, root), axes, 0, root * std::sqrt(count));
    }
  }
}

void ReduceIntegers(BodyDraft& draft) {
  const ElementType type = draft.Chance(30) ? ElementType::kI64 : DrawIntegerType(draft);
  const InputRange range = TypeRange(type);
  const DraftId x = OperandWithRank(draft, type);
  constexpr OpFunction kOps[] = {&ir::ReduceSumOp, &ir::ReduceMaxOp, &ir::ReduceMinOp, &ir::ReduceProdOp};
  Reduce(draft, draft.Pick<OpFunction>(kOps)(), x, DrawAxes(draft, draft.at(x).shape.size()), range.low, range.high);
}

void ReduceTruth(BodyDraft& draft) {
  const DraftId x = OperandWithRank(draft, ElementType::kBoolean);
  Reduce(draft, draft.Chance(50) ? ir::ReduceLogicalAndOp() : ir::ReduceLogicalOrOp(), x,
         DrawAxes(draft, draft.at(x).shape.size()), 0, 1);
}

void DrawSoftmax(BodyDraft& draft, ElementType type) {
  const DraftId x = draft.Fit(OperandWithRank(draft, type), -20, 20);
  const auto rank = static_cast<int64_t>(draft.at(x).shape.size());
  const int64_t axis = draft.Chance(50) ? -1 : static_cast<int64_t>(draft.Below(static_cast<size_t>(rank)));
  if (draft.Chance(60)) {
    auto softmax = std::make_unique<ir::SoftmaxAttributes>();
    softmax->axis = axis;
    draft.Apply(ir::SoftmaxOp(), {x}, 0, 1, std::move(softmax));
  } else {
    auto softmax = std::make_unique<ir::LogSoftmaxAttributes>();
    softmax->axis = axis;
    draft.Apply(ir::LogSoftmaxOp(), {x}, -60, 0, std::move(softmax));
  }
}

void DrawMvn(BodyDraft& draft, ElementType type) {
  const DraftId x = draft.Fit(OperandWithRank(draft, type), -20, 20);
  const std::vector<int64_t> axes = DrawAxes(draft, draft.at(x).shape.size());
  auto mvn = std::make_unique<ir::MVNAttributes>();
  mvn->normalize_variance = draft.Chance(75);
  mvn->eps = draft.Chance(50) ? 1e-2 : 1e-3;
  if (draft.Chance(50)) mvn->eps_mode = ir::MVNEpsMode::kOutsideSqrt;
  const double most = std::max(40.0, std::sqrt(CountAlong(draft.at(x).shape, axes)) + 1);
  draft.Apply(ir::MVNOp(), {x}, -most, most, std::move(mvn), {draft.Integers(axes)});
}

void DrawNormalizeL2(BodyDraft& draft, ElementType type) {
  const DraftId x = draft.Fit(OperandWithRank(draft, type), -20, 20);
  const std::vector<int64_t> axes = DrawAxes(draft, draft.at(x).shape.size());
  auto normalize = std::make_unique<ir::NormalizeL2Attributes>();
  normalize->eps = draft.Chance(50) ? 1e-2 : 1e-3;
  if (draft.Chance(50)) normalize->eps_mode = ir::NormalizeL2EpsMode::kMax;
  draft.Apply(ir::NormalizeL2Op(), {x}, -1, 1, std::move(normalize), {draft.Integers(axes)});
}

// Returns a list of numbers by channel: of dimension 1 of the space.
DraftId ByChannel(BodyDraft& draft, ElementType type, double low, double high) {
  const ir::Shape channels = {draft.space()[1]};
  const DraftId list =
      draft.Chance(50) ? draft.NewOperand(type, channels, low, high, 1) : draft.Constant(type, channels, low, high);
  // Its dimension is not the innermost one of the space, which it would be taken for.
  draft.MoveToEdge(list);
  return list;
}

bool AreLists(const BodyDraft& draft, absl::Span<const DraftId> ids) {
  return std::all_of(ids.begin(), ids.end(),
                     [&draft](DraftId id) { return draft.at(id).shape == ir::Shape{draft.space()[1]}; });
}

void DrawPRelu(BodyDraft& draft, ElementType type) {
  const DraftId x = draft.Fit(draft.WholeOperand(type), -20, 20);
  draft.Apply(ir::PReluOp(), {x, ByChannel(draft, type, -2, 2)}, -40, 40);
}

void DrawBatchNorm(BodyDraft& draft, ElementType type) {
  const DraftId x = draft.Fit(draft.WholeOperand(type), -20, 20);
  std::vector<DraftId> inputs = {ByChannel(draft, type, -2, 2), ByChannel(draft, type, -2, 2),
                                 ByChannel(draft, type, -2, 2), ByChannel(draft, type, 0.25, 2)};
  if (!AreLists(draft, inputs)) return DrawFloat(draft);
  inputs.insert(inputs.begin(), x);
  draft.Apply(ir::BatchNormInferenceOp(), inputs, -100, 100, std::make_unique<ir::BatchNormInferenceAttributes>());
}

// Draws a normalisation by groups of channels, of a parameter, and a few operations on its result. What splits and
// merges dimensions is a view of memory at either end, so that nothing else has a part in it.
void DrawGroupNorm(BodyDraft& draft, ElementType type) {
  const DraftId x = draft.NewParameter(type, -4, 4);
  const std::vector<DraftId> lists = {ByChannel(draft, type, -2, 2), ByChannel(draft, type, -2, 2)};
  if (!AreLists(draft, lists)) return DrawFloat(draft);
  auto group = std::make_unique<ir::GroupNormalizationAttributes>();
  const int64_t channels = draft.space()[1];
  std::vector<int64_t> divisors;
  for (int64_t d = 1; d <= channels; ++d) {
    if (channels % d == 0) divisors.push_back(d);
  }
  group->num_groups = draft.Pick<int64_t>(divisors);
  group->epsilon = 1e-2;
  DraftId y = draft.Apply(ir::GroupNormalizationOp(), {x, lists[0], lists[1]}, -150, 150, std::move(group));
  draft.MoveToEdge(y);
  for (size_t i = draft.Below(3); i > 0; --i) {
    if (draft.Chance(50)) {
      y = draft.Apply(ir::SigmoidOp(), {y}, 0, 1);
    } else {
      y = draft.Apply(draft.Chance(50) ? ir::AddOp() : ir::MultiplyOp(), {y, draft.NewParameter(type, -4, 4)}, -2400,
                      2400);
    }
    draft.MoveToEdge(y);
  }
}

// Draws what treats dimension 1 of the whole space as channels.
void DrawByChannel(BodyDraft& draft, ElementType type) {
  if (draft.Chance(40)) return DrawPRelu(draft, type);
  if (draft.Chance(40)) return DrawBatchNorm(draft, type);
  DrawGroupNorm(draft, type);
}

void DrawVaryingParameter(BodyDraft& draft, ElementType type) {
  const DraftId x = draft.Fit(draft.Operand(type), -10, 10);
  const auto scalar = [&] {
    const InputRange range = {0.25, 1.5};
    return draft.NewOperand(type, {}, range.low, range.high);
  };
  switch (draft.Below(3)) {
    case 0:
      draft.Apply(ir::SwishOp(), {x, scalar()}, -10, 10);
      return;
    case 1:
      draft.Apply(ir::HardSigmoidOp(), {x, scalar(), scalar()}, 0, 1);
      return;
    default:
      draft.Apply(ir::SeluOp(), {x, scalar(), scalar()}, -3, 20);
      return;
  }
}

void DrawConvertLike(BodyDraft& draft) {
  const DraftId x = draft.Fit(draft.Operand(ElementType::kF32), -100, 100);
  const DraftId like = draft.Operand(draft.Chance(50) ? ElementType::kI32 : ElementType::kI16);
  draft.Apply(ir::ConvertLikeOp(), {x, like}, -100, 100);
}

// Draws an operation that broadcasts its second operand from dimension 0 on.
void DrawPdpd(BodyDraft& draft, ElementType type) {
  const DraftId x = draft.Fit(draft.WholeOperand(type), -30, 30);
  ir::Shape front(draft.space().begin(), draft.space().begin() + 1);
  const DraftId y = draft.NewOperand(type, front, -4, 4, 0);
  draft.MoveToEdge(y);
  auto attributes = std::make_unique<ir::BroadcastAttributes>();
  if (draft.at(y).shape == front && draft.at(x).shape.size() > 1) {
    attributes->broadcast.mode = ir::AutoBroadcast::kPdpd;
    attributes->broadcast.axis = 0;
  } else if (draft.at(y).shape == front && draft.at(x).shape != front) {
    return DrawFloat(draft);
  }
  draft.Apply(draft.Chance(50) ? ir::AddOp() : ir::MultiplyOp(), {x, y}, -120, 120, std::move(attributes));
}

// Draws a Broadcast that an element-wise operation reads beside a value of the whole space.
void DrawBroadcast(BodyDraft& draft, ElementType type) {
  const DraftId x = draft.Fit(draft.Operand(type), -30, 30);
  const DraftId wide =
      draft.Apply(ir::BroadcastOp(), {x}, draft.at(x).low, draft.at(x).high, nullptr, {draft.Integers(draft.space())});
  draft.MoveToEdge(wide);
  const DraftId y = draft.Fit(draft.WholeOperand(type), -30, 30);
  draft.Apply(draft.Chance(50) ? ir::AddOp() : ir::MultiplyOp(), {wide, y}, -900, 900);
}

}  // namespace

void DrawReduction(BodyDraft& draft) {
  if (draft.space().empty()) return DrawFloat(draft);
  if (draft.Chance(70)) return ReduceFloats(draft);
  if (draft.Chance(75)) return ReduceIntegers(draft);
  ReduceTruth(draft);
}

void DrawComposite(BodyDraft& draft) {
  const ElementType type = DrawFloatType(draft);
  const size_t rank = draft.space().size();
  const size_t choice = draft.Below(16);
  if (choice == 0) return DrawVaryingParameter(draft, type);
  if (choice == 1) return DrawConvertLike(draft);
  if (rank == 0) return DrawFloat(draft);
  if (choice <= 5) return DrawSoftmax(draft, type);
  if (choice <= 8) return DrawMvn(draft, type);
  if (choice <= 10) return DrawNormalizeL2(draft, type);
  if (choice == 11) return DrawPdpd(draft, type);
  if (choice == 12) return draft.style().dynamic ? DrawFloat(draft) : DrawBroadcast(draft, type);
  if (rank < 2 || draft.space()[1] == 0) return DrawFloat(draft);
  DrawByChannel(draft, type);
}

}  // namespace burin::snippets
