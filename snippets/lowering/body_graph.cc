#include "snippets/lowering/body_graph.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/ops/concat.h"
#include "ir/ops/op_code.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "snippets/decompose/constant_input.h"
#include "snippets/decompose/primitive.h"
#include "snippets/linear/lane.h"
#include "snippets/lowering/axis_classes.h"
#include "snippets/lowering/axis_numbering.h"
#include "snippets/lowering/memory_view.h"

namespace burin::snippets {
namespace {

using ir::Model;
using ir::Node;
using ir::OpCode;
using ir::Shape;
using ir::Value;

// Is a value as one of its readers sees it: a node, and the dimension that each position of the shape stands for.
struct View {
  int32_t node = -1;
  std::vector<DimId> dims;
};

// Returns whether the operation is a part of the graph. The others say how memory is seen, and are followed from what
// reads them, or what they join.
bool IsComputed(OpCode code) {
  switch (code) {
    case OpCode::kParameter:
    case OpCode::kConstant:
    case OpCode::kResult:
    case OpCode::kTranspose:
    case OpCode::kSlice:
    case OpCode::kSplit:
    case OpCode::kVariadicSplit:
    case OpCode::kConcat:
      return false;
    default:
      return !IsReshape(code);
  }
}

ValueDims::Rank RankOf(BodyNode::Kind kind) {
  switch (kind) {
    case BodyNode::Kind::kStore:
      return ValueDims::Rank::kStore;
    case BodyNode::Kind::kLoad:
      return ValueDims::Rank::kLoad;
    case BodyNode::Kind::kCompute:
      return ValueDims::Rank::kCompute;
    default:
      return ValueDims::Rank::kNone;
  }
}

// Builds a graph.
class Builder {
 public:
  explicit Builder(const SizedBody& body) : sized_(body), body_(body.sized) {}

  absl::StatusOr<BodyGraph> Build(BodyGraph::Axes axes) {
    graph_.parameter_count = static_cast<int32_t>(body_.parameters().size());
    for (size_t i = 0; i < body_.parameters().size(); ++i) port_of_[body_.parameters()[i]] = static_cast<int32_t>(i);
    BURIN_ASSIGN_OR_RETURN(const std::vector<ir::NodeId> order, body_.TopologicalOrder());
    for (const ir::NodeId id : order) {
      const Node& node = body_.node(id);
      if (!IsComputed(node.code()) || !body_.IsRead(id)) continue;
      if (IsPrimitiveReduction(node.code())) {
        BURIN_RETURN_IF_ERROR(AddReduction(node));
      } else {
        BURIN_RETURN_IF_ERROR(AddCompute(node));
      }
    }
    for (size_t i = 0; i < body_.results().size(); ++i) BURIN_RETURN_IF_ERROR(AddStores(static_cast<int32_t>(i)));
    MergeLoads();
    BURIN_RETURN_IF_ERROR(NumberAxes(axes));
    return std::move(graph_);
  }

 private:
  static absl::Status Unsupported(absl::string_view what, const Node& node) {
    return absl::UnimplementedError(absl::StrCat(what, ": ", node.op().name, " \"", node.name(), "\""));
  }

  absl::StatusOr<Shape> ShapeOf(Value value) const { return SizedShape(sized_, value); }

  const ir::PartialShape& Declared(Value value) const { return sized_.declared.info(value).shape; }

  // Adds a dimension of the value's shape.
  DimId NewDim(const ir::Dimension& declared, int64_t extent) {
    if (declared == ir::Dimension(1)) return kNoDim;
    return classes_.Add(extent, declared.is_static() ? declared.value() : AxisClasses::kUndeclared);
  }

