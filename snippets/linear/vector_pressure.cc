#include "snippets/linear/vector_pressure.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "snippets/linear/lane.h"
#include "snippets/linear/linear_ir.h"
#include "snippets/linear/liveness.h"

namespace burin::snippets {
namespace {

// Walks the tree as code generation does: a value is held from its definition to its last use.
class Walker {
 public:
  explicit Walker(const LinearIr& ir) : ir_(ir), liveness_(Liveness::Of(ir)), held_(ir.values.size(), 0) {}

  int Run() {
    Walk(*ir_.root);
    return most_;
  }

 private:
  void Walk(const LinearBlock& block) {
    for (size_t i = 0; i < block.items.size(); ++i) {
      const LinearBlock::Item& item = block.items[i];
      if (item.block != nullptr) {
        Walk(*item.block);
      } else {
        Define(ir_.exprs[static_cast<size_t>(item.expr)], block, static_cast<int32_t>(i));
      }
      for (size_t id = 0; id < held_.size(); ++id) {
        if (liveness_.block[id] != &block || liveness_.last_item[id] != static_cast<int32_t>(i)) continue;
        sum_ -= held_[id];
        held_[id] = 0;
      }
    }
  }

  void Define(const LinearExpr& expr, const LinearBlock& block, int32_t i) {
    if (expr.output == kNoValue || expr.op == LinearOp::kConstant) return;
    const auto id = static_cast<size_t>(expr.output);
    const bool varies = (ir_.values[id].axes & AxisBit(ir_.vector_axis)) != 0;
    held_[id] = (varies ? std::max(1, ir_.block_vectors) : 1) * RegistersOfVector(ir_.values[id].type);
    sum_ += held_[id];
    // An operation replaces its first input where that ends here.
    if (expr.op == LinearOp::kCompute) {
      const auto first = static_cast<size_t>(expr.inputs.front());
      if (liveness_.block[first] == &block && liveness_.last_item[first] == i && held_[first] == held_[id]) {
        sum_ -= held_[first];
        held_[first] = 0;
      }
    }
    most_ = std::max(most_, sum_);
  }

  const LinearIr& ir_;
  const Liveness liveness_;
  std::vector<int> held_;
  int sum_ = 0;
  int most_ = 0;
};

}  // namespace

int VectorPressure(const LinearIr& ir) { return Walker(ir).Run(); }

}  // namespace burin::snippets
