#include "base/status_context.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace burin {

absl::Status WithContext(const absl::Status& status, absl::string_view prefix) {
  if (status.ok()) return status;
  absl::Status result(status.code(),
                      status.message().empty() ? std::string(prefix) : absl::StrCat(prefix, ": ", status.message()));
  status.ForEachPayload(
      [&result](absl::string_view type_url, const absl::Cord& payload) { result.SetPayload(type_url, payload); });
  return result;
}

}  // namespace burin
