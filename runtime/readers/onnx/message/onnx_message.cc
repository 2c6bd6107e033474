#include "runtime/readers/onnx/message/onnx_message.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "runtime/readers/onnx/message/field_decoding.h"
#include "runtime/readers/onnx/message/wire_reader.h"

namespace burin::onnx {
namespace {

// Decodes messages into structs. One method per message type; each adds to what the struct holds, as protobuf merges.
class Decoder {
 public:
  explicit Decoder(ReadBudget* budget) : budget_(budget) {}

  absl::Status Model(absl::string_view bytes, ModelMessage* model);

 private:
  // Counts nesting while it lives.
  class Nesting {
   public:
    explicit Nesting(int* depth) : depth_(depth) { ++*depth_; }
    ~Nesting() { --*depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    absl::Status Check() const {
      if (*depth_ <= kMaxMessageDepth) return absl::OkStatus();
      return absl::InvalidArgumentError(absl::StrCat("Messages nest too deeply; the limit: ", kMaxMessageDepth));
    }

   private:
    int* depth_;
  };

  absl::Status Graph(absl::string_view bytes, GraphMessage* graph);
  absl::Status Node(absl::string_view bytes, NodeMessage* node);
  absl::Status Attribute(absl::string_view bytes, AttributeMessage* attribute);
  absl::Status Function(absl::string_view bytes, FunctionMessage* function);
  absl::Status OperatorSet(absl::string_view bytes, OperatorSetMessage* operator_set);

