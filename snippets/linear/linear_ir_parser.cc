#include "snippets/linear/linear_ir_parser.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/element_type.h"
#include "base/enum_names.h"
#include "base/status_macros.h"
#include "ir/attributes.h"
#include "ir/forms/attribute_text.h"
#include "ir/forms/text_scanner.h"
#include "ir/op_def.h"
#include "ir/ops/ops.h"
#include "snippets/linear/lane.h"

namespace burin::snippets {
namespace {

// Far more vectors at once than registers.
constexpr int32_t kMaxBlockVectors = 1024;

// Takes a number as it prints: digits, none of them a leading zero.
bool ParseIndex(absl::string_view text, int32_t* index) {
  if (text.empty() || !std::all_of(text.begin(), text.end(), absl::ascii_isdigit)) return false;
  if (text.size() > 1 && text.front() == '0') return false;
  return absl::SimpleAtoi(text, index);
}

class Parser {
 public:
  explicit Parser(absl::string_view text) : scanner_(text), text_bytes_(text.size()) {}

  absl::StatusOr<LinearIr> Run() {
    BURIN_RETURN_IF_ERROR(ParseAxes());
    BURIN_RETURN_IF_ERROR(ParseOperands());
    ir_.root = std::make_unique<LinearBlock>();
    BURIN_RETURN_IF_ERROR(ParseItems(*ir_.root, ir_.RootAxes()));
    BURIN_RETURN_IF_ERROR(scanner_.ExpectEnd());
    const absl::Status verified = ir_.Verify();
    if (!verified.ok()) return absl::InvalidArgumentError(verified.message());
    return std::move(ir_);
  }

 private:
  absl::Status ParseAxes() {
    ir_.vector_axis = -1;
    while (scanner_.ConsumeWord("axis")) {
      const auto index = static_cast<int>(ir_.axes.size());
      if (index == kMaxAxes) return scanner_.Error("There are more axes than a kernel may have");
      const std::string name = absl::StrCat("a", index);
      if (!scanner_.ConsumeWord(name)) return scanner_.Error(absl::StrCat("Expected the next axis: ", name));
      ir_.axes.push_back({name, scanner_.ConsumeWord("parallel")});
      const size_t begin = scanner_.Position();
      if (!scanner_.ConsumeWord("vector")) continue;
      if (ir_.vector_axis >= 0) return scanner_.ErrorAt(begin, "A second axis is the vectors'");
      ir_.vector_axis = index;
      if (scanner_.ConsumeWord("in")) BURIN_RETURN_IF_ERROR(ParseBlockVectors());
    }
    return ir_.vector_axis >= 0 ? absl::OkStatus() : scanner_.Error("No axis is the vectors'");
  }

  // Takes how many vectors stand for the loop over the vector axis.
  absl::Status ParseBlockVectors() {
    const size_t begin = scanner_.Position();
    const absl::StatusOr<absl::string_view> word = scanner_.Word();
    if (!word.ok() || !ParseIndex(*word, &ir_.block_vectors) || ir_.block_vectors == 0) {
      return scanner_.ErrorAt(begin, "Expected a number of vectors");
    }
    if (ir_.block_vectors > kMaxBlockVectors) return scanner_.ErrorAt(begin, "There are too many vectors at once");
    ir_.whole_vectors = scanner_.ConsumeWord("whole");
    return absl::OkStatus();
  }

  // Takes the operands, whose names begin with a small letter, as those of expressions do not. A loop's does too.
  absl::Status ParseOperands() {
    while (true) {
      ir::TextScanner ahead = scanner_;
      const absl::StatusOr<absl::string_view> word = ahead.Word();
      if (!word.ok() || !absl::ascii_islower(static_cast<unsigned char>(word->front())) || *word == "for") {
        return FindOutputsOfBuffers();
      }
      BURIN_RETURN_IF_ERROR(ParseOperand());
    }
  }

