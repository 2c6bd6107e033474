#include "ir/ops/non_max_suppression.h"

#include <cstdint>
#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Four boxes of height 1: 0 to 4, 1 to 5, 3 to 7 and 10 to 14. The first two have 3 of 5 in common, the first and the
// third 1 of 7, the second and the third 2 of 6.
Tensor Boxes() { return F32({1, 4, 4}, {0, 0, 1, 4, 0, 1, 1, 5, 0, 3, 1, 7, 0, 10, 1, 14}); }
Tensor Scores() { return F32({1, 1, 4}, {0.5, 0.9, 0.8, 0.1}); }
Tensor Most(int64_t count) { return I64({}, {count}); }
Tensor Number(double value) { return F32({}, {value}); }

std::vector<Tensor> Suppressed(const NonMaxSuppressionAttributes& attributes, const std::vector<Tensor>& inputs) {
  const absl::StatusOr<std::vector<Tensor>> results = EvaluateAll(NonMaxSuppressionOp(), attributes, inputs);
  EXPECT_OK(results.status());
  return results.ok() ? *results : std::vector<Tensor>(3, I64({0, 3}, {}));
}

// Returns the numbers of the selected boxes, of one batch and class.
std::vector<int64_t> Selected(const std::vector<Tensor>& inputs, BoxEncoding encoding = BoxEncoding::kCorner) {
  NonMaxSuppressionAttributes attributes;
  attributes.box_encoding = encoding;
  const std::vector<int64_t> triples = Ints(Suppressed(attributes, inputs)[0]);
  std::vector<int64_t> boxes;
  for (size_t i = 0; i < triples.size(); i += 3) {
    EXPECT_EQ(triples[i], 0);
    EXPECT_EQ(triples[i + 1], 0);
    boxes.push_back(triples[i + 2]);
  }
  return boxes;
}

TEST(NonMaxSuppressionTest, DropsBoxesThatOverlapMore) {
  EXPECT_THAT(Selected({Boxes(), Scores(), Most(9), Number(0.5)}), ElementsAre(1, 2, 3));
  EXPECT_THAT(Selected({Boxes(), Scores(), Most(9), Number(0.25)}), ElementsAre(1, 3));
  EXPECT_THAT(Selected({Boxes(), Scores(), Most(9)}), ElementsAre(1, 3));
  // What overlaps by exactly the threshold stays, although 0.6 is not a number of f32.
  EXPECT_THAT(Selected({Boxes(), Scores(), Most(9), Number(0.6)}), ElementsAre(1, 2, 0, 3));
}

TEST(NonMaxSuppressionTest, ADroppedBoxDropsNoOther) {
  // The middle one of three is dropped by the first, and so the last stays.
  EXPECT_THAT(Selected({F32({1, 3, 4}, {0, 0, 1, 4, 0, 2, 1, 6, 0, 4, 1, 8}), F32({1, 1, 3}, {0.9, 0.8, 0.7}), Most(9),
                        Number(0.2)}),
              ElementsAre(0, 2));
}

// The example of ONNX's operator.
TEST(NonMaxSuppressionTest, SelectsAtMostSoMany) {
  const Tensor boxes =
      F32({1, 6, 4}, {0, 0, 1, 1, 0, 0.1, 1, 1.1, 0, -0.1, 1, 0.9, 0, 10, 1, 11, 0, 10.1, 1, 11.1, 0, 100, 1, 101});
  const Tensor scores = F32({1, 1, 6}, {0.9, 0.75, 0.6, 0.95, 0.5, 0.3});
  EXPECT_THAT(Selected({boxes, scores, Most(3), Number(0.5), Number(0)}), ElementsAre(3, 0, 5));
  EXPECT_THAT(Selected({boxes, scores, Most(2), Number(0.5), Number(0)}), ElementsAre(3, 0));
  EXPECT_THAT(Selected({boxes, scores, Most(3), Number(0.5), Number(0.4)}), ElementsAre(3, 0));
  EXPECT_THAT(Selected({boxes, scores, Most(0), Number(0.5)}), IsEmpty());
  EXPECT_THAT(Selected({boxes, scores, Most(-1), Number(0.5)}), IsEmpty());
  EXPECT_THAT(Selected({boxes, scores}), IsEmpty());
}

TEST(NonMaxSuppressionTest, ScoresFromTheThresholdOnCount) {
  EXPECT_THAT(Selected({Boxes(), Scores(), Most(9), Number(1), Number(0.5)}), ElementsAre(1, 2, 0));
  EXPECT_THAT(Selected({Boxes(), F32({1, 1, 4}, {0, -0.5, 2, -3}), Most(9), Number(1)}), ElementsAre(2, 0));
  EXPECT_THAT(Selected({Boxes(), F32({1, 1, 4}, {0, -0.5, 2, -3}), Most(9), Number(1), Number(-1)}),
              ElementsAre(2, 0, 1));
}

