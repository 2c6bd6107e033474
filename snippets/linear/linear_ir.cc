#include "snippets/linear/linear_ir.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "base/element_type.h"
#include "base/enum_names.h"
#include "base/status_macros.h"
#include "ir/forms/attribute_text.h"
#include "ir/op_def.h"
#include "snippets/linear/lane.h"

namespace burin::snippets {
namespace {

// Lists axes as "a0,a2".
std::string ShowAxes(AxisSet axes) {
  std::string text;
  for (int axis = 0; axis < kMaxAxes; ++axis) {
    if ((axes & AxisBit(axis)) != 0) absl::StrAppend(&text, text.empty() ? "" : ",", "a", axis);
  }
  return text;
}

// Names an operand: "input0", and "input0.1" the second one of the same port, which has other strides.
std::string ShowOperand(const LinearIr& ir, int32_t operand) {
  const LinearOperand& o = ir.operands[static_cast<size_t>(operand)];
  int before = 0;
  for (int32_t i = 0; i < operand; ++i) {
    const LinearOperand& other = ir.operands[static_cast<size_t>(i)];
    if (other.kind == o.kind && other.port == o.port) ++before;
  }
  std::string text = absl::StrCat(EnumName(o.kind), o.port);
  if (before > 0) absl::StrAppend(&text, ".", before);
  return text;
}

std::string ShowExpr(const LinearIr& ir, const LinearExpr& expr) {
  std::string text;
  if (expr.output != kNoValue) {
    const LinearValue& value = ir.values[static_cast<size_t>(expr.output)];
    absl::StrAppend(&text, "%", expr.output, " ", Name(value.type), "[", ShowAxes(value.axes), "] = ");
  }
  switch (expr.op) {
    case LinearOp::kLoad:
      absl::StrAppend(&text, "Load(", ShowOperand(ir, expr.operand), ")");
      break;
    case LinearOp::kStore:
      absl::StrAppend(&text, "Store(", ShowOperand(ir, expr.operand), ")");
      break;
    case LinearOp::kConstant:
      if (IsWide(ir.values[static_cast<size_t>(expr.output)].type)) {
        absl::StrAppendFormat(&text, "Constant(0x%016x)", expr.bits);
      } else {
        absl::StrAppendFormat(&text, "Constant(0x%08x)", expr.bits);
      }
      break;
    case LinearOp::kCount:
      absl::StrAppend(&text, "Count(", ShowAxes(expr.axes), ")");
      break;
    case LinearOp::kCompute:
      absl::StrAppend(&text, expr.compute->name);
      if (expr.attributes != nullptr) {
        const std::string attributes =
            ir::PrintAttributes(*expr.attributes, *expr.compute->make_attributes(), /*max_elements=*/-1);
        absl::StrAppend(&text, attributes.empty() ? "" : " ", attributes);
      }
      break;
    case LinearOp::kBegin:
      absl::StrAppend(&text, "Begin(", EnumName(expr.reduction), " ", ShowAxes(expr.axes), ")");
      break;
    case LinearOp::kStep:
      absl::StrAppend(&text, "Step(", EnumName(expr.reduction), " ", ShowAxes(expr.axes), ")");
      break;
    case LinearOp::kEnd:
      absl::StrAppend(&text, "End(", EnumName(expr.reduction), " ", ShowAxes(expr.axes), ")");
      break;
  }
  for (size_t i = 0; i < expr.inputs.size(); ++i) absl::StrAppend(&text, i == 0 ? " %" : ", %", expr.inputs[i]);
  return text;
}

void ShowBlock(const LinearIr& ir, const LinearBlock& block, int indent, std::string& text) {
  for (const LinearBlock::Item& item : block.items) {
    text.append(static_cast<size_t>(indent), ' ');
    if (item.block == nullptr) {
      absl::StrAppend(&text, ShowExpr(ir, ir.exprs[static_cast<size_t>(item.expr)]), "\n");
      continue;
    }
    absl::StrAppend(&text, "for a", item.block->axis, item.block->axis == ir.vector_axis ? " by vectors" : "");
    for (size_t i = 0; i < item.block->ahead.size(); ++i) {
      absl::StrAppend(&text, i == 0 ? " ahead of " : ", ", ShowOperand(ir, item.block->ahead[i]));
    }
    absl::StrAppend(&text, " {\n");
    ShowBlock(ir, *item.block, indent + 2, text);
    text.append(static_cast<size_t>(indent), ' ');
    absl::StrAppend(&text, "}\n");
  }
}

// Walks the tree and checks the invariants.
class Verifier {
 public:
  explicit Verifier(const LinearIr& ir)
      : ir_(ir),
        seen_(ir.exprs.size(), false),
        visible_(ir.values.size(), false),
        defined_(ir.values.size(), false),
        begin_(ir.values.size(), nullptr),
        stored_(ir.operands.size(), 0),
        complete_(ir.operands.size(), false) {}