  // Adds an access to memory; `dims` are those of the axes that `memory` has.
  View AddAccess(BodyNode node, const std::vector<ViewDim>& memory, std::vector<DimId> dims) {
    std::vector<AccessDim> access;
    for (size_t i = 0; i < memory.size(); ++i) {
      if (dims[i] == kNoDim) continue;
      access.push_back({dims[i], memory[i].stride, memory[i].position, memory[i].packed, memory[i].step});
    }
    std::sort(access.begin(), access.end(),
              [](const AccessDim& a, const AccessDim& b) { return a.position < b.position; });
    return AddNode(std::move(node), std::move(dims), std::move(access));
  }

  View AddNode(BodyNode node, std::vector<DimId> dims, std::vector<AccessDim> access = {}) {
    dims_.push_back({RankOf(node.kind), dims, std::move(access), {}});
    graph_.nodes.push_back(std::move(node));
    return {static_cast<int32_t>(graph_.nodes.size()) - 1, std::move(dims)};
  }

  // Returns a value for one of its readers. All readers of one value see the same dimensions; what reads the same
  // memory through another transpose or reshape accesses it anew, along axes of its own.
  absl::StatusOr<View> Read(Value value) {
    const auto it = reads_.find(value);
    if (it != reads_.end()) return it->second;
    BURIN_ASSIGN_OR_RETURN(View view, ReadAnew(value));
    reads_[value] = view;
    return view;
  }

  absl::StatusOr<View> ReadAnew(Value value) {
    const Node& node = body_.node(value.node);
    const ElementType type = body_.info(value).type;
    if (!LaneOf(type).has_value()) {
      return Unsupported(absl::StrCat("Elements of type ", Name(type), " are not computed with"), node);
    }
    if (const auto it = views_.find(value); it != views_.end()) return it->second;
    if (node.code() == OpCode::kConstant && body_.info(value).constant.element_count() == 1) return Scalar(value);
    BURIN_ASSIGN_OR_RETURN(const std::optional<MemoryView> memory, ViewOf(sized_, value));
    if (memory.has_value()) return Load(*memory, value);
    if (node.code() == OpCode::kTranspose) return ReadTransposed(node);
    if (IsReshape(node.code())) return ReadReshaped(node);
    return Unsupported("Neither a view of memory nor computed", node);
  }

  View Scalar(Value value) {
    const ir::ValueInfo& info = body_.info(value);
    BodyNode node;
    node.kind = BodyNode::Kind::kConstant;
    node.type = info.type;
    node.constant = info.constant;
    return AddNode(std::move(node), std::vector<DimId>(static_cast<size_t>(info.shape.rank()), kNoDim));
  }

  absl::StatusOr<View> Load(const MemoryView& memory, Value value) {
    BodyNode node;
    node.kind = BodyNode::Kind::kLoad;
    node.type = memory.type;
    node.offset = memory.offset;
    BURIN_ASSIGN_OR_RETURN(node.port, PortOf(memory.source));
    std::vector<DimId> dims;
    for (size_t i = 0; i < memory.dims.size(); ++i) {
      dims.push_back(NewDim(Declared(value)[static_cast<int64_t>(i)], memory.dims[i].extent));
    }
    return AddAccess(std::move(node), memory.dims, std::move(dims));
  }

  // Returns the input of the kernel that a Parameter or Constant is.
  absl::StatusOr<int32_t> PortOf(ir::NodeId source) {
    const auto it = port_of_.find(source);
    if (it != port_of_.end()) return it->second;
    BURIN_ASSIGN_OR_RETURN(ir::Tensor dense, body_.info({source, 0}).constant.ToDense());
    const int32_t port = graph_.parameter_count + static_cast<int32_t>(graph_.constants.size());
    graph_.constants.push_back(std::move(dense));
    port_of_[source] = port;
    return port;
  }

  absl::StatusOr<View> ReadTransposed(const Node& node) {
    const std::optional<std::vector<int64_t>> order = ConstantIntegers(body_, node, 1);
    if (!order.has_value()) return Unsupported("The order is not constant", node);
    BURIN_ASSIGN_OR_RETURN(View view, ReadAnew(node.input(0)));
    std::vector<DimId> dims(view.dims.size());
    for (size_t i = 0; i < dims.size(); ++i) {
      dims[i] = view.dims[order->empty() ? dims.size() - 1 - i : static_cast<size_t>((*order)[i])];
    }
    view.dims = std::move(dims);
    return view;
  }

