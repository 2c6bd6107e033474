#include "runtime/plugins/cpu/nodes/reshape_node.h"

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/nodes/node_runner_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

TEST(ReshapeNodeTest, ItsOutputIsItsInput) {
  ExpectNode(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [2, 6]}
    %1 "shape" = Constant() {value = i64[2]{3, 4}}
    %2 "r" = Reshape(%0, %1)
    %3 "y" = Result(%2)
  })",
             "Reshape");
}

TEST(ReshapeNodeTest, ThereIsNothingToRun) {
  EXPECT_THAT(ReshapeNode().CreatePrimitive({}, HostContext(1)).status(), StatusIs(absl::StatusCode::kInternal));
}

}  // namespace
}  // namespace burin::cpu
