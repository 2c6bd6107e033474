#include "snippets/testing/bounded_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ir/model.h"
#include "ir/ops/op_testlib.h"
#include "ir/tensor.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Gt;
using ::testing::IsEmpty;
using ::testing::Lt;

// Returns the bounds of the first result.
std::vector<double> BoundsOf(absl::string_view text, const std::vector<ir::Tensor>& inputs) {
  const std::unique_ptr<ir::Model> body = ir::ParseModel(text).value();
  return RunBounded(*body, inputs).value().front().bounds;
}

TEST(BoundedRunTest, IntegersAreExact) {
  EXPECT_THAT(BoundsOf(R"(model "" {
    %0 "x" = Parameter() {element_type = i8, shape = [2]}
    %1 = Multiply(%0, %0)
    %2 "y" = Result(%1)
  })",
                       {ir::I8({2}, {100, -3})}),
              IsEmpty());
}

TEST(BoundedRunTest, ErrorsGrowWithWhatReadsThem) {
  const char* const text = R"(model "" {
    %0 "x" = Parameter() {shape = [1]}
    %1 = Sin(%0)
    %2 = Constant() {value = f32[]{1000}}
    %3 = Multiply(%1, %2)
    %4 "y" = Result(%3)
    %5 "z" = Result(%1)
  })";
  const std::unique_ptr<ir::Model> body = ir::ParseModel(text).value();
  ASSERT_OK_AND_ASSIGN(const std::vector<BoundedTensor> results, RunBounded(*body, {ir::F32({1}, {1})}));
  EXPECT_GT(results[0].bounds[0], 1000 * results[1].bounds[0]);
  EXPECT_LT(results[0].bounds[0], 2000 * results[1].bounds[0]);
}

TEST(BoundedRunTest, ErrorsOfBothOperandsMeet) {
  // A logarithm's error, twice.
  const std::vector<double> bounds = BoundsOf(R"(model "" {
    %0 "x" = Parameter() {shape = [1]}
    %1 = Log(%0)
    %2 = Add(%1, %1)
    %3 "y" = Result(%2)
    %4 "z" = Result(%1)
  })",
                                              {ir::F32({1}, {10})});
  EXPECT_GT(bounds[0], 2 * std::ldexp(4.0, -22));
}

TEST(BoundedRunTest, SumsAreAsGoodAsTheirMagnitudes) {
  const std::vector<double> bounds = BoundsOf(R"(model "" {
    %0 "x" = Parameter() {shape = [2]}
    %1 = Constant() {value = i64[1]{0}}
    %2 = ReduceSum(%0, %1) {keep_dims = true}
    %3 "y" = Result(%2)
  })",
                                              {ir::F32({2}, {1e6, -1e6})});
  ASSERT_EQ(bounds.size(), 1);
  EXPECT_GT(bounds[0], 1);
}

TEST(BoundedRunTest, ComparisonsOfWhatMayBeEqualAreUnknown) {
  EXPECT_THAT(BoundsOf(R"(model "" {
    %0 "x" = Parameter() {shape = [2]}
    %1 "y" = Parameter() {shape = [2]}
    %2 = Exp(%0)
    %3 = Less(%2, %1)
    %4 "z" = Result(%3)
  })",
                       {ir::F32({2}, {0, 0}), ir::F32({2}, {1, 2})}),
              ElementsAre(1, 0));
}

TEST(BoundedRunTest, RangesThatMeetMayBeEqual) {
  // Exp(0) is 1 within a few ulp: that holds the next number, which is neither it nor an end of its range, and no 2.
  const char* const text = R"(model "" {
    %0 "x" = Parameter() {shape = [1]}
    %1 "y" = Parameter() {shape = [3]}
    %2 = Exp(%0)
    %3 = NotEqual(%2, %1)
    %4 = Equal(%1, %2)
    %5 = Equal(%1, %1)
    %6 "different" = Result(%3)
    %7 "same" = Result(%4)
    %8 "known" = Result(%5)
  })";
  const std::unique_ptr<ir::Model> body = ir::ParseModel(text).value();
  const ir::Tensor y = ir::F32({3}, {std::nextafter(1.0F, 2.0F), 2, std::numeric_limits<float>::quiet_NaN()});
  ASSERT_OK_AND_ASSIGN(const std::vector<BoundedTensor> results, RunBounded(*body, {ir::F32({1}, {0}), y}));
  EXPECT_THAT(results[0].bounds, ElementsAre(1, 0, 0));
  EXPECT_THAT(results[1].bounds, ElementsAre(1, 0, 0));
  EXPECT_THAT(results[2].bounds, Each(0));
}

