// The translation of each ONNX operator into operations of the model.
//
// One table says what is there: op_map.inc lists operators that are an operation with the same inputs and no attributes
// of their own, translators.inc those with a function, which stands in ops/. A translation reads its node through
// NodeContext, adds operations, and returns the node's status. Inputs that are no tensors come to translations alone
// that take them. Stateless, thread-safe.
#ifndef BURIN_RUNTIME_READERS_ONNX_TRANSLATORS_H_
#define BURIN_RUNTIME_READERS_ONNX_TRANSLATORS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ir/op_def.h"
#include "runtime/readers/onnx/node_context.h"

namespace burin::onnx {

using Translator = absl::Status (*)(NodeContext& node);

#define BURIN_ONNX_TRANSLATOR(domain, op, function) absl::Status function(NodeContext& node);
#include "runtime/readers/onnx/translators.inc"
#undef BURIN_ONNX_TRANSLATOR

// A line of the table. `op_def` is null where the translation is not one-to-one.
struct TranslatorEntry {
  absl::string_view domain;
  absl::string_view op;
  Translator translate = nullptr;
  const ir::OpDef& (*op_def)() = nullptr;
  bool takes_containers = false;  // Sequences and empty optionals.
};

// Returns the entry for an operator of a (normalised) domain, or null where there is none.
const TranslatorEntry* FindTranslator(absl::string_view domain, absl::string_view op);

// Returns the whole table, by domain and then by name.
absl::Span<const TranslatorEntry> AllTranslators();

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_TRANSLATORS_H_
