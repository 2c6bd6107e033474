#include "runtime/dev/plugin_abi.h"

#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace burin {

namespace {

const AbiField* Find(absl::Span<const AbiField> fields, absl::string_view name) {
  for (const AbiField& field : fields) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

std::string Value(const AbiField* field) {
  if (field == nullptr) return "nothing";
  return field->text == nullptr ? absl::StrCat(field->number) : absl::StrCat("\"", absl::CHexEscape(field->text), "\"");
}

}  // namespace

const AbiDescription& HostAbi() {
  static const AbiDescription* const host = [] { BURIN_RETURN_PLUGIN_ABI; }();
  return *host;
}

absl::Status CheckAbi(const AbiDescription& host, const AbiDescription& library) {
  if (host.format != library.format) {
    // The rest of the record cannot be read.
    return absl::FailedPreconditionError(absl::StrCat("ABI mismatch: format of the ABI description: this program ",
                                                      host.format, ", the library ", library.format));
  }
  const absl::Span<const AbiField> host_fields(host.fields, host.field_count);
  const absl::Span<const AbiField> library_fields(library.fields, library.field_count);
  std::vector<std::string> differences;
  const auto compare = [&differences](const AbiField* ours, const AbiField* theirs) {
    const std::string expected = Value(ours);
    const std::string given = Value(theirs);
    if (expected == given) return;
    differences.push_back(
        absl::StrCat((ours == nullptr ? theirs : ours)->name, ": this program ", expected, ", the library ", given));
  };
  for (const AbiField& field : host_fields) compare(&field, Find(library_fields, field.name));
  for (const AbiField& field : library_fields) {
    if (Find(host_fields, field.name) == nullptr) compare(nullptr, &field);
  }
  if (differences.empty()) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat("ABI mismatch: ", absl::StrJoin(differences, "; ")));
}

}  // namespace burin
