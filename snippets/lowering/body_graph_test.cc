#include "snippets/lowering/body_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ir/model.h"
#include "ir/partial_shape.h"
#include "ir/text.h"
#include "snippets/linear/linear_ir.h"
#include "snippets/lowering/memory_view.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

absl::StatusOr<BodyGraph> GraphOf(absl::string_view text) {
  const absl::StatusOr<std::unique_ptr<ir::Model>> body = ir::ParseModel(text);
  if (!body.ok()) return body.status();
  return BodyGraph::Create(**body);
}

// Returns the nodes of a kind.
std::vector<const BodyNode*> Nodes(const BodyGraph& graph, BodyNode::Kind kind) {
  std::vector<const BodyNode*> nodes;
  for (const BodyNode& node : graph.nodes) {
    if (node.kind == kind) nodes.push_back(&node);
  }
  return nodes;
}

TEST(BodyGraphTest, MakesOneAxisOfDimensionsThatNothingTellsApart) {
  ASSERT_OK_AND_ASSIGN(const BodyGraph graph, GraphOf(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [2,3,5]}
    %1 "y" = Parameter() {element_type = f32, shape = [3,5]}
    %2 = Add(%0, %1)
    %3 "out" = Result(%2)
  })"));
  EXPECT_THAT(graph.extents, ElementsAre(2, 15));
  const std::vector<const BodyNode*> loads = Nodes(graph, BodyNode::Kind::kLoad);
  ASSERT_EQ(loads.size(), 2u);
  EXPECT_THAT(loads[0]->strides, ElementsAre(60, 4));
  EXPECT_THAT(loads[1]->strides, ElementsAre(0, 4));
  EXPECT_EQ(loads[1]->axes, AxisBit(1));
}

TEST(BodyGraphTest, TransposesOnlyRenameDimensions) {
  ASSERT_OK_AND_ASSIGN(const BodyGraph graph, GraphOf(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [4,6]}
    %1 "y" = Parameter() {element_type = f32, shape = [6,4]}
    %2 = Constant() {value = i64[2]{1, 0}}
    %3 = Transpose(%1, %2)
    %4 = Multiply(%0, %3)
    %5 "out" = Result(%4)
  })"));
  EXPECT_THAT(graph.extents, ElementsAre(4, 6));
  const std::vector<const BodyNode*> loads = Nodes(graph, BodyNode::Kind::kLoad);
  ASSERT_EQ(loads.size(), 2u);
  EXPECT_THAT(loads[0]->strides, ElementsAre(24, 4));
  EXPECT_THAT(loads[1]->strides, ElementsAre(4, 16));
}

TEST(BodyGraphTest, ReductionsEndAxes) {
  ASSERT_OK_AND_ASSIGN(const BodyGraph graph, GraphOf(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [4,6]}
    %1 = Constant() {value = i64[1]{-1}}
    %2 = ReduceSum(%0, %1) {keep_dims = true}
    %3 = Divide(%0, %2)
    %4 "out" = Result(%3)
  })"));
  const std::vector<const BodyNode*> sums = Nodes(graph, BodyNode::Kind::kReduce);
  ASSERT_EQ(sums.size(), 1u);
  EXPECT_EQ(sums[0]->reduced, AxisBit(1));
  EXPECT_EQ(sums[0]->axes, AxisBit(0));
  // Both readers of x see the same elements.
  EXPECT_EQ(Nodes(graph, BodyNode::Kind::kLoad).size(), 1u);
}

TEST(BodyGraphTest, ReadsAMatrixAndItsTransposeAlongDifferentAxes) {
  ASSERT_OK_AND_ASSIGN(const BodyGraph graph, GraphOf(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [4,4]}
    %1 = Constant() {value = i64[2]{1, 0}}
    %2 = Transpose(%0, %1)
    %3 = Add(%0, %2)
    %4 "out" = Result(%3)
  })"));
  const std::vector<const BodyNode*> loads = Nodes(graph, BodyNode::Kind::kLoad);
  ASSERT_EQ(loads.size(), 2u);
  EXPECT_THAT(loads[0]->strides, ElementsAre(16, 4));
  EXPECT_THAT(loads[1]->strides, ElementsAre(4, 16));
}

