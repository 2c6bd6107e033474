#include "runtime/plugins/cpu/name_dimensions.h"

#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/partial_shape.h"
#include "runtime/plugins/cpu/mlp_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

// Returns what is known of the shape of the last node's input, named.
std::string ShapeOfResult(absl::string_view text) {
  const std::unique_ptr<ir::Model> model = ModelOf(text);
  EXPECT_OK(NameDimensions(model.get()));
  return model->info(model->node(model->results()[0]).input(0)).shape.ToString();
}

TEST(NameDimensionsTest, InferenceHandsNamesOn) {
  EXPECT_EQ(ShapeOfResult(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [?, 2..8, 3, n]}
    %1 "relu" = Relu(%0)
    %2 "y" = Result(%1)
  })"),
            "[x_0,x_1:2..8,3,n]");
}

TEST(NameDimensionsTest, NamesThatThereAreMeanSomethingElse) {
  EXPECT_EQ(ShapeOfResult(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [?, x_0]}
    %1 "relu" = Relu(%0)
    %2 "y" = Result(%1)
  })"),
            "[x_0_,x_0]");
}

TEST(NameDimensionsTest, OfAnUnknownRankThereIsNothingToName) {
  EXPECT_EQ(ShapeOfResult(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [...]}
    %1 "relu" = Relu(%0)
    %2 "y" = Result(%1)
  })"),
            "[...]");
}

TEST(NameDimensionsTest, InputsDoNotShareNames) {
  EXPECT_EQ(ShapeOfResult(R"(model "" {
    %0 "a" = Parameter() {element_type = f32, shape = [?, 4]}
    %1 "b" = Parameter() {element_type = f32, shape = [?, 4]}
    %2 "both" = Concat(%0, %1) {axis = 1}
    %3 "first" = Relu(%0)
    %4 "y" = Result(%3)
  })"),
            "[a_0,4]");
}

}  // namespace
}  // namespace burin::cpu
