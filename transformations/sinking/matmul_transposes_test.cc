#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "ir/model.h"
#include "ir/rewrite.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"
#include "transformations/matcher/explain.h"
#include "transformations/passes.h"
#include "transformations/rewrite_testlib.h"

namespace burin::transformations {
namespace {

using ::testing::HasSubstr;

struct Form {
  const char* name;
  const char* type;
  const char* x;
  const char* y;
  const char* order;  // Of x.
  const char* before;
  const char* after;
};

std::string ModelOf(const Form& form, const char* body) {
  return absl::StrCat("model \"\" {\n  %0 \"x\" = Parameter() {element_type = ", form.type, ", shape = ", form.x,
                      "}\n  %1 \"y\" = Parameter() {element_type = ", form.type, ", shape = ", form.y, "}\n", body,
                      "  %9 \"out\" = Result(%4)\n}");
}

std::string Before(const Form& form) {
  return ModelOf(
      form,
      absl::StrCat("  %2 = Constant() {value = ", form.order, "}\n  %3 = Transpose(%0, %2)\n", form.before).c_str());
}

class MatMulTransposesFormTest : public ::testing::TestWithParam<Form> {};

TEST_P(MatMulTransposesFormTest, GoIntoTheMatMul) {
  ExpectRewrites(&MatMulTransposes, Before(GetParam()), ModelOf(GetParam(), GetParam().after));
}

constexpr char kSwap[] = "i64[2]{1, 0}";
constexpr char kSwapBatched[] = "i64[4]{0, 1, 3, 2}";
const Form kForms[] = {
    {"First", "f32", "[2,3]", "[2,5]", kSwap, "  %4 = MatMul(%3, %1)\n",
     "  %4 = MatMul(%0, %1) {transpose_a = true}\n"},
    {"FirstBack", "f64", "[3,2]", "[2,5]", kSwap, "  %4 = MatMul(%3, %1) {transpose_a = true}\n",
     "  %4 = MatMul(%0, %1)\n"},
    {"Second", "f16", "[?,3,k,n]", "[?,3,4,n]", kSwapBatched, "  %4 = MatMul(%1, %3)\n",
     "  %4 = MatMul(%1, %0) {transpose_b = true}\n"},
    {"SecondBack", "bf16", "[2,?]", "[2,6]", kSwap, "  %4 = MatMul(%1, %3) {transpose_a = true, transpose_b = true}\n",
     "  %4 = MatMul(%1, %0) {transpose_a = true}\n"},
    {"Both", "i32", "[b,1,?,?]", "[5]", kSwapBatched, "  %4 = MatMul(%3, %3) {transpose_a = true}\n",
     "  %4 = MatMul(%0, %0) {transpose_b = true}\n"},
    {"TimesAVector", "f32", "[4,3]", "[4]", kSwap, "  %4 = MatMul(%3, %1)\n",
     "  %4 = MatMul(%0, %1) {transpose_a = true}\n"},
    {"OrderOfI32", "f32", "[?,?]", "[?,7]", "i32[2]{1, 0}", "  %4 = MatMul(%3, %1)\n",
     "  %4 = MatMul(%0, %1) {transpose_a = true}\n"},
    {"ReversedByNoOrder", "f32", "[?,?]", "[?,7]", "i64[0]{}", "  %4 = MatMul(%3, %1)\n",
     "  %4 = MatMul(%0, %1) {transpose_a = true}\n"},
    {"OtherOfUnknownRank", "f32", "[?,3]", "[...]", kSwap, "  %4 = MatMul(%3, %1)\n",
     "  %4 = MatMul(%0, %1) {transpose_a = true}\n"},
    {"NoSums", "f32", "[0,3]", "[0,5]", kSwap, "  %4 = MatMul(%3, %1)\n",
     "  %4 = MatMul(%0, %1) {transpose_a = true}\n"},
    {"NoRows", "i64", "[2,0]", "[2,5]", kSwap, "  %4 = MatMul(%3, %1)\n",
     "  %4 = MatMul(%0, %1) {transpose_a = true}\n"},
};
INSTANTIATE_TEST_SUITE_P(Forms, MatMulTransposesFormTest, ::testing::ValuesIn(kForms),
                         [](const ::testing::TestParamInfo<Form>& info) { return info.param.name; });

TEST(MatMulTransposesTest, OthersKeepTheirTranspose) {
  const Form form = {"", "f32", "[2,3]", "[2,5]", kSwap, "", ""};
  const std::string transpose = "  %2 = Constant() {value = i64[2]{1, 0}}\n  %3 = Transpose(%0, %2)\n";
  ExpectRewrites(
      &MatMulTransposes,
      ModelOf(form, absl::StrCat(transpose, "  %4 = MatMul(%3, %1)\n  %8 \"t\" = Result(%3)\n").c_str()),
      ModelOf(form, absl::StrCat(transpose, "  %4 = MatMul(%0, %1) {transpose_a = true}\n", "  %8 \"t\" = Result(%3)\n")
                        .c_str()));
}

TEST(MatMulTransposesTest, TransposesInARowGoOneByOne) {
  const Form form = {"", "f32", "[2,3]", "[3,5]", kSwap, "", ""};
  ExpectRewrites(&MatMulTransposes, ModelOf(form, R"(  %2 = Constant() {value = i64[2]{1, 0}}
  %3 = Transpose(%0, %2)
  %5 = Transpose(%3, %2)
  %4 = MatMul(%5, %1)
)"),
                 ModelOf(form, "  %4 = MatMul(%0, %1)\n"));
}

TEST(MatMulTransposesTest, DecompressionStaysMarked) {
  const char* const before = R"(model "" {
  %0 "x" = Parameter() {shape = [?,2]}
  %1 = Constant() {value = i8[3,2]{1, 2, 3, 4, 5, 6}}
  %2 = Convert(%1) {destination_type = f32} info("decompression" = "kept")
  %3 = Constant() {value = i64[2]{1, 0}}
  %4 = Transpose(%2, %3) info("decompression" = "kept")
  %5 = MatMul(%0, %4)
  %6 "out" = Result(%5)
})";
  const char* const after = R"(model "" {
  %0 "x" = Parameter() {shape = [?,2]}
  %1 = Constant() {value = i8[3,2]{1, 2, 3, 4, 5, 6}}
  %2 = Convert(%1) {destination_type = f32} info("decompression" = "kept")
  %5 = MatMul(%0, %2) {transpose_b = true}
  %6 "out" = Result(%5)
})";
  ExpectRewrites(&MatMulTransposes, before, after);
}

