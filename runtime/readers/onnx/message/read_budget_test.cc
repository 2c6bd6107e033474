#include "runtime/readers/onnx/message/read_budget.h"

#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

constexpr uint64_t kFree = uint64_t{64} << 20;

TEST(ReadBudgetTest, GrantsTwiceTheFileAndSome) {
  ReadBudget budget(1000);
  EXPECT_EQ(budget.remaining_bytes(), kFree + 2000);
  EXPECT_OK(budget.Charge(kFree));
  EXPECT_OK(budget.Charge(2000));
  EXPECT_THAT(budget.Charge(1), StatusIs(absl::StatusCode::kResourceExhausted));
  budget.AddFile(10);
  EXPECT_OK(budget.Charge(20));
}

TEST(ReadBudgetTest, RefusalTakesNothing) {
  ReadBudget budget(0);
  EXPECT_THAT(budget.Charge(UINT64_MAX), StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_OK(budget.Charge(kFree));
}

}  // namespace
}  // namespace burin::onnx
