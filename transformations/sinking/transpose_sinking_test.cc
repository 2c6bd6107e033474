#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ir/model.h"
#include "ir/ops/op_code.h"
#include "ir/rewrite.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"
#include "transformations/driver.h"
#include "transformations/matcher/explain.h"
#include "transformations/pass.h"
#include "transformations/passes.h"
#include "transformations/report.h"
#include "transformations/rewrite_testlib.h"

namespace burin::transformations {
namespace {

using ::testing::HasSubstr;

constexpr Pass kFolding = {"ConstantFolding", "", &ConstantFolding};
constexpr Pass kIdentities = {"EliminateIdentityOps", "", &EliminateIdentityOps};
constexpr Pass kTransposes = {"TransposeChains", "", &TransposeChains};
constexpr Pass kReshapes = {"ReshapeChains", "", &ReshapeChains};
constexpr Pass kSinking = {"TransposeSinking", "", &TransposeSinking};
constexpr Pass kReshapeSinking = {"ReshapeSinking", "", &ReshapeSinking};
constexpr Pass kMatMuls = {"MatMulTransposes", "", &MatMulTransposes};
constexpr Pass kConverts = {"ConvertSinking", "", &ConvertSinking};

// f(%2), which is x by the order {0, 2, 3, 1}, and the same as f'(%0), then by another order; both are %9.
struct Form {
  const char* name;
  const char* type;
  const char* shape;
  const char* order;  // Of the Transpose below; "": there is none.
  const char* before;
  const char* after;
};

std::string Parameter(const Form& form) {
  return absl::StrCat("model \"\" {\n  %0 \"x\" = Parameter() {element_type = ", form.type, ", shape = ", form.shape,
                      "}\n");
}

std::string Before(const Form& form) {
  return absl::StrCat(Parameter(form), "  %1 = Constant() {value = i64[4]{0, 2, 3, 1}}\n  %2 = Transpose(%0, %1)\n",
                      form.before, "  %99 \"out\" = Result(%9)\n}");
}

std::string After(const Form& form) {
  const std::string text = absl::StrCat(Parameter(form), form.after);
  if (*form.order == '\0') return absl::StrCat(text, "  %99 \"out\" = Result(%9)\n}");
  return absl::StrCat(text, "  %90 = Constant() {value = ", form.order,
                      "}\n  %91 = Transpose(%9, %90)\n  %99 \"out\" = Result(%91)\n}");
}

constexpr char kNhwc[] = "i64[4]{0, 2, 3, 1}";

class TransposeSinkingFormTest : public ::testing::TestWithParam<Form> {};

TEST_P(TransposeSinkingFormTest, MovesDown) {
  ExpectRewrites(&TransposeSinking, Before(GetParam()), After(GetParam()));
}

const Form kElementwiseForms[] = {
    {"Unary", "f32", "[?,3,h,4]", kNhwc, "  %9 = Relu(%2)\n", "  %9 = Relu(%0)\n"},
    {"UnaryOfAnUnknownRank", "f16", "[...]", kNhwc, "  %9 = Relu(%2)\n", "  %9 = Relu(%0)\n"},
    {"ConvertToANarrowerType", "f32", "[?,3,?,4]", kNhwc, "  %9 = Convert(%2) {destination_type = i8}\n",
     "  %9 = Convert(%0) {destination_type = i8}\n"},
    {"TwiceTheSame", "i32", "[0,3,?,4]", kNhwc, "  %9 = Add(%2, %2)\n", "  %9 = Add(%0, %0)\n"},
    {"OneElement", "bf16", "[?,3,?,4]", kNhwc, "  %3 = Constant() {value = bf16[1,1]{2}}\n  %9 = Add(%3, %2)\n",
     "  %3 = Constant() {value = bf16[1,1]{2}}\n  %9 = Add(%3, %0)\n"},
    {"ConstantOfLowerRank", "f64", "[?,3,?,4]", kNhwc,
     "  %3 = Constant() {value = f64[3]{1, 2, 3}}\n  %9 = Add(%2, %3)\n",
     R"(  %3 = Constant() {value = f64[3]{1, 2, 3}}
  %4 = Constant() {value = i64[3]{0, 1, 2}}
  %5 = Unsqueeze(%3, %4)
  %6 = Constant() {value = i64[4]{0, 3, 1, 2}}
  %7 = Transpose(%5, %6)
  %9 = Add(%0, %7)
)"},
    {"ConstantOfTheSameRank", "f32", "[2,1,2,?]", kNhwc,
     "  %3 = Constant() {value = f32[1,2,1,3]{1, 2, 3, 4, 5, 6}}\n  %9 = Subtract(%3, %2)\n",
     R"(  %3 = Constant() {value = f32[1,2,1,3]{1, 2, 3, 4, 5, 6}}
  %6 = Constant() {value = i64[4]{0, 3, 1, 2}}
  %7 = Transpose(%3, %6)
  %9 = Subtract(%7, %0)
)"},
    {"PReluAlongTheLastDimension", "f32", "[?,3,2,4]", kNhwc,
     "  %3 = Constant() {value = f32[3]{1, 2, 3}}\n  %9 = PRelu(%2, %3)\n",
     R"(  %3 = Constant() {value = f32[3]{1, 2, 3}}
  %4 = Constant() {value = i64[3]{0, 1, 2}}
  %5 = Unsqueeze(%3, %4)
  %6 = Constant() {value = i64[4]{0, 3, 1, 2}}
  %7 = Transpose(%5, %6)
  %9 = PRelu(%0, %7)
)"},
    {"PReluAlongTheChannels", "f32", "[?,3,2,4]", kNhwc,
     "  %3 = Constant() {value = f32[2]{1, 2}}\n  %9 = PRelu(%2, %3)\n",
     R"(  %3 = Constant() {value = f32[2]{1, 2}}
  %4 = Constant() {value = i64[3]{0, 2, 3}}
  %5 = Unsqueeze(%3, %4)
  %6 = Constant() {value = i64[4]{0, 3, 1, 2}}
  %7 = Transpose(%5, %6)
  %9 = PRelu(%0, %7)
)"},
    {"FakeQuantize", "f32", "[?,2,?,4]", kNhwc,
     R"(  %3 = Constant() {value = f32[2]{-1, -2}}
  %4 = Constant() {value = f32[]{3}}
  %9 = FakeQuantize(%2, %3, %4, %4, %4) {levels = 16}
)",
     R"(  %3 = Constant() {value = f32[2]{-1, -2}}
  %4 = Constant() {value = f32[]{3}}
  %5 = Constant() {value = i64[3]{0, 1, 2}}
  %6 = Unsqueeze(%3, %5)
  %7 = Constant() {value = i64[4]{0, 3, 1, 2}}
  %8 = Transpose(%6, %7)
  %9 = FakeQuantize(%0, %8, %4, %4, %4) {levels = 16}
)"},
};
INSTANTIATE_TEST_SUITE_P(Elementwise, TransposeSinkingFormTest, ::testing::ValuesIn(kElementwiseForms),
                         [](const ::testing::TestParamInfo<Form>& info) { return info.param.name; });

const Form kAxisForms[] = {
    {"ConcatWithAConstant", "u8", "[1,1,?,2]", kNhwc,
     "  %3 = Constant() {value = u8[1,2,2,1]{1, 2, 3, 4}}\n  %9 = Concat(%2, %3, %2) {axis = 1}\n",
     R"(  %3 = Constant() {value = u8[1,2,2,1]{1, 2, 3, 4}}
  %4 = Constant() {value = i64[4]{0, 3, 1, 2}}
  %5 = Transpose(%3, %4)
  %9 = Concat(%0, %5, %0) {axis = 2}
)"},
    {"Softmax", "f32", "[?,3,?,4]", kNhwc, "  %9 = Softmax(%2) {axis = -1}\n", "  %9 = Softmax(%0) {axis = 1}\n"},
    {"LogSoftmax", "f32", "[?,3,?,4]", kNhwc, "  %9 = LogSoftmax(%2) {axis = 2}\n",
     "  %9 = LogSoftmax(%0) {axis = 3}\n"},
    {"CumSum", "f32", "[?,3,2,4]", kNhwc,
     "  %3 = Constant() {value = i32[]{1}}\n  %9 = CumSum(%2, %3) {reverse = true}\n",
     "  %3 = Constant() {value = i64[1]{2}}\n  %9 = CumSum(%0, %3) {reverse = true}\n"},
    {"CumSumAlongTheFirst", "i32", "[?,3,2,4]", kNhwc, "  %9 = CumSum(%2)\n",
     "  %3 = Constant() {value = i64[1]{0}}\n  %9 = CumSum(%0, %3)\n"},
    {"ReduceThatKeepsDimensions", "f32", "[?,3,?,4]", kNhwc,
     "  %3 = Constant() {value = i64[2]{2, 1}}\n  %9 = ReduceMean(%2, %3) {keep_dims = true}\n",
     "  %3 = Constant() {value = i64[2]{3, 2}}\n  %9 = ReduceMean(%0, %3) {keep_dims = true}\n"},
    {"ReduceThatDropsOne", "f32", "[2,3,?,4]", "i64[3]{1, 2, 0}",
     "  %3 = Constant() {value = i64[]{0}}\n  %9 = ReduceSum(%2, %3)\n",
     "  %3 = Constant() {value = i64[1]{0}}\n  %9 = ReduceSum(%0, %3)\n"},
    {"ReduceThatLeavesAnOrderAsItIs", "f32", "[?,3,?,4]", "",
     "  %3 = Constant() {value = i64[2]{1, 2}}\n  %9 = ReduceMax(%2, %3)\n",
     "  %3 = Constant() {value = i64[2]{2, 3}}\n  %9 = ReduceMax(%0, %3)\n"},
    {"Squeeze", "i8", "[?,3,1,4]", "i64[3]{0, 2, 1}", "  %3 = Constant() {value = i64[1]{1}}\n  %9 = Squeeze(%2, %3)\n",
     "  %3 = Constant() {value = i64[1]{2}}\n  %9 = Squeeze(%0, %3)\n"},
    {"Unsqueeze", "f32", "[?,3,2,4]", "i64[6]{0, 1, 3, 5, 4, 2}",
     "  %3 = Constant() {value = i64[2]{1, -2}}\n  %9 = Unsqueeze(%2, %3)\n",
     "  %3 = Constant() {value = i64[2]{1, -2}}\n  %9 = Unsqueeze(%0, %3)\n"},
    {"GatherOfOne", "f32", "[?,3,2,4]", "i64[3]{0, 2, 1}",
     "  %3 = Constant() {value = i64[]{1}}\n  %4 = Constant() {value = i64[]{-3}}\n  %9 = Gather(%2, %3, %4)\n",
     "  %3 = Constant() {value = i64[]{1}}\n  %4 = Constant() {value = i64[1]{2}}\n  %9 = Gather(%0, %3, %4)\n"},
    {"GatherOfSeveral", "f32", "[?,3,2,4]", kNhwc,
     "  %3 = Constant() {value = i64[3]{1, 0, 1}}\n  %4 = Constant() {value = i64[]{1}}\n  %9 = Gather(%2, %3, %4)\n",
     "  %3 = Constant() {value = i64[3]{1, 0, 1}}\n  %4 = Constant() {value = i64[1]{2}}\n  %9 = Gather(%0, %3, %4)\n"},
    {"GatherByATable", "f32", "[?,3,2,4]", "i64[5]{0, 2, 3, 4, 1}",
     R"(  %3 = Constant() {value = i64[1,2]{1, 0}}
  %4 = Constant() {value = i64[]{1}}
  %9 = Gather(%2, %3, %4)
)",
     R"(  %3 = Constant() {value = i64[1,2]{1, 0}}
  %4 = Constant() {value = i64[1]{2}}
  %9 = Gather(%0, %3, %4)
)"},
};
INSTANTIATE_TEST_SUITE_P(Axis, TransposeSinkingFormTest, ::testing::ValuesIn(kAxisForms),
                         [](const ::testing::TestParamInfo<Form>& info) { return info.param.name; });

