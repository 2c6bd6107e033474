// What //tools:opt does: runs stages of passes on a model, lists passes, and says why one does not fire.
//
// As a library for the tool, for //tools:bisect and for tests. Stateless, thread-safe.
#ifndef BURIN_TOOLS_OPT_OPTIMIZE_H_
#define BURIN_TOOLS_OPT_OPTIMIZE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "transformations/driver.h"
#include "transformations/pipelines.h"
#include "transformations/report.h"

namespace burin::opt {

// Reads stages separated by commas ("UpToLpt,PostLpt"); all, in their order, for an empty text. InvalidArgument,
// listing the stages, for an unknown one.
absl::StatusOr<std::vector<transformations::Stage>> ParseStages(const std::string& text);

// Reads names of passes separated by commas; none for an empty text. InvalidArgument, listing the passes, for an
// unknown one.
absl::StatusOr<std::vector<std::string>> ParsePasses(const std::string& text);

// Prints each pass of the table on two lines: name, kind and accuracy; what it does.
std::string ListPasses();

struct Optimized {
  std::unique_ptr<ir::Model> model;
  transformations::CompileReport report;
};

// Runs the stages one after the other on a copy of the model, which share one report and so one count of rewrites. The
// errors of RunPipeline.
absl::StatusOr<Optimized> Optimize(const ir::Model& model, const std::vector<transformations::Stage>& stages,
                                   const transformations::PipelineOptions& options);

// Says why a pass does not fire at a node, or that it does: `what` is "NODE:PASS", the node by its name, by a name of
// the user's operation that it stands for, or by its id ("%12"); nodes of bodies are found too. NotFound for an unknown
// node; InvalidArgument for an unknown pass, and for a whole-graph pass, which looks at no single node.
absl::StatusOr<std::string> ExplainAt(const ir::Model& model, const std::string& what);

}  // namespace burin::opt

#endif  // BURIN_TOOLS_OPT_OPTIMIZE_H_
