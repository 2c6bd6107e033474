// Declares every pass of passes.inc, and an id for each.
//
// What a pass's own file includes; its definition stands there alone. pass_table.h looks passes up. Stateless.
#ifndef BURIN_TRANSFORMATIONS_PASSES_H_
#define BURIN_TRANSFORMATIONS_PASSES_H_

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ir/model.h"
#include "ir/rewrite.h"
#include "transformations/pass.h"

namespace burin::transformations {

#define BURIN_RULE(name, accuracy, summary)                                              \
  absl::StatusOr<std::optional<ir::Patch>> name(const ir::Model& model, ir::NodeId node, \
                                                const ir::PassContext& context);
#define BURIN_WHOLE_GRAPH_PASS(name, accuracy, summary) \
  absl::Status name(const ir::Model& model, const ir::PassContext& context, Rewriter& rewriter);
#include "transformations/passes.inc"
#undef BURIN_RULE
#undef BURIN_WHOLE_GRAPH_PASS

// One enumerator per pass, dense from 0; the values may change between builds.
enum class PassId : uint16_t {
#define BURIN_RULE(name, accuracy, summary) k##name,
#define BURIN_WHOLE_GRAPH_PASS(name, accuracy, summary) k##name,
#include "transformations/passes.inc"  // IWYU pragma: keep
#undef BURIN_RULE
#undef BURIN_WHOLE_GRAPH_PASS
};

}  // namespace burin::transformations

#endif  // BURIN_TRANSFORMATIONS_PASSES_H_
