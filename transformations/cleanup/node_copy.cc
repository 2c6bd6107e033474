#include "transformations/cleanup/node_copy.h"

#include <utility>

namespace burin::transformations {

ir::NodeSpec CopyOf(const ir::Node& node, std::vector<ir::Value> inputs) {
  ir::NodeSpec spec;
  spec.op = &node.op();
  spec.attributes = node.attributes().Clone();
  spec.inputs = std::move(inputs);
  spec.original_names = node.original_names();
  spec.runtime_info = node.runtime_info();
  return spec;
}

}  // namespace burin::transformations
