#include "ir/structural.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/element_type.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "ir/attributes.h"
#include "ir/ops/assign.h"
#include "ir/ops/op_code.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"

namespace burin::ir {
namespace {

// Says in the hashed stream what kind of value follows.
enum class Tag : uint8_t {
  kBool = 1,
  kInt,
  kDouble,
  kString,
  kInts,
  kDoubles,
  kStrings,
  kElementType,
  kShape,
  kTensor,
  kEnum,
};

void HashShape(const PartialShape& shape, Hasher* hasher) {
  hasher->UpdateInt(shape.has_rank() ? shape.rank() : int64_t{-1});
  if (!shape.has_rank()) return;
  for (const Dimension& dim : shape.dims()) {
    hasher->UpdateInt(dim.min());
    hasher->UpdateInt(dim.max());
    // As in comparisons: the value of a static dimension says more than its symbol.
    hasher->UpdateString(dim.is_static() ? absl::string_view() : absl::string_view(dim.symbol()));
  }
}

// Writes each attribute's name, kind and value into a stream.
class HashingVisitor final : public AttributeVisitor {
 public:
  HashingVisitor(bool with_constants, Hasher* hasher) : with_constants_(with_constants), hasher_(hasher) {}

  void Visit(const char* name, bool& value) override {
    Begin(name, Tag::kBool);
    hasher_->UpdateInt(value);
  }
  void Visit(const char* name, int64_t& value) override {
    Begin(name, Tag::kInt);
    hasher_->UpdateInt(value);
  }
  void Visit(const char* name, double& value) override {
    Begin(name, Tag::kDouble);
    hasher_->UpdateDouble(value);
  }
  void Visit(const char* name, std::string& value) override {
    Begin(name, Tag::kString);
    hasher_->UpdateString(value);
  }
  void Visit(const char* name, std::vector<int64_t>& value) override {
    Begin(name, Tag::kInts);
    hasher_->UpdateInt(value.size());
    for (const int64_t element : value) hasher_->UpdateInt(element);
  }
  void Visit(const char* name, std::vector<double>& value) override {
    Begin(name, Tag::kDoubles);
    hasher_->UpdateInt(value.size());
    for (const double element : value) hasher_->UpdateDouble(element);
  }
  void Visit(const char* name, std::vector<std::string>& value) override {
    Begin(name, Tag::kStrings);
    hasher_->UpdateInt(value.size());
    for (const std::string& element : value) hasher_->UpdateString(element);
  }
  void Visit(const char* name, ElementType& value) override {
    Begin(name, Tag::kElementType);
    hasher_->UpdateInt(value);
  }
  void Visit(const char* name, PartialShape& value) override {
    Begin(name, Tag::kShape);
    HashShape(value, hasher_);
  }
  void Visit(const char* name, Tensor& value) override {
    Begin(name, Tag::kTensor);
    hasher_->UpdateInt(value.has_value());
    if (!value.has_value()) return;
    if (with_constants_) {
      hasher_->Update(value.ContentHash());
      return;
    }
    hasher_->UpdateInt(value.element_type());
    hasher_->UpdateInt(value.shape().size());
    for (const int64_t dim : value.shape()) hasher_->UpdateInt(dim);
  }

 protected:
  void VisitEnum(const char* name, absl::Span<const absl::string_view> names, int64_t& index) override {
    Begin(name, Tag::kEnum);
    hasher_->UpdateString(names[static_cast<size_t>(index)]);
  }

 private:
  void Begin(const char* name, Tag tag) {
    hasher_->UpdateString(name);
    hasher_->UpdateInt(tag);
  }

