#include "ir/binary.h"

#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "base/hash.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "ir/forms/attribute_bytes.h"
#include "ir/forms/binary_format.h"
#include "ir/forms/byte_stream.h"
#include "ir/forms/model_assembler.h"
#include "ir/ops/ops.h"
#include "ir/runtime_info.h"

namespace burin::ir {
namespace {

// ---- Writing ----

void WriteStrings(const std::vector<std::string>& strings, ByteWriter* out) {
  out->WriteCount(strings.size());
  for (const std::string& text : strings) out->WriteString(text);
}

void WriteIds(const std::vector<NodeId>& ids, ByteWriter* out) {
  out->WriteCount(ids.size());
  for (const NodeId id : ids) out->Write(Index(id));
}

void WriteInfo(const RuntimeInfo& info, ByteWriter* out) {
  out->WriteCount(info.size());
  for (const auto& [key, text] : info) {
    out->WriteString(key);
    out->WriteString(text);
  }
}

absl::Status WriteModel(const Model& model, ByteWriter* out, ConstantWriter* constants);

absl::Status WriteNode(const Node& node, ByteWriter* out, ConstantWriter* constants) {
  out->Write(Index(node.id()));
  out->WriteString(node.op().name);
  out->WriteString(node.op().opset);
  out->WriteString(node.name());
  WriteStrings(node.original_names(), out);
  WriteInfo(node.runtime_info(), out);
  out->WriteCount(node.inputs().size());
  for (const Value& input : node.inputs()) {
    out->Write(Index(input.node));
    out->Write(input.output);
  }
  BURIN_RETURN_IF_ERROR(WriteAttributes(node.attributes(), out, constants));
  out->WriteCount(node.outputs().size());
  for (int64_t i = 0; i < node.output_count(); ++i) WriteStrings(node.output_names(i), out);
  out->WriteCount(node.bodies().size());
  for (const auto& body : node.bodies()) BURIN_RETURN_IF_ERROR(WriteModel(*body, out, constants));
  return absl::OkStatus();
}

absl::Status WriteModel(const Model& model, ByteWriter* out, ConstantWriter* constants) {
  BURIN_ASSIGN_OR_RETURN(const std::vector<NodeId> nodes, model.TopologicalOrder());
  out->WriteString(model.name());
  WriteInfo(model.runtime_info(), out);
  out->WriteCount(model.variables().size());
  for (const Variable& variable : model.variables()) {
    out->WriteString(variable.id);
    out->Write(static_cast<uint8_t>(variable.type));
    out->WriteShape(variable.shape);
  }
  out->WriteCount(nodes.size());
  for (const NodeId id : nodes) BURIN_RETURN_IF_ERROR(WriteNode(model.node(id), out, constants));
  WriteIds(model.parameters(), out);
  WriteIds(model.results(), out);
  WriteIds(model.sinks(), out);
  return absl::OkStatus();
}

// ---- Reading ----

// The first version with runtime info.
constexpr uint32_t kRuntimeInfoVersion = 2;

// The bytes that things take at least, in any version, which bounds how many can follow.
constexpr size_t kIdBytes = sizeof(int32_t);
constexpr size_t kInputBytes = 2 * sizeof(int32_t);
constexpr size_t kVariableBytes = kCountBytes + 2 + kCountBytes;
constexpr size_t kNodeBytes = kIdBytes + 8 * kCountBytes;
constexpr size_t kModelBytes = 6 * kCountBytes;

std::string Shown(absl::string_view text) { return absl::StrCat("'", absl::CEscape(text.substr(0, 64)), "'"); }

// Says of a model that the graph refuses that the bytes are at fault: they were not written from one.
absl::Status Refused(const absl::Status& status) {
  return absl::IsInvalidArgument(status) ? absl::DataLossError(status.message()) : status;
}

class GraphReader {
 public:
  GraphReader(uint32_t version, absl::string_view graph, ConstantReader constants)
      : version_(version), in_(graph), constants_(std::move(constants)), budget_(graph.size()) {}

