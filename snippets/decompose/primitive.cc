#include "snippets/decompose/primitive.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/ops/family/broadcast_rule.h"
#include "ir/ops/family/reduction.h"
#include "ir/ops/op_code.h"
#include "ir/partial_shape.h"
#include "snippets/decompose/broadcast_attribute.h"
#include "snippets/decompose/constant_input.h"
#include "snippets/linear/lane.h"

namespace burin::snippets {
namespace {

using ir::OpCode;

std::vector<ir::Dimension> WithoutOnes(const ir::PartialShape& shape) {
  std::vector<ir::Dimension> rest;
  for (const ir::Dimension& dim : shape.dims()) {
    if (!(dim == ir::Dimension(1))) rest.push_back(dim);
  }
  return rest;
}

// Returns whether reshapes and Results alone read the node.
bool ViewsResults(const ir::Model& body, const ir::Node& node) {
  const std::vector<ir::Use> uses = body.UsesOf(ir::Value{node.id(), 0});
  return std::all_of(uses.begin(), uses.end(), [&body](const ir::Use& use) {
    const ir::Node& reader = body.node(use.node);
    return reader.code() == OpCode::kResult || (IsReshape(reader.code()) && ViewsResults(body, reader));
  });
}

absl::Status CheckValue(const ir::Model& body, ir::Value value, const ir::Node& reader) {
  BURIN_RETURN_IF_ERROR(KnownRank(body, value, reader).status());
  const ElementType type = body.info(value).type;
  if (HasPrimitiveType(type)) return absl::OkStatus();
  return CannotDecompose(absl::StrCat("Kernels do not compute with the element type ", Name(type)), reader);
}

absl::Status CheckReduction(const ir::Model& body, const ir::Node& node) {
  BURIN_RETURN_IF_ERROR(ConstantAxes(body, node).status());
  if (node.attributes_as<ir::ReductionAttributes>().keep_dims) return absl::OkStatus();
  return CannotDecompose("A reduction that drops dimensions", node);
}

absl::Status CheckReshape(const ir::Model& body, const ir::Node& node) {
  if (MovesOnlyOnes(body, node) || ViewsParameter(body, node.input(0)) || ViewsResults(body, node))
    return absl::OkStatus();
  return CannotDecompose("A reshape of what is not in memory splits or merges dimensions", node);
}

// Returns whether the operation takes a piece of its input 0, and nothing else.
bool IsPiece(OpCode code) { return code == OpCode::kSlice || code == OpCode::kSplit || code == OpCode::kVariadicSplit; }

// Returns whether the value is a view of a Parameter or Constant: it reads it
// through nothing but views.
bool ViewsMemory(const ir::Model& body, ir::Value value) {
  const ir::Node* source = &body.node(value.node);
  while (IsReshape(source->code()) || source->code() == OpCode::kTranspose || IsPiece(source->code())) {
    source = &body.node(source->input(0).node);
  }
  return source->code() == OpCode::kParameter || source->code() == OpCode::kConstant;
}

// Returns whether the node, a Concat, becomes Results, alone or as a piece of
// others.
bool BecomesResults(const ir::Model& body, const ir::Node& node) {
  const std::vector<ir::Use> uses = body.UsesOf(ir::Value{node.id(), 0});
  return std::all_of(uses.begin(), uses.end(), [&body](const ir::Use& use) {
    const ir::Node& reader = body.node(use.node);
    if (reader.code() == OpCode::kConcat) return BecomesResults(body, reader);
    return reader.code() == OpCode::kResult || (IsReshape(reader.code()) && ViewsResults(body, reader));
  });
}

absl::Status CheckPiece(const ir::Model& body, const ir::Node& node) {
  for (int64_t i = 1; i < node.input_count(); ++i) {
    if (node.input(i).exists() && !IsConstant(body, node, i)) {
      return CannotDecompose("Which piece it takes is not constant", node);
    }
  }
  if (ViewsMemory(body, node.input(0))) return absl::OkStatus();
  return CannotDecompose("A piece of what is not in memory", node);
}

absl::Status CheckNode(const ir::Model& body, const ir::Node& node) {
  // Whatever nobody reads is not loaded, and a constant that only says axes or
  // a shape has no part in the kernel.
  if (node.code() == OpCode::kParameter || node.code() == OpCode::kConstant) return absl::OkStatus();
  const bool is_elementwise = node.op().Has(ir::kElementwise);
  for (int64_t i = 0; i < (is_elementwise ? node.input_count() : std::min<int64_t>(node.input_count(), 1)); ++i) {
    if (node.input(i).exists()) BURIN_RETURN_IF_ERROR(CheckValue(body, node.input(i), node));
  }
  if (node.code() == OpCode::kResult) return absl::OkStatus();
  BURIN_RETURN_IF_ERROR(CheckValue(body, ir::Value{node.id(), 0}, node));
  if (IsReshape(node.code())) return CheckReshape(body, node);
  if (IsPrimitiveReduction(node.code())) return CheckReduction(body, node);
  if (IsPiece(node.code())) return CheckPiece(body, node);
  if (node.code() == OpCode::kConcat) {
    if (BecomesResults(body, node)) return absl::OkStatus();
    return CannotDecompose("What is joined is not only stored", node);
  }
  if (node.code() == OpCode::kTranspose) {
    return IsConstant(body, node, 1) ? absl::OkStatus() : CannotDecompose("The order is not constant", node);
  }
  if (!is_elementwise) return CannotDecompose("Not an operation that a kernel is made of", node);
  if (BroadcastRuleOf(node).mode == ir::AutoBroadcast::kPdpd) {
    return CannotDecompose("A broadcast by another rule than NumPy's", node);
  }
  return absl::OkStatus();
}

}  // namespace

bool IsPrimitiveReduction(OpCode code) {
  return code == OpCode::kReduceSum || code == OpCode::kReduceMean || code == OpCode::kReduceMax ||
         code == OpCode::kReduceMin || code == OpCode::kReduceProd;
}

bool IsReshape(OpCode code) {
  return code == OpCode::kReshape || code == OpCode::kSqueeze || code == OpCode::kUnsqueeze;
}

bool MovesOnlyOnes(const ir::Model& body, const ir::Node& node) {
  const ir::PartialShape& from = body.info(node.input(0)).shape;
  const ir::PartialShape& to = node.output(0).shape;
  if (!from.has_rank() || !to.has_rank()) return false;
  // The others do nothing else.
  if (node.code() != OpCode::kReshape) return true;
  const std::vector<ir::Dimension> before = WithoutOnes(from);
  const std::vector<ir::Dimension> after = WithoutOnes(to);
  return before.size() == after.size() &&
         std::equal(before.begin(), before.end(), after.begin(),
                    [](const ir::Dimension& a, const ir::Dimension& b) { return a.MustEqual(b); });
}

bool ViewsParameter(const ir::Model& body, ir::Value value) {
  const ir::Node* source = &body.node(value.node);
  while (IsReshape(source->code())) source = &body.node(source->input(0).node);
  return source->code() == OpCode::kParameter;
}

bool HasPrimitiveType(ElementType type) { return LaneOf(type).has_value(); }

absl::Status CheckPrimitive(const ir::Model& body) {
  for (const ir::NodeId id : body.NodeIds()) BURIN_RETURN_IF_ERROR(CheckNode(body, body.node(id)));
  return absl::OkStatus();
}

}  // namespace burin::snippets