  absl::Status Run() {
    if (ir_.root == nullptr || ir_.root->axis != -1) return Broken("L1", "there is no root");
    if (ir_.axes.size() > kMaxAxes) return Broken("L1", absl::StrCat("axes: ", ir_.axes.size()));
    if (ir_.vector_axis < 0 || ir_.vector_axis >= static_cast<int>(ir_.axes.size())) {
      return Broken("L1", absl::StrCat("the vector axis is none: ", ir_.vector_axis));
    }
    BURIN_RETURN_IF_ERROR(CheckBuffers());
    BURIN_RETURN_IF_ERROR(CheckBlock(*ir_.root, ir_.RootAxes()));
    for (size_t i = 0; i < seen_.size(); ++i) {
      if (!seen_[i]) return Broken("L1", absl::StrCat("expression outside of the tree: ", i));
    }
    return absl::OkStatus();
  }

 private:
  static absl::Status Broken(absl::string_view label, absl::string_view what) {
    return absl::InternalError(absl::StrCat(label, ": Linear IR: ", what));
  }

  absl::Status Broken(absl::string_view label, absl::string_view what, const LinearExpr& expr) const {
    return Broken(label, absl::StrCat(what, ": ", ShowExpr(ir_, expr)));
  }

  absl::Status CheckBuffers() const {
    for (const LinearOperand& operand : ir_.operands) {
      const bool has_step = !operand.contiguous && BitWidth(operand.type) == LinearOperand::kStepBits;
      if (operand.step != 0 && (!has_step || operand.step < 2 || operand.step > LinearOperand::kMostStep)) {
        return Broken("L6", absl::StrCat("no step of an operand: ", operand.step));
      }
      if (operand.in_output < 0) continue;
      if (operand.in_output >= static_cast<int32_t>(ir_.operands.size())) return Broken("L1", "no such operand");
      const LinearOperand& output = ir_.operands[static_cast<size_t>(operand.in_output)];
      if (operand.kind != OperandKind::kBuffer || output.kind != OperandKind::kOutput || operand.type != output.type ||
          operand.axes != output.axes) {
        return Broken("L6", absl::StrCat("an operand is not what it shares memory with: buffer ", operand.port));
      }
    }
    return absl::OkStatus();
  }

  absl::Status CheckAhead(const LinearBlock& block, int32_t operand) const {
    if (operand < 0 || operand >= static_cast<int32_t>(ir_.operands.size())) return Broken("L1", "no such operand");
    const LinearOperand& o = ir_.operands[static_cast<size_t>(operand)];
    const int outside = block.parent != nullptr ? block.parent->axis : -1;
    if (block.axis != ir_.vector_axis || outside < 0 || o.kind == OperandKind::kBuffer || !o.contiguous ||
        (o.axes & AxisBit(block.axis)) == 0 || (o.axes & AxisBit(outside)) == 0) {
      return Broken("L8", absl::StrCat("an operand that no loop brings closer: ", ShowOperand(ir_, operand)));
    }
    return absl::OkStatus();
  }

