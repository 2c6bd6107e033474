#include "runtime/readers/onnx/translators.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>
#include <vector>

#include "ir/ops/ops.h"
#include "runtime/readers/onnx/ops/legacy_broadcast.h"

namespace burin::onnx {
namespace {

constexpr absl::string_view kOnnx = "";
constexpr absl::string_view kMicrosoft = "com.microsoft";

// Translates an operator that is one operation on the same inputs.
absl::Status TranslateOneToOne(NodeContext& node) {
  std::vector<ir::Value> inputs(node.inputs().begin(), node.inputs().end());
  if (inputs.size() == 2) inputs[1] = AlignSecondOperand(node);
  return node.Finish({node.Add(*node.op(), std::move(inputs))});
}

constexpr TranslatorEntry kEntries[] = {
#define BURIN_ONNX_OP(domain, op, operation) {domain, #op, &TranslateOneToOne, &ir::operation##Op},
#include "runtime/readers/onnx/op_map.inc"
#undef BURIN_ONNX_OP
#define BURIN_ONNX_TRANSLATOR(domain, op, function) {domain, #op, &function, nullptr},
#define BURIN_ONNX_CONTAINER_TRANSLATOR(domain, op, function) {domain, #op, &function, nullptr, true},
#include "runtime/readers/onnx/translators.inc"
#undef BURIN_ONNX_TRANSLATOR
};

bool Before(const TranslatorEntry& a, const TranslatorEntry& b) {
  return std::tie(a.domain, a.op) < std::tie(b.domain, b.op);
}

}  // namespace

absl::Span<const TranslatorEntry> AllTranslators() {
  static const std::vector<TranslatorEntry>* const sorted = [] {
    auto* const entries = new std::vector<TranslatorEntry>(std::begin(kEntries), std::end(kEntries));
    std::sort(entries->begin(), entries->end(), &Before);
    return entries;
  }();
  return *sorted;
}

const TranslatorEntry* FindTranslator(absl::string_view domain, absl::string_view op) {
  TranslatorEntry wanted;
  wanted.domain = domain;
  wanted.op = op;
  const absl::Span<const TranslatorEntry> sorted = AllTranslators();
  const auto found = std::lower_bound(sorted.begin(), sorted.end(), wanted, &Before);
  return found != sorted.end() && found->domain == domain && found->op == op ? &*found : nullptr;
}

}  // namespace burin::onnx
