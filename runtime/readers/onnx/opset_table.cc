#include "runtime/readers/onnx/opset_table.h"

#include <algorithm>
#include <iterator>

namespace burin::onnx {
namespace {

constexpr int kMaxSchemas = 12;

struct Operator {
  absl::string_view name;
  int8_t since[kMaxSchemas];  // Ascending; zeros behind the last.
};

constexpr Operator kOperators[] = {
#define BURIN_ONNX_OPERATOR(name, ...) {#name, {__VA_ARGS__}},
#include "runtime/readers/onnx/onnx_opsets.inc"
#undef BURIN_ONNX_OPERATOR
};

constexpr bool IsWellFormed() {
  for (size_t i = 0; i < std::size(kOperators); ++i) {
    if (i > 0 && !(kOperators[i - 1].name < kOperators[i].name)) return false;
    const int8_t* const since = kOperators[i].since;
    if (since[0] < 1) return false;
    for (int k = 1; k < kMaxSchemas; ++k) {
      if (since[k] != 0 && (since[k] <= since[k - 1] || since[k] > kNewestOpset)) return false;
    }
  }
  return true;
}
static_assert(IsWellFormed(), "onnx_opsets.inc is sorted by name, each line by opset");

const Operator* Find(absl::string_view op) {
  const Operator* const found = std::lower_bound(std::begin(kOperators), std::end(kOperators), op,
                                                 [](const Operator& a, absl::string_view b) { return a.name < b; });
  return found != std::end(kOperators) && found->name == op ? found : nullptr;
}

}  // namespace

int64_t SchemaVersion(absl::string_view op, int64_t opset) {
  const Operator* const found = Find(op);
  if (found == nullptr) return -1;
  int64_t version = 0;
  for (const int8_t since : found->since) {
    if (since != 0 && since <= opset) version = since;
  }
  return version;
}

int64_t FirstVersion(absl::string_view op) {
  const Operator* const found = Find(op);
  return found == nullptr ? -1 : found->since[0];
}

std::vector<int64_t> SchemaVersions(absl::string_view op) {
  std::vector<int64_t> versions;
  const Operator* const found = Find(op);
  for (int i = 0; found != nullptr && i < kMaxSchemas && found->since[i] != 0; ++i) versions.push_back(found->since[i]);
  return versions;
}

std::vector<absl::string_view> AllOperators() {
  std::vector<absl::string_view> names;
  for (const Operator& op : kOperators) names.push_back(op.name);
  return names;
}

}  // namespace burin::onnx