  absl::StatusOr<View> ReadReshaped(const Node& node) {
    if (!MovesOnlyOnes(sized_.declared, sized_.declared.node(node.id()))) {
      return Unsupported("A reshape inside of a body splits or merges dimensions", node);
    }
    BURIN_ASSIGN_OR_RETURN(View view, ReadAnew(node.input(0)));
    const ir::PartialShape& from = Declared(node.input(0));
    const ir::PartialShape& to = Declared({node.id(), 0});
    std::vector<DimId> dims;
    int64_t next = 0;
    for (int64_t i = 0; i < to.rank(); ++i) {
      if (to[i] == ir::Dimension(1)) {
        dims.push_back(kNoDim);
        continue;
      }
      while (from[next] == ir::Dimension(1)) ++next;
      dims.push_back(view.dims[static_cast<size_t>(next++)]);
    }
    view.dims = std::move(dims);
    return view;
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
        if (classes_.extent(view.dims[k]) != shape[offset + k]) {
          if (classes_.extent(view.dims[k]) != 1) return Unsupported("A broadcast that is not NumPy's", node);
          classes_.Drop(view.dims[k]);
          continue;
        }
        if (dims[offset + k] == kNoDim) {
          dims[offset + k] = view.dims[k];
        } else {
          classes_.Unite(dims[offset + k], view.dims[k]);
        }
      }
      result.inputs.push_back(view.node);
    }
    views_[Value{node.id(), 0}] = AddNode(std::move(result), std::move(dims));
    return absl::OkStatus();
  }

