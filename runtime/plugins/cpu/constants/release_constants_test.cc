#include "runtime/plugins/cpu/constants/release_constants.h"

#include <cstdint>
#include <memory>
#include <vector>

#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "ir/verifier.h"
#include "runtime/plugins/cpu/mlp_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

// Returns a model that adds constants of 4,096 and 4,092 bytes to one another by broadcast.
std::unique_ptr<ir::Model> Sums() {
  auto model = std::make_unique<ir::Model>("sums");
  const ir::Value large = *model->AddConstant(Varied({1024, 1}), "large");
  const ir::Value small = *model->AddConstant(Varied({1, 1023}), "small");
  const ir::Value sum = *model->Add(ir::AddOp(), {large, small}, nullptr, "sum");
  model->AddResult(sum, "y").value();
  return model;
}

const ir::Tensor& ConstantOf(const ir::Model& model, const char* name) {
  return model.info({model.FindNode(name), 0}).constant;
}

TEST(ReleaseConstantsTest, LargeOnesGoAndTheModelStaysWhole) {
  const std::unique_ptr<ir::Model> model = Sums();
  const auto storage = ConstantOf(*model, "large").storage();
  const auto kept = ConstantOf(*model, "small").storage();
  ASSERT_OK(ReleaseConstants(model.get()));
  EXPECT_EQ(storage.use_count(), 1) << "somebody holds the content";
  EXPECT_EQ(ConstantOf(*model, "small").storage(), kept);
  EXPECT_EQ(ConstantOf(*model, "large").shape(), (ir::Shape{1024, 1}));
  EXPECT_EQ(model->node(model->FindNode("large")).runtime_info().at(kContentReleasedKey), "YES");
  EXPECT_EQ(model->node(model->FindNode("small")).runtime_info().count(kContentReleasedKey), 0U);
  EXPECT_OK(ir::Verify(*model));
}

TEST(ReleaseConstantsTest, AnotherModelKeepsThem) {
  const std::unique_ptr<ir::Model> model = Sums();
  const std::unique_ptr<ir::Model> copy = model->Clone();
  ASSERT_OK(ReleaseConstants(copy.get()));
  ir::ExpectTensorEq(ConstantOf(*model, "large"), Varied({1024, 1}));
}

TEST(ReleaseConstantsTest, IntegersSayWhatOperationsDo) {
  ir::Model model("shape");
  const ir::Value indices = *model.AddConstant(ir::I64({1024}, std::vector<int64_t>(1024, 3)), "indices");
  model.AddResult(indices, "y").value();
  ASSERT_OK(ReleaseConstants(&model));
  EXPECT_EQ(ConstantOf(model, "indices").data_as<int64_t>()[7], 3);
}

}  // namespace
}  // namespace burin::cpu
