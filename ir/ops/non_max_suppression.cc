// NonMaxSuppression: the boxes of each class that are best and do not overlap much.
//
// For each batch and class: take the box with the largest score (the first of equals), select it, and lower the scores
// of the others by what they have in common with it; again, until the largest score is below score_threshold, or
// max_output_boxes_per_class are selected. With iou the area of the intersection of two boxes divided by that of their
// union (0 where one of them is empty), rounded to the boxes' type, a score becomes
//
//   iou <= iou_threshold ? score : gone                  where soft_nms_sigma is 0 (or no positive number)
//   score * exp(-0.5 * iou^2 / soft_nms_sigma)           else
//
// where a negative score stays what it is. A score that is NaN is below every threshold.
//
// Inputs:  0 boxes [N, B, 4]; 1 scores [N, C, B]; 2 max_output_boxes_per_class, 3 iou_threshold, 4 score_threshold,
//          5 soft_nms_sigma: one number each, 0 where absent; a negative maximum counts as 0.
// Outputs: 0 for each selected box [batch, class, box], of output_type; 1 [batch, class, score], of the type of the
//          thresholds, f32 where there are none; 2 how many there are, [1], of output_type. The order is that of
//          batches, classes and selection, or with sort_result_descending of scores, equals in that order.
// Constraints:
//   NonMaxSuppression_c1: boxes and scores have one float type.
//   NonMaxSuppression_c2: the boxes are [N, B, 4], the scores [N, C, B].
//   NonMaxSuppression_c3: max_output_boxes_per_class is one integer.
//   NonMaxSuppression_c4: the other three are one number each, of one float type.
//   NonMaxSuppression_c5: output_type is i32 or i64.
#include "ir/ops/non_max_suppression.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <queue>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/integer_input.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"
#include "ir/shape.h"

namespace burin::ir {
namespace {

// Returns the type of the thresholds.
absl::StatusOr<ElementType> CheckThresholds(const InferContext& context) {
  BURIN_ASSIGN_OR_RETURN(const ElementType type, context.SameType("NonMaxSuppression_c4", 3, 5));
  for (int64_t i = 3; i <= 5; ++i) {
    if (!context.has_input(i)) continue;
    BURIN_RETURN_IF_ERROR(context.RequireFloatType("NonMaxSuppression_c4", i));
    BURIN_RETURN_IF_ERROR(context.RequireRankBetween("NonMaxSuppression_c4", i, 0, 1));
    if (!context.input_shape(i).ElementCount().Contains(1)) {
      return ConstraintError("NonMaxSuppression_c4", absl::StrCat("input ", i, " must have one element; shape ",
                                                                  context.input_shape(i).ToString()));
    }
  }
  return type == ElementType::kUndefined ? ElementType::kF32 : type;
}

// Returns how many boxes can be selected.
absl::StatusOr<Dimension> SelectedAtMost(const InferContext& context) {
  BURIN_RETURN_IF_ERROR(context.SameType("NonMaxSuppression_c1", 0, 1).status());
  BURIN_RETURN_IF_ERROR(context.RequireFloatType("NonMaxSuppression_c1", 0));
  BURIN_RETURN_IF_ERROR(context.RequireRank("NonMaxSuppression_c2", 0, 3));
  BURIN_RETURN_IF_ERROR(context.RequireRank("NonMaxSuppression_c2", 1, 3));
  const PartialShape boxes = context.input_shape(0).has_rank() ? context.input_shape(0) : PartialShape::OfRank(3);
  const PartialShape scores = context.input_shape(1).has_rank() ? context.input_shape(1) : PartialShape::OfRank(3);
  Dimension batches = boxes[0];
  Dimension per_batch = boxes[1];
  if (!boxes[2].Contains(4) || !Intersect(scores[0], &batches) || !Intersect(scores[2], &per_batch)) {
    return ConstraintError(
        "NonMaxSuppression_c2",
        absl::StrCat("boxes and scores do not belong together: ", boxes.ToString(), " and ", scores.ToString()));
  }
  if (!context.has_input(2)) return Dimension(0);
  BURIN_ASSIGN_OR_RETURN(const Dimension most, IntegerScalar("NonMaxSuppression_c3", context, 2));
  const Dimension count = Min(per_batch, Max(most, Dimension(0))) * batches * scores[1];
  return Dimension(0, count.max());
}

absl::Status Infer(InferContext& context) {
  const ElementType type = context.attributes<NonMaxSuppressionAttributes>().output_type;
  if (type != ElementType::kI64 && type != ElementType::kI32) {
    return ConstraintError("NonMaxSuppression_c5", absl::StrCat("output_type must be i32 or i64; got ", Name(type)));
  }
  BURIN_ASSIGN_OR_RETURN(const Dimension selected, SelectedAtMost(context));
  BURIN_ASSIGN_OR_RETURN(const ElementType threshold_type, CheckThresholds(context));
  context.SetOutput(0, type, PartialShape({selected, 3}));
  context.SetOutput(1, threshold_type, PartialShape({selected, 3}));
  context.SetOutput(2, type, PartialShape({1}));
  PropagateContent(context, 2, {selected});
  return absl::OkStatus();
}

struct Box {
  double y_min = 0;
  double x_min = 0;
  double y_max = 0;
  double x_max = 0;

