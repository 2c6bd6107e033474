// Finds the rewrite after which a model's outputs part from those of the untransformed model.
//
// A binary search over "the first N rewrites alone", which the driver makes the same way each time. Nothing is assumed
// of the rewrites in between but that some N is wrong while N - 1 is not. Not thread-safe.
#ifndef BURIN_TOOLS_BISECT_SEARCH_H_
#define BURIN_TOOLS_BISECT_SEARCH_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "ir/model.h"
#include "ir/rewrite.h"
#include "ir/tensor.h"
#include "tools/bisect/comparison.h"
#include "tools/check/checker.h"
#include "transformations/driver.h"
#include "transformations/pass.h"

namespace burin::bisect {

struct BisectOptions {
  RunModel reference;  // Runs the untransformed model.
  RunModel candidate;  // Runs transformed models.
  check::Bound bound;
  std::vector<std::string> disabled;  // Passes that do not run.
  // Is told what has been tried; may be null.
  std::function<void(const std::string& line)> progress;
};

enum class Outcome {
  kHolds,         // All rewrites together leave the outputs where they are.
  kDeviceParts,   // The candidate's device parts already without any rewrite.
  kRewriteParts,  // See Finding::rewrite.
};

struct Finding {
  Outcome outcome = Outcome::kHolds;
  int64_t rewrites = 0;  // Of the whole run.
  std::string how;       // How the outputs part; where a rewrite does, those after it.

  // Where a rewrite parts.
  int64_t rewrite = 0;
  // Null where passes fail between two rewrites: `how` says so.
  const transformations::Pass* pass = nullptr;
  std::string node_name;
  std::vector<std::string> original_names;
  // The model with `rewrite - 1` rewrites and with one more, which is null where that cannot be made. The node is where
  // the pass matched in the model; for a body's node, the node that the body belongs to.
  std::unique_ptr<ir::Model> before;
  std::unique_ptr<ir::Model> after;
  ir::NodeId node = ir::NodeId::kNone;
  bool in_body = false;
  // What the driver says that the rewrite touched in the model (empty for a body).
  std::vector<ir::NodeId> touched;
};

// Searches. Errors of the reference run and of unknown disabled passes; Internal where the answer found does not come
// out again, because something computes differently from run to run.
absl::StatusOr<Finding> Bisect(const ir::Model& model, absl::Span<const transformations::PassGroup> groups,
                               const ir::PassContext& context, const std::vector<ir::Tensor>& inputs,
                               const BisectOptions& options);

}  // namespace burin::bisect

#endif  // BURIN_TOOLS_BISECT_SEARCH_H_
