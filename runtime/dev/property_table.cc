#include "runtime/dev/property_table.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/check.h"
#include "runtime/dev/properties.h"

namespace burin {
namespace {

constexpr absl::string_view kIdentifiers[] = {
#define BURIN_PROPERTY(identifier, name, Type, default_value, allowed, scope, cache_relevant, readers, documentation) \
#identifier,
#include "runtime/dev/properties.inc"
#undef BURIN_PROPERTY
};

constexpr bool StrictlyRising() {
  for (size_t i = 1; i < std::size(kIdentifiers); ++i) {
    if (!(kIdentifiers[i - 1] < kIdentifiers[i])) return false;
  }
  return true;
}
static_assert(StrictlyRising(), "runtime/dev/properties.inc must be sorted by identifier, each once");

template <class T>
constexpr bool kIsNumber = std::is_same_v<T, int64_t> || std::is_same_v<T, double>;

template <class T>
constexpr const char* TypeName() {
  if constexpr (std::is_same_v<T, bool>) {
    return "boolean";
  } else if constexpr (std::is_same_v<T, int64_t>) {
    return "integer";
  } else if constexpr (std::is_same_v<T, double>) {
    return "number";
  } else if constexpr (std::is_same_v<T, std::string>) {
    return "text";
  } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
    return "list";
  } else {
    static_assert(std::is_enum_v<T>, "A type that no property has; properties.h lists them");
    return "enumeration";
  }
}

// Returns what a row's users are told to give: `range` is the row's "allowed" column.
template <class T>
std::string AllowedText(absl::string_view range) {
  if constexpr (std::is_same_v<T, bool>) {
    return "YES, NO";
  } else if constexpr (std::is_enum_v<T>) {
    return absl::StrJoin(PropertyEnumNames<T>(), ", ");
  } else {
    return range.empty() ? "any" : std::string(range);
  }
}

// Returns the bound that `text` spells, or `otherwise` for an empty one.
template <class T>
T Bound(absl::string_view text, T otherwise) {
  if (text.empty()) return otherwise;
  T value = 0;
  BURIN_CHECK_OK(ParseProperty("properties.inc", std::string(text), &value));
  return value;
}

// Refuses a value outside "MIN..MAX".
template <class T>
absl::Status CheckRange(const std::string& name, const std::string& text, absl::string_view range, T value) {
  const std::pair<absl::string_view, absl::string_view> bounds = absl::StrSplit(range, absl::MaxSplits("..", 1));
  if (value >= Bound(bounds.first, value) && value <= Bound(bounds.second, value)) return absl::OkStatus();
  const char* kind = std::is_same_v<T, int64_t> ? "an integer" : "a number";
  std::string expected = absl::StrCat(kind, " from ", bounds.first, " to ", bounds.second);
  if (bounds.second.empty()) expected = absl::StrCat(kind, " of at least ", bounds.first);
  if (bounds.first.empty()) expected = absl::StrCat(kind, " of at most ", bounds.second);
  return BadPropertyValue(name, text, expected);
}

template <class T>
absl::Status CheckValue(const std::string& name, const std::string& text, absl::string_view range) {
  T value{};
  const absl::Status status = ParseProperty(name, text, &value);
  if constexpr (kIsNumber<T>) {
    if (status.ok() && !range.empty()) return CheckRange(name, text, range, value);
  }
  return status;
}

template <class T>
std::string Canonical(const std::string& text) {
  T value{};
  const absl::Status status = ParseProperty("", text, &value);
  return status.ok() ? PropertyToString(value) : text;
}

// Returns the rows sorted by name, which is not the order of the identifiers: '_' comes after capital letters and
// before small ones.
std::vector<PropertyInfo>* MakeTable() {
  auto* table = new std::vector<PropertyInfo>{
#define BURIN_PROPERTY(identifier, name, Type, default_value, allowed, scope, cache_relevant, readers, documentation) \
  {name,                                                                                                              \
   TypeName<Type>(),                                                                                                  \
   default_value,                                                                                                     \
   AllowedText<Type>(allowed),                                                                                        \
   PropertyScope::scope,                                                                                              \
   cache_relevant,                                                                                                    \
   readers,                                                                                                           \
   documentation,                                                                                                     \
   [](const std::string& property, const std::string& text) { return CheckValue<Type>(property, text, allowed); },    \
   &Canonical<Type>},
#include "runtime/dev/properties.inc"
#undef BURIN_PROPERTY
  };
  std::sort(table->begin(), table->end(),
            [](const PropertyInfo& a, const PropertyInfo& b) { return absl::string_view(a.name) < b.name; });
  return table;
}

}  // namespace

bool PropertyInfo::ReadBy(absl::string_view reader) const {
  const std::vector<absl::string_view> all = absl::StrSplit(readers, ' ', absl::SkipEmpty());
  return std::find(all.begin(), all.end(), reader) != all.end();
}

absl::Span<const PropertyInfo> AllProperties() {
  static const std::vector<PropertyInfo>* const table = MakeTable();
  return *table;
}

const PropertyInfo* FindProperty(absl::string_view name) {
  const absl::Span<const PropertyInfo> all = AllProperties();
  const auto it = std::lower_bound(all.begin(), all.end(), name, [](const PropertyInfo& row, absl::string_view wanted) {
    return absl::string_view(row.name) < wanted;
  });
  return it != all.end() && it->name == name ? &*it : nullptr;
}

std::vector<PropertyInfo> PropertiesReadBy(absl::string_view reader) {
  std::vector<PropertyInfo> rows;
  for (const PropertyInfo& row : AllProperties()) {
    if (row.ReadBy(reader)) rows.push_back(row);
  }
  return rows;
}

}  // namespace burin
