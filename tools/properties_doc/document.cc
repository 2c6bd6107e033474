#include "tools/properties_doc/document.h"

#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"

namespace burin::properties_doc {
namespace {

constexpr const char* kIntroduction = R"(# Properties

Printed from `runtime/dev/properties.inc` by `./bazelw run //tools:properties_doc > docs/properties.md`; a test keeps
both alike.

A property has a name and a value; both are text (`burin::PropertyMap`), and each name has a typed form of the same
spelling in lower case: `burin::perf_count(true)` is `{"PERF_COUNT", "YES"}`. A boolean may also be given as `true`,
`false`, `1` or `0`; the elements of a list are separated by spaces.

A device takes the properties that name it as reader, and refuses every other name with a list of those that it takes. A
value out of its type or range is refused with what is allowed. What took effect is read back from the compiled model.
`SUPPORTED_PROPERTIES` of a device or compiled model lists what it has, and `//tools:query` prints that with values.

*Readers* are the devices that take a property, and the core for those that it acts on. *Who* of a fact are the devices
that answer it, and the core where it asks. *Cache* says whether another value makes another compiled model.
)";

struct Section {
  PropertyScope scope;
  const char* title;
  const char* introduction;
};

constexpr Section kSections[] = {
    {PropertyScope::kCore, "Set on the Core",
     "With `Core::SetProperty(properties)`, with `Core::SetProperty(device, properties)` as it holds for one device, "
     "or "
     "for one call, which wins. Acted on before a device is asked."},
    {PropertyScope::kConfig, "Set on a device or for a compilation",
     "With `Core::SetProperty(device, properties)` as the default of later compilations, or with `Core::CompileModel`, "
     "which wins. Read from the device, and, fixed, from the compiled model. Those that the core reads are acted on "
     "before a device is asked."},
    {PropertyScope::kDevice, "Read from a device", "Facts: `Core::GetProperty(device, name)`."},
    {PropertyScope::kModel, "Read from a compiled model", "Facts: `CompiledModel::GetProperty(name)`."},
    {PropertyScope::kDeviceAndModel, "Read from both", "Facts that a device and a compiled model have."},
};

// Returns text for a cell of a table.
std::string Cell(absl::string_view text) { return absl::StrReplaceAll(text, {{"|", "\\|"}, {"\n", " "}}); }

std::string Code(absl::string_view text) { return text.empty() ? "" : absl::StrCat("`", Cell(text), "`"); }

// "`CPU`, `core`" for "CPU core".
std::string Readers(const PropertyInfo& row) {
  const std::vector<std::string> readers = absl::StrSplit(row.readers, ' ', absl::SkipEmpty());
  return absl::StrJoin(readers, ", ",
                       [](std::string* out, const std::string& name) { absl::StrAppend(out, Code(name)); });
}

std::string Line(const PropertyInfo& row) {
  std::string line = absl::StrCat("| ", Code(row.name), " | ", row.type);
  if (row.settable()) {
    absl::StrAppend(&line, " | ", Cell(row.allowed), " | ", Code(row.default_value), " | ",
                    row.cache_relevant ? "yes" : "no");
  }
  return absl::StrCat(line, " | ", Readers(row), " | ", Cell(row.documentation), " |\n");
}

}  // namespace

std::string PropertiesDocument(absl::Span<const PropertyInfo> rows) {
  std::string text = kIntroduction;
  for (const Section& section : kSections) {
    std::string lines;
    bool settable = false;
    for (const PropertyInfo& row : rows) {
      if (row.scope != section.scope) continue;
      settable = row.settable();
      absl::StrAppend(&lines, Line(row));
    }
    if (lines.empty()) continue;
    absl::StrAppend(&text, "\n## ", section.title, "\n\n", section.introduction, "\n\n",
                    settable ? "| name | type | allowed | default | cache | readers | what it does |\n"
                               "| --- | --- | --- | --- | --- | --- | --- |\n"
                             : "| name | type | who | what it says |\n| --- | --- | --- | --- |\n",
                    lines);
  }
  return text;
}

}  // namespace burin::properties_doc
