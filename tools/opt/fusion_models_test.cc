// Real models: what the tokenizer makes of them after all passes, and that they compute the same to the bit.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "ir/evaluator.h"
#include "ir/model.h"
#include "ir/tensor.h"
#include "ir/verifier.h"
#include "runtime/api/core.h"
#include "snippets/tokenize/fusion_report.h"
#include "snippets/tokenize/tokenize.h"
#include "testing/gtest/status_matchers.h"
#include "testing/test_data.h"
#include "tools/check/data_set.h"
#include "tools/opt/model_source.h"
#include "tools/opt/optimize.h"
#include "transformations/pipelines.h"

namespace burin::opt {
namespace {

struct ModelCase {
  // Of the folder with its data.
  const char* name;
  // Whether the definition computes it in a few seconds.
  bool is_run;
  // Where the model does not lie beside its data.
  const char* file = nullptr;
};

void PrintTo(const ModelCase& model, std::ostream* out) { *out << model.name; }

class FusionModelsTest : public ::testing::TestWithParam<ModelCase> {};

void PrintCounts(const std::string& name, const snippets::FusionReport& report) {
  std::printf("%s: %lld eligible operations, %zu Subgraphs, %lld of %lld edges fused;", name.c_str(),
              static_cast<long long>(report.eligible_ops), report.subgraphs.size(),
              static_cast<long long>(report.fused_edges), static_cast<long long>(report.eligible_edges));
  for (const auto& [reason, count] : report.RefusalsByReason()) {
    std::printf(" %s %lld", snippets::Name(reason), static_cast<long long>(count));
  }
  std::printf("\n");
}

void ExpectSameOutputs(const ir::Model& before, const ir::Model& after, const std::string& folder) {
  ASSERT_OK_AND_ASSIGN(const std::vector<std::string> sets, check::FindDataSets(folder));
  ASSERT_OK_AND_ASSIGN(const check::DataSet data, check::ReadDataSet(sets.front()));
  ASSERT_OK_AND_ASSIGN(const ir::Evaluator reference, ir::Evaluator::Create(before));
  ASSERT_OK_AND_ASSIGN(const ir::Evaluator evaluator, ir::Evaluator::Create(after));
  ASSERT_OK_AND_ASSIGN(const std::vector<ir::Tensor> expected, reference.Run(data.inputs));
  ASSERT_OK_AND_ASSIGN(const std::vector<ir::Tensor> actual, evaluator.Run(data.inputs));
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i) {
    EXPECT_TRUE(ir::BitwiseEqual(actual[i], expected[i]))
        << i << ": " << actual[i].ToString() << " instead of " << expected[i].ToString();
  }
}

TEST_P(FusionModelsTest, TokenizedItComputesTheSame) {
  BURIN_SKIP_WITHOUT_MODELS();
  const std::string folder = *ModelsDir() + "/" + GetParam().name;
  const std::string path = GetParam().file == nullptr ? folder + "/model.onnx" : *ModelsDir() + "/" + GetParam().file;
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "there is no " << path;
  Core core;
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<ir::Model> model, ReadGraph(&core, path));
  ASSERT_OK_AND_ASSIGN(const std::vector<transformations::Stage> stages, ParseStages(""));
  ASSERT_OK_AND_ASSIGN(const Optimized optimized, Optimize(*model, stages, {}));
  const std::unique_ptr<ir::Model> fused = optimized.model->Clone();
  ASSERT_OK_AND_ASSIGN(const snippets::FusionReport report, snippets::Tokenize(*fused));
  PrintCounts(GetParam().name, report);
  EXPECT_OK(ir::Verify(*fused));
  EXPECT_FALSE(report.subgraphs.empty());
  EXPECT_TRUE(std::none_of(report.refusals.begin(), report.refusals.end(),
                           [](const snippets::FusionRefusal& refusal) { return refusal.text.empty(); }));
  if (GetParam().is_run) ExpectSameOutputs(*optimized.model, *fused, folder);
}

INSTANTIATE_TEST_SUITE_P(
    All, FusionModelsTest,
    ::testing::Values(ModelCase{"bert_toy", true}, ModelCase{"blazeface_back", false}, ModelCase{"dnsmos_v8", false},
                      ModelCase{"dtln_1", true}, ModelCase{"gtcrn", true}, ModelCase{"magika_v3_3", true},
                      ModelCase{"mlsd_320_tiny", false}, ModelCase{"mnist_burn", true},
                      ModelCase{"mobilenetv2_qdq", false}, ModelCase{"mtcnn_onet", true}, ModelCase{"mtcnn_pnet", true},
                      ModelCase{"mtcnn_rnet", true}, ModelCase{"nnsplit_en", false}, ModelCase{"ppocr_cls", false},
                      ModelCase{"ppocrv4_det", false}, ModelCase{"silero_vad_v5", true},
                      ModelCase{"squeezenet_fp16", false},
                      ModelCase{"stories260K_dyn8_dec1_past63", true, "stories260K/stories260K_dyn8.onnx"},
                      ModelCase{"stories260K_prim_prefill64", true, "stories260K/stories260K_prim.onnx"},
                      ModelCase{"stories260K_qdq8_dec1_past63", true, "stories260K/stories260K_qdq8.onnx"},

                      ModelCase{"ultraface_rfb320", false}, ModelCase{"yolox_nano", false},
                      ModelCase{"yunet_dyn", false}),
    [](const ::testing::TestParamInfo<ModelCase>& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace burin::opt
