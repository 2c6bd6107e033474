#include "snippets/tokenize/graph/idle_views.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ir/model.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// "first" and "second" are read by "exp" alone, "shared" by "sum" and outside; "behind" and "last" read "sum".
constexpr char kModel[] = R"(model "" {
  %0 "x" = Parameter() {element_type = f32, shape = [6, 6]}
  %1 "order" = Constant() {value = i64[2]{1, 0}}
  %2 "first" = Transpose(%0, %1)
  %3 "second" = Transpose(%2, %1)
  %4 "shared" = Transpose(%0, %1)
  %5 "exp" = Exp(%3)
  %6 "sum" = Add(%5, %4)
  %7 "behind" = Transpose(%6, %1)
  %8 "last" = Transpose(%7, %1)
  %9 "out" = Result(%8)
  %10 "other" = Result(%4)
})";

std::vector<std::string> Kept(absl::string_view text, const std::vector<std::string>& names) {
  const absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(text);
  EXPECT_OK(model.status());
  std::vector<ir::NodeId> nodes;
  for (const std::string& name : names) nodes.push_back((*model)->FindNode(name));
  std::vector<std::string> kept;
  for (const ir::NodeId id : WithoutIdleViews(**model, nodes)) kept.push_back((*model)->node(id).name());
  return kept;
}

TEST(WithoutIdleViews, ViewsThatAreReadInsideStay) {
  EXPECT_THAT(Kept(kModel, {"first", "second", "exp", "sum"}), ElementsAre("first", "second", "exp", "sum"));
}

TEST(WithoutIdleViews, AChainThatNothingInsideReadsGoes) {
  EXPECT_THAT(Kept(kModel, {"exp", "sum", "behind", "last"}), ElementsAre("exp", "sum"));
}

TEST(WithoutIdleViews, AViewOfAnInputThatOthersReadGoes) {
  EXPECT_THAT(Kept(kModel, {"shared", "exp", "sum"}), ElementsAre("exp", "sum"));
  // Read inside alone, it is a way to read memory.
  EXPECT_THAT(Kept(kModel, {"second", "exp"}), ElementsAre("second", "exp"));
}

TEST(WithoutIdleViews, AViewOfWhatIsComputedInsideStaysThoughOthersReadIt) {
  EXPECT_THAT(Kept(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [6, 6]}
    %1 "exp" = Exp(%0)
    %2 "order" = Constant() {value = i64[2]{1, 0}}
    %3 "turned" = Transpose(%1, %2)
    %4 "relu" = Relu(%3)
    %5 "out" = Result(%4)
    %6 "other" = Result(%3)
  })",
                   {"exp", "turned", "relu"}),
              ElementsAre("exp", "turned", "relu"));
}

TEST(WithoutIdleViews, NothingIsLeftWhereNothingComputes) {
  EXPECT_THAT(Kept(kModel, {"first", "second"}), IsEmpty());
  EXPECT_THAT(Kept(kModel, {}), IsEmpty());
}

}  // namespace
}  // namespace burin::snippets
