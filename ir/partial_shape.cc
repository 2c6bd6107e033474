#include "ir/partial_shape.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"

namespace burin::ir {
namespace {

absl::Status BadPiece(absl::string_view piece) {
  // An error does not repeat a text of any length that somebody handed in.
  constexpr size_t kShown = 64;
  return absl::InvalidArgumentError(absl::StrCat("Malformed dimension: \"", absl::CEscape(piece.substr(0, kShown)),
                                                 piece.size() > kShown ? "...\"" : "\""));
}

bool ParseBound(absl::string_view text, int64_t* bound) {
  // SimpleAtoi alone would accept spaces and signs.
  return !text.empty() && absl::ascii_isdigit(static_cast<unsigned char>(text[0])) && absl::SimpleAtoi(text, bound);
}

// Parses `7`, `2..8`, `2..` or `..8` into the bounds.
bool ParseInterval(absl::string_view text, int64_t* min, int64_t* max) {
  const size_t dots = text.find("..");
  if (dots == absl::string_view::npos) {
    if (!ParseBound(text, min)) return false;
    *max = *min;
    return true;
  }
  const absl::string_view low = text.substr(0, dots);
  const absl::string_view high = text.substr(dots + 2);
  *min = 0;
  *max = Dimension::kInfinite;
  if (!low.empty() && !ParseBound(low, min)) return false;
  if (!high.empty() && !ParseBound(high, max)) return false;
  return *min <= *max;
}

// Returns the length of the symbol at the front of `text`, a word or a C string with its quotes; 0 where there is none.
size_t SymbolLength(absl::string_view text) {
  if (text.empty()) return 0;
  if (text[0] != '"') {
    const auto in_word = [](char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    if (absl::ascii_isdigit(static_cast<unsigned char>(text[0]))) return 0;
    return static_cast<size_t>(std::find_if_not(text.begin(), text.end(), in_word) - text.begin());
  }
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      return i + 1;
    }
  }
  return 0;
}

absl::StatusOr<Dimension> ParseDimension(absl::string_view text) {
  if (text == "?" || text == "-1") return Dimension();
  std::string symbol;
  absl::string_view rest = text;
  if (const size_t length = SymbolLength(text); length > 0) {
    const absl::string_view name = text.substr(0, length);
    if (name[0] != '"') {
      symbol = std::string(name);
    } else if (!absl::CUnescape(name.substr(1, length - 2), &symbol) || symbol.empty()) {
      return BadPiece(text);
    }
    rest = text.substr(length);
    if (rest.empty()) return Dimension::Symbol(std::move(symbol));
    if (!absl::ConsumePrefix(&rest, ":")) return BadPiece(text);
  }
  int64_t min = 0;
  int64_t max = 0;
  if (!ParseInterval(rest, &min, &max)) return BadPiece(text);
  return Dimension(min, max, std::move(symbol));
}

// Takes the text up to the next comma outside of quotes, with the comma, from the front of `rest`.
absl::string_view TakePiece(absl::string_view* rest, bool* has_more) {
  bool quoted = false;
  size_t i = 0;
  for (; i < rest->size(); ++i) {
    const char c = (*rest)[i];
    if (quoted && c == '\\') {
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      break;
    }
  }
  *has_more = i < rest->size();
  const absl::string_view piece = rest->substr(0, i);
  rest->remove_prefix(*has_more ? i + 1 : rest->size());
  return absl::StripAsciiWhitespace(piece);
}

}  // namespace

PartialShape PartialShape::DynamicRank() {
  PartialShape shape;
  shape.has_rank_ = false;
  return shape;
}

bool PartialShape::is_static() const {
  return has_rank_ && std::all_of(dims_.begin(), dims_.end(), [](const Dimension& d) { return d.is_static(); });
}

Shape PartialShape::ToShape() const {
  Shape shape;
  shape.reserve(dims_.size());
  for (const Dimension& dim : dims_) shape.push_back(dim.value());
  return shape;
}

