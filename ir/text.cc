#include "ir/text.h"

#include <cstddef>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "ir/forms/attribute_text.h"
#include "ir/forms/element_text.h"
#include "ir/forms/model_assembler.h"
#include "ir/forms/text_scanner.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/runtime_info.h"

namespace burin::ir {
namespace {

// ---- Printing ----

// Constants of more elements do not show theirs in messages.
constexpr int64_t kMaxElementsInMessage = 16;

void AppendQuoted(std::string* text, const std::string& name) { *text += Quoted(name); }

std::string TypeText(ElementType type, const PartialShape& shape) { return absl::StrCat(Name(type), shape.ToString()); }

std::string ValueText(Value value) {
  if (!value.exists()) return "_";
  std::string text = absl::StrCat("%", Index(value.node));
  if (value.output != 0) absl::StrAppend(&text, ".", value.output);
  return text;
}

// Returns ` names("a", "b"; "c")` with a list for each output up to the last one that has names.
std::string OutputNamesText(const Node& node) {
  int64_t count = node.output_count();
  while (count > 0 && node.output_names(count - 1).empty()) --count;
  if (count == 0) return "";
  std::string text = " names(";
  for (int64_t i = 0; i < count; ++i) {
    absl::StrAppend(&text, i == 0 ? "" : "; ", absl::StrJoin(node.output_names(i), ", ", AppendQuoted));
  }
  return text + ")";
}

// Returns `info("key" = "text")`, or nothing where there is no info.
std::string InfoText(const RuntimeInfo& info) {
  if (info.empty()) return "";
  return absl::StrCat("info(",
                      absl::StrJoin(info, ", ",
                                    [](std::string* out, const RuntimeInfo::value_type& entry) {
                                      absl::StrAppend(out, Quoted(entry.first), " = ", Quoted(entry.second));
                                    }),
                      ")");
}

std::string NodeText(const Node& node, int64_t max_elements) {
  std::string text = absl::StrCat("%", Index(node.id()), " ", Quoted(node.name()), " = ", node.op().name, "(");
  for (int64_t i = 0; i < node.input_count(); ++i) {
    absl::StrAppend(&text, i == 0 ? "" : ", ", ValueText(node.input(i)));
  }
  text += ")";
  const std::string attributes = PrintAttributes(node.attributes(), *node.op().make_attributes(), max_elements);
  if (!attributes.empty()) absl::StrAppend(&text, " ", attributes);
  for (int64_t i = 0; i < node.output_count(); ++i) {
    absl::StrAppend(&text, i == 0 ? " : " : ", ", TypeText(node.output(i).type, node.output(i).shape));
  }
  text += OutputNamesText(node);
  if (!node.original_names().empty()) {
    absl::StrAppend(&text, " from(", absl::StrJoin(node.original_names(), ", ", AppendQuoted), ")");
  }
  if (!node.runtime_info().empty()) absl::StrAppend(&text, " ", InfoText(node.runtime_info()));
  return text;
}

// Prints one list of the signature where it differs from the order in which its nodes are printed.
void AppendOrder(const Model& model, OpCode code, const std::vector<NodeId>& printed, const char* keyword,
                 const std::vector<NodeId>& order, const std::string& indent, std::string* text) {
  std::vector<NodeId> plain;
  for (const NodeId id : printed) {
    if (model.node(id).code() == code) plain.push_back(id);
  }
  if (plain == order) return;
  absl::StrAppend(text, indent, keyword, "(",
                  absl::StrJoin(order, ", ", [](std::string* out, NodeId id) { absl::StrAppend(out, "%", Index(id)); }),
                  ")\n");
}

absl::Status AppendModel(const Model& model, const PrintOptions& options, const std::string& indent,
                         std::string* text) {
  BURIN_ASSIGN_OR_RETURN(const std::vector<NodeId> nodes, model.TopologicalOrder());
  const std::string inner = indent + "  ";
  absl::StrAppend(text, indent, "model ", Quoted(model.name()), " {\n");
  if (!model.runtime_info().empty()) absl::StrAppend(text, inner, InfoText(model.runtime_info()), "\n");
  for (const Variable& variable : model.variables()) {
    absl::StrAppend(text, inner, "variable ", Quoted(variable.id), " : ", TypeText(variable.type, variable.shape),
                    "\n");
  }
  AppendOrder(model, OpCode::kParameter, nodes, "inputs", model.parameters(), inner, text);
  AppendOrder(model, OpCode::kResult, nodes, "results", model.results(), inner, text);
  AppendOrder(model, OpCode::kAssign, nodes, "sinks", model.sinks(), inner, text);
  for (const NodeId id : nodes) {
    const Node& node = model.node(id);
    absl::StrAppend(text, inner, NodeText(node, options.max_constant_elements), "\n");
    for (const auto& body : node.bodies()) BURIN_RETURN_IF_ERROR(AppendModel(*body, options, inner + "  ", text));
  }
  absl::StrAppend(text, indent, "}\n");
  return absl::OkStatus();
}

// ---- Parsing ----

// What the text says of one output.
struct ParsedOutput {
  ElementType type = ElementType::kUndefined;
  PartialShape shape;
};

struct ParsedNode {
  size_t position = 0;
  NodeId id = NodeId::kNone;
  NodeSpec spec;
  std::optional<std::vector<ParsedOutput>> outputs;
};

class ModelParser {
 public:
  explicit ModelParser(absl::string_view text) : scanner_(text), budget_(text.size()) {}

