#include "testing/conformance/pass_list.h"

#include <algorithm>
#include <map>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "base/file.h"
#include "base/status_macros.h"

namespace burin::conformance {

absl::StatusOr<std::vector<std::string>> ReadPassList(const std::string& path) {
  BURIN_ASSIGN_OR_RETURN(std::string text, ReadFile(path));
  std::vector<std::string> names;
  for (absl::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    if (!absl::StartsWith(line, "#")) names.emplace_back(line);
  }
  if (!std::is_sorted(names.begin(), names.end())) {
    return absl::InvalidArgumentError(absl::StrCat("The list is not sorted: ", path));
  }
  return names;
}

std::vector<std::string> CompareWithPassList(const std::vector<Case>& cases, const std::vector<Result>& results,
                                             const std::vector<std::string>& listed) {
  std::vector<std::string> findings;
  std::map<std::string, const Result*> by_name;
  for (size_t i = 0; i < cases.size(); ++i) {
    by_name[cases[i].name] = &results[i];
    const bool is_listed = std::binary_search(listed.begin(), listed.end(), cases[i].name);
    if (results[i].outcome == Outcome::kFailed) {
      findings.push_back(absl::StrCat("FAILED ", cases[i].name, ": ", results[i].detail));
    } else if (results[i].outcome == Outcome::kPassed && !is_listed) {
      findings.push_back(absl::StrCat("NEW ", cases[i].name, " passes and is not in the list"));
    } else if (results[i].outcome == Outcome::kOpNotYet && is_listed) {
      findings.push_back(absl::StrCat("LOST ", cases[i].name, ": ", results[i].detail));
    }
  }
  for (const std::string& name : listed) {
    if (by_name.count(name) == 0) findings.push_back(absl::StrCat("GONE ", name, " is listed and not in the suite"));
  }
  return findings;
}

std::string MakePassList(const std::vector<Case>& cases, const std::vector<Result>& results) {
  std::string text = "# Cases that pass on REFERENCE. May grow, never shrink.\n";
  for (size_t i = 0; i < cases.size(); ++i) {
    if (results[i].outcome == Outcome::kPassed) absl::StrAppend(&text, cases[i].name, "\n");
  }
  return text;
}

}  // namespace burin::conformance
