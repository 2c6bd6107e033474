#include "tools/check/widened.h"

#include <memory>
#include <vector>

#include "gtest/gtest.h"
#include "ir/evaluator.h"
#include "ir/model.h"
#include "ir/ops/op_testlib.h"
#include "ir/structural.h"
#include "ir/tensor.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"

namespace burin::check {
namespace {

std::vector<double> Output(const ir::Model& model, const std::vector<ir::Tensor>& inputs) {
  return ir::Doubles(ir::Evaluator::Create(model).value().Run(inputs).value()[0]);
}

TEST(WidenedTest, RoundsTheOutputAlone) {
  // 2048 + 1 is no f16: rounded after each sum it stays 2048.
  const std::unique_ptr<ir::Model> model = ir::ParseModel(R"(model "" {
    %0 "x" = Parameter() {element_type = f16, shape = [1]}
    %1 "one" = Constant() {value = f16[1]{1}}
    %2 "a" = Add(%0, %1)
    %3 "b" = Add(%2, %1)
    %4 "y" = Result(%3)
  })")
                                               .value();
  const std::vector<ir::Tensor> input = {ir::F16({1}, {2048})};
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> widened, Widened(*model));
  EXPECT_EQ(Output(*model, input), std::vector<double>({2048}));
  EXPECT_EQ(Output(*widened, input), std::vector<double>({2050}));
}

TEST(WidenedTest, AModelOfFloatsStaysAsItIs) {
  const std::unique_ptr<ir::Model> model = ir::ParseModel(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [?]}
    %1 "y" = Relu(%0)
    %2 = Result(%1)
  })")
                                               .value();
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> widened, Widened(*model));
  EXPECT_OK(ir::CompareStructure(*model, *widened));
}

}  // namespace
}  // namespace burin::check