TEST(BoundedRunTest, WhetherWhatMayBeZeroIsTrueIsUnknown) {
  // Of numbers below -5, what is left of Gelu is less than what its implementations may be off by.
  EXPECT_THAT(BoundsOf(R"(model "" {
    %0 "x" = Parameter() {shape = [3]}
    %1 = Gelu(%0)
    %2 = Convert(%1) {destination_type = boolean}
    %3 "y" = Result(%2)
  })",
                       {ir::F32({3}, {-5.5, -1, 1})}),
              ElementsAre(1, 0, 0));
}

TEST(BoundedRunTest, AQuotientOfWhatMayBeZeroMayBeAnything) {
  EXPECT_THAT(BoundsOf(R"(model "" {
    %0 "x" = Parameter() {shape = [2]}
    %1 "y" = Parameter() {shape = [2]}
    %2 = Sin(%0)
    %3 = Divide(%1, %2)
    %4 "z" = Result(%3)
  })",
                       {ir::F32({2}, {1e-9F, 1}), ir::F32({2}, {1, 1})}),
              ElementsAre(Gt(1e30), Lt(1e-5)));
}

TEST(BoundedRunTest, AnyIntegerIsAsFarAsItsTypeGoes) {
  // A number of 62 bits of which bf16 keeps 8.
  const std::vector<double> bounds = BoundsOf(R"(model "" {
    %0 "x" = Parameter() {element_type = bf16, shape = [1]}
    %1 = Exp(%0)
    %2 = Convert(%1) {destination_type = i64}
    %3 = Convert(%2) {destination_type = f32}
    %4 "y" = Result(%3)
  })",
                                              {ir::BF16({1}, {43})});
  ASSERT_EQ(bounds.size(), 1);
  EXPECT_GT(bounds[0], std::ldexp(1.0, 62));
}

TEST(BoundedRunTest, BitsAreUnknownOfWhatMayBeOneOff) {
  // Exp(0) is 1 or a little less: its floor is 1 or 0, and twice that may be 1 as far as bounds tell.
  EXPECT_THAT(BoundsOf(R"(model "" {
    %0 "x" = Parameter() {shape = [1]}
    %1 = Exp(%0)
    %2 = Floor(%1)
    %3 = Convert(%2) {destination_type = i32}
    %4 = Add(%3, %3)
    %5 = Constant() {value = i32[1]{1}}
    %6 = BitwiseAnd(%4, %5)
    %7 "y" = Result(%6)
  })",
                       {ir::F32({1}, {0})}),
              ElementsAre(1));
}

TEST(BoundedRunTest, WhatMayBeAnythingStaysSo) {
  // Whether the dividend is below a multiple of the divisor is not known; a choice of something else is.
  EXPECT_THAT(BoundsOf(R"(model "" {
    %0 "x" = Parameter() {shape = [1]}
    %1 = Exp(%0)
    %2 = Mod(%1, %1)
    %3 = Sqrt(%2)
    %4 "z" = Result(%3)
  })",
                       {ir::F32({1}, {1})}),
              Each(Gt(1e30)));
}

TEST(BoundedRunTest, InputsAreCounted) {
  const std::unique_ptr<ir::Model> body = ir::ParseModel(R"(model "" {
    %0 "x" = Parameter() {shape = [1]}
    %1 "y" = Result(%0)
  })")
                                              .value();
  EXPECT_THAT(RunBounded(*body, {}), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin::snippets
