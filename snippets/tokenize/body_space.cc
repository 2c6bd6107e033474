#include "snippets/tokenize/body_space.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"
#include "ir/partial_shape.h"
#include "snippets/decompose/constant_input.h"
#include "snippets/decompose/primitive.h"
#include "snippets/lowering/recompute_cost.h"

namespace burin::snippets {
namespace {

using ir::OpCode;

// Up to this many instructions are repeated rather than stored and loaded again.
constexpr int kCheapInstructions = 6;

// Of a dynamic dimension that is no batch: a sequence of moderate length.
constexpr int64_t kTypicalExtent = 256;

// Of a reduction, each of whose elements goes into an accumulator.
constexpr int kReducingInstructions = 1;

// Dimensions, before it is known which are one axis; -1 for those of extent 1.
using Dims = std::vector<int>;

// Is a value and its dimensions.
struct ViewedValue {
  Dims dims;
  bool is_computed = false;
  // A view of something computed that no dimensions describe: it must become memory, and the dimensions are those of
  // the first of what is computed.
  bool is_opaque = false;
};

class Describer {
 public:
  explicit Describer(const ir::Model& body) : body_(body) {}

  absl::StatusOr<BodySpace> Describe() {
    for (size_t i = 0; i < body_.parameters().size(); ++i) parameter_of_[body_.parameters()[i]] = i;
    space_.parameters.resize(body_.parameters().size());
    BURIN_ASSIGN_OR_RETURN(const std::vector<ir::NodeId> order, body_.TopologicalOrder());
    for (const ir::NodeId id : order) {
      const ir::Node& node = body_.node(id);
      if (node.op().Has(ir::kElementwise)) {
        BURIN_RETURN_IF_ERROR(AddElementwise(node));
      } else if (IsPrimitiveReduction(node.code())) {
        BURIN_RETURN_IF_ERROR(AddReduction(node));
      }
    }
    for (const ir::NodeId id : body_.results()) {
      BURIN_ASSIGN_OR_RETURN(const ViewedValue value, Read(body_.node(id).input(0)));
      ValueAccess access;
      access.made = value.dims;
      access.made_in_memory = value.is_opaque;
      space_.results.push_back(std::move(access));
    }
    return Finish();
  }

 private:
  struct Dim {
    int leader = 0;
    SpaceAxis axis;
  };
  struct Work {
    Dims dims;
    Dims reduced;
    int instructions = 0;
  };

  Dims NewDims(const ir::PartialShape& shape) {
    Dims dims;
    const std::vector<double> extents = TypicalExtents(shape);
    for (size_t i = 0; i < extents.size(); ++i) {
      const ir::Dimension& declared = shape[static_cast<int64_t>(i)];
      dims.push_back(-1);
      if (declared == ir::Dimension(1)) continue;
      Dim dim;
      dim.leader = dims.back() = static_cast<int>(dims_.size());
      dim.axis.extent = extents[i];
      dim.axis.is_dynamic = declared.is_dynamic();
      dims_.push_back(dim);
    }
    Deepen(dims);
    return dims;
  }

  void Deepen(const Dims& dims) {
    for (size_t i = 0; i < dims.size(); ++i) {
      if (dims[i] < 0) continue;
      int& depth = dims_[static_cast<size_t>(Find(dims[i]))].axis.depth;
      depth = std::max(depth, static_cast<int>(dims.size() - 1 - i));
    }
  }

  int Find(int dim) {
    while (dims_[static_cast<size_t>(dim)].leader != dim) dim = dims_[static_cast<size_t>(dim)].leader;
    return dim;
  }

  void Unite(int a, int b) {
    a = Find(a);
    b = Find(b);
    if (a == b) return;
    SpaceAxis& into = dims_[static_cast<size_t>(a)].axis;
    const SpaceAxis& from = dims_[static_cast<size_t>(b)].axis;
    if (into.is_dynamic != from.is_dynamic) {
      if (into.is_dynamic) into.extent = from.extent;
      into.is_dynamic = false;
    } else {
      into.extent = std::max(into.extent, from.extent);
    }
    into.depth = std::max(into.depth, from.depth);
    dims_[static_cast<size_t>(b)].leader = a;
  }

  // Returns a value for its readers, which share its dimensions.
  absl::StatusOr<ViewedValue> Read(ir::Value value) {
    const auto it = values_.find({ir::Index(value.node), value.output});
    if (it != values_.end()) return it->second;
    BURIN_ASSIGN_OR_RETURN(ViewedValue view, ReadAnew(value, /*renamed=*/false));
    values_[{ir::Index(value.node), value.output}] = view;
    return view;
  }

