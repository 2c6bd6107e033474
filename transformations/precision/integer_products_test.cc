#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "ir/rewrite.h"
#include "testing/gtest/status_matchers.h"
#include "transformations/passes.h"
#include "transformations/precision/computed_types.h"
#include "transformations/rewrite_testlib.h"

namespace burin::transformations {
namespace {

class IntegerProductsTest : public ::testing::Test {
 protected:
  IntegerProductsTest() {
    types_.multiplies_integers_in_f32 = true;
    context_.Provide<ComputedTypes>(&types_);
    options_.context = &context_;
    options_.min_integer = 0;
    options_.max_integer = 255;
  }

  ComputedTypes types_;
  ir::PassContext context_;
  RewriteTestOptions options_;
};

// A product of bytes, less a zero point of the same type, with weights of i32.
std::string Product(const std::string& type, const std::string& shape, const std::string& weights,
                    const std::string& attributes = "") {
  return absl::StrCat(R"(model "" {
    %0 "x" = Parameter() {element_type = )",
                      type, ", shape = ", shape, R"(}
    %1 "z" = Parameter() {element_type = )",
                      type, R"(, shape = []}
    %2 "wide" = Convert(%0) {destination_type = i32}
    %3 "zero" = Convert(%1) {destination_type = i32}
    %4 "centred" = Subtract(%2, %3)
    %5 "w" = Constant() {value = i32)",
                      weights, R"(}
    %6 "y" = MatMul(%4, %5))",
                      attributes, R"(
    %7 "out" = Result(%6)
  })");
}

TEST_F(IntegerProductsTest, ConvertsBothSidesAndTheSums) {
  ExpectRewrites(&IntegerProducts, Product("u8", "[?,2]", "[2,3]{1, -2, 3, 4, 5, 127}"), R"(model "" {
    %0 "x" = Parameter() {element_type = u8, shape = [?,2]}
    %1 "z" = Parameter() {element_type = u8, shape = []}
    %2 "wide" = Convert(%0) {destination_type = i32}
    %3 "zero" = Convert(%1) {destination_type = i32}
    %4 "centred" = Subtract(%2, %3)
    %5 = Convert(%4) {destination_type = f32}
    %6 "w" = Constant() {value = i32[2,3]{1, -2, 3, 4, 5, 127}}
    %7 = Convert(%6) {destination_type = f32}
    %8 = MatMul(%5, %7)
    %9 "y" = Convert(%8) {destination_type = i32}
    %10 "out" = Result(%9)
  })",
                 options_);
}

TEST_F(IntegerProductsTest, OnlyWhereTheDeviceSaysSo) {
  const std::string product = Product("u8", "[?,2]", "[2,1]{1, 2}");
  ExpectUnchanged(&IntegerProducts, product);
  types_.multiplies_integers_in_f32 = false;
  ExpectUnchanged(&IntegerProducts, product, options_);
}

TEST_F(IntegerProductsTest, TheSumOfAColumnDecides) {
  // 255 * 65793 = 2^24 - 1.
  const auto fires = [&](const std::string& weights, const std::string& attributes = "") {
    return !CheckUnchanged({"", "", &IntegerProducts, nullptr}, Product("u8", "[?,2]", weights, attributes), options_)
                .ok();
  };
  EXPECT_TRUE(fires("[2,2]{65792, 1, 1, -65792}"));
  EXPECT_FALSE(fires("[2,2]{65792, 1, 2, -65792}"));
  EXPECT_FALSE(fires("[2,2]{65792, 1, -2, -65792}"));
  EXPECT_FALSE(fires("[2,2]{65792, 2, 1, -65792}", " {transpose_b = true}"));
  EXPECT_TRUE(fires("[2,2]{65792, 1, 2, -65791}", " {transpose_b = true}"));
  EXPECT_TRUE(fires("[2]{65792, 1}"));
  EXPECT_FALSE(fires("[2]{65792, 2}"));
  EXPECT_TRUE(fires("[2,2,1]{65792, 1, 1, 65792}"));
  EXPECT_FALSE(fires("[2,2,1]{65792, 1, 2, 65792}"));
}

