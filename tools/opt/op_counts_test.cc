#include "tools/opt/op_counts.h"

#include <memory>

#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"

namespace burin::opt {
namespace {

TEST(OpCountsTest, CountsBodiesToo) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(R"(model "" {
    %0 "c" = Parameter() {element_type = boolean, shape = []}
    %1 "x" = Parameter() {shape = [2]}
    %2 "if" = If(%0, %1) {then_inputs = [1], else_inputs = [1], then_outputs = [0], else_outputs = [0]}
    model "then" {
      %0 "a" = Parameter() {shape = [2]}
      %1 "abs" = Abs(%0)
      %2 "r" = Result(%1)
    }
    model "else" {
      %0 "a" = Parameter() {shape = [2]}
      %1 "r" = Result(%0)
    }
    %3 "out" = Result(%2)
  })"));
  const OpCounts counts = CountOps(*model);
  EXPECT_EQ(counts.total, 9);
  EXPECT_EQ(counts.by_op.at("Parameter"), 4);
  EXPECT_EQ(counts.by_op.at("Result"), 3);
  EXPECT_EQ(counts.by_op.at("Abs"), 1);
}

TEST(OpCountsTest, TellsChangesLargestFirst) {
  const OpCounts before{{{"Add", 3}, {"Relu", 9}, {"MatMul", 1}}, 13};
  const OpCounts after{{{"Add", 4}, {"Relu", 2}, {"MatMul", 1}}, 7};
  EXPECT_EQ(DescribeChanges(before, after),
            "nodes: 13 -> 7\n"
            "       9 ->      2  Relu\n"
            "       3 ->      4  Add\n");
  EXPECT_EQ(SummarizeChanges(before, after, 5), "Relu -7, Add +1");
  EXPECT_EQ(SummarizeChanges(before, after, 1), "Relu -7, ...");
  EXPECT_EQ(SummarizeChanges(before, before, 5), "none");
}

}  // namespace
}  // namespace burin::opt
