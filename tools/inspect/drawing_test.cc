#include "tools/inspect/drawing.h"

#include <string>

#include "base/element_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"
#include "pugixml.hpp"
#include "testing/gtest/status_matchers.h"

namespace burin::inspect {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

ir::Model Toy() {
  ir::Model model("<toy> & \"co\"");
  ir::Value x = model.AddParameter("x\"1", ElementType::kF32, ir::PartialShape({3})).value();
  ir::Value w = model.AddConstant(ir::Tensor::CreateZeroed(ElementType::kF32, {3}).value(), "w").value();
  ir::Value a = model.Add(ir::AddOp(), {x, w}, nullptr, "a<b>").value();
  ir::Value b = model.Add(ir::MultiplyOp(), {a, x}, nullptr, "m").value();
  EXPECT_OK(model.AddResult(b, "y").status());
  return model;
}

TEST(DrawingTest, DotHasABoxPerOperationAndALinePerValue) {
  ASSERT_OK_AND_ASSIGN(std::string dot, DrawDot(Toy()));
  EXPECT_THAT(dot, HasSubstr("n0 [label=\"Parameter\\nx\\\"1\"]"));
  EXPECT_THAT(dot, HasSubstr("n1 [label=\"Add [3]\\na<b>\"]"));
  EXPECT_THAT(dot, HasSubstr("n0 -> n1 [label=\"f32[3]\"]"));
  EXPECT_THAT(dot, HasSubstr("n0 -> n2"));
  EXPECT_THAT(dot, HasSubstr("n1 -> n2"));
  EXPECT_THAT(dot, Not(HasSubstr("Constant")));
}

TEST(DrawingTest, SvgIsWellFormedWhateverTheNames) {
  ASSERT_OK_AND_ASSIGN(std::string svg, DrawSvg(Toy()));
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(svg.c_str()));
  int paths = 0;
  for (pugi::xml_node path : document.child("svg").children("path")) paths += path.child("title") ? 1 : 0;
  EXPECT_EQ(paths, 4);  // x to Add and Multiply, Add to Multiply, Multiply to the result.
  EXPECT_THAT(svg, HasSubstr("a&lt;b&gt;"));
}

TEST(DrawingTest, AnEmptyModelIsAPictureToo) {
  const ir::Model model("empty");
  EXPECT_THAT(DrawSvg(model).value(), HasSubstr("</svg>"));
  EXPECT_THAT(DrawDot(model).value(), HasSubstr("digraph \"empty\""));
}

}  // namespace
}  // namespace burin::inspect