  const bool with_constants_;
  Hasher* const hasher_;
};

Hash128 HashOf(const Attributes& attributes, bool with_constants) {
  Hasher hasher;
  HashingVisitor visitor(with_constants, &hasher);
  attributes.VisitAttributes(visitor);
  return hasher.Finish();
}

// Returns the nodes that a canonical order starts from: parameters and results as the signature has them, then sinks by
// their variable.
std::vector<NodeId> Roots(const Model& model) {
  std::vector<NodeId> roots = model.parameters();
  roots.insert(roots.end(), model.results().begin(), model.results().end());
  std::vector<NodeId> sinks = model.sinks();
  std::stable_sort(sinks.begin(), sinks.end(), [&model](NodeId a, NodeId b) {
    return model.node(a).attributes_as<AssignAttributes>().variable_id <
           model.node(b).attributes_as<AssignAttributes>().variable_id;
  });
  roots.insert(roots.end(), sinks.begin(), sinks.end());
  return roots;
}

// Returns all nodes that matter, each after its inputs, in an order that depends on the structure alone.
std::vector<NodeId> CanonicalOrder(const Model& model) {
  std::vector<NodeId> order;
  std::vector<bool> entered(static_cast<size_t>(model.id_bound()));
  std::vector<std::pair<NodeId, int64_t>> stack;  // A node, and which of its inputs comes next.
  for (const NodeId root : Roots(model)) {
    if (entered[static_cast<size_t>(Index(root))]) continue;
    entered[static_cast<size_t>(Index(root))] = true;
    stack.emplace_back(root, 0);
    while (!stack.empty()) {
      const Node& node = model.node(stack.back().first);
      if (stack.back().second == node.input_count()) {
        order.push_back(node.id());
        stack.pop_back();
        continue;
      }
      const Value input = node.input(stack.back().second++);
      if (!input.exists() || entered[static_cast<size_t>(Index(input.node))]) continue;
      entered[static_cast<size_t>(Index(input.node))] = true;
      stack.emplace_back(input.node, 0);
    }
  }
  return order;
}

std::vector<const Variable*> SortedVariables(const Model& model) {
  std::vector<const Variable*> variables;
  for (const Variable& variable : model.variables()) variables.push_back(&variable);
  std::sort(variables.begin(), variables.end(), [](const Variable* a, const Variable* b) { return a->id < b->id; });
  return variables;
}

void HashNames(const Node& node, Hasher* hasher) {
  hasher->UpdateString(node.name());
  hasher->UpdateInt(node.original_names().size());
  for (const std::string& name : node.original_names()) hasher->UpdateString(name);
  for (int64_t i = 0; i < node.output_count(); ++i) {
    hasher->UpdateInt(node.output_names(i).size());
    for (const std::string& name : node.output_names(i)) hasher->UpdateString(name);
  }
}

absl::Status CompareNames(const Node& a, const Node& b) {
  if (a.name() != b.name()) return absl::InvalidArgumentError("The names differ");
  if (a.original_names() != b.original_names()) return absl::InvalidArgumentError("The original names differ");
  for (int64_t i = 0; i < a.output_count(); ++i) {
    if (a.output_names(i) != b.output_names(i)) return absl::InvalidArgumentError("The names of outputs differ");
  }
  return absl::OkStatus();
}

// Compares two nodes without looking at where their inputs come from.
absl::Status CompareNodes(const Node& a, const Node& b, const StructuralOptions& options) {
  if (a.code() != b.code())
    return absl::InvalidArgumentError(absl::StrCat("The ops differ: ", a.op().name, ", ", b.op().name));
  if (HashOf(a.attributes(), options.compare_constants) != HashOf(b.attributes(), options.compare_constants)) {
    return absl::InvalidArgumentError("The attributes differ");
  }
  if (a.input_count() != b.input_count()) return absl::InvalidArgumentError("The numbers of inputs differ");
  if (a.output_count() != b.output_count()) return absl::InvalidArgumentError("The numbers of outputs differ");
  for (int64_t i = 0; i < a.output_count(); ++i) {
    if (a.output(i).type != b.output(i).type) {
      return absl::InvalidArgumentError(absl::StrCat(
          "The element types of output ", i, " differ: ", Name(a.output(i).type), ", ", Name(b.output(i).type)));
    }
  }
  if (options.compare_names) BURIN_RETURN_IF_ERROR(CompareNames(a, b));
  if (a.bodies().size() != b.bodies().size()) return absl::InvalidArgumentError("The numbers of bodies differ");
  for (size_t i = 0; i < a.bodies().size(); ++i) {
    BURIN_RETURN_IF_ERROR(
        WithContext(CompareStructure(*a.bodies()[i], *b.bodies()[i], options), absl::StrCat("Body ", i)));
  }
  return absl::OkStatus();
}

absl::Status CompareSignatures(const Model& a, const Model& b) {
  if (a.parameters().size() != b.parameters().size()) {
    return absl::InvalidArgumentError("The numbers of parameters differ");
  }
  if (a.results().size() != b.results().size()) return absl::InvalidArgumentError("The numbers of results differ");
  if (a.sinks().size() != b.sinks().size()) return absl::InvalidArgumentError("The numbers of sinks differ");
  const std::vector<const Variable*> variables_a = SortedVariables(a);
  const std::vector<const Variable*> variables_b = SortedVariables(b);
  if (variables_a.size() != variables_b.size()) {
    return absl::InvalidArgumentError("The numbers of variables differ");
  }
  for (size_t i = 0; i < variables_a.size(); ++i) {
    const Variable& x = *variables_a[i];
    const Variable& y = *variables_b[i];
    if (x.id != y.id || x.type != y.type || x.shape != y.shape) {
      return absl::InvalidArgumentError(absl::StrCat("The variables differ: '", x.id, "', '", y.id, "'"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CompareStructure(const Model& a, const Model& b, const StructuralOptions& options) {
  BURIN_RETURN_IF_ERROR(a.TopologicalOrder().status());
  BURIN_RETURN_IF_ERROR(b.TopologicalOrder().status());
  if (options.compare_names && a.name() != b.name()) {
    return absl::InvalidArgumentError(absl::StrCat("The models' names differ: '", a.name(), "', '", b.name(), "'"));
  }
  BURIN_RETURN_IF_ERROR(CompareSignatures(a, b));
  // Equal models have equal canonical orders, so the first place where these part is the first difference.
  const std::vector<NodeId> order_a = CanonicalOrder(a);
  const std::vector<NodeId> order_b = CanonicalOrder(b);
  std::vector<NodeId> partner(static_cast<size_t>(a.id_bound()), NodeId::kNone);
  for (size_t i = 0; i < order_a.size() && i < order_b.size(); ++i) {
    const Node& x = a.node(order_a[i]);
    const Node& y = b.node(order_b[i]);
    partner[static_cast<size_t>(Index(x.id()))] = y.id();
    const auto where = [&] { return absl::StrCat("Nodes '", x.name(), "' and '", y.name(), "'"); };
    if (const absl::Status status = CompareNodes(x, y, options); !status.ok()) return WithContext(status, where());
    for (int64_t j = 0; j < x.input_count(); ++j) {
      const Value from_x = x.input(j);
      const Value from_y = y.input(j);
      const bool same = from_x.exists() ? from_y.exists() && from_x.output == from_y.output &&
                                              partner[static_cast<size_t>(Index(from_x.node))] == from_y.node
                                        : !from_y.exists();
      if (!same) return absl::InvalidArgumentError(absl::StrCat(where(), ": The sources of input ", j, " differ"));
    }
  }
  if (order_a.size() != order_b.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("The numbers of nodes differ: ", order_a.size(), ", ", order_b.size()));
  }
  return absl::OkStatus();
}

absl::StatusOr<Hash128> StructuralHash(const Model& model, const StructuralOptions& options) {
  BURIN_RETURN_IF_ERROR(model.TopologicalOrder().status());
  Hasher hasher;
  if (options.compare_names) hasher.UpdateString(model.name());
  hasher.UpdateInt(model.parameters().size());
  hasher.UpdateInt(model.results().size());
  hasher.UpdateInt(model.sinks().size());
  hasher.UpdateInt(model.variables().size());
  for (const Variable* variable : SortedVariables(model)) {
    hasher.UpdateString(variable->id);
    hasher.UpdateInt(variable->type);
    HashShape(variable->shape, &hasher);
  }
  const std::vector<NodeId> order = CanonicalOrder(model);
  std::vector<int64_t> position(static_cast<size_t>(model.id_bound()), -1);
  for (size_t i = 0; i < order.size(); ++i) {
    const Node& node = model.node(order[i]);
    position[static_cast<size_t>(Index(node.id()))] = static_cast<int64_t>(i);
    hasher.UpdateString(node.op().name);
    hasher.UpdateString(node.op().opset);
    hasher.Update(HashOf(node.attributes(), options.compare_constants));
    hasher.UpdateInt(node.input_count());
    for (const Value& input : node.inputs()) {
      hasher.UpdateInt(input.exists() ? position[static_cast<size_t>(Index(input.node))] : int64_t{-1});
      hasher.UpdateInt(input.output);
    }
    hasher.UpdateInt(node.output_count());
    for (const ValueInfo& output : node.outputs()) hasher.UpdateInt(output.type);
    if (options.compare_names) HashNames(node, &hasher);
    hasher.UpdateInt(node.bodies().size());
    for (const auto& body : node.bodies()) {
      BURIN_ASSIGN_OR_RETURN(const Hash128 hash, StructuralHash(*body, options));
      hasher.Update(hash);
    }
  }
  hasher.UpdateInt(order.size());
  return hasher.Finish();
}

Hash128 HashAttributes(const Attributes& attributes) { return HashOf(attributes, /*with_constants=*/true); }

bool AttributesEqual(const Attributes& a, const Attributes& b) {
  return a.TypeTag() == b.TypeTag() && HashAttributes(a) == HashAttributes(b);
}

}  // namespace burin::ir
