#include "tools/benchmark/csv.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"

namespace burin::benchmark {

void AppendCsvLine(const std::vector<std::string>& fields, std::string* text) {
  const auto append = [](std::string* out, const std::string& field) {
    if (field.find_first_of(";\"\r\n") == std::string::npos) {
      absl::StrAppend(out, field);
    } else {
      absl::StrAppend(out, "\"", absl::StrReplaceAll(field, {{"\"", "\"\""}}), "\"");
    }
  };
  absl::StrAppend(text, absl::StrJoin(fields, ";", append), "\n");
}

}  // namespace burin::benchmark
