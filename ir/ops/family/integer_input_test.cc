#include "ir/ops/family/integer_input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/ops/op_testlib.h"
#include "ir/partial_shape.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;

// Runs `f` on a context with one input and one i64 output of that shape.
template <class F>
auto With(const ValueInfo& info, const F& f, const PartialShape& output = PartialShape({Dimension()})) {
  const NoAttributes attributes;
  const ValueInfo* input = &info;
  InferContext context(attributes, {&input, 1}, 1);
  context.SetOutput(0, ElementType::kI64, output);
  return f(context);
}

TEST(IntegerInputTest, WrapsAxesAndIndices) {
  EXPECT_THAT(WrapAxis("X_c1", -1, 3), IsOkAndHolds(2));
  EXPECT_THAT(WrapAxis("X_c1", 3, 3), StatusIs(kInvalid, HasSubstr("X_c1: axis")));
  EXPECT_THAT(WrapAxis("X_c1", INT64_MIN, 3), StatusIs(kInvalid));
  EXPECT_THAT(WrapAxis("X_c1", 0, 0), StatusIs(kInvalid));
  EXPECT_THAT(WrapIndex("X_c2", -4, 4), IsOkAndHolds(0));
  EXPECT_THAT(WrapIndex("X_c2", 4, 4), StatusIs(kInvalid, HasSubstr("X_c2: index")));
  EXPECT_THAT(WrapUniqueAxes("X_c1", {2, -3}, 3), IsOkAndHolds(ElementsAre(2, 0)));
  EXPECT_THAT(WrapUniqueAxes("X_c1", {2, -1}, 3), StatusIs(kInvalid, HasSubstr("twice")));
}

TEST(IntegerInputTest, ReadsScalars) {
  const auto read = [](const ValueInfo& info) {
    return With(info, [](const InferContext& context) { return IntegerScalar("X_c1", context, 0); });
  };
  EXPECT_THAT(read(Constant(I32({1}, {-5}))), IsOkAndHolds(Dimension(-5)));
  EXPECT_THAT(read(PartialScalar(Dimension::Symbol("n"))), IsOkAndHolds(Dimension::Symbol("n")));
  EXPECT_THAT(read(Known(ElementType::kI64, PartialShape::DynamicRank())), IsOkAndHolds(Dimension::AnyValue()));
  EXPECT_THAT(read(Constant(I32({2}, {1, 2}))), StatusIs(kInvalid, HasSubstr("X_c1")));
  EXPECT_THAT(read(Constant(F32({}, {1}))), StatusIs(kInvalid, HasSubstr("X_c1")));
  EXPECT_THAT(read(Known(ElementType::kI64, {1, 1})), StatusIs(kInvalid, HasSubstr("X_c1")));
}

TEST(IntegerInputTest, ReadsLists) {
  const auto exact = [](const ValueInfo& info) {
    return With(info, [](const InferContext& context) { return ExactIntegerList("X_c1", context, 0); });
  };
  EXPECT_THAT(exact(Constant(I64({}, {4}))), IsOkAndHolds(std::vector<int64_t>{4}));
  EXPECT_THAT(exact(Known(ElementType::kI64, {2})), IsOkAndHolds(std::nullopt));
  EXPECT_THAT(exact(Known(ElementType::kI64, {2, 2})), StatusIs(kInvalid, HasSubstr("X_c1")));
  const auto partial = [](const ValueInfo& info) {
    return With(info, [](const InferContext& context) { return IntegerList("X_c1", context, 0); });
  };
  EXPECT_THAT(partial(Partial({1, Dimension::Symbol("n")})), IsOkAndHolds(PartialValue{1, Dimension::Symbol("n")}));
  EXPECT_THAT(partial(Known(ElementType::kI64, {Dimension()})), IsOkAndHolds(std::nullopt));
  // Longer than what travels, but a constant.
  EXPECT_THAT(partial(Constant(I64({300}, std::vector<int64_t>(300, 7)))),
              IsOkAndHolds(PartialValue(300, Dimension(7))));
}

TEST(IntegerInputTest, ReadsShapes) {
  const auto read = [](const ValueInfo& info) {
    return With(info, [](const InferContext& context) { return ShapeFromInput("X_c1", context, 0); });
  };
  EXPECT_THAT(read(Partial({2, Dimension(-3, 7)})), IsOkAndHolds(PartialShape({2, Dimension(0, 7)})));
  EXPECT_THAT(read(Known(ElementType::kI64, {Dimension()})), IsOkAndHolds(PartialShape::DynamicRank()));
  EXPECT_THAT(read(Known(ElementType::kI64, {3})), IsOkAndHolds(PartialShape::OfRank(3)));
  EXPECT_THAT(read(Constant(I64({1}, {-1}))), StatusIs(kInvalid, HasSubstr("X_c1: negative")));
  EXPECT_THAT(read(Constant(I64({1}, {INT64_MAX}))), StatusIs(kInvalid, HasSubstr("too large")));
  EXPECT_THAT(read(Known(ElementType::kI64, {kMaxRank + 1})), StatusIs(kInvalid, HasSubstr("too many")));
}

TEST(IntegerInputTest, RefusesDimensionsThatOverflowed) {
  const Dimension huge(int64_t{1} << 62);
  EXPECT_OK(RequireRepresentable("X_c1", {huge, 2}));
  EXPECT_OK(RequireRepresentable("X_c1", PartialShape::DynamicRank()));
  EXPECT_THAT(RequireRepresentable("X_c1", {huge * huge}), StatusIs(kInvalid, HasSubstr("too large")));
  EXPECT_THAT(RequireRepresentable("X_c1", PartialShape::OfRank(kMaxRank + 1)), StatusIs(kInvalid));
}

TEST(IntegerInputTest, PropagatesOnlyWhatTravels) {
  const auto content_of = [](const ValueInfo& input, const PartialValue& content, const PartialShape& output) {
    return With(
        input,
        [&](InferContext& context) {
          PropagateContent(context, 0, content);
          return context.output(0).content;
        },
        output);
  };
  const ValueInfo any = Known(ElementType::kI64, {2});
  EXPECT_EQ(content_of(any, {1, 2}, {2}), (PartialValue{1, 2}));
  EXPECT_EQ(content_of(any, {1, 2}, {2, 1}), std::nullopt);
  EXPECT_EQ(content_of(any, PartialValue(300, Dimension(1)), {300}), std::nullopt);
  const auto travels = [](const ValueInfo& info) {
    return With(info, [](const InferContext& context) { return TravellingContent(context, 0).has_value(); });
  };
  EXPECT_TRUE(travels(Partial({Dimension()})));
  EXPECT_FALSE(travels(Known(ElementType::kF32, {2})));
  EXPECT_FALSE(travels(Known(ElementType::kI64, {2, 1})));
}

}  // namespace
}  // namespace burin::ir