  absl::StatusOr<std::unique_ptr<Model>> Read() {
    BURIN_ASSIGN_OR_RETURN(std::unique_ptr<Model> model, ReadModel(0));
    if (!in_.AtEnd()) return absl::DataLossError("The graph section is longer than the graph");
    return model;
  }

 private:
  // Reads a model that lies in `depth` others.
  absl::StatusOr<std::unique_ptr<Model>> ReadModel(int32_t depth);
  absl::StatusOr<Variable> ReadVariable();
  absl::Status ReadNode(int32_t depth, ModelAssembler* assembler);
  absl::StatusOr<const OpDef*> ReadOp();
  absl::StatusOr<std::string> ReadText();
  absl::StatusOr<std::vector<std::string>> ReadStrings();
  absl::StatusOr<RuntimeInfo> ReadInfo();
  absl::StatusOr<std::vector<NodeId>> ReadIds();

  const uint32_t version_;
  ByteReader in_;
  ConstantReader constants_;
  IdBudget budget_;
};

absl::StatusOr<std::unique_ptr<Model>> GraphReader::ReadModel(int32_t depth) {
  if (depth > kMaxBodyDepth) {
    return absl::DataLossError(absl::StrCat("Bodies are nested deeper than ", kMaxBodyDepth, " levels"));
  }
  BURIN_ASSIGN_OR_RETURN(std::string name, ReadText());
  BURIN_ASSIGN_OR_RETURN(RuntimeInfo info, ReadInfo());
  BURIN_ASSIGN_OR_RETURN(const size_t variable_count, in_.ReadCount(kVariableBytes));
  // The number of nodes follows the variables, which wait for the model until then.
  std::vector<Variable> variables;
  for (size_t i = 0; i < variable_count; ++i) {
    BURIN_ASSIGN_OR_RETURN(Variable variable, ReadVariable());
    variables.push_back(std::move(variable));
  }
  BURIN_ASSIGN_OR_RETURN(const size_t node_count, in_.ReadCount(kNodeBytes));
  ModelAssembler assembler(std::move(name), static_cast<int64_t>(node_count), &budget_);
  for (Variable& variable : variables) {
    BURIN_RETURN_IF_ERROR(Refused(assembler.AddVariable(std::move(variable))));
  }
  for (size_t i = 0; i < node_count; ++i) BURIN_RETURN_IF_ERROR(ReadNode(depth, &assembler));
  ModelAssembler::Order order;
  BURIN_ASSIGN_OR_RETURN(order.parameters, ReadIds());
  BURIN_ASSIGN_OR_RETURN(order.results, ReadIds());
  BURIN_ASSIGN_OR_RETURN(order.sinks, ReadIds());
  absl::StatusOr<std::unique_ptr<Model>> model = std::move(assembler).Finish(std::move(order));
  if (!model.ok()) return Refused(model.status());
  (*model)->set_runtime_info(std::move(info));
  return model;
}

absl::StatusOr<Variable> GraphReader::ReadVariable() {
  Variable variable;
  BURIN_ASSIGN_OR_RETURN(variable.id, ReadText());
  BURIN_ASSIGN_OR_RETURN(const uint8_t type, in_.Read<uint8_t>());
  const absl::StatusOr<ElementType> known = ElementTypeFromValue(type);
  if (!known.ok()) return absl::DataLossError(absl::StrCat("No element type has this value: ", type));
  variable.type = *known;
  BURIN_ASSIGN_OR_RETURN(variable.shape, in_.ReadShape());
  return variable;
}

absl::StatusOr<const OpDef*> GraphReader::ReadOp() {
  BURIN_ASSIGN_OR_RETURN(const absl::string_view name, in_.ReadString());
  BURIN_ASSIGN_OR_RETURN(const absl::string_view opset, in_.ReadString());
  const OpDef* op = FindOp(name);
  if (op == nullptr || opset != op->opset) {
    return absl::UnimplementedError(absl::StrCat("Unknown op: ", Shown(name), " of ", Shown(opset)));
  }
  return op;
}

absl::Status GraphReader::ReadNode(int32_t depth, ModelAssembler* assembler) {
  NodeSpec spec;
  BURIN_ASSIGN_OR_RETURN(const int32_t id, in_.Read<int32_t>());
  BURIN_ASSIGN_OR_RETURN(spec.op, ReadOp());
  BURIN_ASSIGN_OR_RETURN(spec.name, ReadText());
  if (spec.name.empty()) return absl::DataLossError(absl::StrCat("A node has no name: ", id));
  const std::string where = absl::StrCat("Node ", Shown(spec.name));
  BURIN_ASSIGN_OR_RETURN(spec.original_names, ReadStrings());
  BURIN_ASSIGN_OR_RETURN(spec.runtime_info, ReadInfo());
  BURIN_ASSIGN_OR_RETURN(const size_t input_count, in_.ReadCount(kInputBytes));
  for (size_t i = 0; i < input_count; ++i) {
    Value input;
    BURIN_ASSIGN_OR_RETURN(const int32_t node, in_.Read<int32_t>());
    BURIN_ASSIGN_OR_RETURN(input.output, in_.Read<int32_t>());
    input.node = static_cast<NodeId>(node);
    if (node < 0 && input != Value::None()) return absl::DataLossError(absl::StrCat(where, ": An input is malformed"));
    spec.inputs.push_back(input);
  }
  spec.attributes = spec.op->make_attributes();
  BURIN_RETURN_IF_ERROR(WithContext(ReadAttributes(&in_, &constants_, spec.attributes.get()), where));
  BURIN_ASSIGN_OR_RETURN(const size_t output_count, in_.ReadCount(kCountBytes));
  for (size_t i = 0; i < output_count; ++i) {
    BURIN_ASSIGN_OR_RETURN(std::vector<std::string> names, ReadStrings());
    spec.output_names.push_back(std::move(names));
  }
  BURIN_ASSIGN_OR_RETURN(const size_t body_count, in_.ReadCount(kModelBytes));
  for (size_t i = 0; i < body_count; ++i) {
    BURIN_ASSIGN_OR_RETURN(std::unique_ptr<Model> body, ReadModel(depth + 1));
    spec.bodies.push_back(std::move(body));
  }
  BURIN_RETURN_IF_ERROR(Refused(assembler->AddNode(static_cast<NodeId>(id), std::move(spec))));
  if (assembler->node(static_cast<NodeId>(id)).output_count() != static_cast<int64_t>(output_count)) {
    return absl::DataLossError(absl::StrCat(where, ": The number of outputs is wrong: ", output_count));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> GraphReader::ReadText() {
  BURIN_ASSIGN_OR_RETURN(const absl::string_view text, in_.ReadString());
  return std::string(text);
}

absl::StatusOr<std::vector<std::string>> GraphReader::ReadStrings() {
  BURIN_ASSIGN_OR_RETURN(const size_t count, in_.ReadCount(kCountBytes));
  std::vector<std::string> strings;
  for (size_t i = 0; i < count; ++i) {
    BURIN_ASSIGN_OR_RETURN(std::string text, ReadText());
    strings.push_back(std::move(text));
  }
  return strings;
}

absl::StatusOr<RuntimeInfo> GraphReader::ReadInfo() {
  RuntimeInfo info;
  if (version_ < kRuntimeInfoVersion) return info;
  BURIN_ASSIGN_OR_RETURN(const size_t count, in_.ReadCount(2 * kCountBytes));
  for (size_t i = 0; i < count; ++i) {
    BURIN_ASSIGN_OR_RETURN(std::string key, ReadText());
    BURIN_ASSIGN_OR_RETURN(std::string text, ReadText());
    if (!info.emplace(std::move(key), std::move(text)).second) {
      return absl::DataLossError("A key of the runtime info comes twice");
    }
  }
  return info;
}

absl::StatusOr<std::vector<NodeId>> GraphReader::ReadIds() {
  BURIN_ASSIGN_OR_RETURN(const size_t count, in_.ReadCount(kIdBytes));
  std::vector<NodeId> ids;
  for (size_t i = 0; i < count; ++i) {
    BURIN_ASSIGN_OR_RETURN(const int32_t id, in_.Read<int32_t>());
    ids.push_back(static_cast<NodeId>(id));
  }
  return ids;
}

// Checks that both sections lie where they belong and that the checksum is right.
absl::Status CheckHeader(const BinaryHeader& header, absl::string_view bytes) {
  if (std::memcmp(header.magic, kBinaryMagic, sizeof(header.magic)) != 0) {
    return absl::DataLossError("The bytes are no model: another magic number");
  }
  if (header.version < kOldestBinaryVersion || header.version > kBinaryVersion) {
    return absl::UnimplementedError(absl::StrCat("Unknown version of the binary form: ", header.version));
  }
  if (header.graph_offset != sizeof(header) || header.graph_size > bytes.size() - sizeof(header)) {
    return absl::DataLossError("The graph section passes the end");
  }
  const uint64_t graph_end = header.graph_offset + header.graph_size;
  if (header.data_offset < graph_end || header.data_offset > bytes.size() ||
      header.data_offset % kConstantAlignment != 0 || header.data_size != bytes.size() - header.data_offset) {
    return absl::DataLossError("The bytes do not end where the constants do");
  }
  const Hash128 checksum = BinaryChecksum(header, bytes.substr(header.graph_offset, header.graph_size));
  if (checksum.high != header.checksum_high || checksum.low != header.checksum_low) {
    return absl::DataLossError("The checksum is wrong");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> SerializeModel(const Model& model) {
  ByteWriter graph;
  ConstantWriter constants;
  BURIN_RETURN_IF_ERROR(WriteModel(model, &graph, &constants));

  BinaryHeader header = {};
  std::memcpy(header.magic, kBinaryMagic, sizeof(header.magic));
  header.version = kBinaryVersion;
  header.graph_offset = sizeof(header);
  header.graph_size = graph.bytes().size();
  const size_t graph_end = header.graph_offset + header.graph_size;
  header.data_offset = (graph_end + kConstantAlignment - 1) / kConstantAlignment * kConstantAlignment;
  header.data_size = constants.size();
  const Hash128 checksum = BinaryChecksum(header, graph.bytes());
  header.checksum_high = checksum.high;
  header.checksum_low = checksum.low;

  std::string bytes;
  bytes.reserve(header.data_offset + header.data_size);
  bytes.append(reinterpret_cast<const char*>(&header), sizeof(header));
  bytes += graph.bytes();
  bytes.resize(header.data_offset);
  constants.AppendTo(&bytes);
  return bytes;
}

absl::StatusOr<std::unique_ptr<Model>> DeserializeModel(std::shared_ptr<Storage> bytes) {
  if (bytes == nullptr) return absl::InvalidArgumentError("Null storage for a model");
  const absl::string_view all(static_cast<const char*>(bytes->data()), bytes->size());
  BinaryHeader header;
  if (all.size() < sizeof(header)) {
    return absl::DataLossError(absl::StrCat("The bytes end inside of the header: ", all.size()));
  }
  std::memcpy(&header, all.data(), sizeof(header));
  BURIN_RETURN_IF_ERROR(CheckHeader(header, all));
  GraphReader reader(header.version, all.substr(header.graph_offset, header.graph_size),
                     ConstantReader(bytes, header.data_offset, header.data_size));
  return reader.Read();
}

}  // namespace burin::ir
