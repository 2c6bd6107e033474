#include "snippets/lowering/lower.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/casts.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/attributes.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/tensor.h"
#include "snippets/linear/buffer_in_output.h"
#include "snippets/linear/dead_code.h"
#include "snippets/linear/lane.h"
#include "snippets/linear/linear_ir.h"
#include "snippets/linear/vector_pressure.h"
#include "snippets/lowering/body_graph.h"
#include "snippets/lowering/lane_constant.h"
#include "snippets/lowering/loop_plan.h"
#include "snippets/lowering/recompute_cost.h"

namespace burin::snippets {
namespace {

// Up to this many instructions are repeated rather than a value stored and loaded again.
constexpr int kCheapInstructions = 6;

// One in so many registers is for what emitters take beyond their operands.
constexpr int kShareForEmitters = 4;

// Says how the vector axis is taken: by loops, or where block_vectors is above 0 without.
struct Form {
  int32_t block_vectors = 0;
  bool whole_vectors = false;
  // Whether what is loaded for all rows alike stays in registers.
  bool keeps_rows = true;
  // The vector axis, where it is not to be chosen.
  int vector_axis = -1;
};

// Places operations into loops.
class Lowering {
 public:
  Lowering(const BodyGraph& graph, const ir::Model& body, const Form& form)
      : graph_(graph),
        body_(body),
        form_(form),
        plan_(graph, body, form.vector_axis),
        definitions_(graph.nodes.size()) {}

  absl::StatusOr<LoweredKernel> Run(const std::string& name) {
    kernel_.ir.name = name;
    kernel_.ir.block_vectors = form_.block_vectors;
    kernel_.ir.whole_vectors = form_.whole_vectors;
    kernel_.ir.vector_axis = plan_.vector_axis();
    kernel_.extents = graph_.extents;
    if (plan_.one_element()) kernel_.extents.push_back(1);
    for (int axis = 0; axis < plan_.axis_count(); ++axis) {
      kernel_.ir.axes.push_back({absl::StrCat("a", axis), !plan_.IsReduced(axis)});
    }
    kernel_.ir.root = std::make_unique<LinearBlock>();
    for (int32_t i = 0; i < static_cast<int32_t>(graph_.nodes.size()); ++i) {
      // What no store reads is not computed.
      if (plan_.IsNeeded(i)) BURIN_RETURN_IF_ERROR(Place(i));
    }
    RemoveDeadCode(kernel_.ir);
    PutBuffersIntoOutputs(kernel_.ir);
    BURIN_RETURN_IF_ERROR(kernel_.ir.Verify());
    return std::move(kernel_);
  }

 private:
  // Is where a value of the graph was defined.
  struct Definition {
    ValueId value = kNoValue;
    LinearBlock* block = nullptr;
  };

  const BodyNode& node(int32_t i) const { return graph_.nodes[static_cast<size_t>(i)]; }

  // Returns the position in `block` of the item that is, or holds, `inner`; -1 where it lies elsewhere.
  static int PositionIn(const LinearBlock& block, const LinearBlock* inner) {
    while (inner != nullptr && inner->parent != &block) inner = inner->parent;
    if (inner == nullptr) return -1;
    for (size_t i = 0; i < block.items.size(); ++i) {
      if (block.items[i].block.get() == inner) return static_cast<int>(i);
    }
    return -1;
  }

  // Returns the first position in `block` at which all that node i reads is complete.
  int ReadyPosition(const LinearBlock& block, int32_t i) const {
    int ready = 0;
    for (const int32_t input : plan_.TermsOf(i)) {
      const Definition& definition = definitions_[static_cast<size_t>(input)];
      if (definition.value == kNoValue) continue;
      if (definition.block == &block) {
        ready = std::max(ready, PositionOf(block, definition.value) + 1);
      } else {
        ready = std::max(ready, PositionIn(block, definition.block));
      }
    }
    return ready;
  }

  int PositionOf(const LinearBlock& block, ValueId value) const {
    for (size_t k = 0; k < block.items.size(); ++k) {
      const int32_t expr = block.items[k].expr;
      if (expr >= 0 && kernel_.ir.exprs[static_cast<size_t>(expr)].output == value) return static_cast<int>(k);
    }
    return -1;
  }

