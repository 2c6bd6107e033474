// ConvertPrecision: what a device does not compute in f16 or bf16 is computed in f32.
//
//   f(x, weights) => Convert(f(Convert(x), widened weights))
//
// with one Convert where a value comes from outside, from a variable or from an operation with bodies, and one where it
// goes there: values between operations are f32, and are not rounded on their way. Only what the ComputedTypes of the
// context name; without them nothing. Bodies are graphs of their own. It runs before constants are folded, which then
// keep the digits of f32.
//
// The number of operations, but for Converts of what is not computed here, with inputs or outputs of those types
// decreases.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/attributes.h"
#include "ir/model.h"
#include "ir/ops/convert.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/rewrite.h"
#include "ir/tensor.h"
#include "transformations/cleanup/node_copy.h"
#include "transformations/constant_evaluator.h"
#include "transformations/passes.h"
#include "transformations/precision/computed_types.h"

namespace burin::transformations {
namespace {

using ir::OpCode;

// Makes attributes that name a type to be widened name f32.
class TypeWidener final : public ir::AttributeVisitor {
 public:
  explicit TypeWidener(const ComputedTypes& types) : types_(types) {}

  void Visit(const char*, bool&) override {}
  void Visit(const char*, int64_t&) override {}
  void Visit(const char*, double&) override {}
  void Visit(const char*, std::string&) override {}
  void Visit(const char*, std::vector<int64_t>&) override {}
  void Visit(const char*, std::vector<double>&) override {}
  void Visit(const char*, std::vector<std::string>&) override {}
  void Visit(const char*, ElementType& value) override {
    if (types_.Widens(value)) value = ElementType::kF32;
  }
  void Visit(const char*, ir::PartialShape&) override {}
  void Visit(const char*, ir::Tensor&) override {}

 protected:
  void VisitEnum(const char*, absl::Span<const absl::string_view>, int64_t&) override {}

 private:
  const ComputedTypes& types_;
};

// Returns whether the types of the node's values may change: those of the model's signature, of variables and of bodies
// are not the node's alone, bits are those of one type, and random numbers of another type are others.
bool MayChange(const ir::Node& node) {
  switch (node.code()) {
    case OpCode::kParameter:
    case OpCode::kResult:
    case OpCode::kConstant:
    case OpCode::kReadValue:
    case OpCode::kAssign:
    case OpCode::kBitCast:
    case OpCode::kRandomUniform:
      return false;
    default:
      return node.bodies().empty();
  }
}

std::unique_ptr<ir::Attributes> ConvertTo(ElementType type) {
  auto attributes = std::make_unique<ir::ConvertAttributes>();
  attributes->destination_type = type;
  return attributes;
}

// Collects the edit of one graph.
class Widening {
 public:
  Widening(const ir::Model& model, const ComputedTypes& types, const ConstantEvaluator& evaluator)
      : model_(model), types_(types), evaluator_(evaluator), patch_(model) {
    // Nodes bring their own original names.
    patch_.SetSources({});
  }

  // Adds what takes the place of a node, after all that it reads.
  absl::Status Add(const ir::Node& node) {
    if (!MayChange(node)) return absl::OkStatus();
    return node.code() == OpCode::kConvert ? AddConvert(node) : AddOther(node);
  }

  ir::Patch TakePatch() && { return std::move(patch_); }

 private:
  bool Widens(ir::Value value) const { return value.exists() && types_.Widens(model_.info(value).type); }

  ir::Value AddConversion(ir::Value value, ElementType type, const ir::Node& served) {
    ir::NodeSpec spec;
    spec.op = &ir::ConvertOp();
    spec.attributes = ConvertTo(type);
    spec.inputs = {value};
    spec.original_names = served.original_names();
    return {patch_.AddNode(std::move(spec)), 0};
  }

  // Returns the value, of a type to be widened, as f32.
  absl::StatusOr<ir::Value> Widened(ir::Value value, const ir::Node& reader) {
    if (const auto found = widened_.find(value); found != widened_.end()) return found->second;
    const ir::Node& producer = model_.node(value.node);
    ir::Value result;
    if (producer.code() == OpCode::kConstant) {
      BURIN_ASSIGN_OR_RETURN(ir::Tensor constant, WidenedConstant(producer.output(0).constant));
      result = patch_.AddConstant(std::move(constant));
    } else if (producer.code() == OpCode::kConvert) {
      // It does not round where it is read as f32.
      const ir::Value source = producer.input(0);
      if (Widens(source)) {
        BURIN_ASSIGN_OR_RETURN(result, Widened(source, reader));
      } else if (model_.info(source).type == ElementType::kF32) {
        result = source;
      } else {
        result = AddConversion(source, ElementType::kF32, producer);
      }
    } else {
      result = AddConversion(value, ElementType::kF32, reader);
    }
    widened_.emplace(value, result);
    return result;
  }

