#include "runtime/plugins/cpu/nodes/along_axes/lrn_node.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/ops/family/integer_input.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "jit/kernels/resize/resize_plan.h"
#include "runtime/plugins/cpu/nodes/along_axes/resize_primitive.h"
#include "runtime/plugins/cpu/nodes/movement/movement_node.h"

namespace burin::cpu {

namespace {

absl::StatusOr<ir::Value> AddScalar(double value, ir::Model& body) {
  BURIN_ASSIGN_OR_RETURN(ir::Tensor scalar, ir::Tensor::Create(ElementType::kF32, {}));
  *scalar.mutable_data_as<float>() = static_cast<float>(value);
  return body.AddConstant(std::move(scalar));
}

// Returns the body of y = x * (bias + sum)^-beta, whose first parameter is the sum.
absl::StatusOr<std::unique_ptr<ir::Model>> MakeBody(const ir::LRNAttributes& attributes) {
  auto body = std::make_unique<ir::Model>();
  body->set_name("lrn");
  const ir::PartialShape shape = ir::PartialShape::OfRank(2);
  BURIN_ASSIGN_OR_RETURN(const ir::Value sum, body->AddParameter("sum", ElementType::kF32, shape));
  BURIN_ASSIGN_OR_RETURN(const ir::Value x, body->AddParameter("x", ElementType::kF32, shape));
  BURIN_ASSIGN_OR_RETURN(const ir::Value bias, AddScalar(attributes.bias, *body));
  BURIN_ASSIGN_OR_RETURN(const ir::Value exponent, AddScalar(-attributes.beta, *body));
  BURIN_ASSIGN_OR_RETURN(const ir::Value base, body->Add(ir::AddOp(), {sum, bias}));
  BURIN_ASSIGN_OR_RETURN(const ir::Value scale, body->Add(ir::PowerOp(), {base, exponent}));
  BURIN_ASSIGN_OR_RETURN(const ir::Value y, body->Add(ir::MultiplyOp(), {x, scale}));
  BURIN_RETURN_IF_ERROR(body->AddResult(y, "y").status());
  return body;
}

// Returns the windows of a dimension of `size` elements.
ResampledDimension WindowsOf(int64_t size, int64_t reach, float weight) {
  ResampledDimension dimension;
  dimension.is_unchanged = false;
  for (int64_t i = 0; i < size; ++i) {
    std::vector<jit::ResizeTap>& taps = dimension.taps.emplace_back();
    const int64_t last = i + std::min(reach, size - 1 - i);
    for (int64_t j = i - std::min(reach, i); j <= last; ++j) taps.push_back({j, weight});
  }
  return dimension;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Node>> LrnNode::Create(const ir::Node& node, const NodeContext&) {
  const ElementType type = node.output(0).type;
  if (type != ElementType::kF32) return absl::UnimplementedError(absl::StrCat("no kernel for ", Name(type)));
  const auto& attributes = node.attributes_as<ir::LRNAttributes>();
  BURIN_ASSIGN_OR_RETURN(const std::unique_ptr<ir::Model> body, MakeBody(attributes));
  BURIN_ASSIGN_OR_RETURN(std::shared_ptr<const DenseEpilogue> epilogue, DenseEpilogue::Create(*body, {0}));
  return std::shared_ptr<const Node>(new LrnNode(attributes, std::move(epilogue)));
}

absl::StatusOr<jit::ResizeSpec> LrnNode::SpecOf(const NodeValues& values, Layout layout) const {
  const ValueDesc& input = values.inputs[0].desc;
  const ir::Shape& shape = input.shape;
  BURIN_ASSIGN_OR_RETURN(std::vector<int64_t> axes, ConstantInts(values, 1));
  BURIN_ASSIGN_OR_RETURN(axes, ir::WrapUniqueAxes("LRN_c2", axes, static_cast<int64_t>(shape.size())));
  if (axes.empty()) return absl::UnimplementedError("no kernel sums up along no axis");
  std::vector<ResampledDimension> dimensions(shape.size());
  // The weights of axes multiply: the first one's has all.
  double weight = attributes_.alpha;
  for (size_t i = 0; i < axes.size(); ++i) weight /= static_cast<double>(attributes_.size);
  for (const int64_t axis : axes) {
    const size_t d = static_cast<size_t>(axis);
    dimensions[d] = WindowsOf(shape[d], attributes_.size / 2, static_cast<float>(weight));
    weight = 1;
  }
  BURIN_ASSIGN_OR_RETURN(jit::ResizeSpec spec, ResizeSpecOf(input.type, shape, shape, layout, dimensions));
  spec.term = jit::ResizeTerm::kSquare;
  BURIN_RETURN_IF_ERROR(spec.Validate());
  return spec;
}

std::vector<NodeCandidate> LrnNode::Candidates(const NodeValues& values, const NodeContext& context) const {
  std::vector<NodeCandidate> candidates;
  for (const Layout layout : {Layout::kRowMajor, Layout::kChannelsLast}) {
    if (layout == Layout::kChannelsLast && values.outputs[0].shape.size() < 3) continue;
    const absl::StatusOr<jit::ResizeSpec> spec = SpecOf(values, layout);
    if (!spec.ok()) continue;
    NodeCandidate candidate = RowMajorCandidate(values);
    candidate.inputs[0] = layout;
    candidate.outputs[0] = layout;
    candidate.cycles = jit::EstimateResizeCycles(*spec, context.target);
    candidates.push_back(std::move(candidate));
  }
  return candidates;
}

absl::StatusOr<std::unique_ptr<const Primitive>> LrnNode::CreatePrimitive(const NodeValues& values,
                                                                          const NodeContext& context) const {
  BURIN_ASSIGN_OR_RETURN(const jit::ResizeSpec spec, SpecOf(values, values.outputs[0].layout));
  return MakeResizePrimitive(spec, epilogue_, context);
}

}  // namespace burin::cpu
