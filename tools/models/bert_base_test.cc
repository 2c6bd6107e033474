#include "tools/models/bert_base.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "ir/evaluator.h"
#include "ir/model.h"
#include "ir/tensor.h"
#include "runtime/dev/compiled_model.h"
#include "testing/gtest/status_matchers.h"
#include "tools/check/data_set.h"
#include "tools/models/builtin.h"
#include "tools/models/network_testlib.h"

namespace burin::models {
namespace {

using ::testing::HasSubstr;

constexpr char kSmall[] =
    "bert_base(batch=2,sequence=5,layers=2,hidden=24,heads=3,intermediate=32,vocabulary=50,positions=8)";

TEST(BertBaseTest, IsSane) { ExpectSaneModel(kSmall); }

TEST(BertBaseTest, OnnxComputesTheSame) { ExpectOnnxComputesTheSame(kSmall); }

TEST(BertBaseTest, BatchCanBeDynamic) { ExpectBatchCanBeDynamic(kSmall); }

// The published number, less eleven of the twelve layers.
TEST(BertBaseTest, FullWidthHasThePublishedNumberOfWeights) {
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<ir::Model> model, BuildBuiltinModel("bert_base(layers=1)"));
  EXPECT_EQ(WeightCount(*model), 109482240 - 11 * 7087872);
}

TEST(BertBaseTest, ParametersThatDoNotFitAreRefused) {
  EXPECT_THAT(BuildBuiltinModel("bert_base(heads=7)"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("heads=7")));
  EXPECT_THAT(BuildBuiltinModel("bert_base(sequence=513)"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("positions=512")));
}

// A masked token has no influence on the others.
TEST(BertBaseTest, MaskHidesTokens) {
  ASSERT_OK_AND_ASSIGN(
      std::unique_ptr<ir::Model> model,
      BuildBuiltinModel("bert_base(sequence=3,layers=1,hidden=8,heads=2,intermediate=8,vocabulary=9)"));
  ASSERT_OK_AND_ASSIGN(check::DataSet data, check::MakeDataSet(InputPorts(*model), 1));
  ASSERT_OK_AND_ASSIGN(ir::Evaluator evaluator, ir::Evaluator::Create(*model));
  int64_t* ids = data.inputs[0].mutable_data_as<int64_t>();
  int64_t* mask = data.inputs[1].mutable_data_as<int64_t>();
  const auto pooled = [&] {
    absl::StatusOr<std::vector<ir::Tensor>> outputs = evaluator.Run(data.inputs);
    EXPECT_OK(outputs);
    return outputs->back();
  };
  mask[0] = mask[1] = mask[2] = 1;
  const ir::Tensor before = pooled();
  ids[2] = 8;
  EXPECT_FALSE(ir::BitwiseEqual(pooled(), before));
  mask[2] = 0;
  const ir::Tensor masked = pooled();
  ids[2] = 3;
  EXPECT_TRUE(ir::BitwiseEqual(pooled(), masked));
}

}  // namespace
}  // namespace burin::models
