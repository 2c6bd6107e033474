#include "runtime/plugins/cpu/nodes/movement/pad_node.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "ir/ops/family/index_space.h"
#include "ir/ops/pad.h"
#include "ir/shape.h"
#include "runtime/plugins/cpu/graph/value_desc.h"
#include "runtime/plugins/cpu/nodes/copy_primitive.h"
#include "runtime/plugins/cpu/nodes/movement/movement_node.h"

namespace burin::cpu {

namespace {

// Neighbouring indices of a dimension of the output, above 0, whose elements come from neighbouring ones of the data.
struct Segment {
  int64_t begin = 0;
  int64_t count = 0;
  // The first one's index in the data, kOutside for the pad value.
  int64_t source = 0;
  // From one to the next: 1 inside of the data, -1 where it is mirrored, 0 at its edge.
  int64_t step = 0;
};

// Cuts a dimension of `output` elements, of which the data's first one is number `before`, where the rule changes.
std::vector<Segment> SegmentsOf(ir::PadMode mode, int64_t before, int64_t data, int64_t output) {
  const int64_t inside = std::clamp<int64_t>(before, 0, output);
  const int64_t after = std::clamp<int64_t>(before + data, inside, output);
  std::vector<Segment> segments;
  for (const auto& [begin, end] : {std::pair(int64_t{0}, inside), {inside, after}, {after, output}}) {
    if (begin == end) continue;
    Segment& segment = segments.emplace_back();
    segment.begin = begin;
    segment.count = end - begin;
    segment.source = ir::PadSourceIndex(mode, begin - before, data);
    if (segment.count > 1) segment.step = ir::PadSourceIndex(mode, begin + 1 - before, data) - segment.source;
  }
  return segments;
}

// Makes the moves of all combinations of segments; what is outside of the data along one dimension is one box along
// those behind it.
class MoveMaker {
 public:
  MoveMaker(const ValueDesc& output, std::vector<std::vector<Segment>> segments, std::vector<int64_t> data_strides,
            int pad_value)
      : output_(output),
        segments_(std::move(segments)),
        data_strides_(std::move(data_strides)),
        output_view_(LayoutView(output)),
        pad_value_(pad_value) {}

  std::vector<ElementMove> Make() {
    box_ = output_.shape;
    source_.view.strides.assign(box_.size(), 0);
    target_ = {0, output_view_};
    Choose(0);
    return std::move(moves_);
  }

 private:
  // Chooses a segment of dimension `d` and of those behind it.
  void Choose(size_t d) {
    if (d == box_.size()) {
      AppendMove(output_.type, box_, source_, target_, &moves_);
      return;
    }
    const int64_t source_offset = source_.view.offset;
    const int64_t target_offset = target_.view.offset;
    for (const Segment& segment : segments_[d]) {
      box_[d] = segment.count;
      target_.view.offset = target_offset + segment.begin * output_view_.strides[d];
      if (segment.source == ir::kOutside) {
        const ElementView value = {pad_value_, {0, std::vector<int64_t>(box_.size(), 0)}};
        AppendMove(output_.type, box_, value, target_, &moves_);
        continue;
      }
      source_.view.offset = source_offset + segment.source * data_strides_[d];
      source_.view.strides[d] = segment.step * data_strides_[d];
      Choose(d + 1);
    }
    box_[d] = output_.shape[d];
    source_.view.offset = source_offset;
    target_.view.offset = target_offset;
  }

  const ValueDesc& output_;
  const std::vector<std::vector<Segment>> segments_;
  const std::vector<int64_t> data_strides_;
  const ir::StridedView output_view_;
  const int pad_value_;
  ir::Shape box_;
  ElementView source_;
  ElementView target_;
  std::vector<ElementMove> moves_;
};

absl::StatusOr<std::vector<ElementMove>> MovesOf(const ir::Node& node, const NodeValues& values) {
  const ir::Shape& data = values.inputs[0].desc.shape;
  const ValueDesc& output = values.outputs[0];
  BURIN_ASSIGN_OR_RETURN(const std::vector<int64_t> before, ConstantInts(values, 1));
  const ir::PadMode mode = node.attributes_as<ir::PadAttributes>().pad_mode;
  std::vector<std::vector<Segment>> segments;
  for (size_t d = 0; d < data.size(); ++d) {
    segments.push_back(SegmentsOf(mode, before[d], data[d], output.shape[d]));
  }
  const bool has_value = values.inputs.size() > 3 && values.inputs[3].exists;
  return MoveMaker(output, std::move(segments), LayoutView(values.inputs[0].desc).strides,
                   has_value ? 3 : ElementMove::kZero)
      .Make();
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Node>> MakePadNode(const ir::Node& node, const NodeContext&) {
  return MovementNode::Create("Pad", &MovesOf, node, MovementLayouts::kAlike);
}

}  // namespace burin::cpu