const Form kListForms[] = {
    {"Pad", "f32", "[?,3,2,4]", kNhwc,
     R"(  %3 = Constant() {value = i64[4]{0, 1, 2, 0}}
  %4 = Constant() {value = i64[4]{0, 1, -1, 3}}
  %9 = Pad(%2, %3, %4)
)",
     R"(  %3 = Constant() {value = i64[4]{0, 0, 1, 2}}
  %4 = Constant() {value = i64[4]{0, 3, 1, -1}}
  %9 = Pad(%0, %3, %4)
)"},
    {"SliceWithAxes", "f32", "[?,3,?,4]", kNhwc,
     R"(  %3 = Constant() {value = i64[2]{1, 0}}
  %4 = Constant() {value = i64[2]{9, -1}}
  %5 = Constant() {value = i64[2]{1, 2}}
  %6 = Constant() {value = i32[2]{-1, 1}}
  %9 = Slice(%2, %3, %4, %5, %6)
)",
     R"(  %3 = Constant() {value = i64[2]{1, 0}}
  %4 = Constant() {value = i64[2]{9, -1}}
  %5 = Constant() {value = i64[2]{1, 2}}
  %6 = Constant() {value = i64[2]{1, 2}}
  %9 = Slice(%0, %3, %4, %5, %6)
)"},
    {"SliceOfTheFirstDimensions", "f32", "[?,3,?,4]", kNhwc,
     R"(  %3 = Constant() {value = i64[2]{1, 0}}
  %4 = Constant() {value = i64[2]{9, -1}}
  %5 = Constant() {value = i64[2]{1, 2}}
  %9 = Slice(%2, %3, %4, %5)
)",
     R"(  %3 = Constant() {value = i64[2]{1, 0}}
  %4 = Constant() {value = i64[2]{9, -1}}
  %5 = Constant() {value = i64[2]{1, 2}}
  %6 = Constant() {value = i64[2]{0, 2}}
  %9 = Slice(%0, %3, %4, %5, %6)
)"},
    {"StridedSlice", "f32", "[2,3,?,4]", kNhwc,
     R"(  %3 = Constant() {value = i64[3]{0, 1, -1}}
  %4 = Constant() {value = i64[3]{1, 9, -3}}
  %5 = Constant() {value = i64[3]{1, 2, -1}}
  %9 = StridedSlice(%2, %3, %4, %5) {begin_mask = [1], end_mask = [0, 1, 0]}
)",
     R"(  %3 = Constant() {value = i64[4]{0, 0, 1, -1}}
  %4 = Constant() {value = i64[4]{1, 0, 9, -3}}
  %5 = Constant() {value = i64[4]{1, 1, 2, -1}}
  %9 = StridedSlice(%0, %3, %4, %5) {begin_mask = [1, 1, 0, 0], end_mask = [0, 1, 1, 0]}
)"},
    {"Tile", "f32", "[?,3,?,4]", kNhwc, "  %3 = Constant() {value = i64[2]{2, 3}}\n  %9 = Tile(%2, %3)\n",
     "  %3 = Constant() {value = i64[4]{1, 3, 1, 2}}\n  %9 = Tile(%0, %3)\n"},
    {"Interpolate", "f32", "[1,3,2,4]", kNhwc,
     R"(  %3 = Constant() {value = i64[2]{3, 7}}
  %4 = Constant() {value = i64[2]{1, 2}}
  %9 = Interpolate(%2, %3, %4) {mode = linear_onnx, pads_begin = [0, 1]}
)",
     R"(  %3 = Constant() {value = i64[2]{3, 7}}
  %4 = Constant() {value = i64[2]{2, 3}}
  %9 = Interpolate(%0, %3, %4) {mode = linear_onnx, pads_begin = [0, 0, 1, 0], pads_end = [0, 0, 0, 0]}
)"},
};
INSTANTIATE_TEST_SUITE_P(Lists, TransposeSinkingFormTest, ::testing::ValuesIn(kListForms),
                         [](const ::testing::TestParamInfo<Form>& info) { return info.param.name; });

