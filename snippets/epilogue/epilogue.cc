#include "snippets/epilogue/epilogue.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/memory/memory.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/element_type.h"
#include "base/hash.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/model.h"
#include "ir/ops/op_code.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"
#include "jit/asm/abi_frame.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/isa/isa.h"
#include "jit/kernels/epilogue_emitter.h"
#include "snippets/codegen/elementwise_emission.h"
#include "snippets/codegen/expr_emitters.h"
#include "snippets/codegen/kernel_source.h"
#include "snippets/epilogue/epilogue_access.h"
#include "snippets/epilogue/register_counts.h"
#include "snippets/linear/lane.h"
#include "snippets/linear/linear_ir.h"
#include "snippets/linear/liveness.h"
#include "snippets/lowering/body_graph.h"
#include "snippets/lowering/lower.h"
#include "snippets/lowering/memory_view.h"

namespace burin::snippets {
namespace {

using jit::RegClass;

// Rows that are emitted side by side, where there are registers.
constexpr int kMostRowsAtOnce = 4;

// Any size does for what is made of a body here, as long as its shapes allow it.
constexpr int64_t kTrialExtent = 2;

// The vectors of a tile in a trial: some, since what the first one leaves in registers is there for the next.
constexpr int kTrialVectors = 2;

// Is how many rows and columns there are in a trial.
using TrialExtents = std::array<int64_t, 2>;

// Emits the body for a tile.
template <class V>
class TileEmitter {
 public:
  TileEmitter(const KernelSource& source, const Attempt& attempt, absl::Span<const int32_t> place_of, V& v,
              jit::AbiFrame& frame, const jit::EpilogueTile& tile)
      : ir_(source.ir),
        attempt_(attempt),
        tile_(tile),
        access_(source.ir, place_of, v, frame, tile),
        emission_(source, attempt, v, frame, access_) {}

  void Emit() {
    for (int vector = 0; vector < tile_.vectors; ++vector) {
      access_.EnterColumns(vector);
      access_.EnterRows(0, 1);
      EmitBlock(*ir_.root);
    }
    emission_.Release();
  }

  const std::optional<ValueId>& victim() const { return emission_.victim(); }

 private:
  void EmitBlock(const LinearBlock& block) {
    for (size_t i = 0; i < block.items.size() && !victim().has_value(); ++i) {
      const auto item = static_cast<int32_t>(i);
      if (block.items[i].block == nullptr) {
        emission_.EmitElementwise(block.items[i].expr, block, item);
      } else {
        for (int row = 0; row < tile_.rows; row += attempt_.vectors) {
          access_.EnterRows(row, std::min(attempt_.vectors, tile_.rows - row));
          EmitBlock(*block.items[i].block);
        }
        access_.EnterRows(0, 1);
      }
      emission_.ForgetAfter(block, item);
    }
  }

  const LinearIr& ir_;
  const Attempt& attempt_;
  const jit::EpilogueTile& tile_;
  EpilogueAccess<V> access_;
  ElementwiseEmission<V, EpilogueAccess<V>> emission_;
};

// Is a tile that is emitted to nowhere, with as many registers as there are.
template <class V>
class Trial {
 public:
  // At most `vectors` vector registers may be used. Nothing may be lent but what the trial itself takes.
  Trial(const jit::IsaSet& isa, int vectors) : code_("trial", isa), v_(code_), frame_(code_) {
    while (code_.regs().available(RegClass::kVec) > vectors) held_.push_back(v_.New("accumulator"));
    frame_.ReleaseArgs();
    for (int i = 0; i < 4; ++i) general_.push_back(code_.regs().Gpr("tile"));
  }
  ~Trial() {
    held_.clear();
    general_.clear();
    frame_.Finish();
  }

  // Emits; returns the value to put on the stack where registers did not suffice.
  std::optional<ValueId> Emit(const KernelSource& source, const Attempt& attempt, absl::Span<const int32_t> place_of,
                              int rows) {
    const jit::Xmm any = V::kBits == 512 ? static_cast<jit::Xmm>(jit::Zmm(0)) : static_cast<jit::Xmm>(jit::Ymm(0));
    const auto accumulator = [&](int, int) { return any; };
    const jit::EpilogueTile tile = {rows,        kTrialVectors, accumulator, general_[0],
                                    general_[1], general_[2],   general_[3]};
    TileEmitter<V> emitter(source, attempt, place_of, v_, frame_, tile);
    emitter.Emit();
    return emitter.victim();
  }

  int Peak(RegClass kind) const { return code_.regs().peak(kind); }
  int InUse(RegClass kind) const { return code_.regs().in_use(kind); }

