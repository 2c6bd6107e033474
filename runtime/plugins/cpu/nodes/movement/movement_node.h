// Runs operations that move elements without changing them: all of them are lists of strided moves.
//
// Each operation says in a file of its own which moves make up its outputs; this is what they share. Where they depend
// on an input that is not constant, the operation runs by reference. Values of types of whole bytes. Nodes are
// immutable; thread-safe; the functions are stateless.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_NODES_MOVEMENT_MOVEMENT_NODE_H_
#define BURIN_RUNTIME_PLUGINS_CPU_NODES_MOVEMENT_MOVEMENT_NODE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "ir/model.h"
#include "ir/ops/family/index_space.h"
#include "ir/shape.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/graph/primitive.h"
#include "runtime/plugins/cpu/graph/value_desc.h"
#include "runtime/plugins/cpu/nodes/copy_primitive.h"
#include "runtime/plugins/cpu/nodes/reference_node.h"

namespace burin::cpu {

// Says in which layouts an operation can work.
enum class MovementLayouts : uint8_t {
  kRowMajor,
  // All inputs of the outputs' rank, and the outputs, are row-major, or have their channels last.
  kAlike,
  // Input 0 and output 0 have either layout, each by itself.
  kEach,
};

class MovementNode final : public Node {
 public:
  // Returns the moves that make up the outputs of `node`, for the layouts of `values`. Unimplemented where they depend
  // on what is not constant, else errors as the operation's.
  using MovesFunction = absl::StatusOr<std::vector<ElementMove>> (*)(const ir::Node& node, const NodeValues& values);

  // Makes the node of `node`, which outlives it and its primitives. Unimplemented for types of no whole bytes.
  static absl::StatusOr<std::shared_ptr<const Node>> Create(const char* type_name, MovesFunction moves,
                                                            const ir::Node& node,
                                                            MovementLayouts layouts = MovementLayouts::kRowMajor);

  const char* type_name() const override { return type_name_; }
  std::vector<NodeCandidate> Candidates(const NodeValues& values, const NodeContext& context) const override;
  absl::StatusOr<std::unique_ptr<const Primitive>> CreatePrimitive(const NodeValues& values,
                                                                   const NodeContext& context) const override;

 private:
  MovementNode(const char* type_name, MovesFunction moves, const ir::Node* node, MovementLayouts layouts)
      : type_name_(type_name), moves_(moves), node_(node), layouts_(layouts), reference_(node) {}

  const char* const type_name_;
  const MovesFunction moves_;
  const ir::Node* const node_;
  const MovementLayouts layouts_;
  const ReferenceNode reference_;
};

// Returns OK for types of 1, 2, 4 or 8 bytes, else Unimplemented.
absl::Status CheckWholeBytes(ElementType type);

// Returns the integers of input `input`; Unimplemented where it is not constant.
absl::StatusOr<std::vector<int64_t>> ConstantInts(const NodeValues& values, size_t input);

// Returns the view under which the indices of a value reach its elements, which are dense in its layout.
ir::StridedView LayoutView(const ValueDesc& desc);

// A part of an input or an output: the elements at the positions of a view.
struct ElementView {
  int value = 0;
  ir::StridedView view;
};

// Appends the move, for each index of `box`, of the element under `from`, of the inputs, to that under `to`, of the
// outputs. Nothing for a box without elements. `type` is of whole bytes.
void AppendMove(ElementType type, const ir::Shape& box, const ElementView& from, const ElementView& to,
                std::vector<ElementMove>* moves);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_NODES_MOVEMENT_MOVEMENT_NODE_H_