  absl::StatusOr<ViewedValue> ReadAnew(ir::Value value, bool renamed) {
    const ir::Node& node = body_.node(value.node);
    const ir::PartialShape& shape = body_.info(value).shape;
    const auto known = values_.find({ir::Index(value.node), value.output});
    if (known != values_.end() && known->second.is_computed) return known->second;
    if (node.code() == OpCode::kParameter) {
      ViewedValue view;
      view.dims = NewDims(shape);
      ValueAccess& access = space_.parameters[parameter_of_.at(node.id())];
      if (renamed) {
        access.renamed.push_back(view.dims);
      } else {
        access.read = view.dims;
      }
      return view;
    }
    ViewedValue view;
    if (node.code() == OpCode::kConstant || node.input_count() == 0) {
      view.dims = NewDims(shape);
      return view;
    }
    if (node.code() == OpCode::kTranspose) return Transposed(node);
    if (IsReshape(node.code()) && MovesOnlyOnes(body_, node)) return WithOtherOnes(node, shape);
    // Any other view: memory is read by dimensions of its own, and what is computed is written by its own.
    for (const ir::Value& input : node.inputs()) {
      const std::optional<Dims> computed = ReadAsMemory(input);
      if (!computed.has_value() || view.is_opaque) continue;
      view.is_opaque = true;
      view.dims = *computed;
    }
    if (!view.is_opaque) view.dims = NewDims(shape);
    return view;
  }

  absl::StatusOr<ViewedValue> Transposed(const ir::Node& node) {
    const std::optional<std::vector<int64_t>> order = ConstantIntegers(body_, node, 1);
    if (!order.has_value()) return CannotDecompose("The order is not constant", node);
    BURIN_ASSIGN_OR_RETURN(ViewedValue view, ReadAnew(node.input(0), /*renamed=*/true));
    Dims dims;
    for (size_t i = 0; i < view.dims.size(); ++i) {
      dims.push_back(view.dims[order->empty() ? view.dims.size() - 1 - i : static_cast<size_t>((*order)[i])]);
    }
    view.dims = std::move(dims);
    return view;
  }

  absl::StatusOr<ViewedValue> WithOtherOnes(const ir::Node& node, const ir::PartialShape& to) {
    BURIN_ASSIGN_OR_RETURN(ViewedValue view, ReadAnew(node.input(0), /*renamed=*/true));
    const ir::PartialShape& from = body_.info(node.input(0)).shape;
    const auto is_one = [](const ir::PartialShape& shape, int64_t i) { return shape[i] == ir::Dimension(1); };
    Dims dims;
    int64_t next = 0;
    for (int64_t i = 0; i < to.rank(); ++i) {
      if (is_one(to, i)) {
        dims.push_back(-1);
        continue;
      }
      while (next < from.rank() && is_one(from, next)) ++next;
      if (next == from.rank()) return CannotDecompose("The dimensions do not match", node);
      dims.push_back(view.dims[static_cast<size_t>(next++)]);
    }
    view.dims = std::move(dims);
    return view;
  }

  // Notes that what the value is a view of is memory. Returns the dimensions of what of it is computed, if anything is.
  std::optional<Dims> ReadAsMemory(ir::Value value) {
    if (!value.exists()) return std::nullopt;
    const auto known = values_.find({ir::Index(value.node), value.output});
    if (known != values_.end() && known->second.is_computed) return known->second.dims;
    const ir::Node& node = body_.node(value.node);
    if (node.code() == OpCode::kParameter) {
      space_.parameters[parameter_of_.at(node.id())].read_in_memory = true;
      return std::nullopt;
    }
    std::optional<Dims> computed;
    for (const ir::Value& input : node.inputs()) {
      std::optional<Dims> dims = ReadAsMemory(input);
      if (!computed.has_value()) computed = std::move(dims);
    }
    return computed;
  }

  absl::Status AddElementwise(const ir::Node& node) {
    const ir::PartialShape& shape = node.output(0).shape;
    Dims dims(static_cast<size_t>(shape.rank()), -1);
    for (const ir::Value& input : node.inputs()) {
      if (!input.exists()) continue;
      BURIN_ASSIGN_OR_RETURN(const ViewedValue view, Read(input));
      if (view.dims.size() > dims.size()) return CannotDecompose("A broadcast by another rule than NumPy's", node);
      const size_t offset = dims.size() - view.dims.size();
      for (size_t i = 0; i < view.dims.size(); ++i) {
        if (view.dims[i] < 0) continue;
        int& dim = dims[offset + i];
        if (dim >= 0) Unite(dim, view.dims[i]);
        dim = view.dims[i];
      }
    }
    const ElementType type = node.input_count() > 0 ? body_.info(node.input(0)).type : node.output(0).type;
    AddComputed(node, std::move(dims), {}, RecomputeCost(node.op(), type));
    return absl::OkStatus();
  }

