#include "snippets/decompose/moments.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "ir/evaluator.h"
#include "ir/model.h"
#include "ir/ops/op_testlib.h"
#include "ir/rewrite.h"
#include "ir/tensor.h"
#include "ir/text.h"
#include "snippets/decompose/formula.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

TEST(MomentsTest, MeanAndVarianceOverAxes) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(R"(model "" {
  %0 "x" = Parameter() {shape = [?,?]}
  %1 "centred" = Relu(%0)
  %2 "variance" = Relu(%0)
  %3 = Result(%1)
  %4 = Result(%2)
})"));
  {
    Formula f(*model, model->node(model->FindNode("centred")));
    ASSERT_OK(std::move(f).ReplaceWith(Centred(f, f.Input(0), {1})).Apply(model.get()));
  }
  {
    Formula f(*model, model->node(model->FindNode("variance")));
    ASSERT_OK(std::move(f).ReplaceWith(Variance(f, Centred(f, f.Input(0), {1}), {1})).Apply(model.get()));
  }
  ASSERT_OK_AND_ASSIGN(const ir::Evaluator evaluator, ir::Evaluator::Create(*model));
  ASSERT_OK_AND_ASSIGN(const std::vector<ir::Tensor> results,
                       evaluator.Run({ir::F32({2, 4}, {1, 3, 5, 7, 10000, 10002, 10002, 10004})}));
  ir::ExpectTensorEq(results[0], ir::F32({2, 4}, {-3, -1, 1, 3, -2, 0, 0, 2}));
  ir::ExpectTensorEq(results[1], ir::F32({2, 1}, {5, 2}));
}

}  // namespace
}  // namespace burin::snippets
