// Which passes run, and in what order: one literal list per stage of a compilation.
//
// What a plugin calls. For single passes and lists of one's own: driver.h. Stateless, thread-safe.
#ifndef BURIN_TRANSFORMATIONS_PIPELINES_H_
#define BURIN_TRANSFORMATIONS_PIPELINES_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "ir/model.h"
#include "ir/rewrite.h"
#include "transformations/driver.h"
#include "transformations/report.h"

namespace burin::transformations {

enum class Stage {
  // From the user's model to the canonical form.
  kUpToLpt,
  // What low precision leaves behind.
  kPostLpt,
};

// Returns the stage's groups of passes, in their order; they live as long as the process.
absl::Span<const PassGroup> GroupsOf(Stage stage);

// Runs a stage; the arguments and errors are those of RunPasses, and every pass of the table may be disabled.
absl::Status RunPipeline(Stage stage, ir::Model* model, const ir::PassContext& context, const PipelineOptions& options,
                         CompileReport* report);

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_PIPELINES_H_
