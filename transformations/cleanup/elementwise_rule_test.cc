#include "transformations/cleanup/elementwise_rule.h"

#include <gtest/gtest.h>

#include <memory>

#include "ir/model.h"
#include "ir/ops/family/broadcast_rule.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"

namespace burin::transformations {
namespace {

TEST(ElementwiseRuleTest, TellsTheRuleOfThoseThatStretchAlike) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(R"(model "" {
  %0 "x" = Parameter() {shape = [2,3]}
  %1 "add" = Add(%0, %0) {auto_broadcast = none}
  %2 "divide" = Divide(%0, %1)
  %3 "less" = Less(%0, %1)
  %4 "select" = Select(%3, %0, %2) {auto_broadcast = pdpd}
  %5 "prelu" = PRelu(%0, %2)
  %6 "quantize" = FakeQuantize(%0, %0, %1, %0, %1) {levels = 4}
  %7 "relu" = Relu(%0)
})"));
  const auto rule_of = [&model](const char* name) { return BroadcastRuleOf(model->node(model->FindNode(name))); };
  ASSERT_NE(rule_of("add"), nullptr);
  EXPECT_EQ(rule_of("add")->mode, ir::AutoBroadcast::kNone);
  ASSERT_NE(rule_of("divide"), nullptr);
  EXPECT_EQ(rule_of("divide")->mode, ir::AutoBroadcast::kNumpy);
  ASSERT_NE(rule_of("select"), nullptr);
  EXPECT_EQ(rule_of("select")->mode, ir::AutoBroadcast::kPdpd);
  EXPECT_EQ(rule_of("prelu"), nullptr);
  EXPECT_EQ(rule_of("quantize"), nullptr);
  EXPECT_EQ(rule_of("relu"), nullptr);
}

}  // namespace
}  // namespace burin::transformations
