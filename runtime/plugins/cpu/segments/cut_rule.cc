#include "runtime/plugins/cpu/segments/cut_rule.h"

#include <cstdint>

#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"
#include "ir/partial_shape.h"

namespace burin::cpu {

namespace {

// Planning a graph takes about as long as the reference needs for this many elements that it only moves.
constexpr int64_t kFewElements = 16384;

// Returns whether the outputs are views of an input, or so cheap that a plan for each content never pays.
bool IsCheap(const ir::Node& node, const KnownValues& known) {
  switch (node.code()) {
    case ir::OpCode::kRange:
    case ir::OpCode::kReshape:
    case ir::OpCode::kSqueeze:
    case ir::OpCode::kUnsqueeze:
      return true;
    case ir::OpCode::kSlice:
    case ir::OpCode::kStridedSlice:
      // Where it begins may well be another place in each iteration of a loop.
      return known.info(node.input(0)).shape.ElementCount().max() <= kFewElements;
    default:
      return false;
  }
}

// Returns whether a value may be sizes, axes, bounds or scales, by its shape.
bool MayTravel(const ir::ValueInfo& info) {
  return info.shape.has_rank() && info.shape.rank() <= 1 &&
         info.shape.ElementCount().max() <= ir::kMaxPropagatedElements;
}

}  // namespace

bool AlwaysCuts(const ir::Node& node) {
  switch (node.code()) {
    case ir::OpCode::kAssign:
    case ir::OpCode::kIf:
    case ir::OpCode::kLoop:
    case ir::OpCode::kReadValue:
      return true;
    default:
      return false;
  }
}

std::vector<ir::Value> ContentsToWaitFor(const ir::Node& node, const KnownValues& known) {
  std::vector<ir::Value> values;
  if (node.op().Has(ir::kDataDependentShape) || IsCheap(node, known)) return values;
  // Input 0 is what is sliced, padded or ranked; only Eye has none of that.
  for (int64_t i = node.code() == ir::OpCode::kEye ? 0 : 1; i < node.input_count(); ++i) {
    const ir::Value input = node.input(i);
    if (input.exists() && !known.IsConstant(input) && MayTravel(known.info(input))) values.push_back(input);
  }
  return values;
}

}  // namespace burin::cpu
