#include "ir/forms/text_scanner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(TextScannerTest, SkipsBlanksAndComments) {
  TextScanner scanner("  // a comment, {\n\t word// at the end");
  ASSERT_OK_AND_ASSIGN(const absl::string_view word, scanner.Word());
  EXPECT_EQ(word, "word");
  EXPECT_TRUE(scanner.AtEnd());
}

TEST(TextScannerTest, TakesWholeWordsAlone) {
  TextScanner scanner("models model");
  EXPECT_FALSE(scanner.ConsumeWord("model"));
  EXPECT_TRUE(scanner.ConsumeWord("models"));
  EXPECT_TRUE(scanner.ConsumeWord("model"));
  EXPECT_FALSE(scanner.ConsumeWord("model"));
}

TEST(TextScannerTest, StringsOfAnyBytesComeBack) {
  std::string all;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  const std::string text = Quoted(all);
  EXPECT_EQ(text.find('\n'), std::string::npos);
  TextScanner scanner(text);
  ASSERT_OK_AND_ASSIGN(const std::string read, scanner.String());
  EXPECT_EQ(read, all);
  EXPECT_TRUE(scanner.AtEnd());
}

TEST(TextScannerTest, TakesShapesWithQuotedSymbols) {
  TextScanner scanner("[?, \"a],\\\"b\":2..8, 7] rest");
  ASSERT_OK_AND_ASSIGN(const PartialShape shape, scanner.Shape());
  EXPECT_EQ(shape, (PartialShape{Dimension(), Dimension(2, 8, "a],\"b"), 7}));
  EXPECT_TRUE(scanner.ConsumeWord("rest"));
}

TEST(TextScannerTest, PieceEndsAtACommaOutsideOfBracketsAndQuotes) {
  TextScanner scanner("f32[2]{1, 2} \"}\", // , }\n next}");
  ASSERT_OK_AND_ASSIGN(TextScanner piece, scanner.Piece());
  EXPECT_TRUE(piece.ConsumeWord("f32"));
  EXPECT_OK(piece.Shape());
  EXPECT_TRUE(piece.Consume('{'));
  EXPECT_TRUE(scanner.Consume(','));
  ASSERT_OK_AND_ASSIGN(piece, scanner.Piece());
  EXPECT_TRUE(piece.ConsumeWord("next"));
  EXPECT_TRUE(piece.AtEnd());
  EXPECT_TRUE(scanner.Consume('}'));
}

TEST(TextScannerTest, ErrorsTellLineAndColumn) {
  TextScanner scanner("a\nbc  {");
  EXPECT_OK(scanner.Word());
  EXPECT_OK(scanner.Word());
  EXPECT_THAT(scanner.Word(), StatusIs(absl::StatusCode::kInvalidArgument, StartsWith("line 2, column 5: ")));
  EXPECT_THAT(scanner.Expect('('), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Expected '('")));
  EXPECT_THAT(scanner.At(0, absl::UnimplementedError("no")),
              StatusIs(absl::StatusCode::kUnimplemented, "line 1, column 1: no"));
  EXPECT_OK(scanner.At(0, absl::OkStatus()));
}

TEST(TextScannerTest, TakesTheRestAsItIs) {
  TextScanner scanner("a // b }\n");
  ASSERT_OK(scanner.Word().status());
  EXPECT_EQ(scanner.Rest(), " // b }\n");
  EXPECT_TRUE(scanner.AtEnd());
  EXPECT_EQ(TextScanner("[1, 2]", 1, 4).Rest(), "1, ");
}

TEST(TextScannerTest, RefusesWhatDoesNotEnd) {
  EXPECT_THAT(TextScanner("\"abc\\\"").String(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("end")));
  EXPECT_THAT(TextScanner("\"\\q\"").String(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("escape")));
  EXPECT_THAT(TextScanner("[1, \"").Shape(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("end")));
  EXPECT_THAT(TextScanner("[1, 2").Shape(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("end")));
  EXPECT_THAT(TextScanner("[x:y]").Shape(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Malformed")));
  EXPECT_THAT(TextScanner("{a, (b").Piece(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("end")));
  EXPECT_THAT(TextScanner("f31").Type(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("'f31'")));
  EXPECT_THAT(TextScanner("99999999999999999999").Integer(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("64-bit")));
  EXPECT_THAT(TextScanner("x").ExpectEnd(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("'x'")));
}

TEST(TextScannerTest, ErrorsDoNotRepeatLongTexts) {
  const std::string text(1 << 20, 'x');
  EXPECT_LT(TextScanner(text).Type().status().message().size(), 200u);
  EXPECT_LT(TextScanner(text).ExpectEnd().message().size(), 200u);
}

}  // namespace
}  // namespace burin::ir