TEST(NonMaxSuppressionTest, KnowsTwoEncodings) {
  const Tensor flipped = F32({1, 4, 4}, {1, 4, 0, 0, 1, 1, 0, 5, 0, 7, 1, 3, 0, 10, 1, 14});
  EXPECT_THAT(Selected({flipped, Scores(), Most(9), Number(0.5)}), ElementsAre(1, 2, 3));
  const Tensor centers = F32({1, 4, 4}, {2, 0.5, 4, 1, 3, 0.5, 4, 1, 5, 0.5, 4, 1, 12, 0.5, 4, 1});
  EXPECT_THAT(Selected({centers, Scores(), Most(9), Number(0.5)}, BoxEncoding::kCenter), ElementsAre(1, 2, 3));
  EXPECT_THAT(Selected({centers, Scores(), Most(9), Number(0.25)}, BoxEncoding::kCenter), ElementsAre(1, 3));
}

TEST(NonMaxSuppressionTest, TheFirstOfEqualsIsBest) {
  const Tensor same = F32({1, 3, 4}, {0, 0, 1, 1, 0, 0, 1, 1, 0, 5, 1, 6});
  EXPECT_THAT(Selected({same, F32({1, 1, 3}, {0.5, 0.5, 0.5}), Most(9), Number(0.5)}), ElementsAre(0, 2));
}

TEST(NonMaxSuppressionTest, BoxesWithoutAreaOverlapNothing) {
  const Tensor points = F32({1, 3, 4}, {0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 1, 1});
  EXPECT_THAT(Selected({points, F32({1, 1, 3}, {0.5, 0.5, 0.5}), Most(9)}), ElementsAre(0, 1, 2));
}

// exp(-iou^2 / (2 sigma)) is exp(-1/9) between boxes 1 and 2, exp(-0.36) between 0 and 1, exp(-1/49) between 0 and 2.
TEST(NonMaxSuppressionTest, LowersScoresWhereAsked) {
  std::vector<Tensor> inputs = {Boxes(), Scores(), Most(9), Number(0), Number(0), Number(0.5)};
  ExpectTensorNear(Suppressed({}, inputs)[1], F32({4, 3}, {0, 0, 0.9, 0, 0, 0.71587145, 0, 0, 0.34179115, 0, 0, 0.1}),
                   1e-6);
  EXPECT_THAT(Selected(inputs), ElementsAre(1, 2, 0, 3));
  inputs[4] = Number(0.345);
  EXPECT_THAT(Selected(inputs), ElementsAre(1, 2));
  // Another one becomes better than that which was: 0.85 * exp(-0.36) is below 0.8 * exp(-1/9).
  inputs = {Boxes(), F32({1, 1, 4}, {0.85, 0.9, 0.8, -0.1}), Most(9), Number(0), Number(-1), Number(0.5)};
  EXPECT_THAT(Selected(inputs), ElementsAre(1, 2, 0, 3));
}

TEST(NonMaxSuppressionTest, SortsAcrossClassesAndBatches) {
  const Tensor boxes = F32({2, 1, 4}, {0, 0, 1, 1, 0, 0, 1, 1});
  const Tensor scores = F32({2, 2, 1}, {0.25, 0.75, 0.875, 0.25});
  NonMaxSuppressionAttributes attributes;
  attributes.output_type = ElementType::kI32;
  const std::vector<Tensor> sorted = Suppressed(attributes, {boxes, scores, Most(1), F16({1}, {0.5})});
  ASSERT_THAT(sorted, SizeIs(3));
  ExpectTensorEq(sorted[0], I32({4, 3}, {1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0}));
  ExpectTensorEq(sorted[1], F16({4, 3}, {1, 0, 0.875, 0, 1, 0.75, 0, 0, 0.25, 1, 1, 0.25}));
  ExpectTensorEq(sorted[2], I32({1}, {4}));
  attributes.sort_result_descending = false;
  const std::vector<Tensor> by_class = Suppressed(attributes, {boxes, scores, Most(1)});
  ExpectTensorEq(by_class[0], I32({4, 3}, {0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0}));
  EXPECT_EQ(by_class[1].element_type(), ElementType::kF32);
}

TEST(NonMaxSuppressionTest, StandsAnyNumber) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Tensor boxes = F32({1, 4, 4}, {0, 0, 1, nan, 0, 0, infinity, infinity, 0, 0, 1, 1, 0, 0, 1, 1});
  EXPECT_THAT(Selected({boxes, F32({1, 1, 4}, {0.5, infinity, nan, 0.25}), Most(9)}), ElementsAre(1, 0, 3));
  EXPECT_THAT(Selected({Boxes(), Scores(), Most(9), Number(nan), Number(0), Number(nan)}), SizeIs(4));
  EXPECT_THAT(Selected({Boxes(), Scores(), Most(9), Number(0), Number(nan)}), IsEmpty());
}