 private:
  jit::Assembler code_;
  V v_;
  jit::AbiFrame frame_;
  std::vector<jit::VecReg> held_;
  std::vector<jit::GprReg> general_;
};

// Returns the first attempt for which `vectors` registers suffice.
template <class V>
Attempt FindAttempt(const KernelSource& source, absl::Span<const int32_t> place_of, const jit::IsaSet& isa, int vectors,
                    int rows) {
  Attempt attempt;
  attempt.vectors = std::min(kMostRowsAtOnce, rows);
  while (true) {
    const std::optional<ValueId> victim = Trial<V>(isa, vectors).Emit(source, attempt, place_of, rows);
    if (!victim.has_value()) return attempt;
    if (attempt.vectors > 1) {
      attempt.vectors /= 2;
    } else if (*victim == kNoValue || !attempt.on_stack.insert(*victim).second) {
      // Whoever emits it finds the same.
      return attempt;
    }
  }
}

// Returns what a row takes where nothing goes to the stack.
template <class V>
jit::EpilogueRegisters CountRegisters(const KernelSource& source, absl::Span<const int32_t> place_of,
                                      const jit::IsaSet& isa) {
  const int all = V::kBits == 512 ? 32 : 16;
  Trial<V> trial(isa, all);
  const int vectors = trial.InUse(RegClass::kVec);
  const int general = trial.InUse(RegClass::kGpr);
  const int masks = trial.InUse(RegClass::kMask);
  trial.Emit(source, Attempt(), place_of, 1);
  jit::EpilogueRegisters registers;
  registers.vectors = trial.Peak(RegClass::kVec) - vectors;
  registers.general = trial.Peak(RegClass::kGpr) - general;
  registers.masks = trial.Peak(RegClass::kMask) - masks;
  // An operation may ask for more than it takes.
  while (registers.vectors < all && Trial<V>(isa, registers.vectors).Emit(source, Attempt(), place_of, 1).has_value()) {
    ++registers.vectors;
  }
  for (int least = 1; least <= registers.vectors; ++least) {
    registers.least_vectors = least;
    const Attempt attempt = FindAttempt<V>(source, place_of, isa, least, 1);
    if (!Trial<V>(isa, least).Emit(source, attempt, place_of, 1).has_value()) break;
  }
  return registers;
}

absl::Status CheckBody(const ir::Model& body) {
  const auto unsupported = [&](absl::string_view what, const ir::PartialShape& shape) {
    return absl::UnimplementedError(absl::StrCat("Epilogue \"", body.name(), "\": ", what, ": ", shape.ToString()));
  };
  if (body.parameters().empty()) return absl::InvalidArgumentError("An epilogue without accumulators");
  const ir::PartialShape& accumulators = body.info({body.parameters()[0], 0}).shape;
  if (!accumulators.has_rank() || accumulators.rank() != 2 || accumulators[0].is_static() ||
      accumulators[1].is_static()) {
    return unsupported("The accumulators are not rows and columns of any number", accumulators);
  }
  for (const ir::NodeId id : body.results()) {
    const ir::PartialShape& shape = body.info(body.node(id).input(0)).shape;
    if (!shape.has_rank() || shape.rank() != 2) return unsupported("A result has another shape", shape);
  }
  return absl::OkStatus();
}

// Returns sizes that an operand of fixed ones, a constant mostly, goes with.
TrialExtents FindTrialExtents(const ir::Model& body) {
  TrialExtents extents = {kTrialExtent, kTrialExtent};
  for (const ir::NodeId id : body.NodeIds()) {
    const ir::OpCode code = body.node(id).code();
    if (code != ir::OpCode::kConstant && code != ir::OpCode::kParameter) continue;
    const ir::PartialShape& shape = body.info({id, 0}).shape;
    if (!shape.has_rank()) continue;
    for (int64_t k = std::max<int64_t>(0, shape.rank() - 2); k < shape.rank(); ++k) {
      const bool is_fixed = shape[k].is_static() && shape[k].value() != 1;
      if (is_fixed) extents[static_cast<size_t>(k + 2 - shape.rank())] = shape[k].value();
    }
  }
  return extents;
}

absl::StatusOr<std::unique_ptr<ir::Model>> Sized(const ir::Model& body) {
  const TrialExtents extents = FindTrialExtents(body);
  absl::flat_hash_map<int64_t, ir::PartialShape> shapes;
  for (size_t i = 0; i < body.parameters().size(); ++i) {
    ir::PartialShape shape = body.info({body.parameters()[i], 0}).shape;
    for (int64_t k = 0; k < shape.rank(); ++k) {
      const int64_t axis = std::max<int64_t>(0, k + 2 - shape.rank());
      if (shape[k].is_dynamic()) shape[k] = ir::Dimension(extents[static_cast<size_t>(axis)]);
    }
    shapes[static_cast<int64_t>(i)] = std::move(shape);
  }
  std::unique_ptr<ir::Model> sized = body.Clone();
  BURIN_RETURN_IF_ERROR(sized->Reshape(shapes));
  return sized;
}

}  // namespace

Epilogue::Epilogue(LinearIr ir, ExprEmitters emitters, std::vector<ir::Tensor> constants)
    : ir_(std::move(ir)),
      emitters_(std::move(emitters)),
      liveness_(Liveness::Of(ir_)),
      constants_(std::move(constants)) {
  for (size_t i = 0; i < ir_.exprs.size(); ++i) texts_.push_back(ir_.ExprText(static_cast<int32_t>(i)));
  Hasher hasher;
  hasher.UpdateString(ir_.ToString());
  key_ = hasher.Finish();
}

absl::StatusOr<std::unique_ptr<Epilogue>> Epilogue::Create(const ir::Model& body) {
  BURIN_RETURN_IF_ERROR(CheckBody(body));
  BURIN_ASSIGN_OR_RETURN(const std::unique_ptr<ir::Model> sized, Sized(body));
  BURIN_ASSIGN_OR_RETURN(BodyGraph graph, BodyGraph::Create(SizedBody{body, *sized}, BodyGraph::Axes::kAsDeclared));
  BURIN_ASSIGN_OR_RETURN(LoweredKernel lowered, LowerTile(graph, *sized, "epilogue_" + body.name()));
  BURIN_ASSIGN_OR_RETURN(ExprEmitters emitters, FindExprEmitters(lowered.ir));
  auto epilogue =
      absl::WrapUnique(new Epilogue(std::move(lowered.ir), std::move(emitters), std::move(graph.constants)));
  BURIN_RETURN_IF_ERROR(epilogue->ListOperands(graph.parameter_count));
  return epilogue;
}

absl::Status Epilogue::ListOperands(int32_t parameter_count) {
  // Inputs but the accumulators, then outputs; each port once.
  const auto constants = static_cast<int32_t>(constants_.size());
  int32_t outputs = 0;
  for (const LinearOperand& operand : ir_.operands) {
    if (operand.kind == OperandKind::kOutput) outputs = std::max(outputs, operand.port + 1);
  }
  operands_.resize(static_cast<size_t>(parameter_count - 1 + constants + outputs));
  std::vector<bool> listed(operands_.size(), false);
  for (const LinearValue& value : ir_.values) {
    if (!IsWide(value.type)) continue;
    return absl::UnimplementedError(absl::StrCat("Elements of type ", Name(value.type), " in an epilogue: ", ir_.name));
  }
  for (const LinearExpr& expr : ir_.exprs) {
    if (expr.op == LinearOp::kBegin) return absl::UnimplementedError("A reduction in an epilogue: " + ir_.name);
  }
  for (const LinearOperand& operand : ir_.operands) {
    if (operand.kind == OperandKind::kBuffer) return absl::UnimplementedError("A buffer in an epilogue: " + ir_.name);
    if (!operand.contiguous) {
      return absl::UnimplementedError("The columns of an operand do not lie side by side: " + ir_.name);
    }
    const bool is_output = operand.kind == OperandKind::kOutput;
    if (!is_output && operand.port == 0) {
      place_of_.push_back(-1);
      continue;
    }
    const int32_t place = is_output ? parameter_count - 1 + constants + operand.port : operand.port - 1;
    place_of_.push_back(place);
    if (listed[static_cast<size_t>(place)]) {
      return absl::UnimplementedError("An operand that is accessed in two ways: " + ir_.name);
    }
    listed[static_cast<size_t>(place)] = true;
    operands_[static_cast<size_t>(place)] = {is_output, operand.type, (operand.axes & AxisBit(kTileRows)) != 0,
                                             (operand.axes & AxisBit(kTileColumns)) != 0};
  }
  return absl::OkStatus();
}

jit::EpilogueRegisters Epilogue::Registers(const jit::IsaSet& isa) const {
  std::map<std::pair<int32_t, int>, int> temporaries;
  const KernelSource source = {ir_, emitters_, liveness_, texts_, temporaries};
  return RegisterCounts::Process().Get(key_, isa, [&] {
    if (isa.Supports(jit::IsaLevel::kAvx512)) return CountRegisters<jit::VecAvx512>(source, place_of_, isa);
    return CountRegisters<jit::VecAvx2>(source, place_of_, isa);
  });
}

template <class V>
void Epilogue::EmitTile(V& v, jit::AbiFrame& frame, const jit::EpilogueTile& tile) const {
  std::map<std::pair<int32_t, int>, int> temporaries;
  const KernelSource source = {ir_, emitters_, liveness_, texts_, temporaries};
  const int available = v.code().regs().available(RegClass::kVec);
  const Attempt attempt = FindAttempt<V>(source, place_of_, v.code().isa(), available, tile.rows);
  TileEmitter<V> emitter(source, attempt, place_of_, v, frame, tile);
  emitter.Emit();
  if (!emitter.victim().has_value()) return;
  v.code().Fail(absl::ResourceExhaustedError(absl::StrCat(
      "One operation of the epilogue needs more vector registers than are left: ", ir_.name, "; left: ", available)));
}

void Epilogue::Emit(jit::VecAvx2& v, jit::AbiFrame& frame, const jit::EpilogueTile& tile) const {
  EmitTile(v, frame, tile);
}

void Epilogue::Emit(jit::VecAvx512& v, jit::AbiFrame& frame, const jit::EpilogueTile& tile) const {
  EmitTile(v, frame, tile);
}

}  // namespace burin::snippets