TEST(TransposeSinkingTest, TakesTwoThatAreTransposedAlike) {
  ExpectRewrites(&TransposeSinking,
                 R"(model "" {
  %0 "x" = Parameter() {shape = [?,3,?]}
  %1 "y" = Parameter() {shape = [...]}
  %2 "c" = Parameter() {element_type = boolean, shape = [1,3,1]}
  %3 = Constant() {value = i64[3]{1, 2, 0}}
  %4 = Transpose(%0, %3)
  %5 = Transpose(%1, %3)
  %6 = Transpose(%2, %3)
  %7 = Select(%6, %4, %5) names("s")
  %8 "out" = Result(%7)
})",
                 R"(model "" {
  %0 "x" = Parameter() {shape = [?,3,?]}
  %1 "y" = Parameter() {shape = [...]}
  %2 "c" = Parameter() {element_type = boolean, shape = [1,3,1]}
  %3 = Constant() {value = i64[3]{1, 2, 0}}
  %7 = Select(%2, %0, %1)
  %8 = Transpose(%7, %3) names("s")
  %9 "out" = Result(%8)
})");
}

constexpr char kSplit[] = R"(model "" {
  %0 "x" = Parameter() {shape = [?,4,2]}
  %1 = Constant() {value = i64[3]{2, 0, 1}}
  %2 = Transpose(%0, %1)
  %3 = Constant() {value = i64[]{-1}}
  %4 = Split(%2, %3) {num_splits = 2}
  %5 = Constant() {value = i64[3]{1, 2, 0}}
  %6 = Transpose(%4.0, %5)
  %7 = Transpose(%4.1, %1)
  %8 "out" = Result(%6)
  %9 "out2" = Result(%7)
})";

