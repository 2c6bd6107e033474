#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "transformations/passes.h"
#include "transformations/rewrite_testlib.h"

namespace burin::transformations {
namespace {

// x is %0, a is %1, b is %2; the result's value %9.
struct Text {
  std::string type = "f32";
  std::string shape = "[?,2]";
  std::string a = "[2]{2, -3}";
  std::string b = "[]{5}";
};

std::string ModelOf(const Text& text, absl::string_view rest) {
  return absl::StrCat("model \"\" {\n  %0 \"x\" = Parameter() {element_type = ", text.type, ", shape = ", text.shape,
                      "}\n  %1 = Constant() {value = ", text.type, text.a, "}\n  %2 = Constant() {value = ", text.type,
                      text.b, "}\n", rest, "\n  %10 \"out\" = Result(%9)\n}");
}

RewriteTestOptions OptionsFor(const Text& text) {
  RewriteTestOptions options;
  const bool is_float = text.type[0] == 'f' || text.type[0] == 'b';
  options.equivalence = is_float ? Equivalence::kByTolerances : Equivalence::kBits;
  options.special_floats = false;
  return options;
}

void ExpectMerges(const Text& text, absl::string_view before, absl::string_view after) {
  SCOPED_TRACE(absl::StrCat(before, " ", text.type, text.shape, " ", text.a, " ", text.b));
  ExpectRewrites(&MergeConstants, ModelOf(text, before), ModelOf(text, after), OptionsFor(text));
}

void ExpectKept(const Text& text, absl::string_view before) {
  SCOPED_TRACE(absl::StrCat(before, " ", text.type, text.shape, " ", text.a, " ", text.b));
  ExpectUnchanged(&MergeConstants, ModelOf(text, before), OptionsFor(text));
}

constexpr char kSums[] = "  %3 = Add(%0, %1)\n  %9 = Add(%3, %2)";
constexpr char kSum[] = "  %3 = Add(%1, %2)\n  %9 = Add(%0, %3)";
constexpr char kProducts[] = "  %3 = Multiply(%0, %1)\n  %9 = Multiply(%3, %2)";
constexpr char kProduct[] = "  %3 = Multiply(%1, %2)\n  %9 = Multiply(%0, %3)";
constexpr char kQuotients[] = "  %3 = Divide(%0, %1)\n  %9 = Divide(%3, %2)";

TEST(MergeConstantsTest, SumsAndProducts) {
  Text text;
  for (const char* type : {"f32", "f16", "bf16", "f64", "i32", "i64", "u8"}) {
    text.type = type;
    text.a = type[0] == 'u' ? "[2]{200, 3}" : "[2]{2, -3}";
    ExpectMerges(text, kSums, kSum);
    ExpectMerges(text, "  %3 = Add(%1, %0)\n  %9 = Add(%2, %3)", kSum);
    ExpectMerges(text, kProducts, kProduct);
  }
}

TEST(MergeConstantsTest, AnyShapeOfX) {
  Text text;
  for (const char* shape : {"[]", "[...]", "[1]", "[0,2]", "[a,b]", "[?,3,1]"}) {
    text.shape = shape;
    ExpectMerges(text, kSums, kSum);
  }
}

TEST(MergeConstantsTest, Quotients) {
  const Text text;
  ExpectMerges(text, kQuotients, "  %3 = Multiply(%1, %2)\n  %9 = Divide(%0, %3)");
  Text integers;
  integers.type = "i32";
  ExpectKept(integers, kQuotients);
}

TEST(MergeConstantsTest, AScaleOfAScaledSum) {
  const Text text;
  ExpectMerges(text, "  %3 = Multiply(%0, %1)\n  %4 = Add(%3, %2)\n  %9 = Multiply(%4, %1)",
               "  %3 = Multiply(%1, %1)\n  %4 = Multiply(%2, %1)\n  %5 = Multiply(%0, %3)\n  %9 = Add(%5, %4)");
  ExpectKept(text, "  %4 = Add(%0, %2)\n  %9 = Multiply(%4, %1)");
  ExpectKept(text, "  %3 = Divide(%0, %1)\n  %4 = Add(%3, %2)\n  %9 = Multiply(%4, %1)");
  Text integers;
  integers.type = "i32";
  ExpectKept(integers, "  %3 = Multiply(%0, %1)\n  %4 = Add(%3, %2)\n  %9 = Multiply(%4, %1)");
  ExpectKept(text,
             "  %3 = Multiply(%0, %1)\n  %4 = Add(%3, %2)\n  %9 = Multiply(%4, %1)\n  %11 \"other\" = Result(%3)");
}

TEST(MergeConstantsTest, SubtractionBecomesASum) {
  Text text;
  for (const char* type : {"f32", "f16", "f64", "i32", "u8"}) {
    text.type = type;
    text.a = type[0] == 'u' ? "[2]{200, 3}" : "[2]{2, -3}";
    ExpectMerges(text, "  %3 = Add(%0, %2)\n  %9 = Subtract(%3, %1)",
                 "  %3 = Negative(%1)\n  %4 = Add(%0, %2)\n  %9 = Add(%4, %3)");
  }
  text.type = "f32";
  text.a = "[2,2]{2, -3, 4, 5}";
  ExpectMerges(text, "  %3 = MatMul(%0, %1)\n  %9 = Subtract(%3, %2)",
               "  %3 = MatMul(%0, %1)\n  %4 = Negative(%2)\n  %9 = Add(%3, %4)");
  ExpectKept(text, "  %9 = Subtract(%0, %1)");
  ExpectKept(text, "  %3 = Add(%0, %2)\n  %9 = Subtract(%1, %3)");
}

TEST(MergeConstantsTest, DequantisationStays) {
  ExpectUnchanged(&MergeConstants, R"(model "" {
  %0 "x" = Parameter() {element_type = u8, shape = [?,2]}
  %1 = Constant() {value = f32[]{2}}
  %2 = Convert(%0) {destination_type = f32}
  %3 = Multiply(%2, %1)
  %4 = Add(%3, %1)
  %5 = Multiply(%4, %1)
  %6 "out" = Result(%5)
})");
}

TEST(MergeConstantsTest, DecompressionStays) {
  ExpectUnchanged(&MergeConstants, R"(model "" {
  %0 = Constant() {value = u8[2]{2, 3}}
  %1 = Constant() {value = f32[]{2}}
  %2 = Convert(%0) {destination_type = f32} : f32[2] info("decompression" = "kept")
  %3 = Multiply(%2, %1) : f32[2] info("decompression" = "kept")
  %4 = Multiply(%3, %1) : f32[2] info("decompression" = "kept")
  %5 "out" = Result(%4)
})");
}

