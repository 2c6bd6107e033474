#include "runtime/dev/configuration.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"

namespace burin {
namespace {

// Returns whether a row is seen from the Core, a device or a compiled model.
bool IsSeen(const PropertyInfo& row, PropertyScope seen_from) {
  switch (row.scope) {
    case PropertyScope::kConfig:
    case PropertyScope::kDeviceAndModel:
      return seen_from == PropertyScope::kDevice || seen_from == PropertyScope::kModel;
    case PropertyScope::kCore:
    case PropertyScope::kDevice:
    case PropertyScope::kModel:
      return seen_from == row.scope;
  }
  return false;
}

std::vector<std::string> Settable(const std::vector<PropertyInfo>& rows) {
  std::vector<std::string> names;
  for (const PropertyInfo& row : rows) {
    if (row.settable()) names.emplace_back(row.name);
  }
  return names;
}

}  // namespace

Configuration::Configuration(std::string owner, absl::Span<const PropertyInfo> rows) : owner_(std::move(owner)) {
  auto sorted = std::make_shared<std::vector<PropertyInfo>>(rows.begin(), rows.end());
  std::sort(sorted->begin(), sorted->end(),
            [](const PropertyInfo& a, const PropertyInfo& b) { return absl::string_view(a.name) < b.name; });
  rows_ = std::move(sorted);
}

const PropertyInfo* Configuration::Find(const std::string& name) const {
  const auto it = std::find_if(rows_->begin(), rows_->end(), [&](const PropertyInfo& row) { return row.name == name; });
  return it == rows_->end() ? nullptr : &*it;
}

absl::Status Configuration::Apply(const PropertyMap& properties) {
  PropertyMap changed = given_;
  for (const auto& [name, text] : properties) {
    const PropertyInfo* const row = Find(name);
    if (row == nullptr || !row->settable()) return NoSuchProperty(owner_, name, "set", Settable(*rows_));
    BURIN_RETURN_IF_ERROR(row->check(name, text));
    changed[name] = row->canonical(text);
  }
  given_ = std::move(changed);
  return absl::OkStatus();
}

absl::StatusOr<std::string> Configuration::Get(const std::string& name) const {
  const PropertyInfo* const row = Find(name);
  if (row == nullptr || !row->settable()) return NoSuchProperty(owner_, name, "set", Settable(*rows_));
  const auto it = given_.find(name);
  return it != given_.end() ? it->second : std::string(row->default_value);
}

bool Configuration::IsSet(const std::string& name) const { return given_.count(name) != 0; }

std::vector<std::string> Configuration::Supported(PropertyScope seen_from) const {
  std::vector<std::string> entries;
  for (const PropertyInfo& row : *rows_) {
    if (!IsSeen(row, seen_from)) continue;
    const bool writable = row.settable() && seen_from != PropertyScope::kModel;
    entries.push_back(absl::StrCat(row.name, writable ? ":RW" : ":RO"));
  }
  return entries;
}

absl::StatusOr<std::string> Configuration::Read(PropertyScope seen_from, const std::string& name,
                                                const PropertyMap& facts) const {
  const PropertyInfo* const row = Find(name);
  if (row == nullptr || !IsSeen(*row, seen_from)) {
    std::vector<std::string> names;
    for (const PropertyInfo& readable : *rows_) {
      if (IsSeen(readable, seen_from)) names.emplace_back(readable.name);
    }
    const char* const suffix = seen_from == PropertyScope::kModel ? "'s compiled model" : "";
    return NoSuchProperty(absl::StrCat(owner_, suffix), name, "read", names);
  }
  if (row->settable()) return Get(name);
  if (name == supported_properties.name) return PropertyToString(Supported(seen_from));
  const auto fact = facts.find(name);
  if (fact == facts.end()) {
    return absl::InternalError(absl::StrCat(owner_, " lists a property that it does not answer: ", name));
  }
  return fact->second;
}

}  // namespace burin