  absl::Status CheckBlock(const LinearBlock& block, AxisSet around) {
    if (block.axis >= 0) {
      if (block.axis >= static_cast<int>(ir_.axes.size())) return Broken("L1", absl::StrCat("axis ", block.axis));
      if ((around & AxisBit(block.axis)) != 0) return Broken("L4", absl::StrCat("nested loops over axis ", block.axis));
      for (const int32_t operand : block.ahead) BURIN_RETURN_IF_ERROR(CheckAhead(block, operand));
      around |= AxisBit(block.axis);
    }
    std::vector<ValueId> defined_here;
    std::vector<int32_t> stored_before = stored_;
    for (const LinearBlock::Item& item : block.items) {
      if (item.block != nullptr) {
        if (item.block->parent != &block) return Broken("L1", "a loop has another parent");
        BURIN_RETURN_IF_ERROR(CheckBlock(*item.block, around));
        continue;
      }
      if (item.expr < 0 || item.expr >= static_cast<int32_t>(ir_.exprs.size()))
        return Broken("L1", "no such expression");
      if (seen_[static_cast<size_t>(item.expr)]) return Broken("L1", absl::StrCat("expression ", item.expr, " twice"));
      seen_[static_cast<size_t>(item.expr)] = true;
      const LinearExpr& expr = ir_.exprs[static_cast<size_t>(item.expr)];
      BURIN_RETURN_IF_ERROR(CheckExpr(expr, block, around));
      if (expr.output == kNoValue) continue;
      visible_[static_cast<size_t>(expr.output)] = true;
      defined_[static_cast<size_t>(expr.output)] = true;
      defined_here.push_back(expr.output);
    }
    for (const ValueId value : defined_here) visible_[static_cast<size_t>(value)] = false;
    // What this loop stored is complete behind it, unless the loop around it comes again.
    for (size_t i = 0; i < stored_.size(); ++i) {
      if (stored_[i] != stored_before[i]) complete_[i] = true;
    }
    return absl::OkStatus();
  }

  absl::Status CheckExpr(const LinearExpr& expr, const LinearBlock& block, AxisSet around) {
    for (const ValueId input : expr.inputs) {
      if (input < 0 || input >= static_cast<ValueId>(ir_.values.size())) return Broken("L1", "no such value");
      if (!visible_[static_cast<size_t>(input)]) return Broken("L2", "a value is not defined here", expr);
    }
    if (expr.output != kNoValue) {
      if (expr.output < 0 || expr.output >= static_cast<ValueId>(ir_.values.size()))
        return Broken("L1", "no such value");
      if (defined_[static_cast<size_t>(expr.output)]) return Broken("L1", "a second definition", expr);
      const AxisSet axes = ir_.values[static_cast<size_t>(expr.output)].axes;
      if ((axes & ~around) != 0) return Broken("L3", "a value varies along an axis without a loop", expr);
    }
    if (expr.op == LinearOp::kLoad || expr.op == LinearOp::kStore) return CheckAccess(expr, around);
    if (expr.op == LinearOp::kBegin) {
      if ((expr.axes & around & ~ir_.RootAxes()) != 0)
        return Broken("L5", "a reduction begins inside of its own loop", expr);
      begin_[static_cast<size_t>(expr.output)] = &block;
    }
    if (expr.op == LinearOp::kStep && (expr.axes & ~around) != 0) return Broken("L5", "a step outside of a loop", expr);
    if (expr.op == LinearOp::kStep && expr.inputs.size() > 2) {
      const ElementType type = ir_.values[static_cast<size_t>(expr.inputs.front())].type;
      if (expr.reduction != Reduction::kSum || !IsFloat(type)) {
        return Broken("L5", "a product is not summed up", expr);
      }
    }
    if (expr.op == LinearOp::kEnd && begin_[static_cast<size_t>(expr.inputs.front())] != &block) {
      return Broken("L5", "an end in another block than its beginning", expr);
    }
    if (expr.op == LinearOp::kStep || expr.op == LinearOp::kBegin) {
      for (int axis = 0; axis < static_cast<int>(ir_.axes.size()); ++axis) {
        if ((expr.axes & AxisBit(axis)) != 0 && ir_.axes[static_cast<size_t>(axis)].parallel) {
          return Broken("L7", "a reduced axis is parallel", expr);
        }
      }
    }
    return absl::OkStatus();
  }