  absl::Status AddReduction(const ir::Node& node) {
    BURIN_ASSIGN_OR_RETURN(const ViewedValue view, Read(node.input(0)));
    const ir::PartialShape& shape = node.output(0).shape;
    Dims dims = view.dims;
    Dims reduced;
    for (size_t i = 0; i < dims.size(); ++i) {
      if (dims[i] < 0 || !(shape[static_cast<int64_t>(i)] == ir::Dimension(1))) continue;
      reduced.push_back(std::exchange(dims[i], -1));
    }
    AddComputed(node, std::move(dims), std::move(reduced), kReducingInstructions);
    return absl::OkStatus();
  }

  void AddComputed(const ir::Node& node, Dims dims, Dims reduced, int instructions) {
    Deepen(dims);
    ViewedValue value;
    value.dims = dims;
    value.is_computed = true;
    values_[{ir::Index(node.id()), 0}] = std::move(value);
    work_.push_back({std::move(dims), std::move(reduced), instructions});
  }

  absl::StatusOr<BodySpace> Finish() {
    std::vector<int> axis_of(dims_.size(), -1);
    for (size_t i = 0; i < dims_.size(); ++i) {
      const auto leader = static_cast<size_t>(Find(static_cast<int>(i)));
      if (axis_of[leader] < 0) {
        axis_of[leader] = static_cast<int>(space_.axes.size());
        space_.axes.push_back(dims_[leader].axis);
      }
      axis_of[i] = axis_of[leader];
    }
    if (space_.axes.size() > static_cast<size_t>(kMaxSpaceAxes)) {
      return absl::UnimplementedError(absl::StrCat("More axes than costs are reckoned for: ", space_.axes.size()));
    }
    const auto map = [&axis_of](Dims& dims) {
      for (int& dim : dims) dim = dim < 0 ? -1 : axis_of[static_cast<size_t>(dim)];
    };
    const auto map_access = [&map](ValueAccess& access) {
      if (access.made.has_value()) map(*access.made);
      if (access.read.has_value()) map(*access.read);
      for (Dims& dims : access.renamed) map(dims);
    };
    for (ValueAccess& access : space_.parameters) map_access(access);
    for (ValueAccess& access : space_.results) map_access(access);
    for (Work& work : work_) {
      map(work.dims);
      map(work.reduced);
      AddWork(work);
    }
    return std::move(space_);
  }

  void AddWork(const Work& work) {
    SpaceWork entry;
    for (const int axis : work.dims) {
      if (axis >= 0) entry.axes |= AxisMask{1} << axis;
    }
    for (const int axis : work.reduced) {
      entry.axes |= AxisMask{1} << axis;
      space_.axes[static_cast<size_t>(axis)].is_reduced = true;
    }
    for (size_t i = 0; i < space_.axes.size(); ++i) {
      if ((entry.axes >> i & 1) != 0) space_.axes[i].together |= entry.axes;
    }
    auto it = std::find_if(space_.work.begin(), space_.work.end(),
                           [&entry](const SpaceWork& other) { return other.axes == entry.axes; });
    if (it == space_.work.end()) it = space_.work.insert(it, entry);
    if (!work.reduced.empty()) {
      it->reducing += work.instructions;
    } else {
      (work.instructions <= kCheapInstructions ? it->cheap : it->dear) += work.instructions;
    }
  }

  const ir::Model& body_;
  BodySpace space_;
  absl::flat_hash_map<ir::NodeId, size_t> parameter_of_;
  std::map<std::pair<int32_t, int32_t>, ViewedValue> values_;
  std::vector<Dim> dims_;
  std::vector<Work> work_;
};

}  // namespace

std::vector<double> TypicalExtents(const ir::PartialShape& shape) {
  std::vector<double> extents;
  for (const ir::Dimension& dim : shape.dims()) {
    const bool is_batch = extents.empty() && shape.rank() > 1;
    const int64_t typical = is_batch ? 1 : kTypicalExtent;
    extents.push_back(static_cast<double>(std::clamp(typical, dim.min(), dim.max())));
  }
  return extents;
}

double TypicalBytes(const ir::ValueInfo& info) {
  double bytes = static_cast<double>(BitWidth(info.type)) / 8;
  for (const double extent : TypicalExtents(info.shape)) bytes *= extent;
  return bytes;
}

absl::StatusOr<BodySpace> DescribeBody(const ir::Model& primitive) { return Describer(primitive).Describe(); }

}  // namespace burin::snippets
