#include "runtime/readers/onnx/opset_imports.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "runtime/readers/onnx/opset_table.h"

namespace burin::onnx {
namespace {

// The first IR version whose files must import operator sets.
constexpr int64_t kFirstIrVersionWithImports = 3;

}  // namespace

absl::string_view NormalizeDomain(absl::string_view domain) {
  return domain == "ai.onnx" ? absl::string_view() : domain;
}

absl::StatusOr<OpsetImports> OpsetImports::Create(const std::vector<OperatorSetMessage>& operator_sets,
                                                  int64_t ir_version) {
  OpsetImports imports;
  for (const OperatorSetMessage& operator_set : operator_sets) {
    const absl::string_view domain = NormalizeDomain(operator_set.domain);
    if (domain.empty() && (operator_set.version < 1 || operator_set.version > kNewestOpset)) {
      return absl::InvalidArgumentError(
          absl::StrCat("The model imports an opset of ai.onnx that the reader does not know: ", operator_set.version,
                       "; known: 1 to ", kNewestOpset));
    }
    const auto [entry, is_new] = imports.versions_.emplace(std::string(domain), operator_set.version);
    if (!is_new && entry->second != operator_set.version) {
      return absl::InvalidArgumentError(absl::StrCat("A domain is imported in two versions: ", operator_set.domain,
                                                     ", ", entry->second, " and ", operator_set.version));
    }
  }
  if (operator_sets.empty() && ir_version < kFirstIrVersionWithImports) imports.versions_.emplace("", 1);
  return imports;
}

absl::StatusOr<int64_t> OpsetImports::Version(absl::string_view domain) const {
  const auto found = versions_.find(domain);
  if (found != versions_.end()) return found->second;
  if (domain.empty()) {
    return absl::InvalidArgumentError("Operators of ai.onnx are used, but no opset of that domain is imported");
  }
  return 1;
}

}  // namespace burin::onnx