  // Finds the outputs that buffers are in, which may stand behind them.
  absl::Status FindOutputsOfBuffers() {
    for (const InOutput& buffer : in_outputs_) {
      const auto it = operands_.find(buffer.output);
      if (it == operands_.end()) return scanner_.ErrorAt(buffer.position, "There is no such operand");
      ir_.operands[buffer.operand].in_output = it->second;
    }
    return absl::OkStatus();
  }
  absl::Status ParseOperand() {
    const size_t begin = scanner_.Position();
    BURIN_ASSIGN_OR_RETURN(const absl::string_view name, scanner_.Word());
    LinearOperand operand;
    absl::string_view port = name.substr(0, name.find('.'));
    bool found = false;
    for (const EnumEntry<OperandKind>& kind : EnumNames<OperandKind>::kEntries) {
      if (!absl::ConsumePrefix(&port, kind.name)) continue;
      operand.kind = kind.value;
      found = ParseIndex(port, &operand.port);
      break;
    }
    if (!found) return scanner_.ErrorAt(begin, "Expected an operand such as input0, output0 or buffer0");
    std::string expected = absl::StrCat(EnumName(operand.kind), operand.port);
    const int before = of_port_[expected]++;
    if (before > 0) absl::StrAppend(&expected, ".", before);
    if (name != expected) return scanner_.ErrorAt(begin, absl::StrCat("The next operand of this port is ", expected));
    BURIN_RETURN_IF_ERROR(scanner_.Expect(':'));
    BURIN_ASSIGN_OR_RETURN(operand.type, scanner_.Type());
    BURIN_ASSIGN_OR_RETURN(operand.axes, ParseAxesInBrackets());
    operand.contiguous = !scanner_.ConsumeWord("strided");
    if (!operand.contiguous && scanner_.ConsumeWord("by")) BURIN_RETURN_IF_ERROR(ParseStep(operand));
    if (scanner_.ConsumeWord("in")) {
      const size_t at = scanner_.Position();
      BURIN_ASSIGN_OR_RETURN(const absl::string_view output, scanner_.Word());
      in_outputs_.push_back({ir_.operands.size(), std::string(output), at});
    }
    operands_.emplace(name, static_cast<int32_t>(ir_.operands.size()));
    ir_.operands.push_back(operand);
    return absl::OkStatus();
  }

  // Takes how many elements apart those of an operand are.
  absl::Status ParseStep(LinearOperand& operand) {
    const size_t begin = scanner_.Position();
    const absl::StatusOr<absl::string_view> word = scanner_.Word();
    if (!word.ok() || !ParseIndex(*word, &operand.step) || operand.step == 0) {
      return scanner_.ErrorAt(begin, "Expected a number of elements");
    }
    return absl::OkStatus();
  }

  absl::StatusOr<AxisSet> ParseAxesInBrackets() {
    BURIN_RETURN_IF_ERROR(scanner_.Expect('['));
    return ParseAxesUpTo(']');
  }

  // Takes axes separated by commas, and the bracket behind them.
  absl::StatusOr<AxisSet> ParseAxesUpTo(char bracket) {
    AxisSet axes = 0;
    if (scanner_.Consume(bracket)) return axes;
    do {
      const size_t begin = scanner_.Position();
      BURIN_ASSIGN_OR_RETURN(const int axis, ParseAxis());
      if ((axes & AxisBit(axis)) != 0) return scanner_.ErrorAt(begin, "An axis is listed twice");
      axes |= AxisBit(axis);
    } while (scanner_.Consume(','));
    BURIN_RETURN_IF_ERROR(scanner_.Expect(bracket));
    return axes;
  }

  absl::StatusOr<int> ParseAxis() {
    const size_t begin = scanner_.Position();
    absl::StatusOr<absl::string_view> word = scanner_.Word();
    int32_t axis = 0;
    if (!word.ok() || !absl::ConsumePrefix(&*word, "a") || !ParseIndex(*word, &axis)) {
      return scanner_.ErrorAt(begin, "Expected an axis");
    }
    if (axis >= static_cast<int32_t>(ir_.axes.size())) return scanner_.ErrorAt(begin, "There is no such axis");
    return axis;
  }

  // Takes what lies in a block inside of loops over `around`. Loops over one axis do not nest, which bounds the depth.
  absl::Status ParseItems(LinearBlock& block, AxisSet around) {
    while (!scanner_.AtEnd()) {
      if (scanner_.ConsumeWord("for")) {
        BURIN_RETURN_IF_ERROR(ParseLoop(block, around));
        continue;
      }
      // What no item begins with is the caller's.
      ir::TextScanner ahead = scanner_;
      if (!ahead.Consume('%') && !ahead.Word().ok()) return absl::OkStatus();
      BURIN_RETURN_IF_ERROR(ParseExpr());
      LinearBlock::Item item;
      item.expr = static_cast<int32_t>(ir_.exprs.size()) - 1;
      block.items.push_back(std::move(item));
    }
    return absl::OkStatus();
  }