  absl::Status CheckAccess(const LinearExpr& expr, AxisSet around) {
    if (expr.operand < 0 || expr.operand >= static_cast<int32_t>(ir_.operands.size())) {
      return Broken("L1", "no such operand");
    }
    const auto index = static_cast<size_t>(expr.operand);
    const LinearOperand& operand = ir_.operands[index];
    if ((operand.axes & ~around) != 0) return Broken("L3", "an operand's axis without a loop", expr);
    if (expr.op == LinearOp::kLoad) {
      if (operand.kind == OperandKind::kOutput) return Broken("L6", "an output is loaded", expr);
      if (operand.kind == OperandKind::kBuffer && !complete_[index])
        return Broken("L6", "a load before the store", expr);
      return absl::OkStatus();
    }
    if (operand.kind == OperandKind::kInput) return Broken("L6", "an input is stored", expr);
    if (++stored_[index] > 1) return Broken("L6", "a second store", expr);
    const AxisSet varies = ir_.values[static_cast<size_t>(expr.inputs.front())].axes;
    for (int axis = 0; axis < static_cast<int>(ir_.axes.size()); ++axis) {
      const bool lost = (varies & AxisBit(axis)) != 0 && (operand.axes & AxisBit(axis)) == 0;
      // A buffer may be used anew in each iteration of a loop around both of its ends.
      if (lost && operand.kind == OperandKind::kOutput) return Broken("L7", "elements overwrite each other", expr);
    }
    return absl::OkStatus();
  }

  const LinearIr& ir_;
  std::vector<bool> seen_;
  std::vector<bool> visible_;
  std::vector<bool> defined_;
  std::vector<const LinearBlock*> begin_;
  std::vector<int32_t> stored_;
  std::vector<bool> complete_;
};

}  // namespace

absl::Status LinearIr::Verify() const { return Verifier(*this).Run(); }

std::string LinearIr::ExprText(int32_t index) const { return ShowExpr(*this, exprs[static_cast<size_t>(index)]); }

std::string LinearIr::ToString() const {
  std::string text;
  for (size_t axis = 0; axis < axes.size(); ++axis) {
    absl::StrAppend(&text, "axis a", axis, axes[axis].parallel ? " parallel" : "",
                    static_cast<int>(axis) == vector_axis ? " vector" : "");
    if (static_cast<int>(axis) == vector_axis && block_vectors > 0) {
      absl::StrAppend(&text, " in ", block_vectors, whole_vectors ? " whole" : "");
    }
    absl::StrAppend(&text, "\n");
  }
  for (size_t i = 0; i < operands.size(); ++i) {
    const LinearOperand& operand = operands[i];
    absl::StrAppend(&text, ShowOperand(*this, static_cast<int32_t>(i)), ": ", Name(operand.type), " [",
                    ShowAxes(operand.axes), "]", operand.contiguous ? "" : " strided");
    if (operand.step != 0) absl::StrAppend(&text, " by ", operand.step);
    if (operand.in_output >= 0) absl::StrAppend(&text, " in ", ShowOperand(*this, operand.in_output));
    absl::StrAppend(&text, "\n");
  }
  if (root != nullptr) ShowBlock(*this, *root, 0, text);
  return text;
}

}  // namespace burin::snippets
