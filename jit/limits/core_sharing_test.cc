#include "jit/limits/core_sharing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

using ::testing::HasSubstr;

CoreSharing Of(double alone, double together) { return {{0, 3}, {alone, alone}, {together, together}}; }

TEST(CoreSharingTest, TellsOneCoreFromTwo) {
  EXPECT_TRUE(Of(4, 2).shared());
  EXPECT_DOUBLE_EQ(Of(4, 2).Ratio(), 0.5);
  EXPECT_TRUE(Of(4, 2.5).shared());
  EXPECT_FALSE(Of(4, 3.5).shared());
  EXPECT_FALSE(Of(4, 4).shared());
  EXPECT_EQ(CoreSharing().Ratio(), 0);
}

TEST(CoreSharingTest, Prints) {
  EXPECT_EQ(Of(4, 2).ToString(),
            "processors 0 and 3 share a core: together 0.50 of what they do alone (2.00 + 2.00 against 4.00 + 4.00 "
            "FMA/ns)");
  EXPECT_THAT(Of(4, 4).ToString(), HasSubstr("have a core each"));
}

TEST(CoreSharingTest, MeasuresTwoProcessors) {
  const std::vector<int> cpus = UsableCpus();
  if (cpus.size() < 2) GTEST_SKIP() << "only one processor may be used";
  ASSERT_OK_AND_ASSIGN(const Target host, Target::Host());
  ASSERT_OK_AND_ASSIGN(const CoreSharing sharing, MeasureCoreSharing(host.isa(), cpus[0], cpus[1], /*rounds=*/1));
  EXPECT_EQ(sharing.cpus[1], cpus[1]);
  EXPECT_GT(sharing.alone[0], 0);
  EXPECT_GT(sharing.alone[1], 0);
  EXPECT_GT(sharing.Ratio(), 0);
}

TEST(CoreSharingTest, RefusesProcessorsThatMayNotBeUsed) {
  const IsaSet isa = IsaSet::From(IsaLevel::kAvx2);
  const std::vector<int> cpus = UsableCpus();
  ASSERT_FALSE(cpus.empty());
  EXPECT_THAT(MeasureCoreSharing(isa, cpus[0], cpus[0]), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(MeasureCoreSharing(isa, cpus[0], 5000),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("processor: 5000")));
  EXPECT_THAT(MeasureCoreSharing(isa, -1, cpus[0]), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin::jit