  // Returns the block in which node i runs, adding loops where there are none.
  LinearBlock* BlockFor(int32_t i) {
    LinearBlock* block = kernel_.ir.root.get();
    for (const int axis : plan_.LoopsOf(node(i), kernel_.ir.RootAxes())) {
      const auto first = static_cast<size_t>(ReadyPosition(*block, i));
      LinearBlock* inner = nullptr;
      for (size_t k = first; k < block->items.size() && inner == nullptr; ++k) {
        LinearBlock* const candidate = block->items[k].block.get();
        if (candidate != nullptr && candidate->axis == axis) inner = candidate;
      }
      if (inner == nullptr) {
        auto added = std::make_unique<LinearBlock>();
        added->axis = axis;
        added->parent = block;
        inner = added.get();
        block->items.push_back({-1, std::move(added)});
      }
      block = inner;
    }
    return block;
  }

  absl::Status Place(int32_t i) {
    const BodyNode& n = node(i);
    // Loads and constants come where they are read.
    if (n.kind == BodyNode::Kind::kLoad || n.kind == BodyNode::Kind::kConstant) return absl::OkStatus();
    if (plan_.IsSummand(i)) return absl::OkStatus();
    LinearBlock* const block = BlockFor(i);
    std::vector<ValueId> inputs;
    for (const int32_t input : plan_.TermsOf(i)) {
      BURIN_ASSIGN_OR_RETURN(const ValueId value, Resolve(input, block));
      inputs.push_back(value);
    }
    if (n.kind == BodyNode::Kind::kStore) {
      LinearExpr expr;
      expr.op = LinearOp::kStore;
      expr.operand = OperandFor(OperandKind::kOutput, i);
      expr.inputs = std::move(inputs);
      Append(block, std::move(expr));
      return absl::OkStatus();
    }
    if (n.kind == BodyNode::Kind::kReduce) return PlaceReduction(i, block, inputs);
    definitions_[static_cast<size_t>(i)] = {AppendCompute(block, n, std::move(inputs)), block};
    return absl::OkStatus();
  }

  absl::Status PlaceReduction(int32_t i, LinearBlock* block, const std::vector<ValueId>& terms) {
    const BodyNode& n = node(i);
    const ir::OpCode code = body_.node(n.node).code();
    LinearExpr expr;
    expr.axes = n.reduced;
    expr.reduction = code == ir::OpCode::kReduceProd  ? Reduction::kProduct
                     : code == ir::OpCode::kReduceMax ? Reduction::kMaximum
                     : code == ir::OpCode::kReduceMin ? Reduction::kMinimum
                                                      : Reduction::kSum;
    // The outermost loop that it runs along; none where all its elements are in vectors at once.
    LinearBlock* loop = nullptr;
    for (LinearBlock* b = block; b->axis >= 0 && (n.reduced & AxisBit(b->axis)) != 0; b = b->parent) loop = b;
    LinearBlock* const outside = loop != nullptr ? loop->parent : block;
    const ValueId accumulator = NewValue(n.type, plan_.AxesOf(n));
    LinearExpr begin = expr;
    begin.op = LinearOp::kBegin;
    begin.output = accumulator;
    Insert(outside, loop != nullptr ? static_cast<size_t>(PositionIn(*outside, loop)) : outside->items.size(),
           std::move(begin));
    LinearExpr step = expr;
    step.op = LinearOp::kStep;
    step.inputs = {accumulator};
    step.inputs.insert(step.inputs.end(), terms.begin(), terms.end());
    Append(block, std::move(step));
    LinearExpr end = expr;
    end.op = LinearOp::kEnd;
    end.inputs = {accumulator};
    end.output = NewValue(n.type, plan_.AxesOf(n));
    const ValueId total = end.output;
    size_t position = loop != nullptr ? static_cast<size_t>(PositionIn(*outside, loop)) + 1 : outside->items.size();
    Insert(outside, position++, std::move(end));
    ValueId result = total;
    if (code == ir::OpCode::kReduceMean) {
      if (!IsFloat(n.type)) {
        return absl::UnimplementedError(
            absl::StrCat("A mean of integers: ReduceMean \"", body_.node(n.node).name(), "\""));
      }
      // In f64 a mean is the nearest to its sum's; else one division for the whole kernel is enough.
      const bool divides = n.type == ElementType::kF64;
      const ValueId factor = divides ? Count(n.reduced, n.type) : ReciprocalCount(n.reduced);
      const ir::OpDef& op = divides ? ir::DivideOp() : ir::MultiplyOp();
      LinearExpr scale;
      scale.op = LinearOp::kCompute;
      scale.compute = &op;
      scale.attributes = op.make_attributes();
      scale.inputs = {total, factor};
      scale.output = NewValue(n.type, plan_.AxesOf(n));
      result = scale.output;
      Insert(outside, PositionBehind(*outside, total), std::move(scale));
    }
    definitions_[static_cast<size_t>(i)] = {result, outside};
    return absl::OkStatus();
  }

