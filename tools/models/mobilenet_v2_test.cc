#include "tools/models/mobilenet_v2.h"

#include <gtest/gtest.h>

#include <memory>

#include "ir/model.h"
#include "testing/gtest/status_matchers.h"
#include "tools/models/builtin.h"
#include "tools/models/network_testlib.h"

namespace burin::models {
namespace {

constexpr char kSmall[] = "mobilenet_v2(batch=2,image=32,width=0.1,classes=7)";

TEST(MobilenetV2Test, IsSane) { ExpectSaneModel(kSmall); }

TEST(MobilenetV2Test, OnnxComputesTheSame) { ExpectOnnxComputesTheSame(kSmall); }

TEST(MobilenetV2Test, BatchCanBeDynamic) { ExpectBatchCanBeDynamic(kSmall); }

// The published number, less the scales of the folded batch normalisations, whose shifts are the biases.
TEST(MobilenetV2Test, FullSizeHasThePublishedNumberOfWeights) {
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<ir::Model> model, BuildBuiltinModel("mobilenet_v2"));
  EXPECT_EQ(WeightCount(*model), 3504872 - 17056);
}

TEST(MobilenetV2Test, WidthRoundsToMultiplesOfEight) {
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<ir::Model> half, BuildBuiltinModel("mobilenet_v2(image=32,width=0.5)"));
  EXPECT_EQ(WeightCount(*half), 1968680 - 9272);
}

}  // namespace
}  // namespace burin::models
