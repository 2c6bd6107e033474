#include "tools/models/vit_b16.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "ir/model.h"
#include "testing/gtest/status_matchers.h"
#include "tools/models/builtin.h"
#include "tools/models/network_testlib.h"

namespace burin::models {
namespace {

using ::testing::HasSubstr;

constexpr char kSmall[] = "vit_b16(batch=2,image=8,patch=4,layers=2,hidden=24,heads=3,intermediate=32,classes=7)";

TEST(VitB16Test, IsSane) { ExpectSaneModel(kSmall); }

TEST(VitB16Test, OnnxComputesTheSame) { ExpectOnnxComputesTheSame(kSmall); }

TEST(VitB16Test, BatchCanBeDynamic) { ExpectBatchCanBeDynamic(kSmall); }

// The published number, less eleven of the twelve layers.
TEST(VitB16Test, FullWidthHasThePublishedNumberOfWeights) {
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<ir::Model> model, BuildBuiltinModel("vit_b16(layers=1)"));
  EXPECT_EQ(WeightCount(*model), 86567656 - 11 * 7087872);
}

TEST(VitB16Test, ParametersThatDoNotFitAreRefused) {
  EXPECT_THAT(BuildBuiltinModel("vit_b16(heads=7)"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("heads=7")));
  EXPECT_THAT(BuildBuiltinModel("vit_b16(image=100)"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("image=100")));
}

}  // namespace
}  // namespace burin::models
