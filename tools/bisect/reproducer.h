// A small model on which one pass alone shows what a rewrite did wrong in a large one.
//
// Stateless; thread-safe as far as the functions of the options are.
#ifndef BURIN_TOOLS_BISECT_REPRODUCER_H_
#define BURIN_TOOLS_BISECT_REPRODUCER_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "ir/rewrite.h"
#include "ir/tensor.h"
#include "tools/bisect/search.h"

namespace burin::bisect {

struct Reproducer {
  std::unique_ptr<ir::Model> model;
  std::vector<ir::Tensor> inputs;    // As they are in the large model.
  std::vector<ir::Tensor> expected;  // What the reference gives.
  std::string how;                   // How the outputs part once the pass has run.
  bool is_whole = false;             // No part showed it: this is the whole model before the rewrite.
};

// Cuts the nodes that the rewrite replaced out of `finding.before`, tries whether the finding's pass alone makes the
// part's outputs leave the reference while the part itself keeps to it, and goes on with larger parts until one does;
// the last is the whole model. `inputs` are those of the whole model. Requires a finding with a pass. NotFound where
// the pass alone shows nothing even there; errors of evaluating the model.
absl::StatusOr<Reproducer> Reproduce(const Finding& finding, const ir::PassContext& context,
                                     const std::vector<ir::Tensor>& inputs, const BisectOptions& options);

}  // namespace burin::bisect

#endif  // BURIN_TOOLS_BISECT_REPRODUCER_H_
