#include "snippets/tokenize/iteration_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "ir/model.h"
#include "snippets/tokenize/body_space.h"

namespace burin::snippets {
namespace {

using ::testing::ElementsAre;

ir::Value V(int id) { return {static_cast<ir::NodeId>(id), 0}; }

ValueAccess Read(std::vector<int> dims) {
  ValueAccess access;
  access.read = std::move(dims);
  return access;
}
ValueAccess Made(std::vector<int> dims) {
  ValueAccess access;
  access.made = std::move(dims);
  return access;
}
ValueAccess Renamed(std::vector<int> dims) {
  ValueAccess access;
  access.renamed = {std::move(dims)};
  return access;
}

// An operation on a matrix of 4 rows and 8 columns, `reduced` of which axes.
BodySpace Matrix(ValueAccess in, ValueAccess out, AxisMask reduced = 0) {
  BodySpace body;
  for (int i = 0; i < 2; ++i) {
    SpaceAxis axis;
    axis.extent = i == 0 ? 4 : 8;
    axis.depth = 1 - i;
    axis.is_reduced = (reduced >> i & 1) != 0;
    axis.together = 3;
    body.axes.push_back(axis);
  }
  body.work = {{3, 1, 0, 0}};
  body.parameters = {std::move(in)};
  body.results = {std::move(out)};
  return body;
}

TEST(IterationSpace, ProducerAndConsumerShareAxes) {
  const IterationSpace first(Matrix(Read({0, 1}), Made({0, 1})), {V(0)}, {V(1)});
  const IterationSpace second(Matrix(Read({0, 1}), Made({0, 1}), 2), {V(1)}, {V(2)});
  const IterationSpace::Join join = IterationSpace::Plan(first, second);
  EXPECT_EQ(join.conflict, IterationSpace::Conflict::kNone);
  ASSERT_EQ(join.axes.size(), 2u);
  EXPECT_TRUE(join.axes[1].is_reduced);
  EXPECT_THAT(join.from_right, ElementsAre(0, 1));
  ASSERT_EQ(join.work.size(), 1u);
  EXPECT_EQ(join.work[0].cheap, 2);
  EXPECT_THAT(IterationSpace::Between(first, second), ElementsAre(V(1)));
}

TEST(IterationSpace, KnowsTheAxesOfWhatItMakes) {
  const IterationSpace space(Matrix(Read({0, 1}), Made({-1, 1})), {V(0)}, {V(1)});
  EXPECT_EQ(space.AxesOf(V(1)), 2u);
  EXPECT_EQ(space.AxesOf(V(0)), 0u);
  EXPECT_EQ(MappedAxes(5, {3, 1, 0}), 9u);
}

TEST(IterationSpace, ReadersOfOneValueShareAxes) {
  const IterationSpace first(Matrix(Read({0, 1}), Made({0, 1})), {V(0)}, {V(1)});
  const IterationSpace second(Matrix(Read({0, 1}), Made({0, 1})), {V(0)}, {V(2)});
  EXPECT_EQ(IterationSpace::Plan(first, second).axes.size(), 2u);
  EXPECT_TRUE(IterationSpace::Between(first, second).empty());
}

TEST(IterationSpace, MemoryReadInAnotherOrderHasAxesOfItsOwn) {
  const IterationSpace first(Matrix(Read({0, 1}), Made({0, 1})), {V(0)}, {V(1)});
  const IterationSpace second(Matrix(Renamed({1, 0}), Made({0, 1})), {V(0)}, {V(2)});
  EXPECT_EQ(IterationSpace::Plan(first, second).axes.size(), 4u);
}

TEST(IterationSpace, AMatrixAndItsTransposeDoNotMeet) {
  IterationSpace exp(Matrix(Read({0, 1}), Made({0, 1})), {V(0)}, {V(1)});
  IterationSpace turned(Matrix(Renamed({1, 0}), Made({0, 1})), {V(1)}, {V(2)});
  const IterationSpace::Join join = IterationSpace::Plan(exp, turned);
  ASSERT_EQ(join.conflict, IterationSpace::Conflict::kNone);
  EXPECT_EQ(join.axes.size(), 2u);
  exp.Apply(join, std::move(turned), /*this_is_left=*/true);
  BodySpace sum = Matrix(Read({0, 1}), Made({0, 1}));
  sum.parameters = {Read({0, 1}), Read({0, 1})};
  const IterationSpace consumer(sum, {V(1), V(2)}, {V(3)});
  EXPECT_EQ(IterationSpace::Plan(exp, consumer).conflict, IterationSpace::Conflict::kTwiceAlongAxis);
}

TEST(IterationSpace, AppliedFromEitherSideItIsTheSame) {
  for (const bool keeps_left : {true, false}) {
    IterationSpace left(Matrix(Read({0, 1}), Made({0, 1})), {V(0)}, {V(1)});
    IterationSpace right(Matrix(Renamed({1, 0}), Made({0, 1})), {V(1)}, {V(2)});
    const IterationSpace::Join join = IterationSpace::Plan(left, right);
    if (keeps_left) {
      left.Apply(join, std::move(right), true);
    } else {
      right.Apply(join, std::move(left), false);
    }
    const IterationSpace& both = keeps_left ? left : right;
    const IterationSpace third(Matrix(Read({0, 1}), Made({0, 1}), 1), {V(2)}, {V(3)});
    const IterationSpace::Join next = IterationSpace::Plan(both, third);
    ASSERT_EQ(next.conflict, IterationSpace::Conflict::kNone);
    ASSERT_EQ(next.axes.size(), 2u);
    // The rows of what is turned are the columns of what was read.
    EXPECT_FALSE(next.axes[0].is_reduced);
    EXPECT_TRUE(next.axes[1].is_reduced);
  }
}

TEST(IterationSpace, ViewsOfMemoryAreNotOfWhatIsComputed) {
  ValueAccess view;
  view.read_in_memory = true;
  const IterationSpace exp(Matrix(Read({0, 1}), Made({0, 1})), {V(0)}, {V(1)});
  const IterationSpace split(Matrix(view, Made({0, 1})), {V(1)}, {V(2)});
  EXPECT_EQ(IterationSpace::Plan(exp, split).conflict, IterationSpace::Conflict::kMemory);
  const IterationSpace beside(Matrix(view, Made({0, 1})), {V(0)}, {V(2)});
  EXPECT_EQ(IterationSpace::Plan(exp, beside).conflict, IterationSpace::Conflict::kNone);
}

TEST(IterationSpace, TooManyAxesAreRefused) {
  BodySpace wide;
  for (int i = 0; i < 40; ++i) wide.axes.emplace_back();
  const IterationSpace first(wide, {}, {});
  const IterationSpace second(wide, {}, {});
  EXPECT_EQ(IterationSpace::Plan(first, second).conflict, IterationSpace::Conflict::kTooManyAxes);
}

}  // namespace
}  // namespace burin::snippets
