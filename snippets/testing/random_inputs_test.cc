#include "snippets/testing/random_inputs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "absl/status/status.h"
#include "ir/model.h"
#include "ir/ops/op_testlib.h"
#include "ir/tensor.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

std::unique_ptr<ir::Model> Body() {
  return ir::ParseModel(R"(model "" {
    %0 "x" = Parameter() {shape = [100,10]}
    %1 "y" = Parameter() {element_type = i8, shape = [1000]}
    %2 = Exp(%0)
    %3 "a" = Result(%2)
    %4 "b" = Result(%1)
  })")
      .value();
}

TEST(RandomInputsTest, KeepsToTheRanges) {
  std::mt19937_64 random(7);
  ASSERT_OK_AND_ASSIGN(const std::vector<ir::Tensor> inputs, RandomInputs(*Body(), {{-2, 3}, {-128, 127}}, random));
  ASSERT_EQ(inputs.size(), 2);
  EXPECT_EQ(inputs[0].shape(), (ir::Shape{100, 10}));
  bool zero = false;
  for (const double value : ir::Doubles(inputs[0])) {
    EXPECT_TRUE(value >= -2 && value <= 3) << value;
    zero = zero || value == 0;
  }
  EXPECT_TRUE(zero);
  bool least = false;
  for (const int64_t value : ir::Ints(inputs[1])) least = least || value == -128;
  EXPECT_TRUE(least);
}

TEST(RandomInputsTest, SpecialNumbersOnlyWhereAskedFor) {
  std::mt19937_64 random(7);
  int special = 0;
  for (const bool asked : {false, true}) {
    ASSERT_OK_AND_ASSIGN(const std::vector<ir::Tensor> inputs, RandomInputs(*Body(), {{-2, 3, asked}}, random));
    for (const double value : ir::Doubles(inputs[0])) special += std::isfinite(value) ? 0 : 1;
    EXPECT_EQ(special > 0, asked);
  }
}

TEST(RandomInputsTest, NeedsStaticShapes) {
  std::mt19937_64 random(7);
  const std::unique_ptr<ir::Model> body = ir::ParseModel(R"(model "" {
    %0 "x" = Parameter() {shape = [?]}
    %1 "a" = Result(%0)
  })")
                                              .value();
  EXPECT_THAT(RandomInputs(*body, {}, random), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin::snippets
