#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "transformations/passes.h"
#include "transformations/rewrite_testlib.h"

namespace burin::transformations {
namespace {

// A model with the parameters x and y of a type and shape as %0 and %1, whose result is %9.
std::string Model(absl::string_view type, absl::string_view shape, absl::string_view nodes) {
  const std::string parameter = absl::StrCat(" = Parameter() {element_type = ", type, ", shape = ", shape, "}\n");
  return absl::StrCat("model \"\" {\n  %0 \"x\"", parameter, "  %1 \"y\"", parameter, nodes,
                      "  %99 \"out\" = Result(%9)\n}");
}

TEST(ConvertSinkingTest, WidensBelowAReshape) {
  ExpectRewrites(&ConvertSinking, Model("u8", "[?,h,2]", R"(  %3 = Convert(%0) {destination_type = f32}
  %4 = Constant() {value = i64[2]{0, -1}}
  %9 = Reshape(%3, %4) {special_zero = true}
)"),
                 Model("u8", "[?,h,2]", R"(  %4 = Constant() {value = i64[2]{0, -1}}
  %3 = Reshape(%0, %4) {special_zero = true}
  %9 = Convert(%3) {destination_type = f32}
)"));
}

TEST(ConvertSinkingTest, WidensBelowAChainOfMovesOfUnknownRank) {
  ExpectRewrites(&ConvertSinking, Model("f16", "[...]", R"(  %3 = Convert(%0) {destination_type = f32}
  %4 = Constant() {value = i64[3]{2, 0, 1}}
  %5 = Transpose(%3, %4)
  %6 = Constant() {value = i64[1]{0}}
  %9 = Unsqueeze(%5, %6)
)"),
                 Model("f16", "[...]", R"(  %4 = Constant() {value = i64[3]{2, 0, 1}}
  %5 = Transpose(%0, %4)
  %6 = Constant() {value = i64[1]{0}}
  %7 = Unsqueeze(%5, %6)
  %9 = Convert(%7) {destination_type = f32}
)"));
}

TEST(ConvertSinkingTest, WidensWhatAGatherLeaves) {
  // An index outside gives zeros.
  ExpectRewrites(&ConvertSinking, Model("bf16", "[?,2]", R"(  %3 = Convert(%0) {destination_type = f64}
  %4 = Constant() {value = i64[3]{1, 0, 99}}
  %5 = Constant() {value = i64[]{0}}
  %9 = Gather(%3, %4, %5)
)"),
                 Model("bf16", "[?,2]", R"(  %4 = Constant() {value = i64[3]{1, 0, 99}}
  %5 = Constant() {value = i64[]{0}}
  %3 = Gather(%0, %4, %5)
  %9 = Convert(%3) {destination_type = f64}
)"));
}

TEST(ConvertSinkingTest, WidensEachPartOfASplit) {
  ExpectRewrites(&ConvertSinking, Model("i32", "[4,?]", R"(  %3 = Convert(%0) {destination_type = i64}
  %4 = Constant() {value = i64[]{0}}
  %5 = Split(%3, %4) {num_splits = 2}
  %9 = Add(%5.0, %5.1)
)"),
                 Model("i32", "[4,?]", R"(  %4 = Constant() {value = i64[]{0}}
  %5 = Split(%0, %4) {num_splits = 2}
  %6 = Convert(%5.0) {destination_type = i64}
  %7 = Convert(%5.1) {destination_type = i64}
  %9 = Add(%6, %7)
)"));
}

TEST(ConvertSinkingTest, WidensBelowAConcat) {
  ExpectRewrites(&ConvertSinking, Model("i8", "[?,2]", R"(  %3 = Convert(%0) {destination_type = f32}
  %4 = Convert(%1) {destination_type = f32}
  %9 = Concat(%3, %4) {axis = 0}
)"),
                 Model("i8", "[?,2]", R"(  %3 = Concat(%0, %1) {axis = 0}
  %9 = Convert(%3) {destination_type = f32}
)"));
}

TEST(ConvertSinkingTest, WidensBelowAPadWithZeros) {
  ExpectRewrites(&ConvertSinking, Model("u8", "[?]", R"(  %3 = Convert(%0) {destination_type = f32}
  %4 = Constant() {value = i64[1]{2}}
  %5 = Constant() {value = f32[]{0}}
  %9 = Pad(%3, %4, %4, %5)
)"),
                 Model("u8", "[?]", R"(  %4 = Constant() {value = i64[1]{2}}
  %5 = Pad(%0, %4, %4)
  %9 = Convert(%5) {destination_type = f32}
)"));
}

TEST(ConvertSinkingTest, NarrowsAboveMoves) {
  ExpectRewrites(&ConvertSinking, Model("f32", "[?,3]", R"(  %3 = Constant() {value = i64[2]{1, 0}}
  %4 = Transpose(%0, %3)
  %5 = Constant() {value = i64[1]{-1}}
  %6 = Reshape(%4, %5)
  %9 = Convert(%6) {destination_type = u8}
)"),
                 Model("f32", "[?,3]", R"(  %2 = Convert(%0) {destination_type = u8}
  %3 = Constant() {value = i64[2]{1, 0}}
  %4 = Transpose(%2, %3)
  %5 = Constant() {value = i64[1]{-1}}
  %9 = Reshape(%4, %5)
)"));
}

TEST(ConvertSinkingTest, ConvertsBeforeABroadcast) {
  ExpectRewrites(&ConvertSinking, Model("f16", "[?,1]", R"(  %3 = Constant() {value = i64[3]{2, 1, 3}}
  %4 = Broadcast(%0, %3)
  %9 = Convert(%4) {destination_type = f32}
)"),
                 Model("f16", "[?,1]", R"(  %2 = Convert(%0) {destination_type = f32}
  %3 = Constant() {value = i64[3]{2, 1, 3}}
  %9 = Broadcast(%2, %3)
)"));
}

constexpr char kSlice[] = R"(  %4 = Constant() {value = i64[1]{0}}
  %5 = Constant() {value = i64[1]{1}}
  %6 = Slice(%0, %4, %5, %5)
  %9 = Convert(%6) {destination_type = f16}
)";

TEST(ConvertSinkingTest, DoesNotNarrowWhatASliceDrops) {
  ExpectUnchanged(&ConvertSinking, Model("f32", "[4]", kSlice));
}

struct Kept {
  const char* name;
  const char* type;
  const char* nodes;
};
class ConvertSinkingKeepsTest : public ::testing::TestWithParam<Kept> {};
TEST_P(ConvertSinkingKeepsTest, Unchanged) {
  ExpectUnchanged(&ConvertSinking, Model(GetParam().type, "[2,3]", GetParam().nodes));
}

const Kept kKept[] = {
    {"NarrowingAbove", "f32", R"(  %3 = Convert(%0) {destination_type = f16}
  %4 = Constant() {value = i64[2]{1, 0}}
  %9 = Transpose(%3, %4)
)"},
    {"WideningBelow", "f16", R"(  %4 = Constant() {value = i64[2]{1, 0}}
  %3 = Transpose(%0, %4)
  %9 = Convert(%3) {destination_type = f32}
)"},
    {"EqualWidthBelow", "f16", R"(  %4 = Constant() {value = i64[2]{1, 0}}
  %3 = Transpose(%0, %4)
  %9 = Convert(%3) {destination_type = bf16}
)"},
    {"EqualWidthAbove", "f16", R"(  %3 = Convert(%0) {destination_type = bf16}
  %4 = Constant() {value = i64[2]{1, 0}}
  %9 = Transpose(%3, %4)
)"},
    {"LessThanAByte", "u4", R"(  %3 = Convert(%0) {destination_type = f32}
  %4 = Constant() {value = i64[2]{1, 0}}
  %9 = Transpose(%3, %4)
)"},
    {"WideningForOthersToo", "u8", R"(  %3 = Convert(%0) {destination_type = f32}
  %4 = Constant() {value = i64[2]{1, 0}}
  %9 = Transpose(%3, %4)
  %10 "out2" = Result(%3)
)"},
    {"NarrowingWhatOthersRead", "f32", R"(  %4 = Constant() {value = i64[2]{1, 0}}
  %3 = Transpose(%0, %4)
  %9 = Convert(%3) {destination_type = u8}
  %10 "out2" = Result(%3)
)"},
    {"DecompressionAbove", "u8", R"(  %3 = Convert(%0) {destination_type = f32} info("decompression" = "kept")
  %4 = Constant() {value = i64[2]{1, 0}}
  %9 = Transpose(%3, %4)
)"},
    {"DecompressionAtTheMove", "u8", R"(  %3 = Convert(%0) {destination_type = f32}
  %4 = Constant() {value = i64[2]{1, 0}}
  %9 = Transpose(%3, %4) info("decompression" = "kept")
)"},
    {"DecompressionBelow", "f32", R"(  %4 = Constant() {value = i64[2]{1, 0}}
  %3 = Transpose(%0, %4)
  %9 = Convert(%3) {destination_type = f16} info("decompression" = "kept")
)"},
    {"ConcatOfTwoTypes", "u8", R"(  %3 = Convert(%0) {destination_type = i16}
  %4 = Convert(%3) {destination_type = f32}
  %5 = Convert(%1) {destination_type = f32}
  %9 = Concat(%4, %5) {axis = 0}
)"},
    {"ConcatWithAnother", "u8", R"(  %3 = Convert(%0) {destination_type = i16}
  %4 = Convert(%1) {destination_type = f32}
  %5 = Constant() {value = f32[1,3]{1, 2, 3}}
  %6 = Convert(%3) {destination_type = f32}
  %9 = Concat(%5, %6, %4) {axis = 0}
)"},
    {"PadWithOnes", "u8", R"(  %3 = Convert(%0) {destination_type = f32}
  %4 = Constant() {value = i64[2]{1, 0}}
  %5 = Constant() {value = f32[]{1}}
  %9 = Pad(%3, %4, %4, %5)
)"},
    {"PadOfATypeWithoutZero", "f8e8m0", R"(  %3 = Convert(%0) {destination_type = f32}
  %4 = Constant() {value = i64[2]{1, 0}}
  %9 = Pad(%3, %4, %4)
)"},
    {"GatherOfATypeWithoutZero", "f8e8m0", R"(  %3 = Convert(%0) {destination_type = f32}
  %4 = Constant() {value = i64[1]{7}}
  %5 = Constant() {value = i64[]{0}}
  %9 = Gather(%3, %4, %5)
)"},
    {"PadWithMinusZero", "u8", R"(  %3 = Convert(%0) {destination_type = f32}
  %4 = Constant() {value = i64[2]{1, 0}}
  %5 = Constant() {value = f32[]{-0}}
  %9 = Pad(%3, %4, %4, %5)
)"},
    {"BroadcastBelow", "u8", R"(  %3 = Convert(%0) {destination_type = f32}
  %4 = Constant() {value = i64[3]{2, 2, 3}}
  %9 = Broadcast(%3, %4)
)"},
    {"OperationThatComputes", "u8", R"(  %3 = Convert(%0) {destination_type = f32}
  %9 = Relu(%3)
)"},
};
INSTANTIATE_TEST_SUITE_P(Guards, ConvertSinkingKeepsTest, ::testing::ValuesIn(kKept),
                         [](const ::testing::TestParamInfo<Kept>& info) { return info.param.name; });

}  // namespace
}  // namespace burin::transformations
