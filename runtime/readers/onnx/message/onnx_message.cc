#include "runtime/readers/onnx/onnx_message.h"

#include <cstring>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "runtime/readers/onnx/wire_reader.h"

namespace burin::onnx {
namespace {

// Decodes messages into structs. One method per message type; each adds to what the struct holds, as protobuf merges.
class Decoder {
 public:
  explicit Decoder(ReadBudget* budget) : budget_(budget) {}

  absl::Status Model(absl::string_view bytes, ModelMessage* model);
  absl::Status Tensor(absl::string_view bytes, TensorMessage* tensor);

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
  absl::Status SparseTensor(absl::string_view bytes, SparseTensorMessage* sparse);
  absl::Status Value(absl::string_view bytes, ValueMessage* value);
  absl::Status Type(absl::string_view bytes, TypeMessage* type);
  absl::Status TensorType(absl::string_view bytes, TypeMessage* type);
  absl::Status Shape(absl::string_view bytes, TypeMessage* type);
  absl::Status Dimension(absl::string_view bytes, DimensionMessage* dim);
  absl::Status Function(absl::string_view bytes, FunctionMessage* function);
  absl::Status OperatorSet(absl::string_view bytes, OperatorSetMessage* operator_set);
  absl::Status Pair(absl::string_view bytes, StringPair* pair);

  // Appends an element to a list; a growing vector briefly holds its elements twice.
  template <class T>
  absl::StatusOr<T*> Append(std::vector<T>* list) {
    BURIN_RETURN_IF_ERROR(budget_->Charge(2 * sizeof(T)));
    list->emplace_back();
    return &list->back();
  }

  // Allocates a message of its own, which a file must not give twice.
  template <class T>
  absl::StatusOr<T*> Single(std::unique_ptr<T>* message) {
    if (*message != nullptr) return absl::InvalidArgumentError("A message that may be there once is there twice");
    BURIN_RETURN_IF_ERROR(budget_->Charge(sizeof(T) + 16));
    *message = std::make_unique<T>();
    return message->get();
  }

  // Appends one int64, or a packed list of them.
  absl::Status Ints(const WireField& field, std::vector<int64_t>* list);
  absl::Status Floats(const WireField& field, std::vector<float>* list);

