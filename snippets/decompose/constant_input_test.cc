#include "snippets/decompose/constant_input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "ir/model.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Optional;

// A reduction "r" of x over those axes.
std::unique_ptr<ir::Model> Reduction(const std::string& shape, const std::string& axes) {
  absl::StatusOr<std::unique_ptr<ir::Model>> model =
      ir::ParseModel(absl::StrCat("model \"\" {\n%0 \"x\" = Parameter() {shape = ", shape, "}\n%1 = ", axes,
                                  "\n%2 \"r\" = ReduceSum(%0, %1)\n%3 = Result(%2)\n}"));
  EXPECT_OK(model);
  return *std::move(model);
}

const ir::Node& Reduced(const ir::Model& model) { return model.node(model.FindNode("r")); }

TEST(ConstantInputTest, AxesAreSortedAndCountFromTheFront) {
  const auto model = Reduction("[2,3,?]", "Constant() {value = i32[2]{-1, 0}}");
  ASSERT_OK_AND_ASSIGN(const std::vector<int64_t> axes, ConstantAxes(*model, Reduced(*model)));
  EXPECT_THAT(axes, ElementsAre(0, 2));
  EXPECT_THAT(ConstantIntegers(*model, Reduced(*model), 1), Optional(ElementsAre(-1, 0)));
  EXPECT_TRUE(IsConstant(*model, Reduced(*model), 1));
}

TEST(ConstantInputTest, AScalarIsOneAxis) {
  const auto model = Reduction("[2,3,?]", "Constant() {value = i64[]{-2}}");
  ASSERT_OK_AND_ASSIGN(const std::vector<int64_t> axes, ConstantAxes(*model, Reduced(*model)));
  EXPECT_THAT(axes, ElementsAre(1));
}

TEST(ConstantInputTest, WhatIsNotKnown) {
  const auto varies = Reduction("[2,3,?]", "Parameter() {element_type = i64, shape = [1]}");
  EXPECT_FALSE(IsConstant(*varies, Reduced(*varies), 1));
  EXPECT_FALSE(IsConstant(*varies, Reduced(*varies), 0));
  EXPECT_FALSE(IsConstant(*varies, Reduced(*varies), 2));
  EXPECT_FALSE(ConstantIntegers(*varies, Reduced(*varies), 1).has_value());
  EXPECT_THAT(ConstantAxes(*varies, Reduced(*varies)),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("The axes are not constant: 'r' (ReduceSum)")));
  const auto no_rank = Reduction("[...]", "Constant() {value = i64[]{0}}");
  EXPECT_THAT(ConstantAxes(*no_rank, Reduced(*no_rank)),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("The rank is not known: 'r' (ReduceSum)")));
}

TEST(ConstantInputTest, FloatsAreNoIntegers) {
  absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(R"(model "" {
  %0 = Constant() {value = f32[2]{1, 2}}
  %1 "r" = Relu(%0)
  %2 = Result(%1)
})");
  ASSERT_OK(model);
  EXPECT_TRUE(IsConstant(**model, Reduced(**model), 0));
  EXPECT_FALSE(ConstantIntegers(**model, Reduced(**model), 0).has_value());
}

}  // namespace
}  // namespace burin::snippets
