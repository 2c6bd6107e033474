// All stages on random models of all operations: what comes out is valid and computes the same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <random>

#include "absl/status/status.h"
#include "ir/forms/random_model_testlib.h"
#include "ir/model.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"
#include "transformations/driver.h"
#include "transformations/pipelines.h"
#include "transformations/report.h"
#include "transformations/rewrite_testlib.h"

namespace burin::transformations {
namespace {

TEST(PipelinesRandomTest, KeepsWhatRandomModelsCompute) {
  int compared = 0;
  int64_t rewrites = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const std::unique_ptr<ir::Model> model = ir::RandomModel(random, 12);
    const std::unique_ptr<ir::Model> rewritten = model->Clone();
    PipelineOptions options;
    options.verify_each_rewrite = true;
    CompileReport report;
    for (const Stage stage : {Stage::kUpToLpt, Stage::kPostLpt}) {
      ASSERT_OK(RunPipeline(stage, rewritten.get(), {}, options, &report)) << *ir::PrintModel(*model);
    }
    rewrites += report.rewrites;
    RewriteTestOptions inputs;
    inputs.min_integer = 0;
    inputs.max_integer = 3;
    const absl::Status same = CheckEquivalent(*model, *rewritten, inputs);
    if (same.code() == absl::StatusCode::kFailedPrecondition) continue;
    EXPECT_OK(same) << *ir::PrintModel(*model);
    ++compared;
  }
  // Most random models can run, and most have something to be rewritten.
  EXPECT_GT(compared, 100);
  EXPECT_GT(rewrites, 300);
}

}  // namespace
}  // namespace burin::transformations