  absl::StatusOr<ir::Tensor> WidenedConstant(const ir::Tensor& constant) const {
    ir::Model conversion;
    BURIN_ASSIGN_OR_RETURN(const ir::Value narrow, conversion.AddConstant(constant));
    BURIN_ASSIGN_OR_RETURN(const ir::Value wide,
                           conversion.Add(ir::ConvertOp(), {narrow}, ConvertTo(ElementType::kF32)));
    BURIN_ASSIGN_OR_RETURN(std::vector<ir::Tensor> outputs,
                           evaluator_.Evaluate(conversion.node(wide.node), {constant}));
    if (outputs.size() != 1) return absl::InternalError("The evaluator of constants does not give what Convert does");
    return std::move(outputs.front());
  }

  // Returns whether a value of a type to be widened, as it is read through Converts between such types, is f32 without
  // a Convert.
  bool IsConstantOrRewritten(ir::Value value) const {
    const ir::Node& producer = model_.node(value.node);
    if (producer.code() == OpCode::kConvert && Widens(producer.input(0))) {
      return IsConstantOrRewritten(producer.input(0));
    }
    return producer.code() == OpCode::kConstant || rewritten_.contains(producer.id());
  }

  absl::Status AddConvert(const ir::Node& node) {
    const ir::Value input = node.input(0);
    const ElementType type = node.output(0).type;
    // One to a type to be widened is dealt with where it is read.
    if (!Widens(input) || types_.Widens(type)) return absl::OkStatus();
    if (!IsConstantOrRewritten(input)) return absl::OkStatus();
    BURIN_ASSIGN_OR_RETURN(ir::Value result, Widened(input, node));
    // As this one, whose attributes say where numbers beyond the type go.
    if (type != ElementType::kF32) result = {patch_.AddNode(CopyOf(node, {result})), 0};
    patch_.Replace({node.id(), 0}, result);
    return absl::OkStatus();
  }

  absl::Status AddOther(const ir::Node& node) {
    bool touches = false;
    for (const ir::Value& input : node.inputs()) touches |= Widens(input);
    for (const ir::ValueInfo& output : node.outputs()) touches |= types_.Widens(output.type);
    if (!touches) return absl::OkStatus();
    std::vector<ir::Value> inputs(node.inputs().begin(), node.inputs().end());
    for (ir::Value& input : inputs) {
      if (!Widens(input)) continue;
      BURIN_ASSIGN_OR_RETURN(input, Widened(input, node));
    }
    ir::NodeSpec spec = CopyOf(node, std::move(inputs));
    spec.name = node.name();
    TypeWidener widener(types_);
    spec.attributes->VisitAttributes(widener);
    const ir::NodeId id = patch_.AddNode(std::move(spec));
    rewritten_.insert(node.id());
    for (int32_t i = 0; i < static_cast<int32_t>(node.output_count()); ++i) {
      const ir::Value old{node.id(), i};
      ir::Value value{id, i};
      if (Widens(old)) {
        widened_.emplace(old, value);
        if (!IsReadElsewhere(old)) continue;
        value = AddConversion(value, node.output(i).type, node);
      }
      patch_.Replace(old, value);
    }
    return absl::OkStatus();
  }

  // Returns whether a value is read by what does not change its types.
  bool IsReadElsewhere(ir::Value value) const {
    for (const ir::Use& use : model_.UsesOf(value)) {
      const ir::Node& reader = model_.node(use.node);
      const bool converts = reader.code() == OpCode::kConvert && types_.Widens(reader.output(0).type);
      if (!MayChange(reader) || (converts && IsReadElsewhere({reader.id(), 0}))) return true;
    }
    return false;
  }

  const ir::Model& model_;
  const ComputedTypes& types_;
  const ConstantEvaluator& evaluator_;
  ir::Patch patch_;
  // By value of the model: its place in f32.
  absl::flat_hash_map<ir::Value, ir::Value> widened_;
  absl::flat_hash_set<ir::NodeId> rewritten_;
};

}  // namespace

absl::Status ConvertPrecision(const ir::Model& model, const ir::PassContext& context, Rewriter& rewriter) {
  const auto* const types = context.Find<ComputedTypes>();
  if (types == nullptr) return absl::OkStatus();
  const auto* const given = context.Find<ConstantEvaluator>();
  Widening widening(model, *types, given != nullptr ? *given : ReferenceConstantEvaluator());
  BURIN_ASSIGN_OR_RETURN(const std::vector<ir::NodeId> order, model.TopologicalOrder());
  for (const ir::NodeId id : order) BURIN_RETURN_IF_ERROR(widening.Add(model.node(id)));
  ir::Patch patch = std::move(widening).TakePatch();
  if (patch.empty()) return absl::OkStatus();
  return rewriter.Apply(std::move(patch), order.front()).status();
}

}  // namespace burin::transformations
