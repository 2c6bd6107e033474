#include "tools/models/resnet50.h"

#include <gtest/gtest.h>

#include <memory>

#include "ir/model.h"
#include "testing/gtest/status_matchers.h"
#include "tools/models/builtin.h"
#include "tools/models/network_testlib.h"

namespace burin::models {
namespace {

constexpr char kSmall[] = "resnet50(image=32,width=0.07,classes=7)";

TEST(Resnet50Test, IsSane) { ExpectSaneModel(kSmall); }

TEST(Resnet50Test, OnnxComputesTheSame) { ExpectOnnxComputesTheSame(kSmall); }

TEST(Resnet50Test, BatchCanBeDynamic) { ExpectBatchCanBeDynamic(kSmall); }

// The published number, less the scales of the folded batch normalisations, whose shifts are the biases.
TEST(Resnet50Test, FullSizeHasThePublishedNumberOfWeights) {
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<ir::Model> model, BuildBuiltinModel("resnet50"));
  EXPECT_EQ(WeightCount(*model), 25557032 - 26560);
}

}  // namespace
}  // namespace burin::models