  absl::Status ParseLoop(LinearBlock& parent, AxisSet around) {
    const size_t begin = scanner_.Position();
    LinearBlock::Item item;
    item.block = std::make_unique<LinearBlock>();
    LinearBlock& loop = *item.block;
    BURIN_ASSIGN_OR_RETURN(loop.axis, ParseAxis());
    if ((around & AxisBit(loop.axis)) != 0)
      return scanner_.ErrorAt(begin, "A loop lies where its axis is open already");
    const bool by_vectors = scanner_.ConsumeWord("by");
    if (by_vectors && !scanner_.ConsumeWord("vectors")) return scanner_.Error("Expected 'vectors'");
    if (by_vectors != (loop.axis == ir_.vector_axis)) {
      return scanner_.ErrorAt(begin, "A loop is 'by vectors' where its axis is the vectors', and only there");
    }
    if (scanner_.ConsumeWord("ahead")) BURIN_RETURN_IF_ERROR(ParseAhead(loop));
    BURIN_RETURN_IF_ERROR(scanner_.Expect('{'));
    loop.parent = &parent;
    parent.items.push_back(std::move(item));
    BURIN_RETURN_IF_ERROR(ParseItems(loop, around | AxisBit(loop.axis)));
    return scanner_.Expect('}');
  }

  // Takes the operands that a loop brings closer.
  absl::Status ParseAhead(LinearBlock& loop) {
    if (!scanner_.ConsumeWord("of")) return scanner_.Error("Expected 'of'");
    do {
      const size_t begin = scanner_.Position();
      BURIN_ASSIGN_OR_RETURN(const absl::string_view name, scanner_.Word());
      const auto it = operands_.find(name);
      if (it == operands_.end()) return scanner_.ErrorAt(begin, "There is no such operand");
      loop.ahead.push_back(it->second);
    } while (scanner_.Consume(','));
    return absl::OkStatus();
  }

  absl::Status ParseExpr() {
    LinearExpr expr;
    if (scanner_.Consume('%')) {
      const size_t begin = scanner_.Position();
      BURIN_ASSIGN_OR_RETURN(expr.output, ParseValueId());
      // A value takes more text than its number is large, so that no number asks for more memory than the text has.
      if (static_cast<size_t>(expr.output) >= text_bytes_)
        return scanner_.ErrorAt(begin, "A value's number is too large");
      if (expr.output >= static_cast<ValueId>(ir_.values.size())) {
        ir_.values.resize(static_cast<size_t>(expr.output) + 1);
      }
      LinearValue& value = ir_.values[static_cast<size_t>(expr.output)];
      BURIN_ASSIGN_OR_RETURN(value.type, scanner_.Type());
      BURIN_ASSIGN_OR_RETURN(value.axes, ParseAxesInBrackets());
      BURIN_RETURN_IF_ERROR(scanner_.Expect('='));
      BURIN_RETURN_IF_ERROR(ParseDefinition(expr));
    } else {
      BURIN_RETURN_IF_ERROR(ParseEffect(expr));
    }
    ir_.exprs.push_back(std::move(expr));
    return absl::OkStatus();
  }

  // Takes what comes behind "%value = ".
  absl::Status ParseDefinition(LinearExpr& expr) {
    const size_t begin = scanner_.Position();
    BURIN_ASSIGN_OR_RETURN(const absl::string_view word, scanner_.Word());
    if (!scanner_.Consume('(')) return ParseCompute(begin, word, expr);
    if (word == "Load") {
      expr.op = LinearOp::kLoad;
      return ParseOperandName(expr);
    }
    if (word == "Constant") {
      expr.op = LinearOp::kConstant;
      return ParseBits(expr);
    }
    if (word == "Count") {
      expr.op = LinearOp::kCount;
      BURIN_ASSIGN_OR_RETURN(expr.axes, ParseAxesUpTo(')'));
      return absl::OkStatus();
    }
    if (word == "Begin") {
      expr.op = LinearOp::kBegin;
      return ParseReduction(expr);
    }
    if (word == "End") {
      expr.op = LinearOp::kEnd;
      BURIN_RETURN_IF_ERROR(ParseReduction(expr));
      return ParseInputs(1, 1, expr);
    }
    return scanner_.ErrorAt(begin, "Expected Load, Constant, Count, Begin, End or an operation");
  }

  // Takes an expression that defines no value.
  absl::Status ParseEffect(LinearExpr& expr) {
    const size_t begin = scanner_.Position();
    BURIN_ASSIGN_OR_RETURN(const absl::string_view word, scanner_.Word());
    if (word == "Store") {
      expr.op = LinearOp::kStore;
      BURIN_RETURN_IF_ERROR(scanner_.Expect('('));
      BURIN_RETURN_IF_ERROR(ParseOperandName(expr));
      return ParseInputs(1, 1, expr);
    }
    if (word == "Step") {
      expr.op = LinearOp::kStep;
      BURIN_RETURN_IF_ERROR(scanner_.Expect('('));
      BURIN_RETURN_IF_ERROR(ParseReduction(expr));
      return ParseInputs(2, expr.reduction == Reduction::kSum ? 3 : 2, expr);
    }
    return scanner_.ErrorAt(begin, "Expected a loop, a value, Store or Step");
  }

