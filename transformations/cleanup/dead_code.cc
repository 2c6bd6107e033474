// DeadCode: removes nodes from which no result or sink is reached. Parameters stay: they are the user's signature.
//
// The number of nodes decreases.
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ir/model.h"
#include "ir/ops/op_code.h"
#include "ir/rewrite.h"
#include "transformations/passes.h"

namespace burin::transformations {
namespace {

bool IsRoot(const ir::Node& node) {
  return node.code() == ir::OpCode::kParameter || node.code() == ir::OpCode::kResult ||
         node.code() == ir::OpCode::kAssign;
}

}  // namespace

absl::Status DeadCode(const ir::Model& model, const ir::PassContext&, Rewriter& rewriter) {
  // Where any node is dead, the last of its path is read by nobody.
  for (const ir::NodeId id : model.NodeIds()) {
    if (model.IsRead(id) || IsRoot(model.node(id))) continue;
    return rewriter
        .Edit(id,
              [](ir::Model& edited) {
                edited.RemoveDeadNodes();
                return absl::OkStatus();
              })
        .status();
  }
  return absl::OkStatus();
}

}  // namespace burin::transformations
