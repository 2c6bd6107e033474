#include "snippets/tokenize/graph/shape_arithmetic.h"

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

using ::testing::UnorderedElementsAre;

std::vector<std::string> Find(absl::string_view text) {
  std::vector<std::string> names;
  const absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(text);
  EXPECT_OK(model.status());
  const std::vector<ir::NodeId> order = (*model)->TopologicalOrder().value();
  const std::vector<bool> found = FindShapeArithmetic(**model, order);
  for (const ir::NodeId id : order) {
    if (found[static_cast<size_t>(ir::Index(id))]) names.push_back((*model)->node(id).name());
  }
  return names;
}

TEST(FindShapeArithmetic, FollowsContentToTheShape) {
  EXPECT_THAT(Find(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [n, 12]}
    %1 "shape" = ShapeOf(%0) {output_type = i32}
    %2 "factor" = Constant() {value = i32[2]{2, 1}}
    %3 "product" = Multiply(%1, %2)
    %4 "y" = Parameter() {element_type = f32, shape = [m, 12]}
    %5 "reshaped" = Reshape(%4, %3)
    %6 "out" = Result(%5)
  })"),
              UnorderedElementsAre("shape", "factor", "product"));
}

TEST(FindShapeArithmetic, SmallIntegersThatNoShapeNeedsAreNone) {
  EXPECT_THAT(Find(R"(model "" {
    %0 "x" = Parameter() {element_type = i32, shape = [n, 12]}
    %1 "zero" = Parameter() {element_type = u8, shape = []}
    %2 "wide" = Convert(%1) {destination_type = i32}
    %3 "shifted" = Subtract(%0, %2)
    %4 "shape" = ShapeOf(%0) {output_type = i32}
    %5 "out" = Result(%3)
    %6 "size" = Result(%4)
  })"),
              UnorderedElementsAre());
}

}  // namespace
}  // namespace burin::snippets
