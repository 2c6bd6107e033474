// Real models through the whole chain on the REFERENCE device, against the outputs that were saved with them.
#include <filesystem>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/tensor.h"
#include "runtime/api/compiled_model.h"
#include "runtime/api/core.h"
#include "runtime/api/model.h"
#include "testing/gtest/status_matchers.h"
#include "testing/test_data.h"
#include "tools/check/checker.h"
#include "tools/check/data_set.h"
#include "transformations/pipelines.h"
#include "transformations/report.h"

namespace burin {
namespace {

struct ModelCase {
  const char* name;
  // How many test_data_set_* it has: none may leave the run unseen.
  size_t data_sets;
};

void PrintTo(const ModelCase& model, std::ostream* out) { *out << model.name; }

class ModelsTest : public ::testing::TestWithParam<ModelCase> {};

// Compares what the model computes with the outputs of every data set.
void ExpectHolds(Core* core, const Model& model, const std::string& folder, const check::Bound& bound) {
  ASSERT_OK_AND_ASSIGN(CompiledModel compiled, core->CompileModel(model, "REFERENCE"));
  ASSERT_OK_AND_ASSIGN(std::vector<std::string> sets, check::FindDataSets(folder));
  for (const std::string& set : sets) {
    ASSERT_OK_AND_ASSIGN(check::DataSet data, check::ReadDataSet(set));
    ASSERT_OK_AND_ASSIGN(std::vector<ir::Tensor> outputs, check::RunOnce(compiled, data.inputs));
    ASSERT_OK_AND_ASSIGN(std::vector<check::Verdict> verdicts,
                         check::Judge(compiled.outputs(), outputs, data.outputs, bound));
    EXPECT_FALSE(verdicts.empty());
    for (const check::Verdict& verdict : verdicts) EXPECT_TRUE(verdict.holds) << set << ": " << verdict.ToString();
  }
}

TEST_P(ModelsTest, OutputsHoldOnReference) {
  BURIN_SKIP_WITHOUT_MODELS();
  const std::string folder = *ModelsDir() + "/" + GetParam().name;
  if (!std::filesystem::exists(folder + "/model.onnx"))
    GTEST_SKIP() << "there is no " << GetParam().name << "/model.onnx";
  Core core;
  ASSERT_OK_AND_ASSIGN(Model model, core.ReadModel(folder + "/model.onnx"));
  ASSERT_OK_AND_ASSIGN(check::Bound bound, check::DefaultBound(model.graph(), {folder}));
  ASSERT_OK_AND_ASSIGN(std::vector<std::string> sets, check::FindDataSets(folder));
  EXPECT_EQ(sets.size(), GetParam().data_sets);
  ExpectHolds(&core, model, folder, bound);
}

TEST_P(ModelsTest, OutputsHoldAfterAllPasses) {
  BURIN_SKIP_WITHOUT_MODELS();
  const std::string folder = *ModelsDir() + "/" + GetParam().name;
  if (!std::filesystem::exists(folder + "/model.onnx"))
    GTEST_SKIP() << "there is no " << GetParam().name << "/model.onnx";
  Core core;
  ASSERT_OK_AND_ASSIGN(Model model, core.ReadModel(folder + "/model.onnx"));
  ASSERT_OK_AND_ASSIGN(check::Bound bound, check::DefaultBound(model.graph(), {folder}));
  std::shared_ptr<ir::Model> graph = model.graph().Clone();
  transformations::CompileReport report;
  for (const transformations::Stage stage : {transformations::Stage::kUpToLpt, transformations::Stage::kPostLpt}) {
    ASSERT_OK(transformations::RunPipeline(stage, graph.get(), {}, {}, &report));
  }
  ExpectHolds(&core, Model(graph), folder, bound);
}

INSTANTIATE_TEST_SUITE_P(Models, ModelsTest,
                         ::testing::Values(ModelCase{"bert_toy", 1}, ModelCase{"magika_v3_3", 1},
                                           ModelCase{"mnist_burn", 1}, ModelCase{"ppocr_cls", 1},
                                           ModelCase{"ultraface_rfb320", 1}, ModelCase{"yolox_nano", 2},
                                           ModelCase{"generated/minilm_l6_rand_prim_b1s128", 1},
                                           ModelCase{"generated/resnet50_rand", 1},
                                           ModelCase{"generated/squeezenet_rand", 1}),
                         [](const ::testing::TestParamInfo<ModelCase>& info) {
                           return std::filesystem::path(info.param.name).filename().string();
                         });

}  // namespace
}  // namespace burin
