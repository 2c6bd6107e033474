#include "examples/text_generation/tokenizer.h"

#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gtest/status_matchers.h"
#include "testing/test_data.h"

namespace burin::text_generation {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr int64_t kFirstByte = 3;
constexpr int64_t kFirstPiece = kFirstByte + 256;

void Append(std::string* bytes, const void* data, size_t size) { bytes->append(static_cast<const char*>(data), size); }

void AppendPiece(std::string* bytes, float score, const std::string& text) {
  const auto size = static_cast<int32_t>(text.size());
  Append(bytes, &score, sizeof(score));
  Append(bytes, &size, sizeof(size));
  *bytes += text;
}

// A vocabulary of the tokens that each has, and pieces from kFirstPiece on.
std::string Vocabulary(const std::vector<std::pair<std::string, float>>& pieces) {
  const int32_t longest = 16;
  std::string bytes;
  Append(&bytes, &longest, sizeof(longest));
  for (const char* const text : {"<unk>", "\n<s>\n", "\n</s>\n"}) AppendPiece(&bytes, 0, text);
  for (int byte = 0; byte < 256; ++byte) {
    char text[8];
    std::snprintf(text, sizeof(text), "<0x%02X>", static_cast<unsigned>(byte));
    AppendPiece(&bytes, 0, text);
  }
  for (const auto& [text, score] : pieces) AppendPiece(&bytes, score, text);
  return bytes;
}

std::string DecodeAll(const Tokenizer& tokenizer, const std::vector<int64_t>& tokens) {
  std::string text;
  for (size_t i = 1; i < tokens.size(); ++i) text += tokenizer.Decode(tokens[i - 1], tokens[i]).value();
  return text;
}

TEST(TokenizerTest, TheHighestScoreIsJoinedFirstAndOfEqualOnesTheLeftmost) {
  ASSERT_OK_AND_ASSIGN(const Tokenizer tokenizer, Tokenizer::FromBytes(Vocabulary({{" ", -9},       // 259
                                                                                   {"a", -9},       // 260
                                                                                   {"b", -9},       // 261
                                                                                   {"ab", -3},      // 262
                                                                                   {"ba", -2},      // 263
                                                                                   {"aba", -1},     // 264
                                                                                   {" a", -4}})));  // 265
  EXPECT_EQ(tokenizer.size(), kFirstPiece + 7);
  EXPECT_THAT(tokenizer.Encode(""), ElementsAre(1));
  // "ba" before "ab", then "aba", which beats " a".
  EXPECT_THAT(tokenizer.Encode("aba"), ElementsAre(1, 259, 264));
  // The left "ba" of two joins first; what is left of the other becomes "ab"... of "babab": ba ba b, then nothing fits.
  EXPECT_THAT(tokenizer.Encode("babab"), ElementsAre(1, 259, 263, 263, 261));
  EXPECT_THAT(tokenizer.Encode("aab"), ElementsAre(1, 265, 262));
}

TEST(TokenizerTest, WhatHasNoPieceBecomesBytes) {
  ASSERT_OK_AND_ASSIGN(const Tokenizer tokenizer, Tokenizer::FromBytes(Vocabulary({{" ", 0}, {"\xc3\xa4", 0}})));
  // U+00E4 has a piece, U+00E5 has none; a byte that begins no character stands for itself.
  EXPECT_THAT(tokenizer.Encode("\xc3\xa4\xc3\xa5\xff"),
              ElementsAre(1, 259, 260, kFirstByte + 0xc3, kFirstByte + 0xa5, kFirstByte + 0xff));
  EXPECT_EQ(DecodeAll(tokenizer, tokenizer.Encode("\xc3\xa4\xc3\xa5\xff")), "\xc3\xa4\xc3\xa5\xff");
}

TEST(TokenizerTest, NoTextGivesTheTokensThatAreNoText) {
  ASSERT_OK_AND_ASSIGN(const Tokenizer tokenizer,
                       Tokenizer::FromBytes(Vocabulary({{" ", 0}, {"<", 0}, {"s", 0}, {">", 0}, {"<s", 0}})));
  EXPECT_EQ(DecodeAll(tokenizer, tokenizer.Encode("<s>")), "<s>");
  EXPECT_EQ(*tokenizer.Decode(1, 2), "");
  EXPECT_EQ(*tokenizer.Decode(259, 259), " ");
  EXPECT_EQ(*tokenizer.Decode(1, 259), "");  // The space that Encode puts in front.
}

TEST(TokenizerTest, RefusesWhatIsNoVocabularyAndNoToken) {
  const std::string whole = Vocabulary({{"a", 0}});
  EXPECT_THAT(Tokenizer::FromBytes(""), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("header")));
  EXPECT_THAT(Tokenizer::FromBytes(whole.substr(0, whole.size() - 1)),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("token 259")));
  std::string lies = whole;
  lies[8] = lies[9] = lies[10] = lies[11] = '\xff';  // The size of the first piece: -1.
  EXPECT_THAT(Tokenizer::FromBytes(lies), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("token 0")));
  EXPECT_THAT(Tokenizer::FromBytes(whole.substr(0, 100)), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Tokenizer::FromBytes(whole.substr(0, 4)),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("no token for a byte: 0")));
  EXPECT_THAT(Tokenizer::FromFile("/no/such/file"), StatusIs(absl::StatusCode::kNotFound, HasSubstr("/no/such/file")));
  ASSERT_OK_AND_ASSIGN(const Tokenizer tokenizer, Tokenizer::FromBytes(whole));
  EXPECT_THAT(tokenizer.Decode(1, 260), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("260")));
  EXPECT_THAT(tokenizer.Decode(1, -1), StatusIs(absl::StatusCode::kInvalidArgument));
}