  // Returns the position behind the definition of a value in its block.
  size_t PositionBehind(const LinearBlock& block, ValueId value) const {
    return static_cast<size_t>(PositionOf(block, value)) + 1;
  }

  // Returns the number of elements along some axes.
  ValueId Count(AxisSet axes, ElementType type) {
    LinearExpr count;
    count.op = LinearOp::kCount;
    count.axes = axes;
    count.output = NewValue(type, 0);
    const ValueId value = count.output;
    Insert(kernel_.ir.root.get(), 0, std::move(count));
    return value;
  }

  // Returns 1 / the number of elements along some axes, computed once for the whole kernel: one division less a mean.
  ValueId ReciprocalCount(AxisSet axes) {
    const auto it = reciprocal_counts_.find(axes);
    if (it != reciprocal_counts_.end()) return it->second;
    LinearBlock* const root = kernel_.ir.root.get();
    LinearExpr one;
    one.op = LinearOp::kConstant;
    one.bits = absl::bit_cast<uint32_t>(1.0f);
    one.output = NewValue(ElementType::kF32, 0);
    const ValueId count = Count(axes, ElementType::kF32);
    LinearExpr divide;
    divide.op = LinearOp::kCompute;
    divide.compute = &ir::DivideOp();
    divide.attributes = ir::DivideOp().make_attributes();
    divide.inputs = {one.output, count};
    divide.output = NewValue(ElementType::kF32, 0);
    const ValueId reciprocal = divide.output;
    Insert(root, 1, std::move(divide));
    Insert(root, 0, std::move(one));
    reciprocal_counts_[axes] = reciprocal;
    return reciprocal;
  }

  // Returns the value of node i for a reader at the end of `block`.
  absl::StatusOr<ValueId> Resolve(int32_t i, LinearBlock* block) {
    const Definition& definition = definitions_[static_cast<size_t>(i)];
    if (definition.value != kNoValue && Encloses(definition.block, block)) return definition.value;
    // Already brought here.
    for (const LinearBlock* around = block; around != nullptr; around = around->parent) {
      const auto it = copies_.find({around, i});
      if (it == copies_.end()) continue;
      // What stands in an enclosing block must stand before the way to this one.
      const int way = around == block ? static_cast<int>(around->items.size()) : PositionIn(*around, block);
      if (PositionOf(*around, it->second) < way) return it->second;
    }
    const BodyNode& n = node(i);
    if (n.kind == BodyNode::Kind::kConstant) {
      LinearExpr expr;
      expr.op = LinearOp::kConstant;
      BURIN_ASSIGN_OR_RETURN(expr.bits, LaneConstant(n.constant));
      return Bring(i, std::move(expr), NewValue(n.type, 0), block);
    }
    if (n.kind == BodyNode::Kind::kLoad) {
      LinearExpr expr;
      expr.op = LinearOp::kLoad;
      expr.operand = OperandFor(OperandKind::kInput, i);
      return Bring(i, std::move(expr), NewValue(n.type, plan_.AxesOf(n)), block);
    }
    if (InstructionsToRepeat(i, block, kCheapInstructions) <= kCheapInstructions) {
      std::vector<ValueId> inputs;
      for (const int32_t input : n.inputs) {
        BURIN_ASSIGN_OR_RETURN(const ValueId value, Resolve(input, block));
        inputs.push_back(value);
      }
      const ValueId value = AppendCompute(block, n, std::move(inputs));
      copies_[{block, i}] = value;
      return value;
    }
    return ThroughBuffer(i, block);
  }

