#include "transformations/cleanup/node_copy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "ir/attributes.h"
#include "ir/model.h"
#include "ir/ops/op_code.h"
#include "ir/ops/softmax.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"

namespace burin::transformations {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

TEST(NodeCopyTest, KeepsWhatTheNodeIsOnOtherInputs) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(R"(model "" {
  %0 "x" = Parameter() {shape = [2,3]}
  %1 "y" = Parameter() {shape = [4,5]}
  %2 "s" = Softmax(%0) {axis = 0} names("t") from("A", "B") info("key" = "value")
  %3 "out" = Result(%2)
})"));
  const ir::Value y{model->FindNode("y"), 0};
  const ir::NodeSpec copy = CopyOf(model->node(model->FindNode("s")), {y});
  EXPECT_EQ(copy.op->code, ir::OpCode::kSoftmax);
  EXPECT_EQ(ir::AttributesAs<ir::SoftmaxAttributes>(*copy.attributes)->axis, 0);
  EXPECT_THAT(copy.inputs, ElementsAre(y));
  EXPECT_THAT(copy.original_names, ElementsAre("A", "B"));
  EXPECT_THAT(copy.runtime_info, ElementsAre(Pair("key", "value")));
  EXPECT_TRUE(copy.name.empty());
  EXPECT_TRUE(copy.output_names.empty());
}

}  // namespace
}  // namespace burin::transformations
