#include "runtime/dev/model_support.h"

namespace burin {

std::vector<std::string> OriginalNames(const ir::Node& node) {
  return node.original_names().empty() ? std::vector<std::string>{node.name()} : node.original_names();
}

}  // namespace burin