TEST(TransposeSinkingTest, SplitsWhereTransposesFollow) {
  ExpectRewrites(&TransposeSinking, kSplit, R"(model "" {
  %0 "x" = Parameter() {shape = [?,4,2]}
  %3 = Constant() {value = i64[1]{1}}
  %4 = Split(%0, %3) {num_splits = 2}
  %1 = Constant() {value = i64[3]{2, 0, 1}}
  %2 = Transpose(%4.0, %1)
  %10 = Constant() {value = i64[3]{2, 0, 1}}
  %12 = Transpose(%4.1, %10)
  %5 = Constant() {value = i64[3]{1, 2, 0}}
  %6 = Transpose(%2, %5)
  %11 = Constant() {value = i64[3]{2, 0, 1}}
  %7 = Transpose(%12, %11)
  %8 "out" = Result(%6)
  %9 "out2" = Result(%7)
})");
}

// ---- Guards ----

struct Kept {
  const char* name;
  const char* type;
  const char* shape;
  const char* nodes;
};
class TransposeSinkingKeepsTest : public ::testing::TestWithParam<Kept> {};
TEST_P(TransposeSinkingKeepsTest, Unchanged) {
  const Kept& kept = GetParam();
  ExpectUnchanged(&TransposeSinking, Before({kept.name, kept.type, kept.shape, "", kept.nodes, ""}));
}