// What joining pairs means, said the slow way.
std::vector<int64_t> JoinSlowly(const std::vector<std::pair<std::string, float>>& pieces,
                                std::vector<std::string> parts) {
  while (true) {
    float best_score = -1e9f;
    size_t best = parts.size();
    for (size_t i = 0; i + 1 < parts.size(); ++i) {
      for (const auto& [text, score] : pieces) {
        if (text != parts[i] + parts[i + 1] || score <= best_score) continue;
        best_score = score;
        best = i;
      }
    }
    if (best == parts.size()) break;
    parts[best] += parts[best + 1];
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  }
  std::vector<int64_t> tokens = {Tokenizer::kBeginOfText};
  for (const std::string& part : parts) {
    for (size_t i = 0; i < pieces.size(); ++i) {
      if (pieces[i].first == part) tokens.push_back(kFirstPiece + static_cast<int64_t>(i));
    }
  }
  return tokens;
}

TEST(TokenizerTest, JoinsAsTheDefinitionSays) {
  constexpr uint64_t kSeed = 20260311;
  SCOPED_TRACE(kSeed);
  std::mt19937_64 random(kSeed);
  std::vector<std::pair<std::string, float>> pieces = {{" ", 0}, {"a", 0}, {"b", 0}};
  for (const char* const text : {"ab", "ba", "aa", "bb", "aab", "abb", "bab", " a", " ab", "aabb", "abab", " abab"}) {
    pieces.emplace_back(text, -static_cast<float>(random() % 6));
  }
  ASSERT_OK_AND_ASSIGN(const Tokenizer tokenizer, Tokenizer::FromBytes(Vocabulary(pieces)));
  for (int i = 0; i < 500; ++i) {
    std::string text;
    std::vector<std::string> parts = {" "};
    for (uint64_t n = 1 + random() % 24; n > 0; --n) {
      text += "ab "[random() % 3];
      parts.push_back(text.substr(text.size() - 1));
    }
    EXPECT_EQ(tokenizer.Encode(text), JoinSlowly(pieces, parts)) << text;
    EXPECT_EQ(DecodeAll(tokenizer, tokenizer.Encode(text)), text);
  }
}

TEST(TokenizerTest, ARealVocabulary) {
  BURIN_SKIP_WITHOUT_MODELS();
  ASSERT_OK_AND_ASSIGN(const Tokenizer tokenizer,
                       Tokenizer::FromFile(absl::StrCat(*ModelsDir(), "/stories260K/tok512.bin")));
  EXPECT_EQ(tokenizer.size(), 512);
  EXPECT_THAT(tokenizer.Encode("Once upon a time,"), ElementsAre(1, 403, 407, 261, 378, 432));
  const std::string text = "Zo\xc3\xab had 3 apples.\n\tThe end";
  EXPECT_EQ(DecodeAll(tokenizer, tokenizer.Encode(text)), text);
}

}  // namespace
}  // namespace burin::text_generation