  absl::Status AddReduction(const Node& node) {
    const std::optional<std::vector<int64_t>> axes = ConstantIntegers(body_, node, 1);
    if (!axes.has_value()) return Unsupported("The axes are not constant", node);
    if (Declared(node.input(0)).rank() != Declared({node.id(), 0}).rank())
      return Unsupported("A reduction that drops dimensions", node);
    BURIN_ASSIGN_OR_RETURN(View view, Read(node.input(0)));
    std::vector<DimId> dims = view.dims;
    std::vector<DimId> reduced;
    for (const int64_t axis : *axes) {
      const auto position = static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(dims.size()) : axis);
      if (dims[position] != kNoDim) reduced.push_back(std::exchange(dims[position], kNoDim));
    }
    if (reduced.empty()) {
      views_[Value{node.id(), 0}] = std::move(view);
      return absl::OkStatus();
    }
    BodyNode result;
    result.kind = BodyNode::Kind::kReduce;
    result.type = node.output(0).type;
    result.node = node.id();
    result.inputs = {view.node};
    views_[Value{node.id(), 0}] = AddNode(std::move(result), std::move(dims));
    dims_.back().reduced = std::move(reduced);
    return absl::OkStatus();
  }

  // Adds the stores into one output: its memory is dense, and joined of pieces where a Concat gives it.
  absl::Status AddStores(int32_t port) {
    const Value value = BehindReshapes(body_.node(body_.results()[static_cast<size_t>(port)]).input(0));
    BURIN_ASSIGN_OR_RETURN(const Shape shape, ShapeOf(value));
    const ElementType type = body_.info(value).type;
    return AddPieces(port, value, DenseDims(Declared(value), shape, type), 0);
  }

  // What is reshaped just before it is stored is stored as it was.
  Value BehindReshapes(Value value) const {
    while (IsReshape(body_.node(value.node).code())) value = body_.node(value.node).input(0);
    return value;
  }

  absl::Status AddPieces(int32_t port, Value value, std::vector<ViewDim> memory, int64_t offset) {
    const Node& node = body_.node(value.node);
    if (node.code() != OpCode::kConcat) {
      BURIN_ASSIGN_OR_RETURN(const View view, Read(value));
      BodyNode store;
      store.kind = BodyNode::Kind::kStore;
      store.port = port;
      store.type = body_.info(value).type;
      store.offset = offset;
      store.inputs = {view.node};
      AddAccess(std::move(store), memory, view.dims);
      return absl::OkStatus();
    }
    const int64_t rank = static_cast<int64_t>(memory.size());
    int64_t axis = node.attributes_as<ir::ConcatAttributes>().axis;
    if (axis < 0) axis += rank;
    const auto at = static_cast<size_t>(axis);
    for (int64_t i = 0; i < node.input_count(); ++i) {
      BURIN_ASSIGN_OR_RETURN(const Shape shape, ShapeOf(node.input(i)));
      const bool is_one = Declared(node.input(i))[axis] == ir::Dimension(1);
      std::vector<ViewDim> piece = memory;
      TakePiece(piece, at, shape[at], is_one);
      BURIN_RETURN_IF_ERROR(AddPieces(port, node.input(i), std::move(piece), offset));
      offset += shape[at] * memory[at].stride;
    }
    return absl::OkStatus();
  }

  // Lets readers share a load of the same elements.
  void MergeLoads() {
    std::vector<int32_t> same(graph_.nodes.size());
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      same[i] = static_cast<int32_t>(i);
      BodyNode& node = graph_.nodes[i];
      for (int32_t& input : node.inputs) input = same[static_cast<size_t>(input)];
      if (node.kind != BodyNode::Kind::kLoad) continue;
      for (size_t k = 0; k < i && same[i] == static_cast<int32_t>(i); ++k) {
        if (IsSameLoad(k, i)) same[i] = static_cast<int32_t>(k);
      }
    }
  }

  bool IsSameLoad(size_t a, size_t b) {
    const BodyNode& first = graph_.nodes[a];
    const BodyNode& second = graph_.nodes[b];
    if (first.kind != BodyNode::Kind::kLoad || first.port != second.port || first.offset != second.offset) return false;
    return std::equal(dims_[a].access.begin(), dims_[a].access.end(), dims_[b].access.begin(), dims_[b].access.end(),
                      [this](const AccessDim& x, const AccessDim& y) {
                        return classes_.Leader(x.dim) == classes_.Leader(y.dim) && x.stride == y.stride &&
                               x.packed == y.packed;
                      });
  }

  // Says all of that in axes.
  absl::Status NumberAxes(BodyGraph::Axes axes) {
    BURIN_ASSIGN_OR_RETURN(AxisNumbering numbering,
                           AxisNumbering::Create(dims_, classes_, axes == BodyGraph::Axes::kMerged, body_.name()));
    graph_.extents = std::move(numbering.extents);
    graph_.declared_extents = std::move(numbering.declared_extents);
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      BodyNode& node = graph_.nodes[i];
      ValueAxes& numbered = numbering.values[i];
      node.axes = numbered.axes;
      node.reduced = numbered.reduced;
      node.strides = std::move(numbered.strides);
      node.unit_axis = numbered.unit_axis;
      node.unit_step = numbered.unit_step;
    }
    return absl::OkStatus();
  }

  const SizedBody sized_;
  const Model& body_;
  BodyGraph graph_;
  // Of Parameters and Constants: which input of the kernel they are.
  std::map<ir::NodeId, int32_t> port_of_;
  // Of what was computed, and of what was read.
  absl::flat_hash_map<Value, View> views_;
  absl::flat_hash_map<Value, View> reads_;
  AxisClasses classes_;
  // Of each node of graph_.
  std::vector<ValueDims> dims_;
};

}  // namespace

absl::StatusOr<BodyGraph> BodyGraph::Create(const SizedBody& body, Axes axes) { return Builder(body).Build(axes); }

}  // namespace burin::snippets