const Kept kKept[] = {
    {"OtherReaders", "f32", "[?,3,?,4]", "  %9 = Relu(%2)\n  %10 \"out2\" = Result(%2)\n"},
    {"MoreOutputsThanTransposes", "f32", "[?,4,2,2]",
     "  %3 = Constant() {value = i64[]{3}}\n  %4 = Split(%2, %3) {num_splits = 2}\n  %9 = Add(%4.0, %4.1)\n"},
    {"ConvertToAWiderType", "f16", "[?,3,?,4]", "  %9 = Convert(%2) {destination_type = f32}\n"},
    {"AnOperandThatIsNotTransposed", "f32", "[2,2,2,2]",
     "  %3 \"y\" = Parameter() {shape = [2]}\n  %9 = Add(%2, %3)\n"},
    {"AnOperandByAnotherOrder", "f32", "[2,2,2,2]",
     "  %3 = Constant() {value = i64[4]{3, 2, 1, 0}}\n  %4 = Transpose(%0, %3)\n  %9 = Add(%2, %4)\n"},
    {"AConstantOfHigherRank", "f32", "[2,2,2,2]",
     "  %3 = Constant() {value = f32[2,1,1,1,1]{1, 2}}\n  %9 = Add(%2, %3)\n"},
    {"OneElementOfHigherRank", "f32", "[2,2,2,2]",
     "  %3 = Constant() {value = f32[1,1,1,1,1]{1}}\n  %9 = Add(%2, %3)\n"},
    {"AConstantWhereTheRankIsNotKnown", "f32", "[...]",
     "  %3 = Constant() {value = f32[3]{1, 2, 3}}\n  %9 = Add(%2, %3)\n"},
    {"AConstantByAnotherRule", "f32", "[2,2,2,2]",
     "  %3 = Constant() {value = f32[2]{1, 2}}\n  %9 = Add(%2, %3) {auto_broadcast = pdpd, axis = 1}\n"},
    {"ASlopeThatMayRunAlongEither", "f32", "[?,2,?,2]",
     "  %3 = Constant() {value = f32[2]{1, 2}}\n  %9 = PRelu(%2, %3)\n"},
    {"AnAxisThatIsNotKnown", "f32", "[2,3,2,4]",
     "  %3 \"a\" = Parameter() {element_type = i32, shape = []}\n  %9 = CumSum(%2, %3)\n"},
    {"TheDataOfUnknownRank", "f32", "[...]", "  %9 = Softmax(%2) {axis = 1}\n"},
    {"ASumInAnotherOrder", "f32", "[2,3,2,4]",
     "  %3 = Constant() {value = i64[2]{1, 3}}\n  %9 = ReduceSum(%2, %3) {keep_dims = true}\n"},
    {"AnInterpolationInAnotherOrder", "f32", "[1,3,2,4]",
     R"(  %3 = Constant() {value = i64[2]{3, 7}}
  %4 = Constant() {value = i64[2]{1, 3}}
  %9 = Interpolate(%2, %3, %4) {mode = linear_onnx}
)"},
    {"ASqueezeOfAllOnes", "f32", "[2,1,?,4]", "  %9 = Squeeze(%2)\n"},
    {"AGatherWithBatchDimensions", "f32", "[2,3,2,4]",
     R"(  %3 = Constant() {value = i64[2,1]{1, 0}}
  %4 = Constant() {value = i64[]{1}}
  %9 = Gather(%2, %3, %4) {batch_dims = 1}
)"},
    {"PadsThatAreNotKnown", "f32", "[2,3,2,4]",
     R"(  %3 "p" = Parameter() {element_type = i64, shape = [4]}
  %9 = Pad(%2, %3, %3)
)"},
    {"ASliceThatDropsDimensions", "f32", "[2,3,2,4]",
     R"(  %3 = Constant() {value = i64[1]{0}}
  %4 = Constant() {value = i64[1]{1}}
  %9 = StridedSlice(%2, %3, %4) {begin_mask = [0], end_mask = [0], shrink_axis_mask = [1]}
)"},
    {"MoreRepeatsThanDimensions", "f32", "[2,3,2,4]",
     "  %3 = Constant() {value = i64[5]{2, 1, 1, 1, 1}}\n  %9 = Tile(%2, %3)\n"},
    {"AConcatWithAnother", "f32", "[2,2,2,2]",
     "  %3 \"y\" = Parameter() {shape = [2,2,2,2]}\n  %9 = Concat(%2, %3) {axis = 1}\n"},
    {"Decompression", "f32", "[?,3,?,4]", "  %9 = Relu(%2) info(\"decompression\" = \"kept\")\n"},
    {"AnOperationThatIsNotKnown", "f32", "[?,3,2,4]",
     "  %3 = Constant() {value = i64[1]{-1}}\n  %9 = Reshape(%2, %3)\n"},
};
INSTANTIATE_TEST_SUITE_P(Guards, TransposeSinkingKeepsTest, ::testing::ValuesIn(kKept),
                         [](const ::testing::TestParamInfo<Kept>& info) { return info.param.name; });

