#include "ir/layout.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace burin::ir {
namespace {

constexpr absl::string_view kEllipsis = "...";

// Far above any rank; bounds the work for a hostile text.
constexpr size_t kMaxTextBytes = 4096;

bool IsName(absl::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_';
  });
}

// Splits "N...C" into "N", "...", "C".
std::vector<std::string> SplitShortForm(absl::string_view text) {
  std::vector<std::string> tokens;
  while (!text.empty()) {
    const size_t length = absl::StartsWith(text, kEllipsis) ? kEllipsis.size() : 1;
    tokens.emplace_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return tokens;
}

// Splits the inside of "[N,...,C]".
std::vector<std::string> SplitLongForm(absl::string_view text) {
  std::vector<std::string> tokens;
  for (const absl::string_view piece : absl::StrSplit(text, ',')) {
    tokens.emplace_back(absl::StripAsciiWhitespace(piece));
  }
  return tokens;
}

}  // namespace

absl::StatusOr<Layout> Layout::Parse(const std::string& text) {
  absl::string_view rest = absl::StripAsciiWhitespace(text);
  const auto error = [&text](absl::string_view what) {
    return absl::InvalidArgumentError(absl::StrCat(what, " in layout \"", absl::CEscape(text.substr(0, 64)), "\""));
  };
  if (rest.empty()) return error("No axis");
  if (rest.size() > kMaxTextBytes) return error("Too many characters");
  const bool long_form = absl::ConsumePrefix(&rest, "[");
  if (long_form && !absl::ConsumeSuffix(&rest, "]")) return error("Bracket without its counterpart");
  Layout layout;
  layout.has_ellipsis_ = false;
  rest = absl::StripAsciiWhitespace(rest);
  if (rest.empty()) return layout;  // "[]": a scalar.
  std::vector<std::string> seen;
  for (const std::string& token : long_form ? SplitLongForm(rest) : SplitShortForm(rest)) {
    if (token == kEllipsis) {
      if (layout.has_ellipsis_) return error("More than one \"...\"");
      layout.has_ellipsis_ = true;
      continue;
    }
    std::string name;  // Stays empty for an axis without a name.
    if (token != "?") {
      if (token.empty()) return error("Empty axis name");
      if (!IsName(token)) return error("Malformed axis name");
      name = absl::AsciiStrToUpper(token);
      if (std::find(seen.begin(), seen.end(), name) != seen.end()) return error("Repeated axis name");
      seen.push_back(name);
    }
    (layout.has_ellipsis_ ? layout.after_ : layout.before_).push_back(std::move(name));
  }
  return layout;
}

absl::StatusOr<std::optional<int64_t>> Layout::Find(const std::string& name, int64_t rank) const {
  if (!FitsRank(rank)) {
    return absl::InvalidArgumentError(absl::StrCat("Layout ", ToString(), " does not fit a tensor of rank ", rank));
  }
  const std::string wanted = absl::AsciiStrToUpper(name);
  if (wanted.empty()) return std::optional<int64_t>();
  const auto before = std::find(before_.begin(), before_.end(), wanted);
  if (before != before_.end()) return std::optional<int64_t>(before - before_.begin());
  const auto after = std::find(after_.begin(), after_.end(), wanted);
  if (after != after_.end()) return std::optional<int64_t>(rank - (after_.end() - after));
  return std::optional<int64_t>();
}

bool Layout::FitsRank(int64_t rank) const {
  const int64_t named = static_cast<int64_t>(before_.size() + after_.size());
  return has_ellipsis_ ? rank >= named : rank == named;
}

std::string Layout::ToString() const {
  std::vector<std::string> tokens = before_;
  if (has_ellipsis_) tokens.emplace_back(kEllipsis);
  tokens.insert(tokens.end(), after_.begin(), after_.end());
  for (std::string& token : tokens) {
    if (token.empty()) token = "?";
  }
  return absl::StrCat("[", absl::StrJoin(tokens, ","), "]");
}

}  // namespace burin::ir
