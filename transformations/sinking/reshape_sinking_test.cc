#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "transformations/passes.h"
#include "transformations/rewrite_testlib.h"

namespace burin::transformations {
namespace {

// A model with the parameter x as %0, whose result is %9.
std::string Model(absl::string_view type, absl::string_view shape, absl::string_view nodes) {
  return absl::StrCat("model \"\" {\n  %0 \"x\" = Parameter() {element_type = ", type, ", shape = ", shape, "}\n",
                      nodes, "  %99 \"out\" = Result(%9)\n}");
}

TEST(ReshapeSinkingTest, PastAUnaryOfUnknownRank) {
  ExpectRewrites(&ReshapeSinking, Model("f16", "[...]", R"(  %1 = Constant() {value = i64[2]{0, -1}}
  %2 = Reshape(%0, %1) {special_zero = true}
  %9 = Relu(%2)
)"),
                 Model("f16", "[...]", R"(  %2 = Relu(%0)
  %1 = Constant() {value = i64[2]{0, -1}}
  %9 = Reshape(%2, %1) {special_zero = true}
)"));
}

TEST(ReshapeSinkingTest, PastOneElement) {
  ExpectRewrites(&ReshapeSinking, Model("i32", "[n,0,3]", R"(  %1 = Constant() {value = i64[1]{0}}
  %2 = Unsqueeze(%0, %1)
  %3 = Constant() {value = i32[1,1]{5}}
  %9 = Multiply(%3, %2)
)"),
                 Model("i32", "[n,0,3]", R"(  %3 = Constant() {value = i32[1,1]{5}}
  %2 = Multiply(%3, %0)
  %1 = Constant() {value = i64[1]{0}}
  %9 = Unsqueeze(%2, %1)
)"));
}

TEST(ReshapeSinkingTest, PastAScalarWhereTheRankIsNotKnown) {
  ExpectRewrites(&ReshapeSinking, Model("f32", "[...]", R"(  %1 = Constant() {value = i64[1]{0}}
  %2 = Squeeze(%0, %1)
  %3 = Constant() {value = f32[]{5}}
  %9 = Divide(%2, %3)
)"),
                 Model("f32", "[...]", R"(  %3 = Constant() {value = f32[]{5}}
  %2 = Divide(%0, %3)
  %1 = Constant() {value = i64[1]{0}}
  %9 = Squeeze(%2, %1)
)"));
}

TEST(ReshapeSinkingTest, PastSeveralOperands) {
  ExpectRewrites(&ReshapeSinking, Model("f32", "[?,4]", R"(  %1 = Constant() {value = i64[1]{-1}}
  %2 = Reshape(%0, %1)
  %3 = Constant() {value = f32[1]{-1}}
  %4 = Constant() {value = f32[1]{2}}
  %9 = FakeQuantize(%2, %3, %4, %3, %4) {levels = 8}
)"),
                 Model("f32", "[?,4]", R"(  %3 = Constant() {value = f32[1]{-1}}
  %4 = Constant() {value = f32[1]{2}}
  %2 = FakeQuantize(%0, %3, %4, %3, %4) {levels = 8}
  %1 = Constant() {value = i64[1]{-1}}
  %9 = Reshape(%2, %1)
)"));
}

TEST(ReshapeSinkingTest, PastABiasAlongTheLastDimension) {
  ExpectRewrites(&ReshapeSinking, Model("f32", "[?,6,3]", R"(  %1 = Constant() {value = i64[4]{-1, 2, 3, 3}}
  %2 = Reshape(%0, %1)
  %3 = Constant() {value = f32[3]{1, 2, 3}}
  %9 = Add(%2, %3)
)"),
                 Model("f32", "[?,6,3]", R"(  %3 = Constant() {value = f32[3]{1, 2, 3}}
  %2 = Add(%0, %3)
  %1 = Constant() {value = i64[4]{-1, 2, 3, 3}}
  %9 = Reshape(%2, %1)
)"));
}

TEST(ReshapeSinkingTest, ABiasOfHigherRankBecomesAVector) {
  ExpectRewrites(&ReshapeSinking, Model("f64", "[?,2]", R"(  %1 = Constant() {value = i64[3]{-1, 3, 2}}
  %2 = Reshape(%0, %1)
  %3 = Constant() {value = f64[1,1,2]{1, 2}}
  %9 = Subtract(%3, %2)
)"),
                 Model("f64", "[?,2]", R"(  %3 = Constant() {value = f64[1,1,2]{1, 2}}
  %4 = Constant() {value = i64[1]{2}}
  %5 = Reshape(%3, %4)
  %2 = Subtract(%5, %0)
  %1 = Constant() {value = i64[3]{-1, 3, 2}}
  %9 = Reshape(%2, %1)
)"));
}

struct Kept {
  const char* name;
  const char* shape;
  const char* nodes;
};
class ReshapeSinkingKeepsTest : public ::testing::TestWithParam<Kept> {};
TEST_P(ReshapeSinkingKeepsTest, Unchanged) {
  ExpectUnchanged(&ReshapeSinking, Model("f32", GetParam().shape, GetParam().nodes));
}

const Kept kKept[] = {
    {"OtherReaders", "[?,2]", R"(  %1 = Constant() {value = i64[1]{-1}}
  %2 = Reshape(%0, %1)
  %9 = Relu(%2)
  %10 "out2" = Result(%2)
)"},
    {"Conversions", "[?,2]", R"(  %1 = Constant() {value = i64[1]{-1}}
  %2 = Reshape(%0, %1)
  %9 = Convert(%2) {destination_type = f64}
)"},
    {"Decompression", "[?,2]", R"(  %1 = Constant() {value = i64[1]{-1}}
  %2 = Reshape(%0, %1)
  %9 = Relu(%2) info("decompression" = "kept")
)"},
    {"DecompressionAbove", "[?,2]", R"(  %1 = Constant() {value = i64[1]{-1}}
  %2 = Reshape(%0, %1) info("decompression" = "kept")
  %9 = Relu(%2)
)"},
    {"Constants", "[1]", R"(  %1 = Constant() {value = i64[1]{0}}
  %2 = Constant() {value = f32[2]{1, 2}}
  %3 = Unsqueeze(%2, %1)
  %9 = Add(%3, %0)
)"},
    {"OneElementOfHigherRankThanX", "[?]", R"(  %1 = Constant() {value = i64[1]{0}}
  %2 = Unsqueeze(%0, %1)
  %3 = Constant() {value = f32[1,1]{5}}
  %9 = Add(%2, %3)
)"},
    {"OneElementOfHigherRankThanReshaped", "[?,2]", R"(  %1 = Constant() {value = i64[1]{-1}}
  %2 = Reshape(%0, %1)
  %3 = Constant() {value = f32[1,1]{5}}
  %9 = Add(%2, %3)
)"},
    {"OneElementWhereTheRankIsNotKnown", "[...]", R"(  %1 = Constant() {value = i64[1]{-1}}
  %2 = Reshape(%0, %1)
  %3 = Constant() {value = f32[1]{5}}
  %9 = Add(%2, %3)
)"},
    {"EqualShapesAskedFor", "[1,1]", R"(  %1 = Constant() {value = i64[1]{-1}}
  %2 = Reshape(%0, %1)
  %3 = Constant() {value = f32[1]{5}}
  %9 = Add(%2, %3) {auto_broadcast = none}
)"},
    {"LastDimensionChanges", "[2,6]", R"(  %1 = Constant() {value = i64[2]{-1, 3}}
  %2 = Reshape(%0, %1)
  %3 = Constant() {value = f32[3]{1, 2, 3}}
  %9 = Add(%2, %3)
)"},
    {"LastDimensionStretches", "[?,1]", R"(  %1 = Constant() {value = i64[3]{-1, 1, 1}}
  %2 = Reshape(%0, %1)
  %3 = Constant() {value = f32[3]{1, 2, 3}}
  %9 = Add(%2, %3)
)"},
    {"BiasAlongAnotherDimension", "[?,4]", R"(  %1 = Constant() {value = i64[3]{-1, 2, 4}}
  %2 = Reshape(%0, %1)
  %3 = Constant() {value = f32[2,1]{1, 2}}
  %9 = Add(%2, %3)
)"},
    {"StretchesAnotherDimensionWhereTheLastIsEmpty", "[?,?,0]", R"(  %1 = Constant() {value = i64[3]{0, 2, 0}}
  %2 = Reshape(%0, %1) {special_zero = true}
  %3 = Constant() {value = f32[5,1,0]{}}
  %9 = Add(%2, %3)
)"},
    {"BiasThatIsComputed", "[?,4]", R"(  %1 = Constant() {value = i64[3]{-1, 2, 4}}
  %2 = Reshape(%0, %1)
  %3 "b" = Parameter() {shape = [4]}
  %9 = Add(%2, %3)
)"},
    {"SlopeAlongTheChannels", "[?,2]", R"(  %1 = Constant() {value = i64[3]{-1, 2, 2}}
  %2 = Reshape(%0, %1)
  %3 = Constant() {value = f32[2]{1, 2}}
  %9 = PRelu(%2, %3)
)"},
    {"OperationThatIsNotElementwise", "[?,4]", R"(  %1 = Constant() {value = i64[3]{-1, 2, 4}}
  %2 = Reshape(%0, %1)
  %9 = Softmax(%2) {axis = 2}
)"},
};
INSTANTIATE_TEST_SUITE_P(Guards, ReshapeSinkingKeepsTest, ::testing::ValuesIn(kKept),
                         [](const ::testing::TestParamInfo<Kept>& info) { return info.param.name; });

}  // namespace
}  // namespace burin::transformations