  double Area() const { return (y_max - y_min) * (x_max - x_min); }
};

Box MakeBox(BoxEncoding encoding, const double* numbers) {
  if (encoding == BoxEncoding::kCorner) {
    return {std::min(numbers[0], numbers[2]), std::min(numbers[1], numbers[3]), std::max(numbers[0], numbers[2]),
            std::max(numbers[1], numbers[3])};
  }
  const double width = numbers[2] / 2;
  const double height = numbers[3] / 2;
  return {numbers[1] - height, numbers[0] - width, numbers[1] + height, numbers[0] + width};
}

double RoundTo(ElementType type, double value) {
  std::array<char, sizeof(double)> element;
  StoreFromDouble(type, element.data(), 0, value);
  return LoadAsDouble(type, element.data(), 0);
}

// Returns the intersection over the union; 0 where a number of the boxes is none.
double Overlap(const Box& a, const Box& b, ElementType type) {
  const double height = std::min(a.y_max, b.y_max) - std::max(a.y_min, b.y_min);
  const double width = std::min(a.x_max, b.x_max) - std::max(a.x_min, b.x_min);
  if (!(height > 0) || !(width > 0)) return 0;
  const double common = height * width;
  const double all = a.Area() + b.Area() - common;
  const double overlap = common / all;
  return std::isfinite(overlap) && overlap > 0 ? RoundTo(type, overlap) : 0;
}

struct Candidate {
  double score = 0;
  int64_t box = 0;
  size_t compared = 0;  // With how many of the selected boxes it has been compared.
};

// Orders a queue so that its top is the best one.
struct IsWorse {
  bool operator()(const Candidate& a, const Candidate& b) const {
    return a.score < b.score || (a.score == b.score && a.box > b.box);
  }
};

struct Selected {
  int64_t batch = 0;
  int64_t box_class = 0;
  int64_t box = 0;
  double score = 0;
};

// The steering inputs of one evaluation.
struct Limits {
  explicit Limits(const ReferenceContext& context)
      : type(context.input(0).element_type()),
        max_per_class(context.has_input(2) ? context.InputAsInts(2).front() : 0),
        iou_threshold(NumberOf(context, 3)),
        score_threshold(NumberOf(context, 4)),
        soft_sigma(NumberOf(context, 5)) {}

  static double NumberOf(const ReferenceContext& context, int64_t i) {
    return context.has_input(i) ? context.InputAsDoubles(i).front() : 0;
  }

