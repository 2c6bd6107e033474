#include "snippets/lowering/body_graph.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "snippets/linear/lane.h"
#include "snippets/linear/linear_ir.h"

namespace burin::snippets {
namespace {

using ir::Model;
using ir::Node;
using ir::OpCode;
using ir::Shape;
using ir::Value;

// Names a dimension before it is known which are one axis.
using DimId = int32_t;
constexpr DimId kNoDim = -1;

// Is a value as one of its readers sees it: a node, and the dimension that each position of the shape stands for.
struct View {
  int32_t node = -1;
  std::vector<DimId> dims;
};

bool IsReduction(OpCode code) {
  return code == OpCode::kReduceSum || code == OpCode::kReduceMean || code == OpCode::kReduceMax ||
         code == OpCode::kReduceMin || code == OpCode::kReduceProd;
}

bool IsReshape(OpCode code) {
  return code == OpCode::kReshape || code == OpCode::kSqueeze || code == OpCode::kUnsqueeze;
}

Shape WithoutOnes(const Shape& shape) {
  Shape rest;
  for (const int64_t extent : shape) {
    if (extent != 1) rest.push_back(extent);
  }
  return rest;
}

// Builds a graph.
class Builder {
 public:
  explicit Builder(const Model& body) : body_(body) {}

  absl::StatusOr<BodyGraph> Build() {
    graph_.parameter_count = static_cast<int32_t>(body_.parameters().size());
    for (size_t i = 0; i < body_.parameters().size(); ++i)
      parameter_of_[body_.parameters()[i]] = static_cast<int32_t>(i);
    BURIN_ASSIGN_OR_RETURN(const std::vector<ir::NodeId> order, body_.TopologicalOrder());
    for (const ir::NodeId id : order) {
      const Node& node = body_.node(id);
      const OpCode code = node.code();
      if (code == OpCode::kParameter || code == OpCode::kConstant || code == OpCode::kResult ||
          code == OpCode::kTranspose || IsReshape(code)) {
        continue;
      }
      if (!body_.IsRead(id)) continue;
      if (IsReduction(code)) {
        BURIN_RETURN_IF_ERROR(AddReduction(node));
      } else {
        BURIN_RETURN_IF_ERROR(AddCompute(node));
      }
    }
    for (size_t i = 0; i < body_.results().size(); ++i) BURIN_RETURN_IF_ERROR(AddStore(static_cast<int32_t>(i)));
    AssignAxes();
    Collapse();
    MergeLoads();
    BURIN_RETURN_IF_ERROR(CheckNodes());
    return std::move(graph_);
  }

 private:
  static absl::Status Unsupported(absl::string_view what, const Node& node) {
    return absl::UnimplementedError(absl::StrCat(what, ": ", node.op().name, " \"", node.name(), "\""));
  }

  absl::StatusOr<Shape> ShapeOf(Value value) const {
    const ir::PartialShape& shape = body_.info(value).shape;
    if (!shape.is_static()) {
      return absl::InvalidArgumentError(absl::StrCat("The body's shapes are not all static: \"",
                                                     body_.node(value.node).name(), "\": ", shape.ToString()));
    }
    return shape.ToShape();
  }

  DimId NewDim(int64_t extent) {
    if (extent == 1) return kNoDim;
    leader_.push_back(static_cast<DimId>(leader_.size()));
    extent_.push_back(extent);
    return leader_.back();
  }

  DimId Leader(DimId dim) {
    while (leader_[static_cast<size_t>(dim)] != dim) {
      dim = leader_[static_cast<size_t>(dim)] = leader_[static_cast<size_t>(leader_[static_cast<size_t>(dim)])];
    }
    return dim;
  }

  void Unite(DimId a, DimId b) { leader_[static_cast<size_t>(Leader(b))] = Leader(a); }

  // Adds an access to dense memory of this shape.
  View AddAccess(BodyNode::Kind kind, int32_t port, ElementType type, const Shape& shape, std::vector<DimId> dims) {
    BodyNode node;
    node.kind = kind;
    node.port = port;
    node.type = type;
    const std::vector<int64_t> strides = ir::RowMajorStrides(shape);
    std::vector<std::pair<DimId, int64_t>> access;
    for (size_t i = 0; i < shape.size(); ++i) {
      if (dims[i] != kNoDim) access.emplace_back(dims[i], strides[i] * static_cast<int64_t>(BitWidth(type) / 8));
    }
    return AddNode(std::move(node), std::move(dims), std::move(access));
  }

  View AddNode(BodyNode node, std::vector<DimId> dims, std::vector<std::pair<DimId, int64_t>> access = {}) {
    graph_.nodes.push_back(std::move(node));
    dims_.push_back(dims);
    access_.push_back(std::move(access));
    reduced_.emplace_back();
    return {static_cast<int32_t>(graph_.nodes.size()) - 1, std::move(dims)};
  }

