#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/text.h"
#include "snippets/linear/linear_ir.h"
#include "snippets/linear/linear_ir_parser.h"
#include "snippets/lowering/body_graph.h"
#include "snippets/lowering/lower.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

using ::testing::HasSubstr;

absl::StatusOr<std::string> LoweredText(absl::string_view body) {
  BURIN_ASSIGN_OR_RETURN(const std::unique_ptr<ir::Model> model, ir::ParseModel(body));
  BURIN_ASSIGN_OR_RETURN(const BodyGraph graph, BodyGraph::Create(*model));
  BURIN_ASSIGN_OR_RETURN(const LoweredKernel kernel, Lower(graph, *model, VectorFile(), "test"));
  return kernel.ir.ToString();
}

TEST(LoweredTextTest, ReadsBackAsItWas) {
  constexpr absl::string_view kBodies[] = {
      // Softmax in its primitive operations, with what is computed again.
      R"(model "" {
        %0 "x" = Parameter() {element_type = bf16, shape = [3,2,5]}
        %1 = Constant() {value = i64[1]{2}}
        %2 = ReduceMax(%0, %1) {keep_dims = true}
        %3 = Subtract(%0, %2)
        %4 = Exp(%3)
        %5 = ReduceSum(%4, %1) {keep_dims = true}
        %6 = Divide(%4, %5)
        %7 "out" = Result(%6)
      })",
      // A mean and a variance, two outputs, broadcasting, constants and attributes.
      R"(model "" {
        %0 "x" = Parameter() {element_type = f32, shape = [4,7]}
        %1 "scale" = Parameter() {element_type = f16, shape = [7]}
        %2 = Constant() {value = i64[1]{1}}
        %3 = ReduceMean(%0, %2) {keep_dims = true}
        %4 = Subtract(%0, %3)
        %5 = Multiply(%4, %4)
        %6 = ReduceMean(%5, %2) {keep_dims = true}
        %7 = Clamp(%6) {min = 0.001, max = 1000}
        %8 = Sqrt(%7)
        %9 = Divide(%4, %8)
        %10 = Convert(%1) {destination_type = f32}
        %11 = Multiply(%9, %10)
        %12 "mean" = Result(%3)
        %13 "out" = Result(%11)
      })",
  };
  for (const absl::string_view body : kBodies) {
    ASSERT_OK_AND_ASSIGN(const std::string text, LoweredText(body));
    ASSERT_OK_AND_ASSIGN(const LinearIr ir, ParseLinearIr(text));
    EXPECT_EQ(ir.ToString(), text);
  }
}

// The same input read along its rows and along its columns: which of the two comes first is in the text.
TEST(LoweredTextTest, TellsAMatrixFromItsTranspose) {
  constexpr absl::string_view kBegin = R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [5,5]}
    %1 = Constant() {value = i64[2]{1, 0}}
    %2 = Transpose(%0, %1)
    %3 = Subtract()";
  constexpr absl::string_view kEnd = R"()
    %4 "out" = Result(%3)
  })";
  const auto body = [&](absl::string_view inputs) {
    return std::string(kBegin) + std::string(inputs) + std::string(kEnd);
  };
  ASSERT_OK_AND_ASSIGN(const std::string one, LoweredText(body("%0, %2")));
  ASSERT_OK_AND_ASSIGN(const std::string other, LoweredText(body("%2, %0")));
  EXPECT_NE(one, other);
  EXPECT_THAT(one, HasSubstr("Load(input0.1)"));
  ASSERT_OK_AND_ASSIGN(const LinearIr ir, ParseLinearIr(one));
  EXPECT_EQ(ir.ToString(), one);
}

}  // namespace
}  // namespace burin::snippets
