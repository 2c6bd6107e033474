#include "snippets/lowering/fetch_ahead.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "base/element_type.h"
#include "snippets/linear/linear_ir.h"
#include "snippets/lowering/recompute_cost.h"

namespace burin::snippets {
namespace {

// What a pass computes for a vector, at least: fewer instructions take no longer than memory does for a line.
constexpr int kLeastInstructions = 8;

// How many rows the second-level cache has room for, at least: two side by side, the two next ones, and as much again
// for whatever else there is.
constexpr int kRows = 8;

class Fetching {
 public:
  Fetching(const jit::CacheSizes& caches, LoweredKernel& kernel) : caches_(caches), kernel_(kernel), ir_(kernel.ir) {}

  void Run() {
    int64_t bytes = 0;
    for (const LinearOperand& operand : ir_.operands) {
      if (operand.kind != OperandKind::kBuffer) bytes += BytesAlong(operand, operand.axes);
    }
    if (bytes > caches_.l2) Visit(*ir_.root);
  }

 private:
  // Returns the bytes of an operand's elements along these axes.
  int64_t BytesAlong(const LinearOperand& operand, AxisSet axes) const {
    int64_t bytes = BitWidth(operand.type) / 8;
    for (size_t axis = 0; axis < kernel_.extents.size(); ++axis) {
      if ((axes & AxisBit(static_cast<int>(axis))) != 0) bytes *= kernel_.extents[axis];
    }
    return bytes;
  }

  void Visit(LinearBlock& block) {
    std::vector<LinearBlock*> passes;
    for (const LinearBlock::Item& item : block.items) {
      if (item.block == nullptr) continue;
      if (item.block->axis == ir_.vector_axis) {
        passes.push_back(item.block.get());
      } else {
        Visit(*item.block);
      }
    }
    if (block.axis >= 0 && passes.size() > 1) Choose(block, passes);
  }

  // Lets the pass that computes most fetch what all of them want of the next iteration of `block`.
  void Choose(const LinearBlock& block, const std::vector<LinearBlock*>& passes) {
    std::set<int32_t> operands;
    LinearBlock* busiest = nullptr;
    int most = 0;
    for (LinearBlock* const pass : passes) {
      int instructions = 0;
      for (const LinearBlock::Item& item : pass->items) {
        if (item.expr < 0) continue;
        const LinearExpr& expr = ir_.exprs[static_cast<size_t>(item.expr)];
        if (expr.operand >= 0 && IsWanted(block, expr.operand)) operands.insert(expr.operand);
        if (expr.op != LinearOp::kCompute) continue;
        instructions += RecomputeCost(*expr.compute, ir_.values[static_cast<size_t>(expr.output)].type);
      }
      if (instructions > most) {
        busiest = pass;
        most = instructions;
      }
    }
    if (most < kLeastInstructions) return;
    int64_t row = 0;
    for (const int32_t i : operands) {
      row += BytesAlong(ir_.operands[static_cast<size_t>(i)], AxisBit(ir_.vector_axis));
    }
    if (kRows * row <= caches_.l2) busiest->ahead.assign(operands.begin(), operands.end());
  }

  bool IsWanted(const LinearBlock& block, int32_t i) const {
    const LinearOperand& operand = ir_.operands[static_cast<size_t>(i)];
    const AxisSet both = AxisBit(block.axis) | AxisBit(ir_.vector_axis);
    return operand.kind != OperandKind::kBuffer && operand.contiguous && (operand.axes & both) == both;
  }

  const jit::CacheSizes& caches_;
  LoweredKernel& kernel_;
  LinearIr& ir_;
};

}  // namespace

void FetchAhead(const jit::CacheSizes& caches, LoweredKernel& kernel) { Fetching(caches, kernel).Run(); }

}  // namespace burin::snippets
