#include "ir/ops/assign.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "ir/evaluate_op.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;

class Store final : public VariableStore {
 public:
  const Tensor* Find(absl::string_view id) const override {
    const auto it = values_.find(std::string(id));
    return it == values_.end() ? nullptr : &it->second;
  }
  void Assign(absl::string_view id, Tensor value) override { values_[std::string(id)] = std::move(value); }

 private:
  std::map<std::string, Tensor> values_;
};

AssignAttributes Make(std::string id) {
  AssignAttributes attributes;
  attributes.variable_id = std::move(id);
  return attributes;
}

TEST(AssignTest, InfersWhatItsInputIs) {
  const PartialShape shape{Dimension::Symbol("n"), 4};
  ASSERT_OK_AND_ASSIGN(const ValueInfo info, InferOne(AssignOp(), Make("v"), {Known(ElementType::kF16, shape)}));
  EXPECT_EQ(info.type, ElementType::kF16);
  EXPECT_EQ(info.shape, shape);
}

TEST(AssignTest, StoresACopy) {
  Store store;
  HeapScratchAllocator scratch;
  ReferenceContext::Environment environment;
  environment.scratch = &scratch;
  environment.variables = &store;
  const Tensor input = F32({2}, {1, 2});
  const std::vector<Tensor> inputs = {input};
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> outputs, EvaluateOp(AssignOp(), Make("v"), inputs, environment));
  ExpectTensorEq(outputs[0], input);
  ASSERT_NE(store.Find("v"), nullptr);
  ExpectTensorEq(*store.Find("v"), input);
  EXPECT_NE(store.Find("v")->data(), input.data());
}

TEST(AssignTest, NeedsAStore) {
  EXPECT_THAT(Evaluate(AssignOp(), Make("v"), {F32({1}, {1})}), StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST(AssignTest, Assign_c1_RefusesAnEmptyId) {
  EXPECT_THAT(InferOne(AssignOp(), Make(""), {Known(ElementType::kF32, {1})}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Assign_c1")));
}

}  // namespace
}  // namespace burin::ir
