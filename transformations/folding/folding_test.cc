// The passes of this folder together with those that they count on: what real networks hold becomes an anchor and at
// most one Add.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ir/model.h"
#include "ir/ops/op_code.h"
#include "ir/rewrite.h"
#include "ir/structural.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"
#include "transformations/driver.h"
#include "transformations/pass_table.h"
#include "transformations/passes.h"
#include "transformations/report.h"
#include "transformations/rewrite_testlib.h"

namespace burin::transformations {
namespace {

// Expects that `before` becomes `after`, but for the contents of constants, and that both compute the same.
void ExpectFolds(absl::string_view before, absl::string_view after) {
  SCOPED_TRACE(before);
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> old_model, ir::ParseModel(before));
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> wanted, ir::ParseModel(after));
  const std::unique_ptr<ir::Model> model = old_model->Clone();
  PassGroup group;
  for (const PassId id : {PassId::kConstantFolding, PassId::kArithmeticIdentities, PassId::kDecomposeBatchNorm,
                          PassId::kMergeConstants, PassId::kFoldScale, PassId::kFoldPad, PassId::kBiasForm}) {
    group.push_back(&PassOf(id));
  }
  CompileReport report;
  PipelineOptions options;
  options.verify_each_rewrite = true;
  ASSERT_OK(RunPasses(model.get(), {group}, ir::PassContext(), options, &report));
  ASSERT_OK_AND_ASSIGN(const std::string text, ir::PrintModel(*model));
  ir::StructuralOptions structural;
  structural.compare_constants = false;
  EXPECT_OK(ir::CompareStructure(*model, *wanted, structural)) << text;
  EXPECT_EQ(model->node_count(), wanted->node_count()) << text;
  RewriteTestOptions tolerant;
  tolerant.equivalence = Equivalence::kByTolerances;
  tolerant.special_floats = false;
  EXPECT_OK(CheckEquivalent(*old_model, *model, tolerant)) << text;
}

TEST(FoldingTest, ConvolutionBatchNormRelu) {
  for (const char* shape : {"[1,3,4,4]", "[batch,3,h,w]", "[?,?,?,?]"}) {
    const std::string head = absl::StrCat("model \"\" {\n  %0 \"x\" = Parameter() {shape = ", shape, "}\n", R"(
  %1 = Constant() {value = f32[2,3,1,1]{1, -2, 3, 0.5, 1, -1}}
)");
    ExpectFolds(absl::StrCat(head, R"(
  %2 = Constant() {value = f32[2]{0.5, -1.5}}
  %3 = Constant() {value = f32[2]{0.25, 1}}
  %4 = Constant() {value = f32[2]{1, 2}}
  %5 = Convolution(%0, %1)
  %6 = BatchNormInference(%5, %2, %3, %3, %4)
  %7 = Relu(%6)
  %8 "out" = Result(%7)
})"),
                absl::StrCat(head, R"(
  %2 = Constant() {value = f32[1,2,1,1]{0, 0}}
  %5 = Convolution(%0, %1)
  %6 = Add(%5, %2)
  %7 = Relu(%6)
  %8 "out" = Result(%7)
})"));
  }
}

TEST(FoldingTest, ConvolutionBiasScaleShift) {
  ExpectFolds(R"(model "" {
  %0 "x" = Parameter() {shape = [?,1,?,?]}
  %1 = Constant() {value = f32[2,1,2,2]{1, -2, 3, 0.5, 1, -1, 2, 4}}
  %2 = Constant() {value = f32[2,1,1]{0.5, -1.5}}
  %3 = Constant() {value = f32[1,2,1,1]{2, 3}}
  %4 = Convolution(%0, %1)
  %5 = Add(%2, %4)
  %6 = Multiply(%5, %3)
  %7 = Subtract(%6, %2)
  %8 "out" = Result(%7)
})",
              R"(model "" {
  %0 "x" = Parameter() {shape = [?,1,?,?]}
  %1 = Constant() {value = f32[2,1,2,2]{1, -2, 3, 0.5, 1, -1, 2, 4}}
  %2 = Constant() {value = f32[1,2,1,1]{0.5, -1.5}}
  %4 = Convolution(%0, %1)
  %5 = Add(%4, %2)
  %8 "out" = Result(%5)
})");
}

TEST(FoldingTest, MatMulScaled) {
  for (const char* op : {"Multiply(%2, %3)", "Divide(%2, %3)"}) {
    ExpectFolds(absl::StrCat(R"(model "" {
  %0 "x" = Parameter() {shape = [?,?,2]}
  %1 = Constant() {value = f32[2,3]{1, -2, 3, 0.5, 1, -1}}
  %2 = MatMul(%0, %1)
  %3 = Constant() {value = f32[]{8}}
  %4 = )",
                             op, R"(
  %8 "out" = Result(%4)
})"),
                R"(model "" {
  %0 "x" = Parameter() {shape = [?,?,2]}
  %1 = Constant() {value = f32[2,3]{1, -2, 3, 0.5, 1, -1}}
  %2 = MatMul(%0, %1)
  %8 "out" = Result(%2)
})");
  }
}