  absl::Status ParseCompute(size_t begin, absl::string_view name, LinearExpr& expr) {
    expr.op = LinearOp::kCompute;
    expr.compute = ir::FindOp(name);
    if (expr.compute == nullptr) return scanner_.ErrorAt(begin, "There is no such operation");
    std::unique_ptr<ir::Attributes> attributes = expr.compute->make_attributes();
    BURIN_RETURN_IF_ERROR(ir::ParseAttributes(&scanner_, attributes.get()));
    expr.attributes = std::move(attributes);
    return ParseInputs(expr.compute->min_inputs, expr.compute->max_inputs, expr);
  }

  absl::Status ParseOperandName(LinearExpr& expr) {
    const size_t begin = scanner_.Position();
    BURIN_ASSIGN_OR_RETURN(const absl::string_view name, scanner_.Word());
    const auto it = operands_.find(name);
    if (it == operands_.end()) return scanner_.ErrorAt(begin, "There is no such operand");
    expr.operand = it->second;
    return scanner_.Expect(')');
  }

  absl::Status ParseBits(LinearExpr& expr) {
    const size_t begin = scanner_.Position();
    absl::StatusOr<absl::string_view> word = scanner_.Word();
    const size_t digits = IsWide(ir_.values[static_cast<size_t>(expr.output)].type) ? 16 : 8;
    const bool is_bits = word.ok() && absl::ConsumePrefix(&*word, "0x") && word->size() == digits &&
                         std::all_of(word->begin(), word->end(), absl::ascii_isxdigit) &&
                         absl::SimpleHexAtoi(*word, &expr.bits);
    if (!is_bits) return scanner_.ErrorAt(begin, absl::StrCat("Expected 0x and ", digits, " hexadecimal digits"));
    return scanner_.Expect(')');
  }

  absl::Status ParseReduction(LinearExpr& expr) {
    const size_t begin = scanner_.Position();
    BURIN_ASSIGN_OR_RETURN(const absl::string_view word, scanner_.Word());
    const absl::StatusOr<Reduction> reduction = ParseEnum<Reduction>(word);
    if (!reduction.ok()) return scanner_.ErrorAt(begin, "Expected sum, product, maximum or minimum");
    expr.reduction = *reduction;
    BURIN_ASSIGN_OR_RETURN(expr.axes, ParseAxesUpTo(')'));
    return absl::OkStatus();
  }

  // Takes from `least` to `most` values (negative: any number).
  absl::Status ParseInputs(int32_t least, int32_t most, LinearExpr& expr) {
    const size_t begin = scanner_.Position();
    if (scanner_.Consume('%')) {
      BURIN_ASSIGN_OR_RETURN(const ValueId first, ParseValueId());
      expr.inputs.push_back(first);
      while (scanner_.Consume(',')) {
        BURIN_RETURN_IF_ERROR(scanner_.Expect('%'));
        BURIN_ASSIGN_OR_RETURN(const ValueId input, ParseValueId());
        expr.inputs.push_back(input);
      }
    }
    const auto count = static_cast<int64_t>(expr.inputs.size());
    if (count < least || (most >= 0 && count > most)) {
      return scanner_.ErrorAt(begin, absl::StrCat("A wrong number of inputs: ", count));
    }
    return absl::OkStatus();
  }

  absl::StatusOr<ValueId> ParseValueId() {
    const size_t begin = scanner_.Position();
    const absl::StatusOr<absl::string_view> word = scanner_.Word();
    ValueId id = kNoValue;
    if (!word.ok() || !ParseIndex(*word, &id)) return scanner_.ErrorAt(begin, "Expected the number of a value");
    return id;
  }

  ir::TextScanner scanner_;
  const size_t text_bytes_;
  // Is a buffer that has the memory of an output.
  struct InOutput {
    size_t operand = 0;
    std::string output;
    size_t position = 0;
  };

  LinearIr ir_;
  std::vector<InOutput> in_outputs_;
  // By name, and how many there are by the name of the first of the same port.
  absl::flat_hash_map<std::string, int32_t> operands_;
  absl::flat_hash_map<std::string, int> of_port_;
};

}  // namespace

absl::StatusOr<LinearIr> ParseLinearIr(absl::string_view text) { return Parser(text).Run(); }

}  // namespace burin::snippets