  // Returns how many instructions it takes to compute node i again in `block`, or more than `most`.
  int InstructionsToRepeat(int32_t i, const LinearBlock* block, int most) const {
    const BodyNode& n = node(i);
    if (n.kind == BodyNode::Kind::kLoad) return 1;
    if (n.kind == BodyNode::Kind::kConstant) return 0;
    if (Encloses(definitions_[static_cast<size_t>(i)].block, block)) return 0;
    if (n.kind == BodyNode::Kind::kReduce) return most + 1;
    int instructions = RecomputeCost(body_.node(n.node).op(), n.type);
    for (const int32_t input : n.inputs) {
      if (instructions > most) break;
      instructions += InstructionsToRepeat(input, block, most - instructions);
    }
    return instructions;
  }

  absl::StatusOr<ValueId> ThroughBuffer(int32_t i, LinearBlock* block) {
    const Definition& definition = definitions_[static_cast<size_t>(i)];
    const LinearBlock* common = block;
    while (!Encloses(common, definition.block)) common = common->parent;
    AxisSet around = 0;
    for (const LinearBlock* b = common; b != nullptr; b = b->parent) around |= b->axis >= 0 ? AxisBit(b->axis) : 0;
    const LinearValue& value = kernel_.ir.values[static_cast<size_t>(definition.value)];
    // Along the vector axis an element is a vector: there is one for each even inside of that loop.
    const AxisSet axes = value.axes & (~around | AxisBit(kernel_.ir.vector_axis));
    const auto [it, added] = buffers_.emplace(std::make_pair(definition.value, axes), 0);
    if (added) {
      it->second = static_cast<int32_t>(kernel_.ir.operands.size());
      // Narrower than the lanes only where nothing is lost: floats are f32 in registers.
      const ElementType narrow = IsFloat(value.type) ? ElementType::kF32 : ElementType::kI32;
      const ElementType type = IsWide(value.type) ? value.type : narrow;
      kernel_.ir.operands.push_back({OperandKind::kBuffer, buffer_count_++, type, axes, true});
      kernel_.strides.emplace_back(kernel_.extents.size(), 0);
      kernel_.offsets.push_back(0);
      LinearExpr store;
      store.op = LinearOp::kStore;
      store.operand = it->second;
      store.inputs = {definition.value};
      Insert(definition.block, static_cast<size_t>(PositionOf(*definition.block, definition.value)) + 1,
             std::move(store));
    }
    LinearExpr load;
    load.op = LinearOp::kLoad;
    load.operand = it->second;
    load.output = NewValue(value.type, value.axes);
    copies_[{block, i}] = load.output;
    const ValueId loaded = load.output;
    Append(block, std::move(load));
    return loaded;
  }

  // Adds what needs no other value before the way to `block`, as far outside as its axes allow.
  ValueId Bring(int32_t i, LinearExpr expr, ValueId value, LinearBlock* block) {
    AxisSet missing = kernel_.ir.values[static_cast<size_t>(value)].axes;
    if (expr.op == LinearOp::kLoad) missing |= kernel_.ir.operands[static_cast<size_t>(expr.operand)].axes;
    LinearBlock* place = block;
    const bool stays = !form_.keeps_rows && (missing & kernel_.ir.RootAxes()) != 0;
    while (!stays && place->parent != nullptr && (place->axis < 0 || (missing & AxisBit(place->axis)) == 0))
      place = place->parent;
    expr.output = value;
    copies_[{place, i}] = value;
    if (place == block) {
      Append(place, std::move(expr));
    } else {
      Insert(place, static_cast<size_t>(PositionIn(*place, block)), std::move(expr));
    }
    return value;
  }

  // Returns whether `outer` is `inner` or a block around it.
  static bool Encloses(const LinearBlock* outer, const LinearBlock* inner) {
    while (inner != nullptr && inner != outer) inner = inner->parent;
    return inner != nullptr;
  }

  ValueId NewValue(ElementType type, AxisSet axes) {
    kernel_.ir.values.push_back({type, axes});
    return static_cast<ValueId>(kernel_.ir.values.size()) - 1;
  }

