#include "snippets/linear/liveness.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "snippets/linear/linear_ir.h"

namespace burin::snippets {
namespace {

// Is the way from the root to the present item: blocks and the item of each.
using Way = std::vector<std::pair<const LinearBlock*, int32_t>>;

void Walk(const LinearIr& ir, const LinearBlock& block, Way& way, Liveness& liveness) {
  for (size_t i = 0; i < block.items.size(); ++i) {
    way.emplace_back(&block, static_cast<int32_t>(i));
    if (block.items[i].block != nullptr) {
      Walk(ir, *block.items[i].block, way, liveness);
    } else {
      const LinearExpr& expr = ir.exprs[static_cast<size_t>(block.items[i].expr)];
      for (const ValueId input : expr.inputs) {
        const auto v = static_cast<size_t>(input);
        ++liveness.uses[v];
        for (const auto& [around, item] : way) {
          if (around == liveness.block[v]) liveness.last_item[v] = item;
        }
      }
      if (expr.output != kNoValue) {
        liveness.block[static_cast<size_t>(expr.output)] = &block;
        liveness.last_item[static_cast<size_t>(expr.output)] = static_cast<int32_t>(i);
      }
    }
    way.pop_back();
  }
}

}  // namespace

Liveness Liveness::Of(const LinearIr& ir) {
  Liveness liveness;
  liveness.block.resize(ir.values.size(), nullptr);
  liveness.last_item.resize(ir.values.size(), -1);
  liveness.uses.resize(ir.values.size(), 0);
  Way way;
  Walk(ir, *ir.root, way, liveness);
  return liveness;
}

}  // namespace burin::snippets
