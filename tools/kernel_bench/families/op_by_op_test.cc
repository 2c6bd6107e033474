#include "tools/kernel_bench/families/op_by_op.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "ir/model.h"
#include "ir/text.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"

namespace burin::kernel_bench {
namespace {

TEST(OpByOpTest, RunsAKernelForEachOperation) {
  const std::unique_ptr<ir::Model> body = ir::ParseModel(R"(model "" {
    %0 "x" = Parameter() {shape = [2,4]}
    %1 "y" = Parameter() {shape = [4]}
    %2 = Add(%0, %1)
    %3 = Multiply(%2, %2)
    %4 = Softmax(%3) {axis = -1}
    %5 "softmax" = Result(%4)
    %6 "square" = Result(%3)
  })")
                                              .value();
  ASSERT_OK_AND_ASSIGN(const jit::Target target, jit::Target::Host());
  ASSERT_OK_AND_ASSIGN(const OpByOp steps, OpByOp::Create(*body, target));
  EXPECT_EQ(steps.kernels(), 3);
  const std::vector<float> x = {1, 2, 3, 4, 5, 6, 7, 8};
  const std::vector<float> y = {-1, -2, -3, -3};
  std::vector<float> softmax(8);
  std::vector<float> square(8);
  steps.Run({x.data(), y.data()}, {softmax.data(), square.data()});
  EXPECT_EQ(square, (std::vector<float>{0, 0, 0, 1, 16, 16, 16, 25}));
  EXPECT_NEAR(softmax[3], std::exp(1.0) / (3 + std::exp(1.0)), 1e-6);
  EXPECT_NEAR(softmax[0], 1 / (3 + std::exp(1.0)), 1e-6);
}

TEST(OpByOpTest, SaysWhatIsNoKernel) {
  const std::unique_ptr<ir::Model> body = ir::ParseModel(R"(model "" {
    %0 "x" = Parameter() {shape = [4,4]}
    %1 = MatMul(%0, %0)
    %2 "y" = Result(%1)
  })")
                                              .value();
  ASSERT_OK_AND_ASSIGN(const jit::Target target, jit::Target::Host());
  EXPECT_THAT(OpByOp::Create(*body, target).status(), StatusIs(absl::StatusCode::kUnimplemented));
}

}  // namespace
}  // namespace burin::kernel_bench