  // Returns the operand that node i accesses.
  int32_t OperandFor(OperandKind kind, int32_t i) {
    const auto [it, added] = operand_of_.emplace(i, static_cast<int32_t>(kernel_.ir.operands.size()));
    if (!added) return it->second;
    const BodyNode& n = node(i);
    const int vector = kernel_.ir.vector_axis;
    std::vector<int64_t> strides = n.strides;
    if (plan_.one_element()) strides = {static_cast<int64_t>(BitWidth(n.type) / 8)};
    strides.resize(kernel_.extents.size(), 0);
    const AxisSet axes = plan_.AxesOf(n);
    const bool along = n.unit_axis == vector;
    const bool contiguous = plan_.one_element() || (axes & AxisBit(vector)) == 0 || (along && n.unit_step == 1);
    LinearOperand operand = {kind, n.port, n.type, axes, contiguous};
    if (!contiguous && along && BitWidth(n.type) == LinearOperand::kStepBits) operand.step = n.unit_step;
    kernel_.ir.operands.push_back(operand);
    kernel_.strides.push_back(std::move(strides));
    kernel_.offsets.push_back(n.offset);
    return it->second;
  }

  ValueId AppendCompute(LinearBlock* block, const BodyNode& n, std::vector<ValueId> inputs) {
    const ir::Node& op = body_.node(n.node);
    LinearExpr expr;
    expr.op = LinearOp::kCompute;
    expr.compute = &op.op();
    expr.attributes = op.attributes().Clone();
    AxisSet axes = 0;
    for (const ValueId input : inputs) axes |= kernel_.ir.values[static_cast<size_t>(input)].axes;
    expr.inputs = std::move(inputs);
    expr.output = NewValue(n.type, axes);
    const ValueId value = expr.output;
    Append(block, std::move(expr));
    return value;
  }

  void Append(LinearBlock* block, LinearExpr expr) { Insert(block, block->items.size(), std::move(expr)); }

  void Insert(LinearBlock* block, size_t position, LinearExpr expr) {
    kernel_.ir.exprs.push_back(std::move(expr));
    LinearBlock::Item item;
    item.expr = static_cast<int32_t>(kernel_.ir.exprs.size()) - 1;
    block->items.insert(block->items.begin() + static_cast<std::ptrdiff_t>(position), std::move(item));
  }

  const BodyGraph& graph_;
  const ir::Model& body_;
  const Form form_;
  const LoopPlan plan_;
  LoweredKernel kernel_;
  std::vector<Definition> definitions_;
  // What was loaded or computed again in a block, by node.
  std::map<std::pair<const LinearBlock*, int32_t>, ValueId> copies_;
  std::map<std::pair<ValueId, AxisSet>, int32_t> buffers_;
  std::map<AxisSet, ValueId> reciprocal_counts_;
  // Of loads and stores, by node.
  std::map<int32_t, int32_t> operand_of_;
  int32_t buffer_count_ = 0;
};

}  // namespace

absl::StatusOr<LoweredKernel> LowerTile(const BodyGraph& graph, const ir::Model& body, const std::string& name) {
  if (graph.extents.size() != 2) {
    return absl::UnimplementedError(absl::StrCat("A tile has rows and columns; axes: ", graph.extents.size()));
  }
  Form form;
  form.block_vectors = 1;
  form.vector_axis = kTileColumns;
  return Lowering(graph, body, form).Run(name);
}

absl::StatusOr<LoweredKernel> Lower(const BodyGraph& graph, const ir::Model& body, const VectorFile& vectors,
                                    const std::string& name) {
  BURIN_ASSIGN_OR_RETURN(LoweredKernel looped, Lowering(graph, body, {}).Run(name));
  // A short row stays in registers: nothing is loaded again, computed again or buffered. Without loops around there is
  // one row, and nothing to gain; where rows are of any length there would be code for each number of vectors.
  const int64_t extent = graph.extents.empty() ? 1 : graph.declared_extents[static_cast<size_t>(looped.ir.vector_axis)];
  const int64_t count = (extent + vectors.lanes - 1) / vectors.lanes;
  if (looped.extents.size() < 2 || count < 1 || count > kMaxBlockVectors) return looped;
  for (const bool keeps_rows : {true, false}) {
    const Form form = {static_cast<int32_t>(count), extent % vectors.lanes == 0, keeps_rows};
    BURIN_ASSIGN_OR_RETURN(LoweredKernel block, Lowering(graph, body, form).Run(name));
    if (VectorPressure(block.ir) + vectors.registers / kShareForEmitters <= vectors.registers) return block;
  }
  return looped;
}

}  // namespace burin::snippets