TEST(MergeConstantsTest, NoConstantGrows) {
  Text text;
  text.a = "[2,1]{2, -3}";
  text.b = "[2]{4, 5}";
  ExpectKept(text, kSums);
  ExpectKept(text, kProducts);
  text.b = "[0]{}";
  text.shape = "[1]";
  text.a = "[1]{2}";
  ExpectKept(text, kSums);
}

TEST(MergeConstantsTest, OtherReaders) { ExpectKept(Text(), absl::StrCat(kSums, "\n  %11 \"other\" = Result(%3)")); }

TEST(MergeConstantsTest, OtherRulesOfBroadcast) {
  Text text;
  text.shape = "[2,2]";
  text.a = "[2]{1, 2}";
  ExpectKept(text, "  %3 = Add(%0, %1) {auto_broadcast = pdpd, axis = 0}\n  %9 = Add(%3, %2)");
}

TEST(MergeConstantsTest, NumbersOutOfRange) {
  Text text;
  text.a = "[2]{3e38, 1}";
  text.b = "[]{3e38}";
  ExpectKept(text, kSums);
  text.b = "[]{1e10}";
  ExpectKept(text, kProducts);
  ExpectKept(text, kQuotients);
  text.a = "[2]{1e-30, 1}";
  text.b = "[]{1e-10}";
  ExpectKept(text, kProducts);
  text.a = "[2]{inf, 1}";
  ExpectKept(text, kSums);
  ExpectKept(text, kProducts);
  text.a = "[2]{0, 1}";
  text.b = "[]{4}";
  ExpectMerges(text, kProducts, kProduct);
}

TEST(MergeConstantsTest, SmallTypesStay) {
  Text text;
  text.type = "f8e5m2";
  ExpectKept(text, kSums);
}

TEST(MergeConstantsTest, OperationsThatDoNotMerge) {
  ExpectKept(Text(), "  %3 = Multiply(%0, %1)\n  %9 = Add(%3, %2)");
  ExpectKept(Text(), "  %3 = Multiply(%0, %1)\n  %9 = Divide(%3, %2)");
  ExpectKept(Text(), "  %3 = Divide(%1, %0)\n  %9 = Divide(%3, %2)");
}

}  // namespace
}  // namespace burin::transformations