  const ElementType type;
  const int64_t max_per_class;
  const double iou_threshold;
  const double score_threshold;
  const double soft_sigma;
};

// Lowers the candidate's score by all selected boxes with which it has not been compared; returns false where it is
// gone.
bool Compare(const Limits& limits, const std::vector<Box>& boxes, const std::vector<Candidate>& selected,
             Candidate* candidate) {
  for (; candidate->compared < selected.size(); ++candidate->compared) {
    const size_t other = static_cast<size_t>(selected[candidate->compared].box);
    const double iou = Overlap(boxes[static_cast<size_t>(candidate->box)], boxes[other], limits.type);
    if (limits.soft_sigma > 0) {
      if (candidate->score > 0) candidate->score *= std::exp(-0.5 * iou * iou / limits.soft_sigma);
    } else if (iou > limits.iou_threshold) {
      return false;
    }
  }
  return candidate->score >= limits.score_threshold;
}

// Returns the selected boxes of one class, best first. Scores are lowered when a candidate comes up: until then none of
// the boxes that lower it could have made it better.
absl::StatusOr<std::vector<Candidate>> SelectBoxes(const ReferenceContext& context, const Limits& limits,
                                                   const std::vector<Box>& boxes, const double* scores) {
  std::priority_queue<Candidate, std::vector<Candidate>, IsWorse> queue;
  for (size_t i = 0; i < boxes.size(); ++i) {
    if (scores[i] >= limits.score_threshold) queue.push({scores[i], static_cast<int64_t>(i), 0});
  }
  std::vector<Candidate> selected;
  while (!queue.empty() && static_cast<int64_t>(selected.size()) < limits.max_per_class) {
    constexpr size_t kCandidatesBetweenChecks = 256;
    if (queue.size() % kCandidatesBetweenChecks == 0) BURIN_RETURN_IF_ERROR(context.CheckCancelled());
    Candidate best = queue.top();
    queue.pop();
    const double score = best.score;
    if (!Compare(limits, boxes, selected, &best)) continue;
    if (best.score < score) {
      queue.push(best);
    } else {
      selected.push_back(best);
    }
  }
  return selected;
}

absl::Status StoreSelected(ReferenceContext& context, const std::vector<Selected>& selected) {
  std::vector<int64_t> indices;
  std::vector<double> scores;
  for (const Selected& one : selected) {
    indices.insert(indices.end(), {one.batch, one.box_class, one.box});
    scores.insert(scores.end(), {static_cast<double>(one.batch), static_cast<double>(one.box_class), one.score});
  }
  const int64_t count = static_cast<int64_t>(selected.size());
  BURIN_RETURN_IF_ERROR(context.AllocateOutput(0, {count, 3}));
  BURIN_RETURN_IF_ERROR(context.AllocateOutput(1, {count, 3}));
  context.StoreInts(0, indices);
  context.StoreDoubles(1, scores);
  context.StoreInts(2, {count});
  return absl::OkStatus();
}

absl::Status Reference(ReferenceContext& context) {
  const auto& attributes = context.attributes<NonMaxSuppressionAttributes>();
  const Shape& shape = context.input(1).shape();
  const int64_t box_count = shape[2];
  const Limits limits(context);
  const std::vector<double> numbers = context.InputAsDoubles(0);
  const std::vector<double> scores = context.InputAsDoubles(1);
  std::vector<Selected> all;
  std::vector<Box> boxes(static_cast<size_t>(box_count));
  for (int64_t batch = 0; batch < shape[0] && !scores.empty(); ++batch) {
    for (int64_t i = 0; i < box_count; ++i) {
      boxes[static_cast<size_t>(i)] = MakeBox(attributes.box_encoding, numbers.data() + (batch * box_count + i) * 4);
    }
    for (int64_t c = 0; c < shape[1]; ++c) {
      BURIN_RETURN_IF_ERROR(context.CheckCancelled());
      BURIN_ASSIGN_OR_RETURN(const std::vector<Candidate> selected,
                             SelectBoxes(context, limits, boxes, scores.data() + (batch * shape[1] + c) * box_count));
      for (const Candidate& one : selected) all.push_back({batch, c, one.box, one.score});
    }
  }
  if (attributes.sort_result_descending) {
    std::stable_sort(all.begin(), all.end(), [](const Selected& a, const Selected& b) { return a.score > b.score; });
  }
  return StoreSelected(context, all);
}

// Fifteen flops for each comparison, as if every box were compared with ten selected ones.
Cost NonMaxSuppressionCost(const CostContext& context) {
  Cost cost = ElementwiseCost(context);
  cost.flops = 150 * context.InputElements(1);
  return cost;
}

}  // namespace

const OpDef& NonMaxSuppressionOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kNonMaxSuppression, "NonMaxSuppression", "opset9");
    d.min_inputs = 2;
    d.max_inputs = 6;
    d.absent_inputs = 0b111100;
    d.outputs = 3;
    d.traits = kDataDependentShape;
    d.make_attributes = &MakeAttributes<NonMaxSuppressionAttributes>;
    d.infer = &Infer;
    d.reference = &Reference;
    d.cost = &NonMaxSuppressionCost;
    d.tolerance = ToleranceClass::kTranscendental;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
