#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "transformations/passes.h"
#include "transformations/rewrite_testlib.h"

namespace burin::transformations {
namespace {

// x is %0, Pad %4 (pads [0, 0, 1, 0] and [0, 0, 0, 2]), weights %5, the result's value %9.
struct Text {
  std::string type = "f32";
  std::string shape = "[1,2,?,4]";
  std::string begin = "i64[4]{0, 0, 1, 0}";
  std::string end = "i64[4]{0, 0, 0, 2}";
  std::string value;  // Empty: absent.
  std::string mode = "constant";
  std::string weights;
};

std::string ModelOf(const Text& text, absl::string_view reader) {
  const bool reads_pad = reader.find("%4") != absl::string_view::npos;
  std::string model = absl::StrCat("model \"\" {\n  %0 \"x\" = Parameter() {element_type = ", text.type,
                                   ", shape = ", text.shape, "}\n");
  if (reads_pad) {
    absl::StrAppend(&model, "  %1 = Constant() {value = ", text.begin, "}\n  %2 = Constant() {value = ", text.end,
                    "}\n");
    if (!text.value.empty()) absl::StrAppend(&model, "  %3 = Constant() {value = ", text.value, "}\n");
    absl::StrAppend(&model, "  %4 = Pad(%0, %1, %2", text.value.empty() ? "" : ", %3", ") {pad_mode = ", text.mode,
                    "}\n");
  }
  if (!text.weights.empty()) absl::StrAppend(&model, "  %5 = Constant() {value = ", text.weights, "}\n");
  return absl::StrCat(model, "  %9 \"y\" = ", reader, "\n  %10 \"out\" = Result(%9)\n}");
}

void ExpectFolds(const Text& text, absl::string_view before, absl::string_view after) {
  SCOPED_TRACE(before);
  ExpectRewrites(&FoldPad, ModelOf(text, before), ModelOf(text, after));
}

void ExpectKept(const Text& text, absl::string_view reader) {
  SCOPED_TRACE(reader);
  ExpectUnchanged(&FoldPad, ModelOf(text, reader));
}

Text Filters() {
  Text text;
  text.weights = "f32[1,2,1,2]{1, -2, 3, 0.5}";
  return text;
}

TEST(FoldPadTest, Convolution) {
  ExpectFolds(Filters(), "Convolution(%4, %5)", "Convolution(%0, %5) {pads_begin = [1, 0], pads_end = [0, 2]}");
  ExpectFolds(Filters(), "Convolution(%4, %5) {strides = [2, 1], pads_begin = [0, 1], pads_end = [3, 0]}",
              "Convolution(%0, %5) {strides = [2, 1], pads_begin = [1, 1], pads_end = [3, 2]}");
  // What stands in the lists means nothing there.
  ExpectFolds(Filters(), "Convolution(%4, %5) {pads_begin = [7, 7], pads_end = [7, 7], auto_pad = valid}",
              "Convolution(%0, %5) {pads_begin = [1, 0], pads_end = [0, 2]}");
}

TEST(FoldPadTest, ShapesPartlyKnown) {
  Text text = Filters();
  for (const char* shape : {"[?,?,?,?]", "[batch,2,h,w]", "[0,2,3,3]", "[...]"}) {
    SCOPED_TRACE(shape);
    text.shape = shape;
    ExpectFolds(text, "Convolution(%4, %5)", "Convolution(%0, %5) {pads_begin = [1, 0], pads_end = [0, 2]}");
  }
}

TEST(FoldPadTest, ZeroOfEitherSign) {
  Text text = Filters();
  for (const char* value : {"f32[]{0}", "f32[]{-0}"}) {
    text.value = value;
    ExpectFolds(text, "Convolution(%4, %5)", "Convolution(%0, %5) {pads_begin = [1, 0], pads_end = [0, 2]}");
  }
  text.value = "f32[]{1}";
  ExpectKept(text, "Convolution(%4, %5)");
}

TEST(FoldPadTest, GroupConvolution) {
  Text text;
  text.type = "f16";
  text.weights = "f16[2,1,1,1,2]{1, -2, 3, 0.5}";
  ExpectFolds(text, "GroupConvolution(%4, %5)", "GroupConvolution(%0, %5) {pads_begin = [1, 0], pads_end = [0, 2]}");
}

TEST(FoldPadTest, AvgPool) {
  const Text text;
  ExpectFolds(text, "AvgPool(%4) {kernel = [2, 2], rounding_type = ceil}",
              "AvgPool(%0) {kernel = [2, 2], rounding_type = ceil, pads_begin = [1, 0], pads_end = [0, 2]}");
  ExpectFolds(text, "AvgPool(%4) {kernel = [2, 3], strides = [2, 2], rounding_type = ceil, pads_begin = [1, 1]}",
              "AvgPool(%0) {kernel = [2, 3], strides = [2, 2], rounding_type = ceil, pads_begin = [2, 1], "
              "pads_end = [0, 2]}");
  ExpectFolds(text, "AvgPool(%4) {kernel = [2, 2], exclude_pad = true}",
              "AvgPool(%0) {kernel = [2, 2], pads_begin = [1, 0], pads_end = [0, 2]}");
  ExpectFolds(text, "AvgPool(%4) {kernel = [2, 2], exclude_pad = true, auto_pad = valid, pads_end = [1, 1]}",
              "AvgPool(%0) {kernel = [2, 2], pads_begin = [1, 0], pads_end = [0, 2]}");
  // Some padding would count, some not.
  ExpectKept(text, "AvgPool(%4) {kernel = [2, 2], exclude_pad = true, pads_end = [0, 1]}");
  ExpectKept(text, "AvgPool(%4) {kernel = [2, 2], rounding_type = ceil_torch}");
  Text ones;
  ones.value = "f32[]{1}";
  ExpectKept(ones, "AvgPool(%4) {kernel = [2, 2]}");
}

TEST(FoldPadTest, MaxPool) {
  Text text;
  text.value = "f32[]{-inf}";
  ExpectFolds(text, "MaxPool(%4) {kernel = [2, 2], pads_begin = [1, 1]}",
              "MaxPool(%0) {kernel = [2, 2], pads_begin = [2, 1], pads_end = [0, 2]}");
  ExpectKept(text, "MaxPool(%4) {kernel = [2, 2], rounding_type = ceil_torch}");
  text.value = "f32[]{0}";
  ExpectKept(text, "MaxPool(%4) {kernel = [2, 2]}");
  text.value = "";
  ExpectKept(text, "MaxPool(%4) {kernel = [2, 2]}");
}

TEST(FoldPadTest, MaxPoolOfIntegers) {
  Text text;
  text.type = "i8";
  text.value = "i8[]{-128}";
  constexpr char kBefore[] = "MaxPool(%4) {kernel = [2, 2]}";
  constexpr char kAfter[] = "MaxPool(%0) {kernel = [2, 2], pads_begin = [1, 0], pads_end = [0, 2]}";
  ExpectFolds(text, kBefore, kAfter);
  text.value = "i8[]{-127}";
  ExpectKept(text, kBefore);
  text.type = "i64";
  text.value = "i64[]{-9223372036854775808}";
  ExpectFolds(text, kBefore, kAfter);
  text.type = "u8";
  text.value = "";
  ExpectFolds(text, kBefore, kAfter);
}

TEST(FoldPadTest, PositionsCountThePad) {
  ExpectUnchanged(&FoldPad, R"(model "" {
  %0 "x" = Parameter() {shape = [1,2,3]}
  %1 = Constant() {value = i64[3]{0, 0, 1}}
  %2 = Constant() {value = f32[]{-inf}}
  %3 = Pad(%0, %1, %1, %2)
  %4 = MaxPool(%3) {kernel = [2]}
  %5 "largest" = Result(%4)
  %6 "position" = Result(%4.1)
})");
}

TEST(FoldPadTest, OtherModesTakeTheDataThemselves) {
  Text text = Filters();
  text.shape = "[1,2,3,4]";
  for (const char* mode : {"edge", "reflect", "symmetric"}) {
    text.mode = mode;
    ExpectKept(text, "Convolution(%4, %5)");
  }
}

TEST(FoldPadTest, OnlySpatialAxesGrow) {
  Text text = Filters();
  text.begin = "i64[4]{1, 0, 0, 0}";
  ExpectKept(text, "Convolution(%4, %5)");
  text.begin = "i64[4]{0, 0, 0, 0}";
  text.end = "i64[4]{0, 0, 0, -1}";
  ExpectKept(text, "Convolution(%4, %5)");
  text.begin = "i64[4]{0, 0, 1, 0}";
  text.end = "i64[4]{0, 0, 0, 16777217}";
  ExpectKept(text, "Convolution(%4, %5)");
}

TEST(FoldPadTest, TheSumIsWhatAWindowTakes) {
  Text text = Filters();
  text.shape = "[1,2,0,0]";
  text.end = "i64[4]{0, 0, 0, 16777216}";
  ExpectKept(text, "Convolution(%4, %5) {pads_begin = [1, 1], pads_end = [0, 1], strides = [1, 16777216]}");
}

TEST(FoldPadTest, PaddingThatDependsOnTheSize) {
  ExpectKept(Filters(), "Convolution(%4, %5) {auto_pad = same_upper}");
  ExpectKept(Filters(), "Convolution(%4, %5) {auto_pad = same_lower}");
}

TEST(FoldPadTest, ThePadsMustBeKnown) {
  ExpectUnchanged(&FoldPad, R"(model "" {
  %0 "x" = Parameter() {shape = [1,2,3,4]}
  %1 "pads" = Parameter() {element_type = i64, shape = [4]}
  %2 = Pad(%0, %1, %1)
  %3 = Constant() {value = f32[1,2,1,1]{1, 2}}
  %4 "y" = Convolution(%2, %3)
  %5 "out" = Result(%4)
})");
}

TEST(FoldPadTest, PadStaysForOtherReaders) {
  const auto text = [](absl::string_view convolution) {
    return absl::StrCat(R"(model "" {
  %0 "x" = Parameter() {shape = [1,2,3,4]}
  %1 = Constant() {value = i64[4]{0, 0, 1, 1}}
  %2 = Pad(%0, %1, %1)
  %3 = Constant() {value = f32[1,2,1,1]{1, 2}}
  %4 "y" = )",
                        convolution, "\n  %5 = Relu(%2)\n  %6 \"out\" = Result(%4)\n  %7 \"other\" = Result(%5)\n}");
  };
  ExpectRewrites(&FoldPad, text("Convolution(%2, %3)"),
                 text("Convolution(%0, %3) {pads_begin = [1, 1], pads_end = [1, 1]}"));
}

}  // namespace
}  // namespace burin::transformations
