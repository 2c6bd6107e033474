#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "transformations/passes.h"
#include "transformations/rewrite_testlib.h"

namespace burin::transformations {
namespace {

// x is %0, y is %1, a is %2, b is %3; the result's value %9.
struct Text {
  std::string type = "f32";
  std::string x = "[?,2]";
  std::string y = "[?,2]";
  std::string a = "[2]{2, 3}";
  std::string b = "[]{5}";
};

std::string ModelOf(const Text& text, absl::string_view rest, bool reads_y = false) {
  const auto parameter = [&text](absl::string_view shape) {
    return absl::StrCat(" = Parameter() {element_type = ", text.type, ", shape = ", shape, "}\n");
  };
  std::string model = absl::StrCat("model \"\" {\n  %0 \"x\"", parameter(text.x));
  if (reads_y) absl::StrAppend(&model, "  %1 \"y\"", parameter(text.y));
  return absl::StrCat(model, "  %2 = Constant() {value = ", text.type, text.a,
                      "}\n  %3 = Constant() {value = ", text.type, text.b, "}\n", rest,
                      "\n  %10 \"out\" = Result(%9)\n}");
}

RewriteTestOptions OptionsFor(const Text& text) {
  RewriteTestOptions options;
  const bool is_float = text.type[0] == 'f' || text.type[0] == 'b';
  options.equivalence = is_float ? Equivalence::kByTolerances : Equivalence::kBits;
  options.special_floats = false;
  return options;
}

constexpr char kSum[] = "  %4 = Multiply(%0, %2)\n  %5 = Multiply(%0, %3)\n  %9 = Add(%4, %5)";
constexpr char kDifference[] = "  %4 = Multiply(%0, %2)\n  %5 = Multiply(%3, %0)\n  %9 = Subtract(%4, %5)";
constexpr char kFactored[] = "  %4 = Add(%2, %3)\n  %9 = Multiply(%0, %4)";

void ExpectMerges(const Text& text, absl::string_view before, absl::string_view after) {
  SCOPED_TRACE(absl::StrCat(before, " ", text.type, text.x, " ", text.a, " ", text.b));
  ExpectRewrites(&CommonFactor, ModelOf(text, before), ModelOf(text, after), OptionsFor(text));
}

void ExpectKept(const Text& text, absl::string_view before) {
  SCOPED_TRACE(absl::StrCat(before, " ", text.type, text.x, " ", text.a, " ", text.b));
  ExpectUnchanged(&CommonFactor, ModelOf(text, before), OptionsFor(text));
}

TEST(CommonFactorTest, TwoConstantsOfOneFactor) {
  Text text;
  for (const char* type : {"f32", "f16", "bf16", "f64", "i32", "i64", "u8"}) {
    text.type = type;
    ExpectMerges(text, kSum, kFactored);
  }
  text.type = "f32";
  for (const char* shape : {"[n,2]", "[...]", "[1]", "[0,2]", "[3,1]", "[]"}) {
    text.x = shape;
    ExpectMerges(text, kSum, kFactored);
  }
}

TEST(CommonFactorTest, Differences) {
  Text text;
  text.b = "[]{-5}";
  ExpectMerges(text, kDifference, "  %4 = Subtract(%2, %3)\n  %9 = Multiply(%0, %4)");
  text.b = "[]{5}";
  ExpectKept(text, kDifference);
  text.type = "i32";
  ExpectMerges(text, kDifference, "  %4 = Subtract(%2, %3)\n  %9 = Multiply(%0, %4)");
}

TEST(CommonFactorTest, FactorsThatMayCancelStay) {
  Text text;
  text.b = "[]{-5}";
  ExpectKept(text, kSum);
  text.b = "[2]{5, -5}";
  ExpectKept(text, kSum);
  text.a = "[2]{-2, -3}";
  text.b = "[]{-5}";
  ExpectMerges(text, kSum, kFactored);
  // Integers wrap.
  text.type = "i32";
  text.b = "[]{5}";
  ExpectMerges(text, kSum, kFactored);
}

TEST(CommonFactorTest, ConstantsThatWouldGrowOrOverflowStay) {
  Text text;
  text.a = "[2,1]{1, 2}";
  text.b = "[2]{3, 4}";
  ExpectKept(text, kSum);
  text = Text();
  text.type = "f16";
  text.b = "[]{40000}";
  ExpectKept(text, kSum);
  text = Text();
  text.b = "[]{inf}";
  ExpectKept(text, kSum);
}

TEST(CommonFactorTest, ProductsWithOtherReadersStay) {
  ExpectKept(Text(), absl::StrCat(kSum, "\n  %11 \"other\" = Result(%5)"));
}

TEST(CommonFactorTest, OtherRulesOfBroadcastingStay) {
  ExpectKept(Text(), R"(  %4 = Multiply(%0, %2) {auto_broadcast = pdpd}
  %5 = Multiply(%0, %3)
  %9 = Add(%4, %5))");
}

constexpr char kTwoFactors[] = "  %4 = Multiply(%0, %2)\n  %5 = Multiply(%1, %2)\n  %9 = Add(%4, %5)";

TEST(CommonFactorTest, OneConstantOfTwoFactors) {
  Text text;
  text.x = text.y = "[n,2]";
  for (const char* type : {"f32", "bf16", "f64", "i32", "u8"}) {
    text.type = type;
    ExpectRewrites(&CommonFactor, ModelOf(text, kTwoFactors, true),
                   ModelOf(text, "  %4 = Add(%0, %1)\n  %9 = Multiply(%4, %2)", true), OptionsFor(text));
  }
  text.type = "f16";
  ExpectUnchanged(&CommonFactor, ModelOf(text, kTwoFactors, true), OptionsFor(text));
}

TEST(CommonFactorTest, FactorsThatMayHaveDifferentShapesStay) {
  Text text;
  ExpectUnchanged(&CommonFactor, ModelOf(text, kTwoFactors, true), OptionsFor(text));
  text.x = "[3,2]";
  text.y = "[1,2]";
  ExpectUnchanged(&CommonFactor, ModelOf(text, kTwoFactors, true), OptionsFor(text));
}

}  // namespace
}  // namespace burin::transformations
