// Text to tokens and back, by a vocabulary of pieces with scores as llama2.c keeps it in a file.
//
// The file: an int32, the length of the longest piece; then for each token, in order of their numbers, a float32 score,
// an int32 length and as many bytes of UTF-8. All numbers are little-endian. Tokens 0, 1 and 2 stand for what is
// unknown, the begin and the end of a text; pieces `<0x00>` to `<0xFF>` are single bytes. Texts are cut as
// SentencePiece's byte-pair encoding cuts them: into characters, of which those two neighbours become one again and
// again whose piece has the highest score. Not for the byte-level vocabularies with ranked merges of other models:
// those take and give token numbers. Immutable, thread-safe.
#ifndef BURIN_EXAMPLES_TEXT_GENERATION_TOKENIZER_H_
#define BURIN_EXAMPLES_TEXT_GENERATION_TOKENIZER_H_

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/status/statusor.h"

namespace burin::text_generation {

class Tokenizer {
 public:
  static constexpr int64_t kBeginOfText = 1;
  static constexpr int64_t kEndOfText = 2;

  // Reads a vocabulary from the bytes of its file. InvalidArgument for lengths that do not fit the file, and where the
  // vocabulary has no piece for some byte, so that not every text had tokens.
  static absl::StatusOr<Tokenizer> FromBytes(const std::string& bytes);
  // Reads it from a file. NotFound where that cannot be read; otherwise as FromBytes, with the file's name.
  static absl::StatusOr<Tokenizer> FromFile(const std::string& path);

  // Returns the number of tokens.
  int64_t size() const { return static_cast<int64_t>(pieces_.size()); }

  // Returns the tokens of any text: kBeginOfText, then, where the text is not empty, those of a space and the text.
  // Bytes that are no UTF-8 become tokens of single bytes.
  std::vector<int64_t> Encode(const std::string& text) const;

  // Returns the bytes that a token adds to a text in which it stands behind `previous`: a space right after the begin
  // is left out, as Encode puts one there, and so are the three tokens that are no text. A character may be spread over
  // several tokens of one byte each. InvalidArgument for a number that is no token.
  absl::StatusOr<std::string> Decode(int64_t previous, int64_t token) const;

 private:
  struct Piece {
    std::string text;
    float score = 0;
  };

  Tokenizer() = default;

  // Returns the tokens of single characters, or of bytes where a character has no piece.
  std::vector<int64_t> Characters(const std::string& text) const;
  // Returns the token whose piece is those of two tokens joined, or -1.
  int64_t Joined(int64_t left, int64_t right) const;

  std::vector<Piece> pieces_;
  std::unordered_map<std::string, int64_t> tokens_;  // By text; those that stand for text alone.
  std::array<int64_t, 256> bytes_;                   // The tokens of single bytes.
};

}  // namespace burin::text_generation

#endif  // BURIN_EXAMPLES_TEXT_GENERATION_TOKENIZER_H_
