#include "snippets/decompose/primitive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ir/model.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// A body of the parameters x and y and those lines, of which the last is %9.
std::string Body(absl::string_view x, absl::string_view lines) {
  return absl::StrCat("model \"\" {\n  %0 \"x\" = Parameter() {", x, "}\n  %1 \"y\" = Parameter() {shape = [3]}\n",
                      lines, "\n  %10 = Result(%9)\n}");
}

void ExpectPrimitive(absl::string_view x, absl::string_view lines) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> body, ir::ParseModel(Body(x, lines)));
  EXPECT_OK(CheckPrimitive(*body));
}

void ExpectNotPrimitive(absl::string_view x, absl::string_view lines, const std::string& reason,
                        const std::string& op) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> body, ir::ParseModel(Body(x, lines)));
  EXPECT_THAT(CheckPrimitive(*body),
              StatusIs(absl::StatusCode::kUnimplemented, AllOf(HasSubstr(reason), HasSubstr(op))));
}

TEST(PrimitiveTest, ElementwiseReductionsTransposes) {
  ExpectPrimitive("element_type = f16, shape = [n,?,3]", R"(
  %2 = Convert(%0) {destination_type = f32}
  %3 = Multiply(%2, %1)
  %4 = Constant() {value = i64[2]{1, 2}}
  %5 = ReduceMean(%3, %4) {keep_dims = true}
  %6 = Greater(%5, %3)
  %7 = Constant() {value = i64[3]{2, 0, 1}}
  %9 = Transpose(%6, %7))");
}

TEST(PrimitiveTest, OtherOperationsAreNot) {
  ExpectNotPrimitive("shape = [n,3]", "%9 = Softmax(%0)", "Not an operation that a kernel is made of", "(Softmax)");
  ExpectNotPrimitive("shape = [n,3]", "%8 = Constant() {value = i64[]{0}}\n%9 = CumSum(%0, %8)",
                     "Not an operation that a kernel is made of", "(CumSum)");
}

TEST(PrimitiveTest, PiecesOfMemory) {
  constexpr char kHalves[] = R"(
  %2 = Constant() {value = i64[3]{2, 0, 1}}
  %3 = Transpose(%0, %2)
  %4 = Constant() {value = i64[]{2}}
  %5 = Split(%3, %4) {num_splits = 2}
  %9 = Subtract(%5.0, %5.1))";
  ExpectPrimitive("shape = [n,4,3]", kHalves);
  ExpectNotPrimitive("shape = [n,4]",
                     "%2 = Exp(%0)\n%4 = Constant() {value = i64[]{1}}\n%5 = "
                     "Split(%2, %4) {num_splits = 2}\n"
                     "%9 = Add(%5.0, %5.1)",
                     "A piece of what is not in memory", "(Split)");
  ExpectNotPrimitive("shape = [n,4]",
                     "%4 = Parameter() {element_type = i64, shape = []}\n%5 = "
                     "Split(%0, %4) {num_splits = 2}\n"
                     "%9 = Add(%5.0, %5.1)",
                     "Which piece it takes is not constant", "(Split)");
}

TEST(PrimitiveTest, JoinedResults) {
  ExpectPrimitive("shape = [n,3]",
                  "%2 = Exp(%0)\n%3 = Concat(%2, %0) {axis = "
                  "1}\n%9 = Concat(%3, %0) {axis = 1}");
  ExpectNotPrimitive("shape = [n,3]", "%2 = Concat(%0, %0) {axis = 1}\n%9 = Exp(%2)",
                     "What is joined is not only stored", "(Concat)");
}

TEST(PrimitiveTest, Reductions) {
  ExpectNotPrimitive("shape = [n,3]", "%8 = Constant() {value = i64[1]{1}}\n%9 = ReduceSum(%0, %8)",
                     "A reduction that drops dimensions", "(ReduceSum)");
  ExpectNotPrimitive("shape = [n,3]",
                     "%8 = Parameter() {element_type = i64, shape = [1]}\n%9 = "
                     "ReduceSum(%0, %8) {keep_dims = true}",
                     "The axes are not constant", "(ReduceSum)");
}

