#include "snippets/decompose/broadcast_attribute.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "ir/attributes.h"
#include "ir/model.h"
#include "ir/ops/divide.h"
#include "ir/ops/family/broadcast_rule.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

// A model whose node "f" is that operation of x [2,3] and y [2].
std::unique_ptr<ir::Model> ModelOf(const std::string& operation) {
  absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(
      absl::StrCat("model \"\" {\n%0 \"x\" = Parameter() {shape = [2,3]}\n%1 \"y\" = Parameter() {shape = [2]}\n",
                   "%2 \"f\" = ", operation, "\n%3 = Result(%2)\n}"));
  EXPECT_OK(model);
  return *std::move(model);
}

const ir::Node& Function(const ir::Model& model) { return model.node(model.FindNode("f")); }

TEST(BroadcastAttributeTest, IsFoundWhereverItStands) {
  for (const char* op : {"Add(%0, %1)", "Divide(%0, %1)", "FakeQuantize(%0, %1, %1, %1, %1)"}) {
    const auto model = ModelOf(absl::StrCat(op, " {auto_broadcast = pdpd, axis = 0}"));
    EXPECT_EQ(BroadcastRuleOf(Function(*model)).mode, ir::AutoBroadcast::kPdpd) << op;
    EXPECT_EQ(BroadcastRuleOf(Function(*model)).axis, 0) << op;
  }
  EXPECT_EQ(BroadcastRuleOf(Function(*ModelOf("Relu(%0)"))).mode, ir::AutoBroadcast::kNumpy);
}

TEST(BroadcastAttributeTest, IsReplacedAlone) {
  const auto model = ModelOf("Divide(%0, %1) {m_pythondiv = false, auto_broadcast = pdpd, axis = 0}");
  const std::unique_ptr<ir::Attributes> attributes = WithNumpyRule(Function(*model));
  const auto* const divide = ir::AttributesAs<ir::DivideAttributes>(*attributes);
  ASSERT_NE(divide, nullptr);
  EXPECT_FALSE(divide->m_pythondiv);
  EXPECT_EQ(divide->broadcast.mode, ir::AutoBroadcast::kNumpy);
  EXPECT_EQ(divide->broadcast.axis, -1);
  EXPECT_EQ(WithNumpyRule(Function(*ModelOf("Relu(%0)")))->TypeTag(), ir::NoAttributes().TypeTag());
}

}  // namespace
}  // namespace burin::snippets