  View LoadOf(int32_t port, ElementType type, const Shape& shape) {
    std::vector<DimId> dims;
    for (const int64_t extent : shape) dims.push_back(NewDim(extent));
    return AddAccess(BodyNode::Kind::kLoad, port, type, shape, std::move(dims));
  }

  // Returns a value for one of its readers. All readers of one value see the same dimensions; what reads the same
  // memory through another transpose or reshape accesses it anew, along axes of its own.
  absl::StatusOr<View> Read(Value value) {
    const auto it = reads_.find({value.node, value.output});
    if (it != reads_.end()) return it->second;
    BURIN_ASSIGN_OR_RETURN(View view, ReadAnew(value));
    reads_[{value.node, value.output}] = view;
    return view;
  }

  absl::StatusOr<View> ReadAnew(Value value) {
    const Node& node = body_.node(value.node);
    BURIN_ASSIGN_OR_RETURN(const Shape shape, ShapeOf(value));
    const ElementType type = body_.info(value).type;
    if (!LaneOf(type).has_value()) {
      return Unsupported(absl::StrCat("Elements of type ", Name(type), " are not computed with"), node);
    }
    if (node.code() == OpCode::kParameter) return LoadOf(parameter_of_.at(value.node), type, shape);
    if (node.code() == OpCode::kConstant) return ReadConstant(value, shape);
    if (node.code() == OpCode::kTranspose) {
      const std::optional<std::vector<int64_t>> order = ConstantInts(node.input(1));
      if (!order.has_value()) return Unsupported("The order is not constant", node);
      BURIN_ASSIGN_OR_RETURN(View view, ReadAnew(node.input(0)));
      std::vector<DimId> dims(view.dims.size());
      for (size_t i = 0; i < dims.size(); ++i) {
        dims[i] = view.dims[order->empty() ? dims.size() - 1 - i : static_cast<size_t>((*order)[i])];
      }
      view.dims = std::move(dims);
      return view;
    }
    if (IsReshape(node.code())) return ReadReshaped(node, shape, type);
    const auto it = views_.find({value.node, value.output});
    if (it == views_.end()) return Unsupported("A value without a definition", node);
    return it->second;
  }

  absl::StatusOr<View> ReadConstant(Value value, const Shape& shape) {
    const ir::Tensor& tensor = body_.info(value).constant;
    if (tensor.element_count() == 1) {
      BodyNode node;
      node.kind = BodyNode::Kind::kConstant;
      node.type = tensor.element_type();
      node.constant = tensor;
      return AddNode(std::move(node), std::vector<DimId>(shape.size(), kNoDim));
    }
    const auto [it, added] = constant_of_.emplace(value.node, static_cast<int32_t>(graph_.constants.size()));
    if (added) {
      BURIN_ASSIGN_OR_RETURN(ir::Tensor dense, tensor.ToDense());
      graph_.constants.push_back(std::move(dense));
    }
    return LoadOf(graph_.parameter_count + it->second, tensor.element_type(), shape);
  }

  absl::StatusOr<View> ReadReshaped(const Node& node, const Shape& shape, ElementType type) {
    BURIN_ASSIGN_OR_RETURN(const Shape from, ShapeOf(node.input(0)));
    if (WithoutOnes(from) == WithoutOnes(shape)) {
      BURIN_ASSIGN_OR_RETURN(View view, ReadAnew(node.input(0)));
      std::vector<DimId> dims;
      size_t next = 0;
      for (const int64_t extent : shape) {
        while (extent != 1 && from[next] == 1) ++next;
        dims.push_back(extent == 1 ? kNoDim : view.dims[next++]);
      }
      view.dims = std::move(dims);
      return view;
    }
    // Of dense memory, any other shape is a view as well.
    Value source = node.input(0);
    while (IsReshape(body_.node(source.node).code())) source = body_.node(source.node).input(0);
    if (body_.node(source.node).code() != OpCode::kParameter) {
      return Unsupported("A reshape inside of a body splits or merges dimensions", node);
    }
    return LoadOf(parameter_of_.at(source.node), type, shape);
  }

  std::optional<std::vector<int64_t>> ConstantInts(Value value) const {
    const ir::Tensor& tensor = body_.info(value).constant;
    if (!tensor.has_value()) return std::nullopt;
    std::vector<int64_t> ints;
    for (int64_t i = 0; i < tensor.element_count(); ++i) {
      if (tensor.element_type() == ElementType::kI64) {
        ints.push_back(tensor.data_as<int64_t>()[i]);
      } else if (tensor.element_type() == ElementType::kI32) {
        ints.push_back(tensor.data_as<int32_t>()[i]);
      } else {
        return std::nullopt;
      }
    }
    return ints;
  }

