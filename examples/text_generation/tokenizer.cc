#include "examples/text_generation/tokenizer.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <queue>
#include <tuple>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace burin::text_generation {
namespace {

// Tokens 0, 1 and 2 are no text.
constexpr int64_t kFirstText = 3;

// Takes numbers and bytes from the front of a file's bytes.
class Bytes {
 public:
  explicit Bytes(const std::string& bytes) : bytes_(bytes) {}

  bool done() const { return at_ == bytes_.size(); }
  size_t at() const { return at_; }

  template <class T>
  bool Take(T* value) {
    if (bytes_.size() - at_ < sizeof(T)) return false;
    std::memcpy(value, bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return true;
  }

  bool Take(int32_t size, std::string* text) {
    if (size < 0 || bytes_.size() - at_ < static_cast<size_t>(size)) return false;
    *text = bytes_.substr(at_, static_cast<size_t>(size));
    at_ += static_cast<size_t>(size);
    return true;
  }

 private:
  const std::string& bytes_;
  size_t at_ = 0;
};

// Returns the byte that a piece such as `<0x0A>` stands for, or -1.
int ByteOf(const std::string& piece) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  if (piece.size() != 6 || piece.compare(0, 3, "<0x") != 0 || piece[5] != '>') return -1;
  const char* const high = std::strchr(kDigits, piece[3]);
  const char* const low = std::strchr(kDigits, piece[4]);
  if (piece[3] == '\0' || piece[4] == '\0' || high == nullptr || low == nullptr) return -1;
  return static_cast<int>((high - kDigits) * 16 + (low - kDigits));
}

// Returns the bytes of the character at `begin`: its first byte and those that continue it, four at most.
size_t CharacterSize(const std::string& text, size_t begin) {
  size_t end = begin + 1;
  while (end < text.size() && end < begin + 4 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) ++end;
  return end - begin;
}

}  // namespace

absl::StatusOr<Tokenizer> Tokenizer::FromBytes(const std::string& bytes) {
  Bytes rest(bytes);
  int32_t longest = 0;
  if (!rest.Take(&longest)) return absl::InvalidArgumentError("The vocabulary is shorter than its header");
  Tokenizer tokenizer;
  tokenizer.bytes_.fill(-1);
  while (!rest.done()) {
    const size_t begin = rest.at();
    Piece piece;
    int32_t size = 0;
    if (!rest.Take(&piece.score) || !rest.Take(&size) || !rest.Take(size, &piece.text)) {
      return absl::InvalidArgumentError(
          absl::StrCat("The vocabulary ends within a token: token ", tokenizer.pieces_.size(), " at byte ", begin));
    }
    const int64_t token = tokenizer.size();
    const int byte = ByteOf(piece.text);
    if (byte >= 0) {
      tokenizer.bytes_[static_cast<size_t>(byte)] = token;
      piece.text = std::string(1, static_cast<char>(byte));
    } else if (token < kFirstText) {
      piece.text.clear();
    } else {
      tokenizer.tokens_.emplace(piece.text, token);  // The first of equal pieces counts.
    }
    tokenizer.pieces_.push_back(std::move(piece));
  }
  for (size_t byte = 0; byte < tokenizer.bytes_.size(); ++byte) {
    if (tokenizer.bytes_[byte] < 0) {
      return absl::InvalidArgumentError(absl::StrCat("The vocabulary has no token for a byte: ", byte));
    }
  }
  return tokenizer;
}

absl::StatusOr<Tokenizer> Tokenizer::FromFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file) return absl::NotFoundError(absl::StrCat("The vocabulary cannot be read: ", path));
  absl::StatusOr<Tokenizer> tokenizer = FromBytes(bytes);
  if (!tokenizer.ok()) {
    return absl::Status(tokenizer.status().code(), absl::StrCat(tokenizer.status().message(), ": ", path));
  }
  return tokenizer;
}

std::vector<int64_t> Tokenizer::Characters(const std::string& text) const {
  std::vector<int64_t> tokens;
  for (size_t at = 0; at < text.size();) {
    const size_t size = CharacterSize(text, at);
    const auto found = tokens_.find(text.substr(at, size));
    if (found != tokens_.end()) {
      tokens.push_back(found->second);
    } else {
      for (size_t i = at; i < at + size; ++i) tokens.push_back(bytes_[static_cast<unsigned char>(text[i])]);
    }
    at += size;
  }
  return tokens;
}

int64_t Tokenizer::Joined(int64_t left, int64_t right) const {
  const auto found = tokens_.find(pieces_[static_cast<size_t>(left)].text + pieces_[static_cast<size_t>(right)].text);
  return found == tokens_.end() ? -1 : found->second;
}

std::vector<int64_t> Tokenizer::Encode(const std::string& text) const {
  std::vector<int64_t> result = {kBeginOfText};
  if (text.empty()) return result;
  std::vector<int64_t> tokens = Characters(" " + text);
  const auto end = static_cast<int64_t>(tokens.size());
  std::vector<int64_t> next(tokens.size());  // The neighbours of a token that is left; one that went has token -1.
  std::vector<int64_t> previous(tokens.size());
  for (int64_t i = 0; i < end; ++i) {
    next[static_cast<size_t>(i)] = i + 1;
    previous[static_cast<size_t>(i)] = i - 1;
  }
  // Pairs that can be joined: score, minus the place of the left one (of equal scores the leftmost comes first), and
  // the tokens that both had then.
  std::priority_queue<std::tuple<float, int64_t, int64_t, int64_t>> pairs;
  const auto propose = [&](int64_t left) {
    if (left < 0 || next[static_cast<size_t>(left)] >= end) return;
    const int64_t a = tokens[static_cast<size_t>(left)];
    const int64_t b = tokens[static_cast<size_t>(next[static_cast<size_t>(left)])];
    const int64_t joined = Joined(a, b);
    if (joined >= 0) pairs.emplace(pieces_[static_cast<size_t>(joined)].score, -left, a, b);
  };
  for (int64_t i = 0; i < end; ++i) propose(i);
  while (!pairs.empty()) {
    const auto [score, minus_left, a, b] = pairs.top();
    pairs.pop();
    const auto left = static_cast<size_t>(-minus_left);
    const int64_t right = next[left];
    if (tokens[left] != a || right >= end || tokens[static_cast<size_t>(right)] != b) continue;
    tokens[left] = Joined(a, b);
    tokens[static_cast<size_t>(right)] = -1;
    next[left] = next[static_cast<size_t>(right)];
    if (next[left] < end) previous[static_cast<size_t>(next[left])] = static_cast<int64_t>(left);
    propose(previous[left]);
    propose(static_cast<int64_t>(left));
  }
  for (const int64_t token : tokens) {
    if (token >= 0) result.push_back(token);
  }
  return result;
}

absl::StatusOr<std::string> Tokenizer::Decode(int64_t previous, int64_t token) const {
  if (token < 0 || token >= size()) {
    return absl::InvalidArgumentError(absl::StrCat("No such token: ", token, ", of ", size()));
  }
  const std::string& text = pieces_[static_cast<size_t>(token)].text;
  return previous == kBeginOfText && !text.empty() && text[0] == ' ' ? text.substr(1) : text;
}

}  // namespace burin::text_generation
