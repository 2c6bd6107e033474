#include "runtime/readers/onnx/ops/window.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"

namespace burin::onnx {
namespace {

std::vector<int64_t> ReadList(NodeContext& node, absl::string_view name, size_t size, int64_t fallback) {
  std::vector<int64_t> list = node.IntsAttribute(name, std::vector<int64_t>(size, fallback));
  if (list.size() != size) {
    node.Fail(absl::InvalidArgumentError(
        absl::StrCat("An attribute has another number of elements than there are axes: ", name, ", ", list.size())));
    list.assign(size, fallback);
  }
  return list;
}

}  // namespace

void ReadWindow(NodeContext& node, int64_t spatial_rank, ir::WindowParameters* window) {
  const size_t size = static_cast<size_t>(spatial_rank);
  window->strides = ReadList(node, "strides", size, 1);
  window->dilations = ReadList(node, "dilations", size, 1);
  const std::vector<int64_t> pads = ReadList(node, "pads", 2 * size, 0);
  window->pads_begin.assign(pads.begin(), pads.begin() + spatial_rank);
  window->pads_end.assign(pads.begin() + spatial_rank, pads.end());
  const std::string auto_pad = node.StringAttribute("auto_pad", "NOTSET");
  if (auto_pad == "NOTSET" || auto_pad.empty()) {
    window->auto_pad = ir::AutoPad::kExplicit;
  } else if (auto_pad == "SAME_UPPER") {
    window->auto_pad = ir::AutoPad::kSameUpper;
  } else if (auto_pad == "SAME_LOWER") {
    window->auto_pad = ir::AutoPad::kSameLower;
  } else if (auto_pad == "VALID") {
    window->auto_pad = ir::AutoPad::kValid;
  } else {
    node.Fail(absl::InvalidArgumentError(absl::StrCat("Unknown auto_pad: ", auto_pad)));
  }
  if (window->auto_pad != ir::AutoPad::kExplicit) {
    window->pads_begin.assign(size, 0);
    window->pads_end.assign(size, 0);
  }
}

}  // namespace burin::onnx
