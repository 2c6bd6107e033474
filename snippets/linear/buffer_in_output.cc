#include "snippets/linear/buffer_in_output.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "snippets/linear/linear_ir.h"

namespace burin::snippets {
namespace {

// Is where an operand is accessed: in the order in which the tree runs, and inside of loops over these axes.
struct Access {
  int32_t position = 0;
  AxisSet around = 0;
  const LinearBlock* block = nullptr;
};

struct Accesses {
  std::vector<Access> loads;
  std::vector<Access> stores;
};

void Collect(const LinearIr& ir, const LinearBlock& block, AxisSet around, int32_t& position,
             std::vector<Accesses>& accesses) {
  for (const LinearBlock::Item& item : block.items) {
    ++position;
    if (item.block != nullptr) {
      Collect(ir, *item.block, around | AxisBit(item.block->axis), position, accesses);
      continue;
    }
    const LinearExpr& expr = ir.exprs[static_cast<size_t>(item.expr)];
    if (expr.operand < 0) continue;
    Accesses& of = accesses[static_cast<size_t>(expr.operand)];
    (expr.op == LinearOp::kLoad ? of.loads : of.stores).push_back({position, around, &block});
  }
}

bool Fits(const LinearOperand& buffer, const Accesses& of_buffer, const LinearOperand& output,
          const Accesses& of_output) {
  if (output.kind != OperandKind::kOutput || output.type != buffer.type || !output.contiguous) return false;
  if ((buffer.axes & ~output.axes) != 0 || of_output.stores.size() != 1) return false;
  const Access& last = of_output.stores.front();
  const auto runs_alike = [&](const Access& access) { return access.around == output.axes; };
  if (!runs_alike(last) || !std::all_of(of_buffer.stores.begin(), of_buffer.stores.end(), runs_alike)) return false;
  return std::all_of(of_buffer.loads.begin(), of_buffer.loads.end(),
                     [&](const Access& load) { return runs_alike(load) && load.position < last.position; });
}

}  // namespace

void PutBuffersIntoOutputs(LinearIr& ir) {
  std::vector<Accesses> accesses(ir.operands.size());
  int32_t position = 0;
  Collect(ir, *ir.root, ir.RootAxes(), position, accesses);
  std::vector<bool> taken(ir.operands.size(), false);
  for (size_t b = 0; b < ir.operands.size(); ++b) {
    if (ir.operands[b].kind != OperandKind::kBuffer) continue;
    for (size_t o = 0; o < ir.operands.size(); ++o) {
      if (taken[o] || !Fits(ir.operands[b], accesses[b], ir.operands[o], accesses[o])) continue;
      taken[o] = true;
      ir.operands[b].in_output = static_cast<int32_t>(o);
      ir.operands[b].axes = ir.operands[o].axes;
      break;
    }
  }
}

}  // namespace burin::snippets