TEST(PrimitiveTest, Transposes) {
  ExpectNotPrimitive("shape = [n,3]",
                     "%8 = Parameter() {element_type = i64, shape = [2]}\n%9 = "
                     "Transpose(%0, %8)",
                     "The order is not constant", "(Transpose)");
}

TEST(PrimitiveTest, ElementTypes) {
  for (const char* type : {"f64", "f32", "f16", "bf16", "i8", "u8", "i16", "u16", "i32", "i64"}) {
    ExpectPrimitive(absl::StrCat("element_type = ", type, ", shape = [3]"), "%9 = Abs(%0)");
  }
  for (const char* type : {"u64", "u32"}) {
    ExpectNotPrimitive(absl::StrCat("element_type = ", type, ", shape = [3]"), "%9 = Abs(%0)",
                       absl::StrCat("Kernels do not compute with the element type ", type), "(Abs)");
    ExpectNotPrimitive("shape = [3]", absl::StrCat("%9 = Convert(%0) {destination_type = ", type, "}"),
                       absl::StrCat("Kernels do not compute with the element type ", type), "(Convert)");
  }
}

TEST(PrimitiveTest, Ranks) { ExpectNotPrimitive("shape = [...]", "%9 = Abs(%0)", "The rank is not known", "(Abs)"); }

TEST(PrimitiveTest, BroadcastRules) {
  ExpectPrimitive("shape = [3]", "%9 = Add(%0, %1) {auto_broadcast = none}");
  ExpectNotPrimitive("shape = [2,3,4]", "%9 = Add(%0, %1) {auto_broadcast = pdpd, axis = 1}",
                     "A broadcast by another rule than NumPy's", "(Add)");
}

TEST(PrimitiveTest, ReshapesOfOnes) {
  ExpectPrimitive("shape = [n,1,6]", R"(
  %2 = Relu(%0)
  %3 = Constant() {value = i64[4]{0, 6, 1, 1}}
  %4 = Reshape(%2, %3) {special_zero = true}
  %5 = Relu(%4)
  %6 = Constant() {value = i64[1]{2}}
  %7 = Squeeze(%5, %6)
  %8 = Unsqueeze(%7, %6)
  %9 = Relu(%8))");
}

TEST(PrimitiveTest, ReshapesOfMemory) {
  ExpectPrimitive("shape = [2,6]", R"(
  %2 = Constant() {value = i64[1]{1}}
  %3 = Unsqueeze(%0, %2)
  %4 = Constant() {value = i64[3]{2, 3, 2}}
  %5 = Reshape(%3, %4)
  %6 = Relu(%5)
  %7 = Constant() {value = i64[3]{1, 4, 3}}
  %8 = Reshape(%6, %7)
  %9 = Squeeze(%8))");
}

TEST(PrimitiveTest, OtherReshapes) {
  constexpr char kLines[] = R"(
  %2 = Relu(%0)
  %4 = Constant() {value = i64[2]{4, 3}}
  %5 = Reshape(%2, %4)
  %9 = Relu(%5))";
  ExpectNotPrimitive("shape = [2,6]", kLines, "splits or merges dimensions", "(Reshape)");
  // One of its readers is more than a view.
  ExpectNotPrimitive("shape = [2,6]", R"(
  %2 = Relu(%0)
  %4 = Constant() {value = i64[2]{4, 3}}
  %5 = Reshape(%2, %4)
  %6 = Result(%5)
  %9 = Relu(%5))",
                     "splits or merges dimensions", "(Reshape)");
  // The sizes may agree, but need not.
  ExpectNotPrimitive("shape = [?,?]", R"(
  %2 = Relu(%0)
  %4 = Constant() {value = i64[2]{-1, 3}}
  %5 = Reshape(%2, %4)
  %9 = Relu(%5))",
                     "splits or merges dimensions", "(Reshape)");
}

}  // namespace
}  // namespace burin::snippets