  absl::Status AddCompute(const Node& node) {
    if (!node.op().Has(ir::kElementwise)) return Unsupported("Not a primitive operation of a body", node);
    BURIN_ASSIGN_OR_RETURN(const Shape shape, ShapeOf({node.id(), 0}));
    BodyNode result;
    result.kind = BodyNode::Kind::kCompute;
    result.type = node.output(0).type;
    result.node = node.id();
    std::vector<DimId> dims(shape.size(), kNoDim);
    for (int64_t i = 0; i < node.input_count(); ++i) {
      if (!node.input(i).exists()) return Unsupported("An absent input", node);
      BURIN_ASSIGN_OR_RETURN(const View view, Read(node.input(i)));
      if (view.dims.size() > dims.size()) return Unsupported("A broadcast that is not NumPy's", node);
      const size_t offset = dims.size() - view.dims.size();
      for (size_t k = 0; k < view.dims.size(); ++k) {
        if (view.dims[k] == kNoDim) continue;
        if (extent_[static_cast<size_t>(view.dims[k])] != shape[offset + k]) {
          return Unsupported("A broadcast that is not NumPy's", node);
        }
        if (dims[offset + k] == kNoDim) {
          dims[offset + k] = view.dims[k];
        } else {
          Unite(dims[offset + k], view.dims[k]);
        }
      }
      result.inputs.push_back(view.node);
    }
    views_[{node.id(), 0}] = AddNode(std::move(result), std::move(dims));
    return absl::OkStatus();
  }

  absl::Status AddReduction(const Node& node) {
    const std::optional<std::vector<int64_t>> axes = ConstantInts(node.input(1));
    if (!axes.has_value()) return Unsupported("The axes are not constant", node);
    BURIN_ASSIGN_OR_RETURN(const Shape shape, ShapeOf(node.input(0)));
    BURIN_ASSIGN_OR_RETURN(const Shape to, ShapeOf({node.id(), 0}));
    if (to.size() != shape.size()) return Unsupported("A reduction that drops dimensions", node);
    BURIN_ASSIGN_OR_RETURN(View view, Read(node.input(0)));
    std::vector<DimId> dims = view.dims;
    std::vector<DimId> reduced;
    for (const int64_t axis : *axes) {
      const auto position = static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(dims.size()) : axis);
      if (dims[position] != kNoDim) reduced.push_back(std::exchange(dims[position], kNoDim));
    }
    if (reduced.empty()) {
      views_[{node.id(), 0}] = std::move(view);
      return absl::OkStatus();
    }
    BodyNode result;
    result.kind = BodyNode::Kind::kReduce;
    result.type = node.output(0).type;
    result.node = node.id();
    result.inputs = {view.node};
    views_[{node.id(), 0}] = AddNode(std::move(result), std::move(dims));
    reduced_.back() = std::move(reduced);
    return absl::OkStatus();
  }

  absl::Status AddStore(int32_t port) {
    const Node& result = body_.node(body_.results()[static_cast<size_t>(port)]);
    Value value = result.input(0);
    const ElementType type = body_.info(value).type;
    // The memory is dense: what is reshaped just before is stored as it was.
    while (IsReshape(body_.node(value.node).code())) value = body_.node(value.node).input(0);
    BURIN_ASSIGN_OR_RETURN(const Shape shape, ShapeOf(value));
    BURIN_ASSIGN_OR_RETURN(const View view, Read(value));
    AddAccess(BodyNode::Kind::kStore, port, type, shape, view.dims);
    graph_.nodes.back().inputs = {view.node};
    return absl::OkStatus();
  }

  // Numbers the axes, from the outermost on as the outputs have them, then the inputs.
  void AssignAxes() {
    std::vector<DimId> order;
    const auto insert = [&](size_t node) {
      size_t place = 0;
      for (const DimId dim : dims_[node]) {
        if (dim == kNoDim) continue;
        const auto it = std::find(order.begin(), order.end(), Leader(dim));
        if (it == order.end()) {
          order.insert(order.begin() + static_cast<std::ptrdiff_t>(place), Leader(dim));
          ++place;
        } else {
          place = static_cast<size_t>(it - order.begin()) + 1;
        }
      }
    };
    for (const BodyNode::Kind kind : {BodyNode::Kind::kStore, BodyNode::Kind::kLoad, BodyNode::Kind::kCompute}) {
      for (size_t i = 0; i < graph_.nodes.size(); ++i) {
        if (graph_.nodes[i].kind == kind) insert(i);
      }
    }
    for (const DimId dim : order) {
      axis_of_[dim] = static_cast<int>(graph_.extents.size());
      graph_.extents.push_back(extent_[static_cast<size_t>(dim)]);
    }
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      BodyNode& node = graph_.nodes[i];
      node.strides.assign(access_[i].empty() ? 0 : graph_.extents.size(), 0);
      for (const DimId dim : dims_[i]) {
        if (dim != kNoDim) node.axes |= AxisBit(axis_of_.at(Leader(dim)));
      }
      for (const DimId dim : reduced_[i]) node.reduced |= AxisBit(axis_of_.at(Leader(dim)));
      for (const auto& [dim, stride] : access_[i])
        node.strides[static_cast<size_t>(axis_of_.at(Leader(dim)))] += stride;
    }
  }

