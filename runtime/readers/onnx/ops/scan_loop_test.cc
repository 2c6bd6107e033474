#include "runtime/readers/onnx/ops/scan_loop.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "ir/infer_context.h"
#include "ir/ops/op_testlib.h"
#include "ir/partial_shape.h"
#include "runtime/readers/onnx/message/read_budget.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ::testing::HasSubstr;

class ScanLoopTest : public ::testing::Test {
 protected:
  ScanLoopTest() : budget_(1 << 20), builder_(&model_, &budget_, "scan", "scan") {
    x_ = *model_.AddParameter("x", ElementType::kF32, ir::PartialShape({4, 3}));
  }

  ir::Model model_;
  ReadBudget budget_;
  GraphBuilder builder_;
  ir::Value x_;
};

TEST_F(ScanLoopTest, AnElementHasAllAxesButOne) {
  EXPECT_EQ(InfoOfElement(builder_, {x_, 0}).shape, ir::PartialShape({3}));
  EXPECT_EQ(InfoOfElement(builder_, {x_, -1}).shape, ir::PartialShape({4}));
  ASSERT_OK(builder_.status());
  InfoOfElement(builder_, {x_, 2});
  EXPECT_FALSE(builder_.ok());
}

TEST_F(ScanLoopTest, OutputsHaveTheAxisAgain) {
  ScanBody body(builder_);
  const ScanInput input{x_, 0};
  const ir::Value element = body.Parameter(InfoOfElement(builder_, input));
  body.Result(body.graph().Plus(element, element));
  ScanPorts ports;
  ports.inputs = {input};
  ports.outputs = {{1, false}};
  const std::vector<ir::Value> outputs = AddScan(builder_, body.Take(), ports);
  ASSERT_OK(builder_.status());
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_EQ(builder_.ShapeOf(outputs[0]), ir::PartialShape({3, 4}));
}

TEST_F(ScanLoopTest, RefusesABodyOfOtherPorts) {
  ScanBody body(builder_);
  ScanPorts ports;
  ports.inputs = {{x_, 0}};
  AddScan(builder_, body.Take(), ports);
  EXPECT_THAT(builder_.status(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("other inputs or outputs")));
}

TEST_F(ScanLoopTest, ErrorsOfTheBodyAreToldOutside) {
  ScanBody body(builder_);
  body.graph().Fail(absl::InvalidArgumentError("within"));
  ScanPorts ports;
  ports.inputs = {{x_, 0}};
  AddScan(builder_, body.Take(), ports);
  EXPECT_THAT(builder_.status(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("within")));
}

}  // namespace
}  // namespace burin::onnx
