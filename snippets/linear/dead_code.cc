#include "snippets/linear/dead_code.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "snippets/linear/linear_ir.h"

namespace burin::snippets {
namespace {

// Collects the expressions in the order in which they stand.
void Collect(const LinearBlock& block, std::vector<int32_t>& order) {
  for (const LinearBlock::Item& item : block.items) {
    if (item.block != nullptr) {
      Collect(*item.block, order);
    } else {
      order.push_back(item.expr);
    }
  }
}

// Returns which expressions are needed. A Step is where its accumulator is: it has no value of its own.
std::vector<bool> FindNeeded(const LinearIr& ir, const std::vector<int32_t>& order) {
  std::vector<bool> needed(ir.exprs.size(), false);
  std::vector<bool> used(ir.values.size(), false);
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    const LinearExpr& expr = ir.exprs[static_cast<size_t>(*it)];
    bool is_needed = expr.op == LinearOp::kStore;
    if (expr.op == LinearOp::kStep) is_needed = used[static_cast<size_t>(expr.inputs.front())];
    if (expr.output != kNoValue) is_needed = used[static_cast<size_t>(expr.output)];
    if (!is_needed) continue;
    needed[static_cast<size_t>(*it)] = true;
    for (const ValueId input : expr.inputs) used[static_cast<size_t>(input)] = true;
  }
  return needed;
}

// Drops what is not needed; `number` has the new index of each expression.
void Prune(LinearBlock& block, const std::vector<int32_t>& number) {
  std::vector<LinearBlock::Item> rest;
  for (LinearBlock::Item& item : block.items) {
    if (item.block != nullptr) {
      Prune(*item.block, number);
      if (item.block->items.empty()) continue;
    } else {
      item.expr = number[static_cast<size_t>(item.expr)];
      if (item.expr < 0) continue;
    }
    rest.push_back(std::move(item));
  }
  block.items = std::move(rest);
}

}  // namespace

void RemoveDeadCode(LinearIr& ir) {
  std::vector<int32_t> order;
  Collect(*ir.root, order);
  const std::vector<bool> needed = FindNeeded(ir, order);
  std::vector<int32_t> number(ir.exprs.size(), -1);
  std::vector<ValueId> value_number(ir.values.size(), kNoValue);
  std::vector<LinearExpr> exprs;
  std::vector<LinearValue> values;
  for (const int32_t index : order) {
    const auto i = static_cast<size_t>(index);
    if (!needed[i]) continue;
    number[i] = static_cast<int32_t>(exprs.size());
    exprs.push_back(std::move(ir.exprs[i]));
    LinearExpr& expr = exprs.back();
    for (ValueId& input : expr.inputs) input = value_number[static_cast<size_t>(input)];
    if (expr.output == kNoValue) continue;
    const auto old = static_cast<size_t>(expr.output);
    expr.output = value_number[old] = static_cast<ValueId>(values.size());
    values.push_back(ir.values[old]);
  }
  ir.exprs = std::move(exprs);
  ir.values = std::move(values);
  Prune(*ir.root, number);
}

}  // namespace burin::snippets