  absl::StatusOr<std::unique_ptr<Model>> Parse() {
    if (!scanner_.ConsumeWord("model")) return scanner_.Error("Expected a model");
    BURIN_ASSIGN_OR_RETURN(std::unique_ptr<Model> model, ParseBlock(0));
    BURIN_RETURN_IF_ERROR(scanner_.ExpectEnd());
    return model;
  }

 private:
  // Parses what follows the keyword `model`; `depth` is how many models it lies in.
  absl::StatusOr<std::unique_ptr<Model>> ParseBlock(int32_t depth);
  absl::StatusOr<ParsedNode> ParseNode(int32_t depth);
  absl::Status ParseSignature(ParsedNode* node);
  absl::StatusOr<Variable> ParseVariable();
  absl::StatusOr<ParsedOutput> ParseOutput();
  absl::StatusOr<int32_t> ParseNumber(absl::string_view digits, size_t position) const;
  absl::StatusOr<NodeId> ParseId();
  absl::StatusOr<Value> ParseValue();
  absl::StatusOr<std::vector<NodeId>> ParseIds();
  absl::StatusOr<std::vector<std::string>> ParseStrings();
  absl::StatusOr<RuntimeInfo> ParseInfo();
  absl::Status CheckOutputs(const ParsedNode& text, const Node& node) const;

