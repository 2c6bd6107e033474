// What the passes did to a model and what that cost.
//
// Filled by RunPasses (driver.h), which adds to what a report holds already, so that one report serves all stages of a
// compilation. Plain data.
#ifndef BURIN_TRANSFORMATIONS_REPORT_H_
#define BURIN_TRANSFORMATIONS_REPORT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace burin::transformations {

struct PassReport {
  std::string name;
  int64_t rewrites = 0;
  // Patches dropped because a node that reads what they make known refuses it: the model can never run there, and is
  // left to say so itself.
  int64_t refused = 0;
  // How often the pass was called: once per node tried for a rule, once per graph for a whole-graph pass.
  int64_t visits = 0;
  // Wall time in the pass and in applying its patches; verification is counted apart.
  int64_t time_ns = 0;
};

struct CompileReport {
  // Every pass that ran, in the order in which each ran first.
  std::vector<PassReport> passes;
  int64_t rewrites = 0;
  // Nodes of the model and its bodies, before the first and after the last run.
  int64_t nodes_before = 0;
  int64_t nodes_after = 0;
  int64_t verify_ns = 0;
  // Wall time of computing constants, which lies within the time of the passes that fold. Counted by RunPipeline
  // (pipelines.h) alone.
  int64_t constants_ns = 0;
  // Bytes that constant folding has added to the model, less those that it freed. Likewise.
  int64_t constants_growth_bytes = 0;
  // PipelineOptions::stop_after_rewrite was reached.
  bool stopped = false;

  // Returns the entry of the pass with that name, or null where it did not run.
  const PassReport* Find(absl::string_view name) const;

  // Prints one line per pass that rewrote something or took at least a tenth of the time, and a summary.
  std::string ToString() const;
};

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_REPORT_H_
