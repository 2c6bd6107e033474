// What is known of the values of a model before it runs, beside the model: of all that is recorded in it, or of what
// follows when shapes and contents are given.
//
// Use it to plan for the shapes of an inference without a copy of the model. Immutable: thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_GRAPH_KNOWN_VALUES_H_
#define BURIN_RUNTIME_PLUGINS_CPU_GRAPH_KNOWN_VALUES_H_

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "ir/infer_context.h"
#include "ir/model.h"

namespace burin::cpu {

class KnownValues {
 public:
  // What is told instead of inferred.
  using Given = absl::flat_hash_map<ir::Value, ir::ValueInfo>;

  // Returns what `model` has recorded.
  static KnownValues Recorded(const ir::Model& model);

  // Infers the nodes of `model` in `order`, a topological one of all of them, but for values that are `given`; what is
  // recorded of constants, and of operations whose bodies may not run, is taken as it is.
  // InvalidArgument with name and operation where a node refuses its inputs.
  static absl::StatusOr<KnownValues> Infer(const ir::Model& model, absl::Span<const ir::NodeId> order,
                                           const Given& given);

  const ir::ValueInfo& info(ir::Value value) const { return Outputs(value.node)[static_cast<size_t>(value.output)]; }
  absl::Span<const ir::ValueInfo> outputs(ir::NodeId node) const { return Outputs(node); }

  // Returns whether the content of a value is known: of a constant, or of what follows from shapes.
  bool IsConstant(ir::Value value) const { return info(value).constant.has_value(); }
  // Returns whether that of all outputs is: there is nothing to compute.
  bool AreConstant(ir::NodeId node) const;

 private:
  KnownValues() = default;

  const std::vector<ir::ValueInfo>& Outputs(ir::NodeId node) const { return table_[static_cast<size_t>(Index(node))]; }

  // By node id and output.
  std::vector<std::vector<ir::ValueInfo>> table_;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_GRAPH_KNOWN_VALUES_H_
