#include "snippets/fuzz/fuzz_counters.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/element_type.h"
#include "base/enum_names.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/ops/family/elementwise.h"
#include "ir/ops/family/reduction.h"
#include "ir/ops/op_code.h"
#include "ir/shape.h"
#include "jit/asm/code_blob.h"
#include "jit/isa/isa.h"
#include "snippets/codegen/kernel_emitter.h"
#include "snippets/linear/lane.h"
#include "snippets/linear/linear_ir.h"

namespace burin::snippets {
namespace {

using ir::OpCode;
using Names = std::set<std::string>;

ir::Shape ShapeOf(const ir::Model& body, ir::Value value) { return body.info(value).shape.ToShape(); }

// ---- What was drawn ----

// Adds how an operand of shape `from` broadcasts to `to`.
void AddBroadcast(const ir::Shape& from, const ir::Shape& to, Names* names) {
  if (from.size() < to.size()) names->insert("broadcast/rank");
  const size_t offset = to.size() - from.size();
  std::vector<bool> stretched;
  for (size_t i = 0; i < to.size(); ++i) {
    if (to[i] != 1) stretched.push_back(i < offset || from[i - offset] == 1);
  }
  const auto count = static_cast<size_t>(std::count(stretched.begin(), stretched.end(), true));
  if (count == 0) return;
  if (count == stretched.size()) {
    names->insert("broadcast/scalar");
    return;
  }
  if (stretched.front()) names->insert("broadcast/outer");
  if (stretched.back()) names->insert("broadcast/inner");
  for (size_t i = 1; i + 1 < stretched.size(); ++i) {
    if (stretched[i]) names->insert("broadcast/middle");
  }
}

void AddBroadcasts(const ir::Model& body, const ir::Node& node, Names* names) {
  if (!node.op().Has(ir::kElementwise)) return;
  const ir::Shape to = ShapeOf(body, {node.id(), 0});
  int stretched = 0;
  for (const ir::Value& input : node.inputs()) {
    const ir::Shape from = ShapeOf(body, input);
    if (from.size() > to.size()) continue;
    AddBroadcast(from, to, names);
    if (from != to) ++stretched;
  }
  if (node.input_count() == 2 && stretched == 2) names->insert("broadcast/of both operands");
}

bool IsConstantNode(const ir::Model& body, ir::Value value) {
  return body.node(value.node).code() == OpCode::kConstant;
}

// Adds the decompositions that have something to do at the node.
void AddRules(const ir::Model& body, const ir::Node& node, Names* names) {
  const auto rule = [names](const char* name) { names->insert(absl::StrCat("rule/", name)); };
  switch (node.code()) {
    case OpCode::kBatchNormInference:
      return rule("DecomposeBatchNormInference");
    case OpCode::kBroadcast:
      return rule("DecomposeBroadcast");
    case OpCode::kConvertLike:
      return rule("DecomposeConvertLike");
    case OpCode::kGroupNormalization:
      return rule("DecomposeGroupNormalization");
    case OpCode::kLogSoftmax:
      return rule("DecomposeLogSoftmax");
    case OpCode::kMVN:
      return rule("DecomposeMVN");
    case OpCode::kNormalizeL2:
      return rule("DecomposeNormalizeL2");
    case OpCode::kReduceLogicalAnd:
    case OpCode::kReduceLogicalOr:
      return rule("DecomposeReduceLogical");
    case OpCode::kReduceL1:
      return rule("DecomposeReduceL1");
    case OpCode::kReduceL2:
      return rule("DecomposeReduceL2");
    case OpCode::kSoftmax:
      return rule("DecomposeSoftmax");
    case OpCode::kHardSigmoid:
      if (!IsConstantNode(body, node.input(1)) || !IsConstantNode(body, node.input(2))) rule("DecomposeHardSigmoid");
      return;
    case OpCode::kSelu:
      if (!IsConstantNode(body, node.input(1)) || !IsConstantNode(body, node.input(2))) rule("DecomposeSelu");
      return;
    case OpCode::kSwish:
      if (node.input_count() == 2 && !IsConstantNode(body, node.input(1))) rule("DecomposeSwish");
      return;
    case OpCode::kPRelu:
      if (ShapeOf(body, node.input(1)).size() == 1 && ShapeOf(body, node.input(0)).size() > 2) rule("DecomposePRelu");
      return;
    default:
      break;
  }
  if (const auto* broadcast = ir::AttributesAs<ir::BroadcastAttributes>(node.attributes())) {
    if (broadcast->broadcast.mode == ir::AutoBroadcast::kPdpd) rule("NumpyBroadcast");
  }
  if (const auto* reduction = ir::AttributesAs<ir::ReductionAttributes>(node.attributes())) {
    if (!reduction->keep_dims) rule("NormalizeReduction");
  }
  if (node.op().Has(ir::kElementwise) && node.input_count() > 0 &&
      std::all_of(node.inputs().begin(), node.inputs().end(),
                  [&](const ir::Value& input) { return IsConstantNode(body, input); })) {
    rule("FoldBodyConstants");
  }
}

void AddDrawn(const DrawnBody& drawn, Names* names) {
  const ir::Model& body = *drawn.body;
  for (const ir::NodeId id : body.NodeIds()) {
    const ir::Node& node = body.node(id);
    names->insert(absl::StrCat("op/", node.op().name));
    AddBroadcasts(body, node, names);
    AddRules(body, node, names);
    if (node.code() != OpCode::kResult) continue;
    const ir::Shape shape = ShapeOf(body, node.input(0));
    if (shape.empty()) names->insert("shape/rank 0");
    if (std::find(shape.begin(), shape.end(), 0) != shape.end()) names->insert("shape/no elements");
  }
  if (std::find(drawn.space.begin(), drawn.space.end(), 0) != drawn.space.end()) names->insert("shape/an extent of 0");
  if (body.results().size() > 1) names->insert("shape/several outputs");
  if (drawn.dynamic) names->insert("shape/dynamic");
  if (drawn.space.size() >= 5) names->insert("shape/rank 5 and above");
  names->insert(drawn.limits.vectors == kFewRegisters.vectors ? "registers/few" : "registers/all");
}

// ---- What became of it ----

const char* NameOf(LinearOp op) {
  switch (op) {
    case LinearOp::kLoad:
      return "Load";
    case LinearOp::kStore:
      return "Store";
    case LinearOp::kConstant:
      return "Constant";
    case LinearOp::kCount:
      return "Count";
    case LinearOp::kCompute:
      return "Compute";
    case LinearOp::kBegin:
      return "Begin";
    case LinearOp::kStep:
      return "Step";
    case LinearOp::kEnd:
      return "End";
  }
  return "?";
}

void AddAccess(const LinearIr& ir, const LinearExpr& expr, Names* names) {
  const LinearOperand& operand = ir.operands[static_cast<size_t>(expr.operand)];
  const std::string access = expr.op == LinearOp::kLoad ? "load" : "store";
  if (operand.kind == OperandKind::kBuffer) {
    names->insert(access + "/buffer");
    return;
  }
  names->insert(absl::StrCat(access, "/", Name(operand.type)));
  const bool along = (operand.axes & AxisBit(ir.vector_axis)) != 0;
  if (!operand.contiguous) names->insert(access + "/strided");
  if (!along && operand.axes != 0) names->insert(access + "/the same for all vectors");
}

// Adds the operation by the type of 8 bytes that it computes with, if there is one.
void AddWide(const LinearIr& ir, const LinearExpr& expr, Names* names) {
  ElementType type = ir.values[static_cast<size_t>(expr.output)].type;
  for (const ValueId input : expr.inputs) {
    const ElementType of_input = ir.values[static_cast<size_t>(input)].type;
    if (IsWide(of_input)) type = of_input;
  }
  if (IsWide(type)) names->insert(absl::StrCat(Name(type), "/", expr.compute->name));
}

void AddLinear(const SubgraphRunner& runner, int vector_lanes, Names* names) {
  const LinearIr& ir = runner.kernel().linear_ir();
  int computed = 0;
  for (const LinearExpr& expr : ir.exprs) {
    names->insert(absl::StrCat("linear/", NameOf(expr.op)));
    if (expr.op == LinearOp::kLoad || expr.op == LinearOp::kStore) AddAccess(ir, expr, names);
    if (expr.op == LinearOp::kCompute) {
      names->insert(absl::StrCat("emitted/", expr.compute->name));
      AddWide(ir, expr, names);
      ++computed;
    }
    if (expr.op == LinearOp::kStep) {
      const bool along = (expr.axes & AxisBit(ir.vector_axis)) != 0;
      const char* const where = along ? " along vectors" : " across vectors";
      const ElementType type = ir.values[static_cast<size_t>(expr.inputs[1])].type;
      names->insert(absl::StrCat("reduction/", EnumName(expr.reduction), where));
      names->insert(absl::StrCat("reduction/of ", IsFloat(type) ? "floats" : "integers", where));
      if (IsWide(type)) names->insert(absl::StrCat("reduction/of ", Name(type), where));
      if (along && expr.axes != AxisBit(ir.vector_axis)) names->insert("reduction/of several axes");
    }
  }
  // A mean is a sum and a division.
  int nodes = 0;
  for (const ir::NodeId id : runner.primitive().NodeIds()) {
    const ir::Node& node = runner.primitive().node(id);
    if (node.op().Has(ir::kElementwise) || node.code() == OpCode::kReduceMean) ++nodes;
  }
  if (computed > nodes) names->insert("lowering/repeated computation");
  const int64_t extent = runner.kernel().extents()[static_cast<size_t>(ir.vector_axis)];
  if (extent % vector_lanes != 0) names->insert("vectors/tail");
  if (extent % vector_lanes == 0 && extent > 0) names->insert("vectors/no tail");
  if (ir.block_vectors > 0) names->insert("vectors/all of a row at once");
  if (extent > 3 * vector_lanes) names->insert("vectors/several");
}

}  // namespace

absl::Status FuzzCounters::Add(const DrawnBody& drawn, const SubgraphRunner& runner, const jit::Target& target,
                               const RegisterLimits& limits, const ComparedElements& compared) {
  Names names;
  AddDrawn(drawn, &names);
  AddLinear(runner, target.Supports(jit::IsaLevel::kAvx512) ? 16 : 8, &names);
  if (!runner.InPlacePairs(runner.kernel()).empty()) names.insert("memory/in place");
  KernelStats stats;
  BURIN_RETURN_IF_ERROR(GenerateKernel(runner.kernel().linear_ir(), target, limits, &stats).status());
  if (stats.spilled_values > 0) names.insert("spill/values");
  if (stats.spilled_pointers > 0) names.insert("spill/pointers");
  if (stats.spilled_values > 0 && stats.spilled_pointers > 0) names.insert("spill/both");
  names.insert(stats.vectors > 1 ? "vectors/main loop of several" : "vectors/main loop of one");
  for (const std::string& name : names) ++counts_[name];
  compared_.closely += compared.closely;
  compared_.loosely += compared.loosely;
  compared_.not_at_all += compared.not_at_all;
  return absl::OkStatus();
}

int64_t FuzzCounters::Get(absl::string_view name) const {
  const auto it = counts_.find(std::string(name));
  return it == counts_.end() ? 0 : it->second;
}

std::vector<std::string> FuzzCounters::Required() {
  std::vector<std::string> names;
  const auto add = [&names](absl::string_view group, std::initializer_list<const char*> members) {
    for (const char* const member : members) names.push_back(absl::StrCat(group, "/", member));
  };
  add("op", {"Abs",        "Acos",       "Acosh",        "Add",
             "Asin",       "Asinh",      "Atan",         "Atanh",
             "BitwiseAnd", "BitwiseNot", "BitwiseOr",    "BitwiseXor",
             "Ceiling",    "Clamp",      "Convert",      "Cos",
             "Cosh",       "Divide",     "Elu",          "Equal",
             "Erf",        "Exp",        "FakeQuantize", "Floor",
             "FloorMod",   "Gelu",       "Greater",      "GreaterEqual",
             "HSigmoid",   "HSwish",     "HardSigmoid",  "IsFinite",
             "IsInf",      "IsNaN",      "Less",         "LessEqual",
             "Log",        "LogicalAnd", "LogicalNot",   "LogicalOr",
             "LogicalXor", "Maximum",    "Minimum",      "Mish",
             "Mod",        "Multiply",   "Negative",     "NotEqual",
             "PRelu",      "Power",      "ReduceMax",    "ReduceMean",
             "ReduceMin",  "ReduceProd", "ReduceSum",    "Relu",
             "Reshape",    "Round",      "Select",       "Selu",
             "Sigmoid",    "Sign",       "Sin",          "Sinh",
             "SoftPlus",   "SoftSign",   "Sqrt",         "SquaredDifference",
             "Subtract",   "Swish",      "Tan",          "Tanh",
             "Transpose",  "Unsqueeze"});
  add("rule",
      {"DecomposeBatchNormInference", "DecomposeBroadcast", "DecomposeConvertLike", "DecomposeGroupNormalization",
       "DecomposeHardSigmoid", "DecomposeLogSoftmax", "DecomposeMVN", "DecomposeNormalizeL2", "DecomposePRelu",
       "DecomposeReduceL1", "DecomposeReduceL2", "DecomposeReduceLogical", "DecomposeSelu", "DecomposeSoftmax",
       "DecomposeSwish", "FoldBodyConstants", "NormalizeReduction", "NumpyBroadcast"});
  add("broadcast", {"rank", "scalar", "outer", "inner", "middle", "of both operands"});
  add("linear", {"Load", "Store", "Constant", "Count", "Compute", "Begin", "Step", "End"});
  for (const char* const access : {"load", "store"}) {
    add(access, {"f64", "f32", "f16", "bf16", "i64", "i8", "u8", "i16", "u16", "i32", "boolean", "buffer", "strided"});
  }
  add("load", {"the same for all vectors"});
  add("f64",
      {"Abs",      "Add",    "Ceiling", "Clamp",   "Convert",           "Divide",  "Equal",    "Exp",      "Floor",
       "FloorMod", "Less",   "Log",     "Maximum", "Minimum",           "Mod",     "Multiply", "Negative", "Relu",
       "Round",    "Select", "Sign",    "Sqrt",    "SquaredDifference", "Subtract"});
  add("i64", {"Abs",      "Add",      "BitwiseAnd", "BitwiseNot", "BitwiseOr", "BitwiseXor",        "Convert",
              "Divide",   "Equal",    "FloorMod",   "Less",       "Maximum",   "Minimum",           "Mod",
              "Multiply", "Negative", "Relu",       "Select",     "Sign",      "SquaredDifference", "Subtract"});
  for (const char* const what :
       {"sum", "product", "maximum", "minimum", "of floats", "of integers", "of f64", "of i64"}) {
    for (const char* const where : {"along vectors", "across vectors"}) {
      names.push_back(absl::StrCat("reduction/", what, " ", where));
    }
  }
  add("reduction", {"of several axes"});
  add("shape", {"rank 0", "no elements", "an extent of 0", "several outputs", "rank 5 and above", "dynamic"});
  add("lowering", {"repeated computation"});
  add("vectors", {"tail", "no tail", "several", "main loop of several", "main loop of one", "all of a row at once"});
  add("spill", {"values", "pointers", "both"});
  add("registers", {"few", "all"});
  add("memory", {"in place"});
  return names;
}

std::vector<std::string> FuzzCounters::Rare(int64_t least) const {
  std::vector<std::string> rare;
  for (std::string& name : Required()) {
    if (Get(name) < least) rare.push_back(std::move(name));
  }
  return rare;
}

std::string FuzzCounters::ToString() const {
  std::string text;
  for (const auto& [name, count] : counts_) absl::StrAppend(&text, absl::StrFormat("%-44s %8d\n", name, count));
  absl::StrAppend(&text, absl::StrFormat("%-44s %8d\n%-44s %8d\n%-44s %8d\n", "elements compared closely",
                                         compared_.closely, "elements compared loosely", compared_.loosely,
                                         "elements that may be anything", compared_.not_at_all));
  return text;
}

}  // namespace burin::snippets
