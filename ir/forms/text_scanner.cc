#include "ir/forms/text_scanner.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "base/status_context.h"
#include "ir/forms/element_text.h"

namespace burin::ir {
namespace {

bool InWord(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '+' || c == '-';
}

// Shows a piece of the text in an error, which does not repeat a text of any length.
std::string Shown(absl::string_view text) {
  constexpr size_t kShown = 64;
  return absl::StrCat("'", absl::CEscape(text.substr(0, kShown)), text.size() > kShown ? "...'" : "'");
}

}  // namespace

void TextScanner::SkipBlanks() {
  while (at_ < end_) {
    if (absl::ascii_isspace(static_cast<unsigned char>(text_[at_]))) {
      ++at_;
    } else if (text_[at_] == '/' && at_ + 1 < end_ && text_[at_ + 1] == '/') {
      at_ = std::min(text_.find('\n', at_), end_);
    } else {
      return;
    }
  }
}

size_t TextScanner::Position() {
  SkipBlanks();
  return at_;
}

bool TextScanner::Consume(char c) {
  if (AtEnd() || text_[at_] != c) return false;
  ++at_;
  return true;
}

bool TextScanner::ConsumeWord(absl::string_view word) {
  SkipBlanks();
  const absl::string_view rest = text_.substr(at_, end_ - at_);
  if (rest.substr(0, word.size()) != word) return false;
  if (rest.size() > word.size() && InWord(rest[word.size()])) return false;
  at_ += word.size();
  return true;
}

absl::Status TextScanner::Expect(char c) {
  if (Consume(c)) return absl::OkStatus();
  return Error(absl::StrCat("Expected '", std::string(1, c), "'"));
}

absl::Status TextScanner::ExpectEnd() {
  if (AtEnd()) return absl::OkStatus();
  return Error(absl::StrCat("Unexpected text: ", Shown(text_.substr(at_, end_ - at_))));
}

absl::StatusOr<absl::string_view> TextScanner::Word() {
  SkipBlanks();
  const size_t begin = at_;
  while (at_ < end_ && InWord(text_[at_])) ++at_;
  if (at_ == begin) return Error("Expected a word or a number");
  return text_.substr(begin, at_ - begin);
}

std::string TextScanner::Rest() {
  const std::string rest(text_.substr(at_, end_ - at_));
  at_ = end_;
  return rest;
}

size_t TextScanner::EndOfString(size_t quote) const {
  for (size_t i = quote + 1; i < end_; ++i) {
    if (text_[i] == '\\') {
      ++i;
    } else if (text_[i] == '"') {
      return i + 1;
    }
  }
  return absl::string_view::npos;
}

absl::StatusOr<std::string> TextScanner::String() {
  if (AtEnd() || text_[at_] != '"') return Error("Expected a string");
  const size_t end = EndOfString(at_);
  if (end == absl::string_view::npos) return Error("A string does not end");
  std::string value;
  if (!absl::CUnescape(text_.substr(at_ + 1, end - at_ - 2), &value)) return Error("A string has a bad escape");
  at_ = end;
  return value;
}

absl::StatusOr<int64_t> TextScanner::Integer() {
  const size_t begin = Position();
  const absl::StatusOr<absl::string_view> word = Word();
  if (!word.ok()) return ErrorAt(begin, "Expected an integer");
  int64_t value = 0;
  if (!ParseIntegerText(*word, &value)) return ErrorAt(begin, absl::StrCat("Not a 64-bit integer: ", Shown(*word)));
  return value;
}

absl::StatusOr<ElementType> TextScanner::Type() {
  const size_t begin = Position();
  const absl::StatusOr<absl::string_view> word = Word();
  if (!word.ok()) return ErrorAt(begin, "Expected an element type");
  const absl::StatusOr<ElementType> type = ParseElementType(*word);
  if (!type.ok()) return ErrorAt(begin, absl::StrCat("Not an element type: ", Shown(*word)));
  return *type;
}

absl::StatusOr<PartialShape> TextScanner::Shape() {
  const size_t begin = Position();
  if (AtEnd() || text_[at_] != '[') return Error("Expected a shape");
  size_t end = at_ + 1;
  while (end < end_ && text_[end] != ']') {
    end = text_[end] == '"' ? EndOfString(end) : end + 1;
    if (end == absl::string_view::npos) break;
  }
  if (end >= end_) return Error("A shape does not end");
  at_ = end + 1;
  absl::StatusOr<PartialShape> shape = PartialShape::Parse(std::string(text_.substr(begin, at_ - begin)));
  if (!shape.ok()) return At(begin, shape.status());
  return shape;
}

absl::StatusOr<TextScanner> TextScanner::Piece() {
  const size_t begin = Position();
  int64_t depth = 0;
  for (size_t i = begin; i < end_;) {
    const char c = text_[i];
    const bool closes = c == ')' || c == ']' || c == '}';
    if (depth == 0 && (closes || c == ',')) {
      at_ = i;
      return TextScanner(text_, begin, i);
    }
    if (closes) --depth;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (text_.substr(i, 2) == "//") {
      i = std::min(text_.find('\n', i), end_);
    } else if (c != '"') {
      ++i;
    } else if (i = EndOfString(i); i == absl::string_view::npos) {
      break;
    }
  }
  return ErrorAt(begin, "A value does not end");
}

std::string TextScanner::Where(size_t position) const {
  const absl::string_view before = text_.substr(0, position);
  const size_t line_start = before.rfind('\n') == absl::string_view::npos ? 0 : before.rfind('\n') + 1;
  return absl::StrCat("line ", 1 + std::count(before.begin(), before.end(), '\n'), ", column ",
                      1 + position - line_start);
}

absl::Status TextScanner::ErrorAt(size_t position, absl::string_view message) const {
  return absl::InvalidArgumentError(absl::StrCat(Where(position), ": ", message));
}

absl::Status TextScanner::At(size_t position, const absl::Status& status) const {
  return status.ok() ? status : WithContext(status, Where(position));  // Counting lines takes time.
}

std::string Quoted(absl::string_view text) { return absl::StrCat("\"", absl::CEscape(text), "\""); }

}  // namespace burin::ir