TEST(TransposeSinkingTest, LeavesAnOrderThatIsNotKnown) {
  ExpectUnchanged(&TransposeSinking, R"(model "" {
  %0 "x" = Parameter() {shape = [2,3]}
  %1 "order" = Parameter() {element_type = i64, shape = [2]}
  %2 = Transpose(%0, %1)
  %3 = Relu(%2)
  %4 "out" = Result(%3)
})");
}

TEST(TransposeSinkingTest, LeavesTheDecompressionOfWeights) {
  ExpectUnchanged(&TransposeSinking, R"(model "" {
  %0 "x" = Parameter() {shape = [2,3]}
  %1 = Constant() {value = i64[2]{1, 0}}
  %2 = Transpose(%0, %1) info("decompression" = "kept")
  %3 = Relu(%2)
  %4 "out" = Result(%3)
})");
}

// ---- With the passes that it makes room for ----

int64_t CountTransposes(const ir::Model& model) {
  int64_t count = 0;
  for (const ir::NodeId id : model.NodeIds()) count += model.node(id).code() == ir::OpCode::kTranspose ? 1 : 0;
  return count;
}

void ExpectTransposesLeft(absl::string_view text, int64_t expected) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> before, ir::ParseModel(text));
  const std::unique_ptr<ir::Model> after = before->Clone();
  const PassGroup group = {&kFolding, &kIdentities,     &kTransposes, &kReshapes,
                           &kSinking, &kReshapeSinking, &kConverts,   &kMatMuls};
  PipelineOptions options;
  options.verify_each_rewrite = true;
  CompileReport report;
  ASSERT_OK(RunPasses(after.get(), {group}, {}, options, &report));
  ASSERT_OK_AND_ASSIGN(const std::string left, ir::PrintModel(*after));
  EXPECT_EQ(CountTransposes(*after), expected) << left;
  EXPECT_OK(CheckEquivalent(*before, *after));
}