TEST(NonMaxSuppressionTest, HandlesEmptyTensors) {
  EXPECT_THAT(Selected({F32({1, 0, 4}, {}), F32({1, 1, 0}, {}), Most(9)}), IsEmpty());
  EXPECT_THAT(Selected({F32({0, 4, 4}, {}), F32({0, 3, 4}, {}), Most(9)}), IsEmpty());
  EXPECT_THAT(Selected({Boxes(), F32({1, 0, 4}, {}), Most(9)}), IsEmpty());
}

absl::StatusOr<std::vector<ValueInfo>> Inferred(const std::vector<ValueInfo>& inputs) {
  return Infer(NonMaxSuppressionOp(), NonMaxSuppressionAttributes(), inputs);
}

TEST(NonMaxSuppressionTest, InfersBounds) {
  const ValueInfo boxes = Known(ElementType::kF32, {2, Dimension(0, 10), 4});
  const ValueInfo scores = Known(ElementType::kF32, {2, 3, Dimension()});
  ASSERT_OK_AND_ASSIGN(const std::vector<ValueInfo> few, Inferred({boxes, scores, Constant(Most(4))}));
  EXPECT_EQ(few[0].shape, PartialShape({Dimension(0, 24), 3}));
  EXPECT_EQ(few[1].shape, PartialShape({Dimension(0, 24), 3}));
  EXPECT_EQ(few[2].shape, PartialShape({1}));
  EXPECT_EQ(few[2].content, PartialValue({Dimension(0, 24)}));
  ASSERT_OK_AND_ASSIGN(const std::vector<ValueInfo> many, Inferred({boxes, scores, Known(ElementType::kI32, {1})}));
  EXPECT_EQ(many[0].shape, PartialShape({Dimension(0, 60), 3}));
  ASSERT_OK_AND_ASSIGN(const std::vector<ValueInfo> none, Inferred({boxes, scores}));
  EXPECT_EQ(none[0].shape, PartialShape({0, 3}));
  const ValueInfo unknown = Known(ElementType::kF32, PartialShape::DynamicRank());
  ASSERT_OK_AND_ASSIGN(const std::vector<ValueInfo> dynamic,
                       Inferred({unknown, unknown, Known(ElementType::kI64, PartialShape::DynamicRank()), unknown}));
  EXPECT_EQ(dynamic[0].shape, PartialShape({Dimension(), 3}));
}

TEST(NonMaxSuppressionTest, RefusesWhatBreaksConstraints) {
  const auto refuses = [](const std::vector<ValueInfo>& inputs, const char* label) {
    ExpectInferFails(NonMaxSuppressionOp(), NonMaxSuppressionAttributes(), inputs, label);
  };
  const ValueInfo boxes = Known(ElementType::kF32, {2, 10, 4});
  const ValueInfo scores = Known(ElementType::kF32, {2, 3, 10});
  const ValueInfo most = Constant(Most(4));
  const ValueInfo number = Constant(Number(0.5));
  refuses({boxes, Known(ElementType::kF16, {2, 3, 10})}, "NonMaxSuppression_c1");
  refuses({Known(ElementType::kI32, {2, 10, 4}), Known(ElementType::kI32, {2, 3, 10})}, "NonMaxSuppression_c1");
  refuses({Known(ElementType::kF32, {10, 4}), scores}, "NonMaxSuppression_c2");
  refuses({Known(ElementType::kF32, {2, 10, 5}), scores}, "NonMaxSuppression_c2");
  refuses({boxes, Known(ElementType::kF32, {3, 3, 10})}, "NonMaxSuppression_c2");
  refuses({boxes, Known(ElementType::kF32, {2, 3, 9})}, "NonMaxSuppression_c2");
  refuses({boxes, scores, number}, "NonMaxSuppression_c3");
  refuses({boxes, scores, Known(ElementType::kI64, {2})}, "NonMaxSuppression_c3");
  refuses({boxes, scores, most, most}, "NonMaxSuppression_c4");
  refuses({boxes, scores, most, number, Known(ElementType::kF32, {2})}, "NonMaxSuppression_c4");
  refuses({boxes, scores, most, number, Known(ElementType::kF16, {1})}, "NonMaxSuppression_c4");
}

TEST(NonMaxSuppressionTest, C5_RefusesOutputTypes) {
  NonMaxSuppressionAttributes attributes;
  attributes.output_type = ElementType::kF32;
  EXPECT_THAT(EvaluateAll(NonMaxSuppressionOp(), attributes, {Boxes(), Scores()}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("NonMaxSuppression_c5")));
}

}  // namespace
}  // namespace burin::ir