TEST_F(IntegerProductsTest, TheTypeThatValuesComeFromDecides) {
  const auto fires = [&](const std::string& type, const std::string& weights) {
    return !CheckUnchanged({"", "", &IntegerProducts, nullptr}, Product(type, "[?,1]", weights), options_).ok();
  };
  // Differences: of u8 and i8 up to 255, of u4 up to 15, of u16 up to 65535.
  EXPECT_TRUE(fires("i8", "[1,1]{65793}"));
  EXPECT_FALSE(fires("i8", "[1,1]{65794}"));
  EXPECT_TRUE(fires("u4", "[1,1]{1118481}"));
  EXPECT_FALSE(fires("u4", "[1,1]{1118482}"));
  EXPECT_TRUE(fires("u16", "[1,1]{256}"));
  EXPECT_FALSE(fires("u16", "[1,1]{257}"));
  EXPECT_FALSE(fires("u32", "[1,1]{1}"));
}

// A product of bytes with bytes.
std::string OfBytes(int terms) {
  return absl::StrCat(R"(model "" {
    %0 "a" = Parameter() {element_type = u8, shape = [?,)",
                      terms, R"(]}
    %1 "b" = Parameter() {element_type = i8, shape = [)",
                      terms, R"(,1]}
    %2 "wide_a" = Convert(%0) {destination_type = i32}
    %3 "wide_b" = Convert(%1) {destination_type = i32}
    %4 "y" = MatMul(%2, %3)
    %5 "out" = Result(%4)
  })");
}

TEST_F(IntegerProductsTest, TheNumberOfTermsDecidesWhereBothAreComputed) {
  // 255 * 128 * 514 = 2^24 - 256.
  EXPECT_FALSE(CheckUnchanged({"", "", &IntegerProducts, nullptr}, OfBytes(514), options_).ok());
  EXPECT_OK(CheckUnchanged({"", "", &IntegerProducts, nullptr}, OfBytes(515), options_));
}

// A convolution of bytes with weights [2,1,1,2], `groups` of them.
std::string Convolution(const std::string& op, const std::string& x, const std::string& weights) {
  return absl::StrCat(R"(model "" {
    %0 "x" = Parameter() {element_type = u8, shape = )",
                      x, R"(}
    %1 "wide" = Convert(%0) {destination_type = i32}
    %2 "w" = Constant() {value = i32)",
                      weights, R"(}
    %3 "y" = )",
                      op, R"((%1, %2) {strides = [1,1], pads_begin = [0,1], pads_end = [0,0], dilations = [1,1]}
    %4 "out" = Result(%3)
  })");
}

TEST_F(IntegerProductsTest, ConvertsConvolutions) {
  const auto fires = [&](const std::string& text) {
    return !CheckUnchanged({"", "", &IntegerProducts, nullptr}, text, options_).ok();
  };
  EXPECT_TRUE(fires(Convolution("Convolution", "[1,1,2,3]", "[2,1,1,2]{65792, 1, -1, 65792}")));
  EXPECT_FALSE(fires(Convolution("Convolution", "[1,1,2,3]", "[2,1,1,2]{65792, 1, -2, 65792}")));
  EXPECT_TRUE(fires(Convolution("GroupConvolution", "[1,2,2,3]", "[2,1,1,1,2]{65792, 1, -1, 65792}")));
  EXPECT_FALSE(fires(Convolution("GroupConvolution", "[1,2,2,3]", "[2,1,1,1,2]{65792, 1, -2, 65792}")));
}

TEST_F(IntegerProductsTest, LeavesFloatsAlone) {
  ExpectUnchanged(&IntegerProducts, R"(model "" {
    %0 "x" = Parameter() {shape = [?,1]}
    %1 "w" = Constant() {value = f32[1,1]{1}}
    %2 "y" = MatMul(%0, %1)
    %3 "out" = Result(%2)
  })",
                  options_);
}

}  // namespace
}  // namespace burin::transformations