// As converters from TensorFlow write it: each Conv between two Transposes, all else in NHWC.
std::string ResidualBlocks(absl::string_view shape) {
  return absl::StrCat(R"(model "" {
  %0 "x" = Parameter() {shape = )",
                      shape, R"(}
  %1 = Constant() {value = i64[4]{0, 3, 1, 2}}
  %2 = Constant() {value = i64[4]{0, 2, 3, 1}}
  %3 = Constant() {value = f32[2,2,1,1]{1, 2, -3, 4}}
  %4 = Constant() {value = f32[2]{1, -2}}
  %5 = Constant() {value = i64[4]{0, 0, 0, 0}}
  %6 = Constant() {value = i64[4]{0, 1, 1, 0}}
  %7 = Constant() {value = f32[2,2,2,2]{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}}
  %10 = Transpose(%0, %1)
  %11 = Convolution(%10, %3) {strides = [1, 1]}
  %12 = Transpose(%11, %2)
  %13 = Add(%12, %4)
  %14 = Relu(%13)
  %15 = Pad(%14, %5, %6)
  %16 = Transpose(%15, %1)
  %17 = Convolution(%16, %7) {strides = [1, 1]}
  %18 = Transpose(%17, %2)
  %19 = Add(%18, %4)
  %20 = Add(%14, %19)
  %8 = Constant() {value = f32[1,1,2]{0.5, -2}}
  %21 = PRelu(%20, %8)
  %22 = Transpose(%21, %1)
  %23 = Convolution(%22, %3) {strides = [1, 1]}
  %24 = Transpose(%23, %2)
  %25 = Add(%21, %24)
)");
}