TEST(FoldingTest, Gemm) {
  // alpha * x * w + beta * c, as ONNX has it.
  ExpectFolds(R"(model "" {
  %0 "x" = Parameter() {shape = [?,2]}
  %1 = Constant() {value = f32[3,2]{1, -2, 3, 0.5, 1, -1}}
  %2 = Constant() {value = f32[]{0.5}}
  %3 = Constant() {value = f32[3]{1, 2, 3}}
  %4 = MatMul(%0, %1) {transpose_b = true}
  %5 = Multiply(%4, %2)
  %6 = Multiply(%3, %2)
  %7 = Add(%5, %6)
  %8 "out" = Result(%7)
})",
              R"(model "" {
  %0 "x" = Parameter() {shape = [?,2]}
  %1 = Constant() {value = f32[3,2]{1, -2, 3, 0.5, 1, -1}}
  %2 = Constant() {value = f32[1,3]{0, 0, 0}}
  %4 = MatMul(%0, %1) {transpose_b = true}
  %7 = Add(%4, %2)
  %8 "out" = Result(%7)
})");
}

TEST(FoldingTest, DepthwiseConvolution) {
  ExpectFolds(R"(model "" {
  %0 "x" = Parameter() {shape = [1,2,?,?]}
  %1 = Constant() {value = f32[2,1,1,1,2]{1, -2, 3, 0.5}}
  %2 = Constant() {value = i64[4]{0, 0, 1, 1}}
  %3 = Constant() {value = f32[2]{0.5, -1.5}}
  %4 = Constant() {value = f32[2]{1, 2}}
  %5 = Constant() {value = f32[2,1,1]{3, 4}}
  %6 = Pad(%0, %2, %2)
  %7 = GroupConvolution(%6, %1)
  %8 = Add(%7, %5)
  %9 = BatchNormInference(%8, %3, %3, %3, %4)
  %10 "out" = Result(%9)
})",
              R"(model "" {
  %0 "x" = Parameter() {shape = [1,2,?,?]}
  %1 = Constant() {value = f32[2,1,1,1,2]{1, -2, 3, 0.5}}
  %2 = Constant() {value = f32[1,2,1,1]{0.5, -1.5}}
  %7 = GroupConvolution(%0, %1) {pads_begin = [1, 1], pads_end = [1, 1]}
  %8 = Add(%7, %2)
  %10 "out" = Result(%8)
})");
}

TEST(FoldingTest, TransposedConvolutionBatchNorm) {
  ExpectFolds(R"(model "" {
  %0 "x" = Parameter() {shape = [?,1,?]}
  %1 = Constant() {value = f32[1,2,3]{1, -2, 3, 0.5, 1, 2}}
  %3 = Constant() {value = f32[2]{0.5, -1.5}}
  %4 = Constant() {value = f32[2]{1, 2}}
  %7 = ConvolutionBackpropData(%0, %1) {strides = [2]}
  %9 = BatchNormInference(%7, %3, %3, %3, %4)
  %10 "out" = Result(%9)
})",
              R"(model "" {
  %0 "x" = Parameter() {shape = [?,1,?]}
  %1 = Constant() {value = f32[1,2,3]{1, -2, 3, 0.5, 1, 2}}
  %2 = Constant() {value = f32[1,2,1]{0.5, -1.5}}
  %7 = ConvolutionBackpropData(%0, %1) {strides = [2]}
  %9 = Add(%7, %2)
  %10 "out" = Result(%9)
})");
}

TEST(FoldingTest, NormalisedInput) {
  // (x - mean) / deviation above the first convolution: the scale goes down, the shift stays for the padding's sake.
  ExpectFolds(R"(model "" {
  %0 "x" = Parameter() {shape = [?,2,?]}
  %1 = Constant() {value = f32[1,2,3]{1, -2, 3, 0.5, 1, 2}}
  %3 = Constant() {value = f32[2,1]{0.5, -1.5}}
  %4 = Constant() {value = f32[2,1]{2, 4}}
  %5 = Subtract(%0, %3)
  %6 = Divide(%5, %4)
  %7 = Convolution(%6, %1) {pads_begin = [1], pads_end = [1]}
  %10 "out" = Result(%7)
})",
              R"(model "" {
  %0 "x" = Parameter() {shape = [?,2,?]}
  %1 = Constant() {value = f32[1,2,3]{1, -2, 3, 0.5, 1, 2}}
  %3 = Constant() {value = f32[2,1]{0.5, -1.5}}
  %5 = Subtract(%0, %3)
  %7 = Convolution(%5, %1) {pads_begin = [1], pads_end = [1]}
  %10 "out" = Result(%7)
})");
}

TEST(FoldingTest, NamesOfOutputsAndOperationsAreKept) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(R"(model "" {
  %0 "x" = Parameter() {shape = [?,2]}
  %1 = Constant() {value = f32[2,2]{1, 2, 3, 4}}
  %2 = Constant() {value = f32[]{2}}
  %3 "product" = MatMul(%0, %1) from("MatMul_1")
  %4 "scaled" = Multiply(%3, %2) : f32[?,2] names("y") from("Mul_2")
  %5 "out" = Result(%4)
})"));
  CompileReport report;
  const PassGroup group = {&PassOf(PassId::kConstantFolding), &PassOf(PassId::kFoldScale)};
  ASSERT_OK(RunPasses(model.get(), {group}, ir::PassContext(), PipelineOptions(), &report));
  const ir::Node& result = model->node(model->results().front());
  const ir::Node& product = model->node(result.input(0).node);
  EXPECT_EQ(product.code(), ir::OpCode::kMatMul);
  EXPECT_THAT(product.output_names(0), ::testing::ElementsAre("y"));
  EXPECT_THAT(product.original_names(), ::testing::IsSupersetOf({"MatMul_1", "Mul_2"}));
}

}  // namespace
}  // namespace burin::transformations
