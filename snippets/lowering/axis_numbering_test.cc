#include "snippets/lowering/axis_numbering.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "snippets/linear/linear_ir.h"
#include "snippets/lowering/axis_classes.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Rank = ValueDims::Rank;

// Returns an access to dense memory of f32.
ValueDims Access(Rank rank, const std::vector<DimId>& dims, const AxisClasses& classes) {
  ValueDims value = {rank, dims, {}, {}};
  int64_t stride = sizeof(float);
  for (size_t i = dims.size(); i-- > 0;) {
    value.access.insert(value.access.begin(), {dims[i], stride, static_cast<int>(i), true, 1});
    stride *= classes.extent(dims[i]);
  }
  return value;
}

TEST(AxisNumbering, NeighboursThatNothingTellsApartAreOne) {
  AxisClasses classes;
  const std::vector<DimId> dims = {classes.Add(2, 2), classes.Add(3, 3), classes.Add(5, AxisClasses::kUndeclared)};
  const std::vector<ValueDims> values = {Access(Rank::kLoad, dims, classes), {Rank::kNone, {dims[0]}, {}, {}}};
  ASSERT_OK_AND_ASSIGN(const AxisNumbering merged, AxisNumbering::Create(values, classes, true, ""));
  EXPECT_THAT(merged.extents, ElementsAre(2, 15));
  EXPECT_THAT(merged.declared_extents, ElementsAre(2, AxisClasses::kUndeclared));
  EXPECT_THAT(merged.values[0].strides, ElementsAre(60, 4));
  EXPECT_EQ(merged.values[0].unit_axis, 1);
  EXPECT_EQ(merged.values[0].axes, AxisBit(0) | AxisBit(1));
  EXPECT_EQ(merged.values[1].axes, AxisBit(0));
  EXPECT_THAT(merged.values[1].strides, IsEmpty());
  ASSERT_OK_AND_ASSIGN(const AxisNumbering declared, AxisNumbering::Create(values, classes, false, ""));
  EXPECT_THAT(declared.extents, ElementsAre(2, 3, 5));
  EXPECT_THAT(declared.values[0].strides, ElementsAre(60, 20, 4));
}

TEST(AxisNumbering, AReductionTellsAxesApart) {
  AxisClasses classes;
  const std::vector<DimId> dims = {classes.Add(2, 2), classes.Add(3, 3)};
  ASSERT_OK_AND_ASSIGN(const AxisNumbering numbering, AxisNumbering::Create({Access(Rank::kLoad, dims, classes),
                                                                             {Rank::kNone, {dims[0]}, {}, {dims[1]}}},
                                                                            classes, true, ""));
  EXPECT_THAT(numbering.extents, ElementsAre(2, 3));
  EXPECT_EQ(numbering.values[1].axes, AxisBit(0));
  EXPECT_EQ(numbering.values[1].reduced, AxisBit(1));
}

TEST(AxisNumbering, TheOrderIsThatOfWhatIsWritten) {
  AxisClasses classes;
  const DimId rows = classes.Add(2, 2);
  const DimId columns = classes.Add(3, 3);
  const DimId others = classes.Add(3, 3);
  classes.Unite(columns, others);
  // What is read comes first, but has the axes the other way round.
  ASSERT_OK_AND_ASSIGN(const AxisNumbering numbering,
                       AxisNumbering::Create({Access(Rank::kLoad, {others, rows}, classes),
                                              Access(Rank::kStore, {rows, columns}, classes)},
                                             classes, true, ""));
  EXPECT_THAT(numbering.extents, ElementsAre(2, 3));
  EXPECT_THAT(numbering.values[0].strides, ElementsAre(4, 8));
  EXPECT_EQ(numbering.values[0].unit_axis, 0);
  EXPECT_THAT(numbering.values[1].strides, ElementsAre(12, 4));
  EXPECT_EQ(numbering.values[1].unit_axis, 1);
}

TEST(AxisNumbering, ElementsLieSomeElementsApart) {
  const auto unit = [](int64_t step) {
    AxisClasses classes;
    ValueDims value = Access(Rank::kLoad, {classes.Add(7, 7)}, classes);
    value.access[0].packed = false;
    value.access[0].step = step;
    const AxisNumbering numbering = AxisNumbering::Create({value}, classes, true, "").value();
    return numbering.values[0].unit_axis < 0 ? 0 : numbering.values[0].unit_step;
  };
  EXPECT_EQ(unit(2), 2);
  EXPECT_EQ(unit(LinearOperand::kMostStep), LinearOperand::kMostStep);
  EXPECT_EQ(unit(LinearOperand::kMostStep + 1), 0);
  // As many in no two runs.
  EXPECT_EQ(unit(0), 0);
}

TEST(AxisNumbering, WhatIsBroadcastInThisRunIsNoAxis) {
  AxisClasses classes;
  const DimId one = classes.Add(1, AxisClasses::kUndeclared);
  const DimId columns = classes.Add(4, 4);
  classes.Drop(one);
  ASSERT_OK_AND_ASSIGN(const AxisNumbering numbering,
                       AxisNumbering::Create({Access(Rank::kLoad, {one, columns}, classes)}, classes, true, ""));
  EXPECT_THAT(numbering.extents, ElementsAre(4));
  EXPECT_THAT(numbering.values[0].strides, ElementsAre(4));
}

TEST(AxisNumbering, ADiagonalIsReadButNotComputed) {
  AxisClasses classes;
  const DimId rows = classes.Add(3, 3);
  const DimId columns = classes.Add(3, 3);
  classes.Unite(rows, columns);
  const std::vector<ValueDims> diagonal = {Access(Rank::kLoad, {rows, columns}, classes)};
  ASSERT_OK_AND_ASSIGN(const AxisNumbering numbering, AxisNumbering::Create(diagonal, classes, true, ""));
  EXPECT_THAT(numbering.values[0].strides, ElementsAre(16));
  EXPECT_EQ(numbering.values[0].unit_axis, -1);
  EXPECT_THAT(AxisNumbering::Create({{Rank::kCompute, {rows, columns}, {}, {}}}, classes, true, "name").status(),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("varies twice along one axis, in body \"name\"")));
}

TEST(AxisNumbering, AxesHaveALimitBeforeTheyAreMerged) {
  AxisClasses classes;
  std::vector<DimId> dims;
  for (int i = 0; i < kMaxAxes; ++i) dims.push_back(classes.Add(1, AxisClasses::kUndeclared));
  EXPECT_THAT(AxisNumbering::Create({{Rank::kStore, dims, {}, {}}}, classes, true, "").value().extents.size(), 1u);
  dims.push_back(classes.Add(1, AxisClasses::kUndeclared));
  EXPECT_THAT(AxisNumbering::Create({{Rank::kStore, dims, {}, {}}}, classes, true, "").status(),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("More axes than a kernel has: 65")));
}

}  // namespace
}  // namespace burin::snippets