  ReadBudget* budget_;
  int depth_ = 0;
};

absl::Status Decoder::Attribute(absl::string_view bytes, AttributeMessage* attribute) {
  using AttributeType = AttributeMessage::Type;
  constexpr absl::string_view kName = "AttributeProto";
  const Nesting nesting(&depth_);
  BURIN_RETURN_IF_ERROR(nesting.Check());
  // Files of IR version 1 may leave the type out: then the field that is there tells it.
  AttributeType implied = AttributeType::kUndefined;
  WireReader reader(bytes);
  while (!reader.done()) {
    BURIN_ASSIGN_OR_RETURN(const WireField field, reader.Next());
    switch (field.number) {
      case 1:
        BURIN_RETURN_IF_ERROR(SetString(kName, field, &attribute->name));
        break;
      case 2:
        if (field.type != WireType::kFixed32) return WrongWireType(kName, field);
        attribute->f = FloatFromBits(field.scalar);
        implied = AttributeType::kFloat;
        break;
      case 3:
        BURIN_RETURN_IF_ERROR(SetInt(kName, field, &attribute->i));
        implied = AttributeType::kInt;
        break;
      case 4:
        BURIN_RETURN_IF_ERROR(SetString(kName, field, &attribute->s));
        implied = AttributeType::kString;
        break;
      case 5: {
        BURIN_RETURN_IF_ERROR(RequireBytes(kName, field));
        BURIN_ASSIGN_OR_RETURN(TensorMessage * tensor, Single(budget_, &attribute->tensor));
        BURIN_RETURN_IF_ERROR(DecodeInto(field.bytes, budget_, tensor));
        implied = AttributeType::kTensor;
        break;
      }
      case 6: {
        BURIN_RETURN_IF_ERROR(RequireBytes(kName, field));
        BURIN_ASSIGN_OR_RETURN(GraphMessage * graph, Single(budget_, &attribute->graph));
        BURIN_RETURN_IF_ERROR(Graph(field.bytes, graph));
        implied = AttributeType::kGraph;
        break;
      }
      case 7:
        BURIN_RETURN_IF_ERROR(AppendFloats(field, budget_, &attribute->floats));
        implied = AttributeType::kFloats;
        break;
      case 8:
        BURIN_RETURN_IF_ERROR(AppendInts(field, budget_, &attribute->ints));
        implied = AttributeType::kInts;
        break;
      case 9: {
        BURIN_ASSIGN_OR_RETURN(absl::string_view * text, Append(budget_, &attribute->strings));
        BURIN_RETURN_IF_ERROR(SetString(kName, field, text));
        implied = AttributeType::kStrings;
        break;
      }
      case 20: {
        int64_t type = 0;
        BURIN_RETURN_IF_ERROR(SetInt(kName, field, &type));
        // A number that is none is refused where the attribute is asked for.
        attribute->type = static_cast<AttributeType>(type < 0 || type > 255 ? 255 : type);
        break;
      }
      case 21:
        BURIN_RETURN_IF_ERROR(SetString(kName, field, &attribute->reference));
        break;
      case 22: {
        BURIN_RETURN_IF_ERROR(RequireBytes(kName, field));
        BURIN_ASSIGN_OR_RETURN(SparseTensorMessage * sparse, Single(budget_, &attribute->sparse_tensor));
        BURIN_RETURN_IF_ERROR(DecodeInto(field.bytes, budget_, sparse));
        implied = AttributeType::kSparseTensor;
        break;
      }
      default:
        break;
    }
  }
  if (attribute->type == AttributeType::kUndefined) attribute->type = implied;
  return absl::OkStatus();
}

absl::Status Decoder::Node(absl::string_view bytes, NodeMessage* node) {
  constexpr absl::string_view kName = "NodeProto";
  WireReader reader(bytes);
  while (!reader.done()) {
    BURIN_ASSIGN_OR_RETURN(const WireField field, reader.Next());
    switch (field.number) {
      case 1:
      case 2: {
        BURIN_ASSIGN_OR_RETURN(absl::string_view * name,
                               Append(budget_, field.number == 1 ? &node->inputs : &node->outputs));
        BURIN_RETURN_IF_ERROR(SetString(kName, field, name));
        break;
      }
      case 3:
        BURIN_RETURN_IF_ERROR(SetString(kName, field, &node->name));
        break;
      case 4:
        BURIN_RETURN_IF_ERROR(SetString(kName, field, &node->op_type));
        break;
      case 5: {
        BURIN_RETURN_IF_ERROR(RequireBytes(kName, field));
        BURIN_ASSIGN_OR_RETURN(AttributeMessage * attribute, Append(budget_, &node->attributes));
        BURIN_RETURN_IF_ERROR(Attribute(field.bytes, attribute));
        break;
      }
      case 7:
        BURIN_RETURN_IF_ERROR(SetString(kName, field, &node->domain));
        break;
      case 8:
        BURIN_RETURN_IF_ERROR(SetString(kName, field, &node->overload));
        break;
      default:
        break;
    }
  }
  return absl::OkStatus();
}

absl::Status Decoder::Graph(absl::string_view bytes, GraphMessage* graph) {
  constexpr absl::string_view kName = "GraphProto";
  const Nesting nesting(&depth_);
  BURIN_RETURN_IF_ERROR(nesting.Check());
  WireReader reader(bytes);
  while (!reader.done()) {
    BURIN_ASSIGN_OR_RETURN(const WireField field, reader.Next());
    switch (field.number) {
      case 1: {
        BURIN_RETURN_IF_ERROR(RequireBytes(kName, field));
        BURIN_ASSIGN_OR_RETURN(NodeMessage * node, Append(budget_, &graph->nodes));
        BURIN_RETURN_IF_ERROR(Node(field.bytes, node));
        break;
      }
      case 2:
        BURIN_RETURN_IF_ERROR(SetString(kName, field, &graph->name));
        break;
      case 5: {
        BURIN_RETURN_IF_ERROR(RequireBytes(kName, field));
        BURIN_ASSIGN_OR_RETURN(TensorMessage * tensor, Append(budget_, &graph->initializers));
        BURIN_RETURN_IF_ERROR(DecodeInto(field.bytes, budget_, tensor));
        break;
      }
      case 11:
      case 12: {
        BURIN_RETURN_IF_ERROR(RequireBytes(kName, field));
        BURIN_ASSIGN_OR_RETURN(ValueMessage * value,
                               Append(budget_, field.number == 11 ? &graph->inputs : &graph->outputs));
        BURIN_RETURN_IF_ERROR(DecodeInto(field.bytes, budget_, value));
        break;
      }
      case 15: {
        BURIN_RETURN_IF_ERROR(RequireBytes(kName, field));
        BURIN_ASSIGN_OR_RETURN(SparseTensorMessage * sparse, Append(budget_, &graph->sparse_initializers));
        BURIN_RETURN_IF_ERROR(DecodeInto(field.bytes, budget_, sparse));
        break;
      }
      default:
        break;
    }
  }
  return absl::OkStatus();
}

absl::Status Decoder::OperatorSet(absl::string_view bytes, OperatorSetMessage* operator_set) {
  WireReader reader(bytes);
  while (!reader.done()) {
    BURIN_ASSIGN_OR_RETURN(const WireField field, reader.Next());
    if (field.number == 1) BURIN_RETURN_IF_ERROR(SetString("OperatorSetIdProto", field, &operator_set->domain));
    if (field.number == 2) BURIN_RETURN_IF_ERROR(SetInt("OperatorSetIdProto", field, &operator_set->version));
  }
  return absl::OkStatus();
}

absl::Status Decoder::Function(absl::string_view bytes, FunctionMessage* function) {
  constexpr absl::string_view kName = "FunctionProto";
  WireReader reader(bytes);
  while (!reader.done()) {
    BURIN_ASSIGN_OR_RETURN(const WireField field, reader.Next());
    switch (field.number) {
      case 1:
        BURIN_RETURN_IF_ERROR(SetString(kName, field, &function->name));
        break;
      case 4:
      case 5:
      case 6: {
        std::vector<absl::string_view>* list = field.number == 4   ? &function->inputs
                                               : field.number == 5 ? &function->outputs
                                                                   : &function->attributes;
        BURIN_ASSIGN_OR_RETURN(absl::string_view * name, Append(budget_, list));
        BURIN_RETURN_IF_ERROR(SetString(kName, field, name));
        break;
      }
      case 7: {
        BURIN_RETURN_IF_ERROR(RequireBytes(kName, field));
        BURIN_ASSIGN_OR_RETURN(NodeMessage * node, Append(budget_, &function->nodes));
        BURIN_RETURN_IF_ERROR(Node(field.bytes, node));
        break;
      }
      case 9: {
        BURIN_RETURN_IF_ERROR(RequireBytes(kName, field));
        BURIN_ASSIGN_OR_RETURN(OperatorSetMessage * operator_set, Append(budget_, &function->operator_sets));
        BURIN_RETURN_IF_ERROR(OperatorSet(field.bytes, operator_set));
        break;
      }
      case 10:
        BURIN_RETURN_IF_ERROR(SetString(kName, field, &function->domain));
        break;
      case 11: {
        BURIN_RETURN_IF_ERROR(RequireBytes(kName, field));
        BURIN_ASSIGN_OR_RETURN(AttributeMessage * attribute, Append(budget_, &function->default_attributes));
        BURIN_RETURN_IF_ERROR(Attribute(field.bytes, attribute));
        break;
      }
      case 13:
        BURIN_RETURN_IF_ERROR(SetString(kName, field, &function->overload));
        break;
      default:
        break;
    }
  }
  return absl::OkStatus();
}

absl::Status Decoder::Model(absl::string_view bytes, ModelMessage* model) {
  constexpr absl::string_view kName = "ModelProto";
  WireReader reader(bytes);
  while (!reader.done()) {
    BURIN_ASSIGN_OR_RETURN(const WireField field, reader.Next());
    switch (field.number) {
      case 1:
        BURIN_RETURN_IF_ERROR(SetInt(kName, field, &model->ir_version));
        break;
      case 2:
        BURIN_RETURN_IF_ERROR(SetString(kName, field, &model->producer_name));
        break;
      case 7:
        BURIN_RETURN_IF_ERROR(RequireBytes(kName, field));
        model->has_graph = true;
        BURIN_RETURN_IF_ERROR(Graph(field.bytes, &model->graph));
        break;
      case 8: {
        BURIN_RETURN_IF_ERROR(RequireBytes(kName, field));
        BURIN_ASSIGN_OR_RETURN(OperatorSetMessage * operator_set, Append(budget_, &model->operator_sets));
        BURIN_RETURN_IF_ERROR(OperatorSet(field.bytes, operator_set));
        break;
      }
      case 25: {
        BURIN_RETURN_IF_ERROR(RequireBytes(kName, field));
        BURIN_ASSIGN_OR_RETURN(FunctionMessage * function, Append(budget_, &model->functions));
        BURIN_RETURN_IF_ERROR(Function(field.bytes, function));
        break;
      }
      default:
        break;
    }
  }
  return absl::OkStatus();
}

// Returns the wire type of a field of ModelProto, or nothing for a field that it does not have.
bool IsModelField(uint64_t tag) {
  const WireType type = static_cast<WireType>(tag & 7);
  switch (tag >> 3) {
    case 1:
    case 5:
      return type == WireType::kVarint;
    case 2:
    case 3:
    case 4:
    case 6:
    case 7:
    case 8:
    case 14:
    case 20:
    case 25:
    case 26:
      return type == WireType::kBytes;
    default:
      return false;
  }
}

}  // namespace

absl::StatusOr<ModelMessage> DecodeModel(absl::string_view bytes, ReadBudget* budget) {
  ModelMessage model;
  BURIN_RETURN_IF_ERROR(Decoder(budget).Model(bytes, &model));
  return model;
}

bool LooksLikeModelMessage(absl::string_view prefix) {
  bool found = false;
  while (!prefix.empty()) {
    const absl::StatusOr<uint64_t> tag = WireReader(prefix).Varint();
    if (!tag.ok()) return found;
    if (!IsModelField(*tag)) return false;
    // A field may be longer than the prefix: then what comes after it is not in sight.
    WireReader reader(prefix);
    found = true;
    if (!reader.Next().ok()) return true;
    prefix = reader.rest();
  }
  return found;
}

}  // namespace burin::onnx