TEST(BodyGraphTest, ReshapesOfMemoryAreViews) {
  ASSERT_OK_AND_ASSIGN(const BodyGraph graph, GraphOf(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [4,6]}
    %1 = Constant() {value = i64[3]{4, 3, 2}}
    %2 = Reshape(%0, %1) {special_zero = false}
    %3 = Constant() {value = i64[1]{1}}
    %4 = ReduceMax(%2, %3) {keep_dims = true}
    %5 = Subtract(%2, %4)
    %6 = Constant() {value = i64[1]{24}}
    %7 = Reshape(%5, %6) {special_zero = false}
    %8 "out" = Result(%7)
  })"));
  EXPECT_THAT(graph.extents, ElementsAre(4, 3, 2));
}

TEST(BodyGraphTest, RefusesWhatIsNotPrimitive) {
  EXPECT_THAT(GraphOf(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [4,6]}
    %1 "s" = Softmax(%0) {axis = 1}
    %2 "out" = Result(%1)
  })")
                  .status(),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("Softmax \"s\"")));
}

TEST(BodyGraphTest, RefusesValuesThatWouldVaryTwiceAlongAnAxis) {
  EXPECT_THAT(GraphOf(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [4,4]}
    %1 = Exp(%0)
    %2 = Constant() {value = i64[2]{1, 0}}
    %3 = Transpose(%1, %2)
    %4 = Add(%1, %3)
    %5 "out" = Result(%4)
  })")
                  .status(),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("twice along one axis")));
}

TEST(BodyGraphTest, RefusesShapesThatAreNotStatic) {
  EXPECT_THAT(GraphOf(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [?,4]}
    %1 = Exp(%0)
    %2 "out" = Result(%1)
  })")
                  .status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("not all static")));
}

TEST(BodyGraphTest, RefusesTypesWithoutLanes) {
  EXPECT_THAT(GraphOf(R"(model "" {
    %0 "x" = Parameter() {element_type = u64, shape = [4]}
    %1 = Exp(%0)
    %2 "out" = Result(%1)
  })")
                  .status(),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("u64")));
}

// Returns a body that stores the exponentials of `count` inputs of six dimensions that have nothing to do with each
// other.
std::string Unrelated(int count) {
  std::string text = "model \"\" {\n";
  for (int i = 0; i < count; ++i) {
    absl::StrAppend(&text, "%", 3 * i, " = Parameter() {element_type = f32, shape = [2,3,4,5,6,7]}\n%", 3 * i + 1,
                    " = Exp(%", 3 * i, ")\n%", 3 * i + 2, " = Result(%", 3 * i + 1, ")\n");
  }
  return text + "}";
}

TEST(BodyGraphTest, CountsAxesBeforeTheyAreMerged) {
  ASSERT_OK_AND_ASSIGN(const BodyGraph graph, GraphOf(Unrelated(10)));
  EXPECT_EQ(graph.extents.size(), 10u);
  EXPECT_THAT(GraphOf(Unrelated(11)).status(),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("More axes than a kernel has: 66")));
}

// What is made of a body with dynamic shapes is the same for all sizes.
TEST(BodyGraphTest, OnlyNumbersDependOnSizes) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> declared, ir::ParseModel(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [n,?,8]}
    %1 "y" = Parameter() {element_type = f32, shape = [n,1,8]}
    %2 = Add(%0, %1)
    %3 "out" = Result(%2)
  })"));
  for (const int64_t n : {1, 3}) {
    const std::unique_ptr<ir::Model> sized = declared->Clone();
    ASSERT_OK(sized->Reshape({{0, ir::PartialShape({n, 5, 8})}, {1, ir::PartialShape({n, 1, 8})}}));
    ASSERT_OK_AND_ASSIGN(const BodyGraph graph, BodyGraph::Create(SizedBody{*declared, *sized}));
    EXPECT_THAT(graph.extents, ElementsAre(n, 5, 8));
    EXPECT_THAT(graph.declared_extents, ElementsAre(BodyGraph::kUndeclared, BodyGraph::kUndeclared, 8));
  }
}

}  // namespace
}  // namespace burin::snippets
