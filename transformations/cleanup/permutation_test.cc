#include "transformations/cleanup/permutation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"

namespace burin::transformations {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;

std::optional<Permutation> OrderIn(const char* text) {
  absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(text);
  EXPECT_OK(model.status());
  if (!model.ok()) return std::nullopt;
  return OrderOf(**model, (*model)->node((*model)->FindNode("t")));
}

TEST(PermutationTest, OrderOfAConstant) {
  EXPECT_THAT(OrderIn(R"(model "" {
  %0 "x" = Parameter() {shape = [...]}
  %1 = Constant() {value = i32[3]{2, 0, 1}}
  %2 "t" = Transpose(%0, %1)
  %3 "out" = Result(%2)
})"),
              Optional(ElementsAre(2, 0, 1)));
}

TEST(PermutationTest, AnEmptyOrderReverses) {
  EXPECT_THAT(OrderIn(R"(model "" {
  %0 "x" = Parameter() {shape = [?,?,?]}
  %1 = Constant() {value = i64[0]{}}
  %2 "t" = Transpose(%0, %1)
  %3 "out" = Result(%2)
})"),
              Optional(ElementsAre(2, 1, 0)));
}

TEST(PermutationTest, AnEmptyOrderOfAnUnknownRankIsNotKnown) {
  EXPECT_EQ(OrderIn(R"(model "" {
  %0 "x" = Parameter() {shape = [...]}
  %1 = Constant() {value = i64[0]{}}
  %2 "t" = Transpose(%0, %1)
  %3 "out" = Result(%2)
})"),
            std::nullopt);
}

TEST(PermutationTest, AnOrderThatIsComputedIsNotKnown) {
  EXPECT_EQ(OrderIn(R"(model "" {
  %0 "x" = Parameter() {shape = [2,3]}
  %1 "order" = Parameter() {element_type = i64, shape = [2]}
  %2 "t" = Transpose(%0, %1)
  %3 "out" = Result(%2)
})"),
            std::nullopt);
}

TEST(PermutationTest, IdentityKeepsAll) {
  EXPECT_TRUE(IsIdentity({}));
  EXPECT_TRUE(IsIdentity({0, 1, 2}));
  EXPECT_FALSE(IsIdentity({0, 2, 1}));
}

TEST(PermutationTest, InverseTakesBack) {
  EXPECT_THAT(Inverse({}), IsEmpty());
  EXPECT_THAT(Inverse({2, 0, 1}), ElementsAre(1, 2, 0));
  EXPECT_TRUE(IsIdentity(Compose({3, 0, 2, 1}, Inverse({3, 0, 2, 1}))));
}

TEST(PermutationTest, ComposeDoesTheInnerOneFirst) {
  // Dimension 0 of the result is dimension 1 of what the inner one gives, which is dimension 0 of the data.
  EXPECT_THAT(Compose({2, 0, 1}, {1, 0, 2}), ElementsAre(0, 2, 1));
}

}  // namespace
}  // namespace burin::transformations
