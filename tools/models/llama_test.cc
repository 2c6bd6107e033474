#include "tools/models/llama.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
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

constexpr char kStep[] =
    "llama(batch=2,sequence=3,past=4,layers=2,hidden=32,heads=4,kv_heads=2,intermediate=48,vocabulary=40)";
// Without a cache, and with a key for each query head.
constexpr char kPrompt[] =
    "llama(sequence=4,past=0,layers=1,hidden=24,heads=3,kv_heads=3,intermediate=32,vocabulary=40)";

TEST(LlamaTest, IsSane) {
  ExpectSaneModel(kStep);
  ExpectSaneModel(kPrompt);
}

TEST(LlamaTest, OnnxComputesTheSame) {
  ExpectOnnxComputesTheSame(kStep);
  ExpectOnnxComputesTheSame(kPrompt);
}

TEST(LlamaTest, BatchCanBeDynamic) { ExpectBatchCanBeDynamic(kStep); }

// A published model of these sizes has 134515008 weights in 30 layers; the 32 are the rotation's frequencies.
TEST(LlamaTest, FullWidthHasThePublishedNumberOfWeights) {
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<ir::Model> model, BuildBuiltinModel("llama(layers=1)"));
  EXPECT_EQ(WeightCount(*model), 134515008 - 29 * 3540096 + 32);
}

TEST(LlamaTest, ParametersThatDoNotFitAreRefused) {
  EXPECT_THAT(BuildBuiltinModel("llama(heads=7)"), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("heads=7")));
  EXPECT_THAT(BuildBuiltinModel("llama(kv_heads=2)"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("kv_heads=2")));
  EXPECT_THAT(BuildBuiltinModel("llama(hidden=9,heads=9,kv_heads=9)"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("even size")));
}

// Holds a small decoder's inputs by name.
class LlamaAttentionTest : public ::testing::Test {
 protected:
  static constexpr int64_t kVocabulary = 16;

  // Builds a model of one layer for `sequence` new tokens after `past`; no token is padding.
  void Build(int64_t sequence, int64_t past) {
    const std::string text =
        "llama(layers=1,hidden=8,heads=2,kv_heads=1,intermediate=8,vocabulary=" + std::to_string(kVocabulary) +
        ",sequence=" + std::to_string(sequence) + ",past=" + std::to_string(past) + ")";
    ASSERT_OK_AND_ASSIGN(model_, BuildBuiltinModel(text));
    ASSERT_OK_AND_ASSIGN(data_, check::MakeDataSet(InputPorts(*model_), 1));
    for (int64_t i = 0; i < past + sequence; ++i) mask()[i] = 1;
    for (int64_t i = 0; i < sequence; ++i) positions()[i] = past + i;
    for (int64_t i = 0; i < sequence; ++i) ids()[i] = 5 + i;
  }

  std::vector<ir::Tensor> Infer() {
    absl::StatusOr<ir::Evaluator> evaluator = ir::Evaluator::Create(*model_);
    EXPECT_OK(evaluator);
    absl::StatusOr<std::vector<ir::Tensor>> outputs = evaluator->Run(data_.inputs);
    EXPECT_OK(outputs);
    return *std::move(outputs);
  }

  // Returns the logits of one new token.
  std::vector<float> Logits(int64_t token) {
    const ir::Tensor tensor = Infer().front();
    const float* logits = tensor.data_as<float>() + token * kVocabulary;
    return std::vector<float>(logits, logits + kVocabulary);
  }

  int64_t* ids() { return data_.inputs[0].mutable_data_as<int64_t>(); }
  int64_t* mask() { return data_.inputs[1].mutable_data_as<int64_t>(); }
  int64_t* positions() { return data_.inputs[2].mutable_data_as<int64_t>(); }

  std::unique_ptr<ir::Model> model_;
  check::DataSet data_;
};

TEST_F(LlamaAttentionTest, LaterTokensAndPaddingAreNotSeen) {
  Build(2, 2);
  // The first cached token is padding, so the second has position 0.
  mask()[0] = 0;
  positions()[0] = 1;
  positions()[1] = 2;
  float* past_key = data_.inputs[3].mutable_data_as<float>();
  const std::vector<float> before = Logits(0);
  ids()[1] = 7;
  EXPECT_EQ(Logits(0), before) << "a later token is seen";
  past_key[0] += 10;
  EXPECT_EQ(Logits(0), before) << "padding is seen";
  past_key[4] += 10;
  EXPECT_NE(Logits(0), before) << "the cache is not seen";
}

// Reading a prompt at once, and its last token after the rest with the cache of that, is the same.
TEST_F(LlamaAttentionTest, CacheContinuesAPrompt) {
  Build(3, 0);
  const std::vector<float> at_once = Logits(2);
  Build(2, 0);
  const std::vector<ir::Tensor> outputs = Infer();
  Build(1, 2);
  ids()[0] = 7;
  data_.inputs[3] = outputs[1];
  data_.inputs[4] = outputs[2];
  const std::vector<float> step = Logits(0);
  for (size_t i = 0; i < step.size(); ++i) EXPECT_NEAR(step[i], at_once[i], 1e-5) << i;
}

}  // namespace
}  // namespace burin::models