  TextScanner scanner_;
  IdBudget budget_;
};

absl::StatusOr<std::unique_ptr<Model>> ModelParser::ParseBlock(int32_t depth) {
  const size_t begin = scanner_.Position();
  if (depth > kMaxBodyDepth) {
    return scanner_.Error(absl::StrCat("Bodies are nested deeper than ", kMaxBodyDepth, " levels"));
  }
  BURIN_ASSIGN_OR_RETURN(std::string name, scanner_.String());
  BURIN_RETURN_IF_ERROR(scanner_.Expect('{'));
  std::vector<std::pair<size_t, Variable>> variables;
  std::vector<ParsedNode> nodes;
  std::optional<RuntimeInfo> info;
  ModelAssembler::Order order;
  while (!scanner_.Consume('}')) {
    const size_t position = scanner_.Position();
    std::optional<std::vector<NodeId>>* list = nullptr;
    if (scanner_.ConsumeWord("variable")) {
      BURIN_ASSIGN_OR_RETURN(Variable variable, ParseVariable());
      variables.emplace_back(position, std::move(variable));
      continue;
    }
    if (scanner_.ConsumeWord("info")) {
      if (info.has_value()) return scanner_.ErrorAt(position, "The model's runtime info is given twice");
      BURIN_ASSIGN_OR_RETURN(info, ParseInfo());
      continue;
    }
    if (scanner_.ConsumeWord("inputs")) list = &order.parameters;
    if (scanner_.ConsumeWord("results")) list = &order.results;
    if (scanner_.ConsumeWord("sinks")) list = &order.sinks;
    if (list == nullptr) {
      BURIN_ASSIGN_OR_RETURN(ParsedNode node, ParseNode(depth));
      nodes.push_back(std::move(node));
      continue;
    }
    if (list->has_value()) return scanner_.ErrorAt(position, "An order is given twice");
    BURIN_ASSIGN_OR_RETURN(*list, ParseIds());
  }
  // Nodes are added once their number is known, which bounds their ids.
  ModelAssembler assembler(std::move(name), static_cast<int64_t>(nodes.size()), &budget_);
  for (auto& [position, variable] : variables) {
    BURIN_RETURN_IF_ERROR(scanner_.At(position, assembler.AddVariable(std::move(variable))));
  }
  for (ParsedNode& node : nodes) {
    const size_t named_outputs = node.spec.output_names.size();
    BURIN_RETURN_IF_ERROR(scanner_.At(node.position, assembler.AddNode(node.id, std::move(node.spec))));
    if (static_cast<int64_t>(named_outputs) > assembler.node(node.id).output_count()) {
      return scanner_.ErrorAt(node.position, "Names are given for more outputs than the node has");
    }
    BURIN_RETURN_IF_ERROR(CheckOutputs(node, assembler.node(node.id)));
  }
  absl::StatusOr<std::unique_ptr<Model>> model = std::move(assembler).Finish(std::move(order));
  if (!model.ok()) return scanner_.At(begin, model.status());
  if (info.has_value()) (*model)->set_runtime_info(*std::move(info));
  return model;
}

absl::StatusOr<ParsedNode> ModelParser::ParseNode(int32_t depth) {
  ParsedNode node;
  node.position = scanner_.Position();
  BURIN_ASSIGN_OR_RETURN(node.id, ParseId());
  if (!scanner_.Consume('=')) {
    BURIN_ASSIGN_OR_RETURN(node.spec.name, scanner_.String());
    BURIN_RETURN_IF_ERROR(scanner_.Expect('='));
  }
  const size_t op_position = scanner_.Position();
  BURIN_ASSIGN_OR_RETURN(const absl::string_view op, scanner_.Word());
  node.spec.op = FindOp(op);
  if (node.spec.op == nullptr) {
    return scanner_.ErrorAt(op_position, absl::StrCat("No such op: '", absl::CEscape(op.substr(0, 64)), "'"));
  }
  BURIN_RETURN_IF_ERROR(scanner_.Expect('('));
  if (!scanner_.Consume(')')) {
    do {
      BURIN_ASSIGN_OR_RETURN(const Value input, ParseValue());
      node.spec.inputs.push_back(input);
    } while (scanner_.Consume(','));
    BURIN_RETURN_IF_ERROR(scanner_.Expect(')'));
  }
  node.spec.attributes = node.spec.op->make_attributes();
  BURIN_RETURN_IF_ERROR(ParseAttributes(&scanner_, node.spec.attributes.get()));
  BURIN_RETURN_IF_ERROR(ParseSignature(&node));
  while (scanner_.ConsumeWord("model")) {
    BURIN_ASSIGN_OR_RETURN(std::unique_ptr<Model> body, ParseBlock(depth + 1));
    node.spec.bodies.push_back(std::move(body));
  }
  return node;
}

// Parses the outputs' types and names, the original names and the runtime info: all that may be left out.
absl::Status ModelParser::ParseSignature(ParsedNode* node) {
  if (scanner_.Consume(':')) {
    node->outputs.emplace();
    do {
      BURIN_ASSIGN_OR_RETURN(ParsedOutput output, ParseOutput());
      node->outputs->push_back(std::move(output));
    } while (scanner_.Consume(','));
  }
  if (scanner_.ConsumeWord("names")) {
    BURIN_RETURN_IF_ERROR(scanner_.Expect('('));
    do {
      BURIN_ASSIGN_OR_RETURN(std::vector<std::string> names, ParseStrings());
      node->spec.output_names.push_back(std::move(names));
    } while (scanner_.Consume(';'));
    BURIN_RETURN_IF_ERROR(scanner_.Expect(')'));
  }
  if (scanner_.ConsumeWord("from")) {
    BURIN_RETURN_IF_ERROR(scanner_.Expect('('));
    BURIN_ASSIGN_OR_RETURN(node->spec.original_names, ParseStrings());
    BURIN_RETURN_IF_ERROR(scanner_.Expect(')'));
  }
  if (scanner_.ConsumeWord("info")) {
    BURIN_ASSIGN_OR_RETURN(node->spec.runtime_info, ParseInfo());
  }
  return absl::OkStatus();
}

absl::StatusOr<Variable> ModelParser::ParseVariable() {
  Variable variable;
  BURIN_ASSIGN_OR_RETURN(variable.id, scanner_.String());
  BURIN_RETURN_IF_ERROR(scanner_.Expect(':'));
  BURIN_ASSIGN_OR_RETURN(ParsedOutput type, ParseOutput());
  variable.type = type.type;
  variable.shape = std::move(type.shape);
  return variable;
}

absl::StatusOr<ParsedOutput> ModelParser::ParseOutput() {
  ParsedOutput output;
  BURIN_ASSIGN_OR_RETURN(output.type, scanner_.Type());
  BURIN_ASSIGN_OR_RETURN(output.shape, scanner_.Shape());
  return output;
}

absl::StatusOr<int32_t> ModelParser::ParseNumber(absl::string_view digits, size_t position) const {
  int64_t number = 0;
  if (!ParseIntegerText(digits, &number) || number < 0 || number > std::numeric_limits<int32_t>::max()) {
    return scanner_.ErrorAt(position, "Not the number of a node or output");
  }
  return static_cast<int32_t>(number);
}

absl::StatusOr<NodeId> ModelParser::ParseId() {
  const size_t position = scanner_.Position();
  BURIN_RETURN_IF_ERROR(scanner_.Expect('%'));
  BURIN_ASSIGN_OR_RETURN(const absl::string_view digits, scanner_.Word());
  BURIN_ASSIGN_OR_RETURN(const int32_t id, ParseNumber(digits, position));
  return static_cast<NodeId>(id);
}

absl::StatusOr<Value> ModelParser::ParseValue() {
  if (scanner_.ConsumeWord("_")) return Value::None();
  const size_t position = scanner_.Position();
  BURIN_RETURN_IF_ERROR(scanner_.Expect('%'));
  BURIN_ASSIGN_OR_RETURN(const absl::string_view word, scanner_.Word());
  const size_t dot = word.find('.');
  Value value;
  BURIN_ASSIGN_OR_RETURN(const int32_t id, ParseNumber(word.substr(0, dot), position));
  value.node = static_cast<NodeId>(id);
  if (dot != absl::string_view::npos) {
    BURIN_ASSIGN_OR_RETURN(value.output, ParseNumber(word.substr(dot + 1), position));
  }
  return value;
}

absl::StatusOr<std::vector<NodeId>> ModelParser::ParseIds() {
  std::vector<NodeId> ids;
  BURIN_RETURN_IF_ERROR(scanner_.Expect('('));
  if (scanner_.Consume(')')) return ids;
  do {
    BURIN_ASSIGN_OR_RETURN(const NodeId id, ParseId());
    ids.push_back(id);
  } while (scanner_.Consume(','));
  BURIN_RETURN_IF_ERROR(scanner_.Expect(')'));
  return ids;
}

// Parses strings between commas, or none where the list ends at once.
absl::StatusOr<std::vector<std::string>> ModelParser::ParseStrings() {
  std::vector<std::string> strings;
  const absl::string_view rest = scanner_.text().substr(scanner_.Position(), 1);
  if (rest == ")" || rest == ";") return strings;
  do {
    BURIN_ASSIGN_OR_RETURN(std::string text, scanner_.String());
    strings.push_back(std::move(text));
  } while (scanner_.Consume(','));
  return strings;
}

// Parses what follows the keyword `info`.
absl::StatusOr<RuntimeInfo> ModelParser::ParseInfo() {
  RuntimeInfo info;
  BURIN_RETURN_IF_ERROR(scanner_.Expect('('));
  if (scanner_.Consume(')')) return info;
  do {
    const size_t position = scanner_.Position();
    BURIN_ASSIGN_OR_RETURN(std::string key, scanner_.String());
    BURIN_RETURN_IF_ERROR(scanner_.Expect('='));
    BURIN_ASSIGN_OR_RETURN(std::string text, scanner_.String());
    if (!info.emplace(std::move(key), std::move(text)).second) {
      return scanner_.ErrorAt(position, "A key of the runtime info is given twice");
    }
  } while (scanner_.Consume(','));
  BURIN_RETURN_IF_ERROR(scanner_.Expect(')'));
  return info;
}

absl::Status ModelParser::CheckOutputs(const ParsedNode& text, const Node& node) const {
  if (!text.outputs.has_value()) return absl::OkStatus();
  if (static_cast<int64_t>(text.outputs->size()) != node.output_count()) {
    return scanner_.ErrorAt(text.position, absl::StrCat("The number of outputs is wrong; inference gives ",
                                                        node.output_count(), ", the text ", text.outputs->size()));
  }
  for (int64_t i = 0; i < node.output_count(); ++i) {
    const ParsedOutput& written = (*text.outputs)[static_cast<size_t>(i)];
    const ValueInfo& inferred = node.output(i);
    if (written.type == inferred.type && written.shape.MayEqual(inferred.shape)) continue;
    return scanner_.ErrorAt(text.position, absl::StrCat("Output ", i, " is another; inference gives ",
                                                        Name(inferred.type), inferred.shape.ToString(), ", the text ",
                                                        Name(written.type), written.shape.ToString()));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> PrintModel(const Model& model, const PrintOptions& options) {
  std::string text;
  BURIN_RETURN_IF_ERROR(AppendModel(model, options, "", &text));
  return text;
}

std::string PrintNode(const Model& model, NodeId id) { return NodeText(model.node(id), kMaxElementsInMessage); }

absl::StatusOr<std::unique_ptr<Model>> ParseModel(absl::string_view text) { return ModelParser(text).Parse(); }

}  // namespace burin::ir