  // Makes one axis of two neighbours that nothing tells apart.
  void Collapse() {
    for (size_t outer = graph_.extents.size(); outer-- > 1;) {
      // Here `outer` is the inner one of the pair.
      const size_t inner = outer;
      if (inner >= graph_.extents.size()) continue;
      const size_t other = inner - 1;
      const AxisSet both = AxisBit(static_cast<int>(inner)) | AxisBit(static_cast<int>(other));
      bool alike = true;
      for (const BodyNode& node : graph_.nodes) {
        const AxisSet axes = node.axes & both;
        const AxisSet reduced = node.reduced & both;
        alike = alike && (axes == 0 || axes == both) && (reduced == 0 || reduced == both);
        if (axes == both && !node.strides.empty()) {
          alike = alike && node.strides[other] == node.strides[inner] * graph_.extents[inner];
        }
      }
      if (alike) Merge(other, inner);
    }
  }

  void Merge(size_t outer, size_t inner) {
    graph_.extents[outer] *= graph_.extents[inner];
    graph_.extents.erase(graph_.extents.begin() + static_cast<std::ptrdiff_t>(inner));
    const auto squeeze = [inner](AxisSet axes) {
      const AxisSet below = axes & (AxisBit(static_cast<int>(inner)) - 1);
      return below | ((axes >> (inner + 1)) << inner);
    };
    for (BodyNode& node : graph_.nodes) {
      node.axes = squeeze(node.axes);
      node.reduced = squeeze(node.reduced);
      if (node.strides.empty()) continue;
      node.strides[outer] = node.strides[inner];
      node.strides.erase(node.strides.begin() + static_cast<std::ptrdiff_t>(inner));
    }
  }

  // Lets readers share a load of the same elements.
  void MergeLoads() {
    std::vector<int32_t> same(graph_.nodes.size());
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      same[i] = static_cast<int32_t>(i);
      BodyNode& node = graph_.nodes[i];
      for (int32_t& input : node.inputs) input = same[static_cast<size_t>(input)];
      if (node.kind != BodyNode::Kind::kLoad) continue;
      for (size_t k = 0; k < i; ++k) {
        const BodyNode& other = graph_.nodes[k];
        if (other.kind == BodyNode::Kind::kLoad && other.port == node.port && other.strides == node.strides) {
          same[i] = static_cast<int32_t>(k);
          break;
        }
      }
    }
  }

  // Refuses values that would have to vary twice along one axis.
  absl::Status CheckNodes() {
    if (graph_.extents.size() > kMaxAxes) {
      return absl::UnimplementedError(absl::StrCat("More axes than a kernel has: ", graph_.extents.size()));
    }
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      if (graph_.nodes[i].kind == BodyNode::Kind::kLoad) continue;
      std::vector<DimId> leaders;
      for (const DimId dim : dims_[i]) {
        if (dim != kNoDim) leaders.push_back(Leader(dim));
      }
      for (const DimId dim : reduced_[i]) leaders.push_back(Leader(dim));
      std::sort(leaders.begin(), leaders.end());
      if (std::adjacent_find(leaders.begin(), leaders.end()) != leaders.end()) {
        return absl::UnimplementedError(
            absl::StrCat("A value varies twice along one axis, in body \"", body_.name(), "\""));
      }
    }
    return absl::OkStatus();
  }

  const Model& body_;
  BodyGraph graph_;
  std::map<ir::NodeId, int32_t> parameter_of_;
  std::map<ir::NodeId, int32_t> constant_of_;
  // Of what was computed, and of what was read.
  std::map<std::pair<ir::NodeId, int32_t>, View> views_;
  std::map<std::pair<ir::NodeId, int32_t>, View> reads_;
  // Of each dimension: another one of the same axis, or itself; its extent.
  std::vector<DimId> leader_;
  std::vector<int64_t> extent_;
  std::map<DimId, int> axis_of_;
  // Of each node of graph_: the dimensions of its result, those of its memory with their strides, those reduced.
  std::vector<std::vector<DimId>> dims_;
  std::vector<std::vector<std::pair<DimId, int64_t>>> access_;
  std::vector<std::vector<DimId>> reduced_;
};

}  // namespace

absl::StatusOr<BodyGraph> BodyGraph::Create(const Model& body) { return Builder(body).Build(); }

}  // namespace burin::snippets