  ReadBudget* budget_;
  int depth_ = 0;
};

absl::Status WrongType(absl::string_view message, const WireField& field) {
  return absl::InvalidArgumentError(
      absl::StrCat("A field has the wrong wire type: ", message, " field ", field.number));
}

float FloatFromBits(uint64_t bits) {
  const uint32_t narrow = static_cast<uint32_t>(bits);
  float value;
  std::memcpy(&value, &narrow, sizeof(value));
  return value;
}

absl::Status SetString(absl::string_view message, const WireField& field, absl::string_view* target) {
  if (field.type != WireType::kBytes) return WrongType(message, field);
  *target = field.bytes;
  return absl::OkStatus();
}

absl::Status SetInt(absl::string_view message, const WireField& field, int64_t* target) {
  if (field.type != WireType::kVarint) return WrongType(message, field);
  *target = static_cast<int64_t>(field.scalar);
  return absl::OkStatus();
}

absl::Status RequireBytes(absl::string_view message, const WireField& field) {
  return field.type == WireType::kBytes ? absl::OkStatus() : WrongType(message, field);
}

absl::Status Decoder::Ints(const WireField& field, std::vector<int64_t>* list) {
  if (field.type == WireType::kVarint) {
    BURIN_ASSIGN_OR_RETURN(int64_t * element, Append(list));
    *element = static_cast<int64_t>(field.scalar);
    return absl::OkStatus();
  }
  if (field.type != WireType::kBytes) return WrongType("integer list", field);
  size_t count = 0;
  for (const char c : field.bytes) count += (static_cast<uint8_t>(c) & 0x80) == 0;
  BURIN_RETURN_IF_ERROR(budget_->Charge(count * sizeof(int64_t)));
  if (list->empty()) list->reserve(count);
  WireReader reader(field.bytes);
  while (!reader.done()) {
    BURIN_ASSIGN_OR_RETURN(const uint64_t value, reader.Varint());
    list->push_back(static_cast<int64_t>(value));
  }
  return absl::OkStatus();
}

absl::Status Decoder::Floats(const WireField& field, std::vector<float>* list) {
  if (field.type == WireType::kFixed32) {
    BURIN_ASSIGN_OR_RETURN(float* element, Append(list));
    *element = FloatFromBits(field.scalar);
    return absl::OkStatus();
  }
  if (field.type != WireType::kBytes || field.bytes.size() % sizeof(float) != 0) return WrongType("float list", field);
  if (field.bytes.empty()) return absl::OkStatus();
  BURIN_RETURN_IF_ERROR(budget_->Charge(2 * field.bytes.size()));
  const size_t old_size = list->size();
  list->resize(old_size + field.bytes.size() / sizeof(float));
  std::memcpy(list->data() + old_size, field.bytes.data(), field.bytes.size());
  return absl::OkStatus();
}

absl::Status Decoder::Pair(absl::string_view bytes, StringPair* pair) {
  WireReader reader(bytes);
  while (!reader.done()) {
    BURIN_ASSIGN_OR_RETURN(const WireField field, reader.Next());
    if (field.number == 1) BURIN_RETURN_IF_ERROR(SetString("StringStringEntryProto", field, &pair->key));
    if (field.number == 2) BURIN_RETURN_IF_ERROR(SetString("StringStringEntryProto", field, &pair->value));
  }
  return absl::OkStatus();
}

absl::Status Decoder::Tensor(absl::string_view bytes, TensorMessage* tensor) {
  constexpr absl::string_view kName = "TensorProto";
  tensor->body = bytes;
  WireReader reader(bytes);
  while (!reader.done()) {
    BURIN_ASSIGN_OR_RETURN(const WireField field, reader.Next());
    switch (field.number) {
      case 1:
        BURIN_RETURN_IF_ERROR(Ints(field, &tensor->dims));
        break;
      case 2:
        BURIN_RETURN_IF_ERROR(SetInt(kName, field, &tensor->data_type));
        break;
      case 3:
        tensor->has_segment = true;
        break;
      case 8:
        BURIN_RETURN_IF_ERROR(SetString(kName, field, &tensor->name));
        break;
      case 9:
        tensor->has_raw_data = true;
        BURIN_RETURN_IF_ERROR(SetString(kName, field, &tensor->raw_data));
        break;
      case 13: {
        BURIN_RETURN_IF_ERROR(RequireBytes(kName, field));
        BURIN_ASSIGN_OR_RETURN(StringPair * pair, Append(&tensor->external_data));
        BURIN_RETURN_IF_ERROR(Pair(field.bytes, pair));
        break;
      }
      case 14: {
        int64_t location = 0;
        BURIN_RETURN_IF_ERROR(SetInt(kName, field, &location));
        tensor->is_external = location == 1;
        break;
      }
      default:
        break;
    }
  }
  return absl::OkStatus();
}

absl::Status Decoder::SparseTensor(absl::string_view bytes, SparseTensorMessage* sparse) {
  constexpr absl::string_view kName = "SparseTensorProto";
  WireReader reader(bytes);
  while (!reader.done()) {
    BURIN_ASSIGN_OR_RETURN(const WireField field, reader.Next());
    if (field.number == 1 || field.number == 2) {
      BURIN_RETURN_IF_ERROR(RequireBytes(kName, field));
      BURIN_ASSIGN_OR_RETURN(TensorMessage * tensor, Single(field.number == 1 ? &sparse->values : &sparse->indices));
      BURIN_RETURN_IF_ERROR(Tensor(field.bytes, tensor));
    } else if (field.number == 3) {
      BURIN_RETURN_IF_ERROR(Ints(field, &sparse->dims));
    }
  }
  return absl::OkStatus();
}

absl::Status Decoder::Dimension(absl::string_view bytes, DimensionMessage* dim) {
  WireReader reader(bytes);
  while (!reader.done()) {
    BURIN_ASSIGN_OR_RETURN(const WireField field, reader.Next());
    if (field.number == 1) {
      dim->kind = DimensionMessage::Kind::kValue;
      BURIN_RETURN_IF_ERROR(SetInt("Dimension", field, &dim->value));
    } else if (field.number == 2) {
      dim->kind = DimensionMessage::Kind::kSymbol;
      BURIN_RETURN_IF_ERROR(SetString("Dimension", field, &dim->symbol));
    }
  }
  return absl::OkStatus();
}

absl::Status Decoder::Shape(absl::string_view bytes, TypeMessage* type) {
  type->has_shape = true;
  WireReader reader(bytes);
  while (!reader.done()) {
    BURIN_ASSIGN_OR_RETURN(const WireField field, reader.Next());
    if (field.number != 1) continue;
    BURIN_RETURN_IF_ERROR(RequireBytes("TensorShapeProto", field));
    BURIN_ASSIGN_OR_RETURN(DimensionMessage * dim, Append(&type->dims));
    BURIN_RETURN_IF_ERROR(Dimension(field.bytes, dim));
  }
  return absl::OkStatus();
}

absl::Status Decoder::TensorType(absl::string_view bytes, TypeMessage* type) {
  WireReader reader(bytes);
  while (!reader.done()) {
    BURIN_ASSIGN_OR_RETURN(const WireField field, reader.Next());
    if (field.number == 1) BURIN_RETURN_IF_ERROR(SetInt("TypeProto", field, &type->element_type));
    if (field.number == 2) {
      BURIN_RETURN_IF_ERROR(RequireBytes("TypeProto", field));
      BURIN_RETURN_IF_ERROR(Shape(field.bytes, type));
    }
  }
  return absl::OkStatus();
}

absl::Status Decoder::Type(absl::string_view bytes, TypeMessage* type) {
  using Kind = TypeMessage::Kind;
  WireReader reader(bytes);
  while (!reader.done()) {
    BURIN_ASSIGN_OR_RETURN(const WireField field, reader.Next());
    switch (field.number) {
      case 1:
        BURIN_RETURN_IF_ERROR(RequireBytes("TypeProto", field));
        type->kind = Kind::kTensor;
        BURIN_RETURN_IF_ERROR(TensorType(field.bytes, type));
        break;
      case 4:
        type->kind = Kind::kSequence;
        break;
      case 5:
        type->kind = Kind::kMap;
        break;
      case 7:
        type->kind = Kind::kOpaque;
        break;
      case 8:
        type->kind = Kind::kSparseTensor;
        break;
      case 9:
        type->kind = Kind::kOptional;
        break;
      default:
        break;
    }
  }
  return absl::OkStatus();
}

absl::Status Decoder::Value(absl::string_view bytes, ValueMessage* value) {
  WireReader reader(bytes);
  while (!reader.done()) {
    BURIN_ASSIGN_OR_RETURN(const WireField field, reader.Next());
    if (field.number == 1) BURIN_RETURN_IF_ERROR(SetString("ValueInfoProto", field, &value->name));
    if (field.number == 2) {
      BURIN_RETURN_IF_ERROR(RequireBytes("ValueInfoProto", field));
      BURIN_RETURN_IF_ERROR(Type(field.bytes, &value->type));
    }
  }
  return absl::OkStatus();
}

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
        if (field.type != WireType::kFixed32) return WrongType(kName, field);
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
        BURIN_ASSIGN_OR_RETURN(TensorMessage * tensor, Single(&attribute->tensor));
        BURIN_RETURN_IF_ERROR(Tensor(field.bytes, tensor));
        implied = AttributeType::kTensor;
        break;
      }
      case 6: {
        BURIN_RETURN_IF_ERROR(RequireBytes(kName, field));
        BURIN_ASSIGN_OR_RETURN(GraphMessage * graph, Single(&attribute->graph));
        BURIN_RETURN_IF_ERROR(Graph(field.bytes, graph));
        implied = AttributeType::kGraph;
        break;
      }
      case 7:
        BURIN_RETURN_IF_ERROR(Floats(field, &attribute->floats));
        implied = AttributeType::kFloats;
        break;
      case 8:
        BURIN_RETURN_IF_ERROR(Ints(field, &attribute->ints));
        implied = AttributeType::kInts;
        break;
      case 9: {
        BURIN_ASSIGN_OR_RETURN(absl::string_view * text, Append(&attribute->strings));
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
        BURIN_ASSIGN_OR_RETURN(SparseTensorMessage * sparse, Single(&attribute->sparse_tensor));
        BURIN_RETURN_IF_ERROR(SparseTensor(field.bytes, sparse));
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
        BURIN_ASSIGN_OR_RETURN(absl::string_view * name, Append(field.number == 1 ? &node->inputs : &node->outputs));
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
        BURIN_ASSIGN_OR_RETURN(AttributeMessage * attribute, Append(&node->attributes));
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
        BURIN_ASSIGN_OR_RETURN(NodeMessage * node, Append(&graph->nodes));
        BURIN_RETURN_IF_ERROR(Node(field.bytes, node));
        break;
      }
      case 2:
        BURIN_RETURN_IF_ERROR(SetString(kName, field, &graph->name));
        break;
      case 5: {
        BURIN_RETURN_IF_ERROR(RequireBytes(kName, field));
        BURIN_ASSIGN_OR_RETURN(TensorMessage * tensor, Append(&graph->initializers));
        BURIN_RETURN_IF_ERROR(Tensor(field.bytes, tensor));
        break;
      }
      case 11:
      case 12: {
        BURIN_RETURN_IF_ERROR(RequireBytes(kName, field));
        BURIN_ASSIGN_OR_RETURN(ValueMessage * value, Append(field.number == 11 ? &graph->inputs : &graph->outputs));
        BURIN_RETURN_IF_ERROR(Value(field.bytes, value));
        break;
      }
      case 15: {
        BURIN_RETURN_IF_ERROR(RequireBytes(kName, field));
        BURIN_ASSIGN_OR_RETURN(SparseTensorMessage * sparse, Append(&graph->sparse_initializers));
        BURIN_RETURN_IF_ERROR(SparseTensor(field.bytes, sparse));
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
        BURIN_ASSIGN_OR_RETURN(absl::string_view * name, Append(list));
        BURIN_RETURN_IF_ERROR(SetString(kName, field, name));
        break;
      }
      case 7: {
        BURIN_RETURN_IF_ERROR(RequireBytes(kName, field));
        BURIN_ASSIGN_OR_RETURN(NodeMessage * node, Append(&function->nodes));
        BURIN_RETURN_IF_ERROR(Node(field.bytes, node));
        break;
      }
      case 9: {
        BURIN_RETURN_IF_ERROR(RequireBytes(kName, field));
        BURIN_ASSIGN_OR_RETURN(OperatorSetMessage * operator_set, Append(&function->operator_sets));
        BURIN_RETURN_IF_ERROR(OperatorSet(field.bytes, operator_set));
        break;
      }
      case 10:
        BURIN_RETURN_IF_ERROR(SetString(kName, field, &function->domain));
        break;
      case 11: {
        BURIN_RETURN_IF_ERROR(RequireBytes(kName, field));
        BURIN_ASSIGN_OR_RETURN(AttributeMessage * attribute, Append(&function->default_attributes));
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
        BURIN_ASSIGN_OR_RETURN(OperatorSetMessage * operator_set, Append(&model->operator_sets));
        BURIN_RETURN_IF_ERROR(OperatorSet(field.bytes, operator_set));
        break;
      }
      case 25: {
        BURIN_RETURN_IF_ERROR(RequireBytes(kName, field));
        BURIN_ASSIGN_OR_RETURN(FunctionMessage * function, Append(&model->functions));
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

absl::StatusOr<TensorMessage> DecodeTensor(absl::string_view bytes, ReadBudget* budget) {
  TensorMessage tensor;
  BURIN_RETURN_IF_ERROR(Decoder(budget).Tensor(bytes, &tensor));
  return tensor;
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
