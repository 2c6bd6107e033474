#include "snippets/linear/in_place.h"

#include <cstddef>
#include <cstdint>

#include "snippets/linear/linear_ir.h"

namespace burin::snippets {
namespace {

// Walks the tree in the order in which it runs.
class Walker {
 public:
  Walker(const LinearIr& ir, int32_t input, int32_t output) : ir_(ir), input_(input), output_(output) {}

  bool Run() {
    const AxisSet axes = ir_.operands[static_cast<size_t>(input_)].axes;
    if (axes != ir_.operands[static_cast<size_t>(output_)].axes) return false;
    Walk(*ir_.root, axes);
    return is_safe_;
  }

 private:
  // `axes` are the operands'.
  void Walk(const LinearBlock& block, AxisSet axes) {
    for (const LinearBlock::Item& item : block.items) {
      if (item.block != nullptr) {
        const bool was_stored = is_stored_;
        const bool was_loaded = is_loaded_;
        Walk(*item.block, axes);
        // A loop along which the operands do not vary comes to the same elements again.
        const bool repeats = (axes & AxisBit(item.block->axis)) == 0;
        const bool accesses = is_stored_ != was_stored || is_loaded_ != was_loaded;
        if (repeats && accesses && is_stored_) is_safe_ = false;
        continue;
      }
      const LinearExpr& expr = ir_.exprs[static_cast<size_t>(item.expr)];
      if (expr.operand == input_) {
        is_loaded_ = true;
        if (is_stored_) is_safe_ = false;
      }
      if (expr.op == LinearOp::kStore && IsOutput(expr.operand)) is_stored_ = true;
    }
  }

  bool IsOutput(int32_t operand) const {
    return operand == output_ || ir_.operands[static_cast<size_t>(operand)].in_output == output_;
  }

  const LinearIr& ir_;
  const int32_t input_;
  const int32_t output_;
  bool is_loaded_ = false;
  bool is_stored_ = false;
  bool is_safe_ = true;
};

}  // namespace

bool MayShareMemory(const LinearIr& ir, int32_t input, int32_t output) { return Walker(ir, input, output).Run(); }

}  // namespace burin::snippets
