#include "runtime/plugins/cpu/segments/cut_node.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace burin::cpu {

absl::StatusOr<std::unique_ptr<const Primitive>> CutNode::CreatePrimitive(const NodeValues&, const NodeContext&) const {
  return absl::InternalError(absl::StrCat("It runs between graphs, in none of them: ", type_name_));
}

}  // namespace burin::cpu