TEST(MatMulTransposesTest, NamesAndOrigins) {
  RewriteTestOptions options;
  options.compare_names = true;
  ExpectRewrites(&MatMulTransposes, R"(model "" {
  %0 "x" = Parameter() {shape = [2,3]}
  %1 "y" = Parameter() {shape = [2,5]}
  %2 "p" = Constant() {value = i64[2]{1, 0}}
  %3 "t" = Transpose(%0, %2) from("T")
  %4 "m" = MatMul(%3, %1) names("product") from("M") info("key" = "value")
  %5 "out" = Result(%4)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [2,3]}
  %1 "y" = Parameter() {shape = [2,5]}
  %4 "m" = MatMul(%0, %1) {transpose_a = true} names("product") from("T", "M") info("key" = "value")
  %5 "out" = Result(%4)
})",
                 options);
}

TEST(MatMulTransposesTest, OtherOrders) {
  const Form forms[] = {
      {"", "f32", "[2,3,4]", "[2,5]", "i64[3]{1, 2, 0}", "  %4 = MatMul(%3, %1)\n", ""},
      {"", "f32", "[2,3,2,3]", "[3,5]", "i64[4]{2, 1, 0, 3}", "  %4 = MatMul(%3, %1)\n", ""},
      {"", "f32", "[2,2,2,3]", "[2,5]", "i64[4]{1, 0, 3, 2}", "  %4 = MatMul(%3, %1)\n", ""},
      {"", "f32", "[2,3]", "[3,5]", "i64[2]{0, 1}", "  %4 = MatMul(%3, %1)\n", ""},
      {"", "f32", "[3]", "[3,5]", "i64[1]{0}", "  %4 = MatMul(%3, %1)\n", ""},
      {"", "f32", "[...]", "[3,5]", kSwap, "  %4 = MatMul(%3, %1)\n", ""},
  };
  for (const Form& form : forms) ExpectUnchanged(&MatMulTransposes, Before(form));
}

TEST(MatMulTransposesTest, AnUnknownOrder) {
  ExpectUnchanged(&MatMulTransposes, R"(model "" {
  %0 "x" = Parameter() {shape = [3,3]}
  %1 "p" = Parameter() {element_type = i64, shape = [2]}
  %3 = Transpose(%0, %1)
  %4 = MatMul(%3, %0)
  %9 "out" = Result(%4)
})");
}

TEST(MatMulTransposesTest, SaysWhyNot) {
  const Form form = {"", "f32", "[2,3,4]", "[2,5]", "i64[3]{1, 2, 0}", "  %4 \"m\" = MatMul(%3, %1)\n", ""};
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(Before(form)));
  ASSERT_OK_AND_ASSIGN(const std::string why, Explain(&MatMulTransposes, *model, model->FindNode("m"), {}));
  EXPECT_THAT(why, HasSubstr("not known to swap the two innermost dimensions alone"));
}

}  // namespace
}  // namespace burin::transformations
