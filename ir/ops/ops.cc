#include "ir/ops/ops.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ir/op_def.h"

namespace burin::ir {
namespace {

constexpr absl::string_view kNames[] = {
#define BURIN_OP(name) #name,
#include "ir/ops/ops.inc"
#undef BURIN_OP
};

constexpr bool StrictlyRising() {
  for (size_t i = 1; i < std::size(kNames); ++i) {
    if (!(kNames[i - 1] < kNames[i])) return false;
  }
  return true;
}
static_assert(StrictlyRising(), "ir/ops/ops.inc must be sorted by name, each name once");

}  // namespace

absl::Span<const OpDef* const> AllOps() {
  static const std::array<const OpDef*, kOpCount> ops = {
#define BURIN_OP(name) &name##Op(),
#include "ir/ops/ops.inc"
#undef BURIN_OP
  };
  return ops;
}

const OpDef* FindOp(absl::string_view name) {
  const auto it = std::lower_bound(std::begin(kNames), std::end(kNames), name);
  if (it == std::end(kNames) || *it != name) return nullptr;
  return AllOps()[static_cast<size_t>(it - std::begin(kNames))];
}

}  // namespace burin::ir