TEST(TransposeSinkingTest, ResidualBlocksKeepTheFirstAndTheLast) {
  for (const char* const shape : {"[1,4,5,2]", "[?,?,?,2]"}) {
    ExpectTransposesLeft(absl::StrCat(ResidualBlocks(shape), "  %99 \"out\" = Result(%25)\n}"), 2);
  }
}

TEST(TransposeSinkingTest, APoolingHeadNeedsNoLastOne) {
  for (const char* const shape : {"[1,4,5,2]", "[?,?,?,2]"}) {
    ExpectTransposesLeft(absl::StrCat(ResidualBlocks(shape), R"(  %26 = Constant() {value = i64[2]{1, 2}}
  %27 = ReduceMean(%25, %26)
  %99 "out" = Result(%27)
})"),
                         1);
  }
}

TEST(TransposeSinkingTest, MeetsConverts) {
  ExpectTransposesLeft(R"(model "" {
  %0 "x" = Parameter() {element_type = u8, shape = [?,?,?,2]}
  %1 = Constant() {value = i64[4]{0, 3, 1, 2}}
  %2 = Constant() {value = i64[4]{0, 2, 3, 1}}
  %3 = Transpose(%0, %1)
  %4 = Convert(%3) {destination_type = f32}
  %5 = Transpose(%4, %2)
  %6 = Relu(%5)
  %7 = Transpose(%6, %1)
  %8 = Convert(%7) {destination_type = f16}
  %9 = Transpose(%8, %2)
  %10 "out" = Result(%9)
})",
                       0);
}

TEST(TransposeSinkingTest, MeetsMatMuls) {
  ExpectTransposesLeft(R"(model "" {
  %0 "q" = Parameter() {shape = [?,h,?,4]}
  %1 "k" = Parameter() {shape = [?,h,?,4]}
  %2 = Constant() {value = i64[4]{0, 1, 3, 2}}
  %3 = Constant() {value = f32[]{0.5}}
  %4 = Transpose(%1, %2)
  %5 = Multiply(%4, %3)
  %6 = MatMul(%0, %5)
  %7 = Transpose(%6, %2)
  %8 = Relu(%7)
  %9 = MatMul(%8, %0)
  %10 "out" = Result(%9)
})",
                       0);
}

TEST(TransposeSinkingTest, SaysWhyNot) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(R"(model "" {
  %0 "x" = Parameter() {shape = [2,3]}
  %1 = Constant() {value = i64[2]{1, 0}}
  %2 = Transpose(%0, %1)
  %3 "relu" = Relu(%2)
  %4 "out" = Result(%3)
  %5 "out2" = Result(%2)
})"));
  ASSERT_OK_AND_ASSIGN(const std::string why,
                       Explain(&TransposeSinking, *model, model->FindNode("relu"), ir::PassContext()));
  EXPECT_THAT(why, HasSubstr("other readers keep their Transpose"));
}

}  // namespace
}  // namespace burin::transformations
