// Reads the tokens of the textual form of a model, and says where in the text an error lies.
//
// Tokens are separated by spaces, line ends and comments (`//` up to the end of the line). For texts that hold ops,
// their attributes or shapes; not a general lexer. The text outlives the scanner. Not thread-safe.
#ifndef BURIN_IR_FORMS_TEXT_SCANNER_H_
#define BURIN_IR_FORMS_TEXT_SCANNER_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/element_type.h"
#include "ir/partial_shape.h"

namespace burin::ir {

class TextScanner {
 public:
  explicit TextScanner(absl::string_view text) : TextScanner(text, 0, text.size()) {}
  // Reads the part [begin, end) of `text`; positions are those in the whole.
  TextScanner(absl::string_view text, size_t begin, size_t end) : text_(text), at_(begin), end_(end) {}

  absl::string_view text() const { return text_; }
  // Return the position of the next token, and the number of bytes from there to the end.
  size_t Position();
  size_t Remaining() { return end_ - Position(); }
  // Returns whether no token is left.
  bool AtEnd() { return Position() == end_; }

  // Takes the next token where it is this character, or this word; returns whether it was.
  bool Consume(char c);
  bool ConsumeWord(absl::string_view word);
  // Take the next token. InvalidArgument where it is another.
  absl::Status Expect(char c);
  absl::Status ExpectEnd();

  // Takes a run of letters, digits, `_`, `.`, `+` and `-`: a word or a number. InvalidArgument where there is none.
  absl::StatusOr<absl::string_view> Word();
  // Takes a string in double quotes with C escapes.
  absl::StatusOr<std::string> String();
  // Takes all that is left, blanks and comments included.
  std::string Rest();
  // Takes a decimal integer.
  absl::StatusOr<int64_t> Integer();
  // Takes the name of an element type.
  absl::StatusOr<ElementType> Type();
  // Takes a shape in brackets, as PartialShape prints it.
  absl::StatusOr<PartialShape> Shape();
  // Skips what comes before the next comma or closing bracket that is not inside of brackets or quotes; returns the
  // text skipped as a scanner of its own. InvalidArgument where the text ends first.
  absl::StatusOr<TextScanner> Piece();

  // Returns InvalidArgument telling line and column of `position`. The first form is for the next token.
  absl::Status Error(absl::string_view message) { return ErrorAt(Position(), message); }
  absl::Status ErrorAt(size_t position, absl::string_view message) const;
  // Adds line and column of `position` to a status that comes from elsewhere.
  absl::Status At(size_t position, const absl::Status& status) const;

 private:
  void SkipBlanks();
  // Returns the position after the string that begins at `quote`, or npos where it does not end.
  size_t EndOfString(size_t quote) const;
  std::string Where(size_t position) const;

  absl::string_view text_;
  size_t at_;
  size_t end_;
};

// Returns `text` as a string in double quotes with C escapes; all bytes but printable ASCII are escaped.
std::string Quoted(absl::string_view text);

}  // namespace burin::ir

#endif  // BURIN_IR_FORMS_TEXT_SCANNER_H_
