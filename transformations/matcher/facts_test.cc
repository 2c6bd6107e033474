#include "transformations/matcher/facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/strings/string_view.h"
#include "ir/model.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"

namespace burin::transformations {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

ir::PartialShape Shape(const char* text) { return *ir::PartialShape::Parse(text); }

TEST(FactsTest, ShapesMustBeEqual) {
  EXPECT_TRUE(MustEqual(Shape("[2,n,3]"), Shape("[2,n,3]")));
  EXPECT_TRUE(MustEqual(Shape("[]"), Shape("[]")));
  EXPECT_FALSE(MustEqual(Shape("[2,n]"), Shape("[2,m]")));
  EXPECT_FALSE(MustEqual(Shape("[2,?]"), Shape("[2,?]")));
  EXPECT_FALSE(MustEqual(Shape("[2]"), Shape("[2,1]")));
  EXPECT_FALSE(MustEqual(ir::PartialShape::DynamicRank(), ir::PartialShape::DynamicRank()));
}

TEST(FactsTest, AShapeSaysAsMuchAsAnother) {
  EXPECT_TRUE(SaysAsMuchAs(Shape("[2,n]"), Shape("[2,n]")));
  EXPECT_TRUE(SaysAsMuchAs(Shape("[2,n]"), Shape("[2,?]")));
  EXPECT_TRUE(SaysAsMuchAs(Shape("[2,7]"), Shape("[2,n]")));
  EXPECT_TRUE(SaysAsMuchAs(Shape("[3]"), Shape("[2..4]")));
  EXPECT_TRUE(SaysAsMuchAs(Shape("[3]"), ir::PartialShape::DynamicRank()));
  EXPECT_TRUE(SaysAsMuchAs(ir::PartialShape::DynamicRank(), ir::PartialShape::DynamicRank()));
  EXPECT_FALSE(SaysAsMuchAs(Shape("[2,?]"), Shape("[2,n]")));
  EXPECT_FALSE(SaysAsMuchAs(Shape("[2,m]"), Shape("[2,n]")));
  EXPECT_FALSE(SaysAsMuchAs(Shape("[?]"), Shape("[2]")));
  EXPECT_FALSE(SaysAsMuchAs(Shape("[1..3]"), Shape("[2..4]")));
  EXPECT_FALSE(SaysAsMuchAs(Shape("[2..5]"), Shape("[2..4]")));
  EXPECT_FALSE(SaysAsMuchAs(Shape("[2]"), Shape("[2,1]")));
  EXPECT_FALSE(SaysAsMuchAs(ir::PartialShape::DynamicRank(), Shape("[2]")));
}

class FactsOfModelTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(model_, ir::ParseModel(R"(model "" {
  %0 "x" = Parameter() {shape = [2,n]}
  %1 "y" = Parameter() {shape = [2,3]}
  %2 "shape" = ShapeOf(%0)
  %3 "shape32" = ShapeOf(%0) {output_type = i32}
  %4 "wide" = Convert(%3) {destination_type = i64}
  %5 "narrow" = Convert(%2) {destination_type = i32}
  %6 "known" = ShapeOf(%1)
  %7 "scalar" = Constant() {value = i64[]{-5}}
  %8 "float" = Constant() {value = f32[1]{1}}
})"));
  }
  ir::Value At(absl::string_view name) const { return ir::Value{model_->FindNode(name), 0}; }
  std::optional<std::vector<int64_t>> IntegersOf(absl::string_view name) const {
    return ExactIntegers(model_->info(At(name)));
  }
  std::unique_ptr<ir::Model> model_;
};

TEST_F(FactsOfModelTest, IntegersAreExactOrNot) {
  EXPECT_THAT(IntegersOf("known"), Optional(ElementsAre(2, 3)));
  EXPECT_THAT(IntegersOf("scalar"), Optional(ElementsAre(-5)));
  EXPECT_EQ(IntegersOf("shape"), std::nullopt);
  EXPECT_EQ(IntegersOf("float"), std::nullopt);
  EXPECT_EQ(IntegersOf("x"), std::nullopt);
}

TEST_F(FactsOfModelTest, KnowsAShapeOf) {
  EXPECT_TRUE(IsShapeOf(*model_, At("shape"), At("x")));
  EXPECT_TRUE(IsShapeOf(*model_, At("shape32"), At("x")));
  EXPECT_TRUE(IsShapeOf(*model_, At("wide"), At("x")));
  EXPECT_FALSE(IsShapeOf(*model_, At("narrow"), At("x")));
  EXPECT_FALSE(IsShapeOf(*model_, At("shape"), At("y")));
  EXPECT_FALSE(IsShapeOf(*model_, At("scalar"), At("x")));
  EXPECT_FALSE(IsShapeOf(*model_, ir::Value::None(), At("x")));
}

TEST(FactsTest, ConstantsOnlyHaveContent) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(R"(model "" {
  %0 "c" = Constant() {value = f16[2]{1, 2}}
  %1 "wide" = Convert(%0) {destination_type = f32}
  %2 "out" = Result(%1)
})"));
  const ir::Tensor* const content = ConstantOf(*model, ir::Value{model->FindNode("c"), 0});
  ASSERT_NE(content, nullptr);
  EXPECT_EQ(content->element_count(), 2);
  EXPECT_EQ(ConstantOf(*model, ir::Value{model->FindNode("wide"), 0}), nullptr);
  EXPECT_EQ(ConstantOf(*model, ir::Value()), nullptr);
}

}  // namespace
}  // namespace burin::transformations
