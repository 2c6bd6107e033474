#include "runtime/plugins/reference/config.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "runtime/dev/properties.h"

namespace burin::reference {

absl::Status Config::Apply(const PropertyMap& properties) {
  Config changed = *this;
  for (const auto& [name, value] : properties) {
    if (name != burin::perf_count.name) {
      return absl::NotFoundError(absl::StrCat("Device REFERENCE has no property ", name,
                                              " that can be set; there are: ", burin::perf_count.name));
    }
    BURIN_ASSIGN_OR_RETURN(changed.perf_count, burin::perf_count.Parse(value));
  }
  *this = changed;
  return absl::OkStatus();
}

absl::Status UnknownProperty(const std::string& name, const std::vector<std::string>& readable) {
  return absl::NotFoundError(
      absl::StrCat("Unknown property ", name, "; those that can be read: ", absl::StrJoin(readable, ", ")));
}

}  // namespace burin::reference