Dimension PartialShape::ElementCount() const {
  if (!has_rank_) return Dimension();
  Dimension count(1);
  for (const Dimension& dim : dims_) count = count * dim;
  // A count that overflows may come out as any value; it is still a count.
  if (count.min() < 0) Intersect(Dimension(), &count);
  return count;
}

bool PartialShape::Accepts(const Shape& shape) const {
  if (!has_rank_) return true;
  if (shape.size() != dims_.size()) return false;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (!dims_[i].Contains(shape[i])) return false;
  }
  return true;
}

bool PartialShape::MayEqual(const PartialShape& other) const {
  if (!has_rank_ || !other.has_rank_) return true;
  if (dims_.size() != other.dims_.size()) return false;
  for (size_t i = 0; i < dims_.size(); ++i) {
    if (!dims_[i].MayEqual(other.dims_[i])) return false;
  }
  return true;
}

std::string PartialShape::ToString() const {
  if (!has_rank_) return "[...]";
  std::string text = "[";
  for (size_t i = 0; i < dims_.size(); ++i) absl::StrAppend(&text, i == 0 ? "" : ",", dims_[i].ToString());
  return text + "]";
}

absl::StatusOr<PartialShape> PartialShape::Parse(const std::string& text) {
  absl::string_view rest = absl::StripAsciiWhitespace(text);
  if (absl::ConsumePrefix(&rest, "[")) {
    if (!absl::ConsumeSuffix(&rest, "]")) return absl::InvalidArgumentError("Shape lacks its closing bracket");
    rest = absl::StripAsciiWhitespace(rest);
    if (rest.empty()) return PartialShape();
  }
  if (rest == "...") return DynamicRank();
  PartialShape shape;
  bool has_more = true;
  while (has_more) {
    if (shape.rank() == kMaxRank) return absl::InvalidArgumentError(absl::StrCat("Rank is above ", kMaxRank));
    BURIN_ASSIGN_OR_RETURN(Dimension dim, ParseDimension(TakePiece(&rest, &has_more)));
    shape.Append(std::move(dim));
  }
  return shape;
}

absl::StatusOr<PartialShape> Broadcast(const PartialShape& a, const PartialShape& b) {
  // A scalar stretches to whatever the other is.
  if (a.has_rank() && a.rank() == 0) return b;
  if (b.has_rank() && b.rank() == 0) return a;
  if (!a.has_rank() || !b.has_rank()) return PartialShape::DynamicRank();
  const PartialShape& shorter = a.rank() >= b.rank() ? b : a;
  PartialShape result = a.rank() >= b.rank() ? a : b;
  const int64_t lead = result.rank() - shorter.rank();
  for (int64_t i = 0; i < shorter.rank(); ++i) {
    Dimension dim;
    if (!BroadcastDimension(result[lead + i], shorter[i], &dim)) {
      return absl::InvalidArgumentError(absl::StrCat("Shapes do not broadcast: ", a.ToString(), " and ", b.ToString()));
    }
    result[lead + i] = std::move(dim);
  }
  return result;
}

absl::StatusOr<PartialShape> Merge(const PartialShape& a, const PartialShape& b) {
  if (!a.has_rank()) return b;
  if (!b.has_rank()) return a;
  PartialShape result = a;
  bool meet = a.rank() == b.rank();
  for (int64_t i = 0; meet && i < a.rank(); ++i) meet = Intersect(b[i], &result[i]);
  if (!meet) {
    return absl::InvalidArgumentError(absl::StrCat("Shapes contradict: ", a.ToString(), " and ", b.ToString()));
  }
  return result;
}

PartialShape Hull(const PartialShape& a, const PartialShape& b) {
  if (!a.has_rank() || !b.has_rank() || a.rank() != b.rank()) return PartialShape::DynamicRank();
  PartialShape result = a;
  for (int64_t i = 0; i < a.rank(); ++i) result[i] = Hull(a[i], b[i]);
  return result;
}

}  // namespace burin::ir
