#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "ir/model.h"
#include "ir/ops/op_testlib.h"
#include "ir/rewrite.h"
#include "ir/tensor.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"
#include "transformations/constant_evaluator.h"
#include "transformations/driver.h"
#include "transformations/pass.h"
#include "transformations/passes.h"
#include "transformations/report.h"
#include "transformations/rewrite_testlib.h"

namespace burin::transformations {
namespace {

using ::testing::HasSubstr;

// Returns how many rewrites the pass makes.
int64_t Folds(const std::string& text, const ir::PassContext& context = {}) {
  absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(text);
  EXPECT_OK(model);
  const Pass pass = {"ConstantFolding", "", &ConstantFolding, nullptr};
  CompileReport report;
  EXPECT_OK(RunPasses(model->get(), {{&pass}}, context, {}, &report));
  return report.rewrites;
}

TEST(ConstantFoldingTest, FoldsAChainToOneConstant) {
  ExpectRewrites(&ConstantFolding, R"(model "" {
    %0 "x" = Parameter() {shape = [?,3]}
    %1 "a" = Constant() {value = f32[3]{1, 2, 3}}
    %2 "b" = Constant() {value = f32[]{0.5}}
    %3 "c" = Multiply(%1, %2)
    %4 "d" = Negative(%3)
    %5 "y" = Add(%0, %4)
    %6 "out" = Result(%5)
  })",
                 R"(model "" {
    %0 "x" = Parameter() {shape = [?,3]}
    %1 "d" = Constant() {value = f32[3]{-0.5, -1, -1.5}}
    %2 "y" = Add(%0, %1)
    %3 "out" = Result(%2)
  })");
}

TEST(ConstantFoldingTest, FoldsWhatReachesAResult) {
  ExpectRewrites(&ConstantFolding, R"(model "" {
    %0 "a" = Constant() {value = i64[2,1]{7, 8}}
    %1 "order" = Constant() {value = i64[2]{1, 0}}
    %2 "t" = Transpose(%0, %1)
    %3 "out" = Result(%2)
  })",
                 R"(model "" {
    %0 "t" = Constant() {value = i64[1,2]{7, 8}}
    %1 "out" = Result(%0)
  })");
}

TEST(ConstantFoldingTest, FoldsEachOutputThatIsRead) {
  ExpectRewrites(&ConstantFolding, R"(model "" {
    %0 "a" = Constant() {value = f32[6]{1, 2, 3, 4, 5, 6}}
    %1 "axis" = Constant() {value = i64[]{0}}
    %2 "s" = Split(%0, %1) {num_splits = 3}
    %3 "first" = Result(%2.0)
    %4 "last" = Result(%2.2)
  })",
                 R"(model "" {
    %0 "s0" = Constant() {value = f32[2]{1, 2}}
    %1 "s2" = Constant() {value = f32[2]{5, 6}}
    %2 "first" = Result(%0)
    %3 "last" = Result(%1)
  })");
}

TEST(ConstantFoldingTest, FoldsShapesThatDependOnValues) {
  ExpectRewrites(&ConstantFolding, R"(model "" {
    %0 "a" = Constant() {value = f32[4]{0, 1, 0, 2}}
    %1 "n" = NonZero(%0) {output_type = i64}
    %2 "out" = Result(%1)
  })",
                 R"(model "" {
    %0 "n" = Constant() {value = i64[1,2]{1, 3}}
    %1 "out" = Result(%0)
  })");
}

TEST(ConstantFoldingTest, FoldsWithAbsentInputs) {
  ExpectRewrites(&ConstantFolding, R"(model "" {
    %0 "a" = Constant() {value = f32[1,2]{3, 4}}
    %1 "s" = Squeeze(%0)
    %2 "out" = Result(%1)
  })",
                 R"(model "" {
    %0 "s" = Constant() {value = f32[2]{3, 4}}
    %1 "out" = Result(%0)
  })");
}

TEST(ConstantFoldingTest, NamesWhatWasFolded) {
  RewriteTestOptions options;
  options.compare_names = true;
  ExpectRewrites(&ConstantFolding, R"(model "" {
    %0 "a" = Constant() {value = f32[1]{3}} : f32[1] from("Weight")
    %1 "b" = Relu(%0) : f32[1] names("b_out") from("Relu_7")
    %2 "out" = Result(%1) : f32[1] from("out")
  })",
                 R"(model "" {
    %0 "b" = Constant() {value = f32[1]{3}} : f32[1] names("b_out") from("Relu_7")
    %1 "out" = Result(%0) : f32[1] from("out")
  })",
                 options);
}

TEST(ConstantFoldingTest, FoldsInBodies) {
  ExpectRewrites(&ConstantFolding, R"(model "" {
    %0 "condition" = Parameter() {element_type = boolean, shape = []}
    %1 "x" = Parameter() {shape = [2]}
    %2 "if" = If(%0, %1) {then_inputs = [1], else_inputs = [1]}
      model "then" {
        %0 "in" = Parameter() {shape = [2]}
        %1 "a" = Constant() {value = f32[]{-4}}
        %2 "b" = Abs(%1)
        %3 "c" = Add(%0, %2)
        %4 "result" = Result(%3)
      }
      model "else" {
        %0 "in" = Parameter() {shape = [2]}
        %1 "result" = Result(%0)
      }
    %3 "out" = Result(%2)
  })",
                 R"(model "" {
    %0 "condition" = Parameter() {element_type = boolean, shape = []}
    %1 "x" = Parameter() {shape = [2]}
    %2 "if" = If(%0, %1) {then_inputs = [1], else_inputs = [1]}
      model "then" {
        %0 "in" = Parameter() {shape = [2]}
        %2 "b" = Constant() {value = f32[]{4}}
        %3 "c" = Add(%0, %2)
        %4 "result" = Result(%3)
      }
      model "else" {
        %0 "in" = Parameter() {shape = [2]}
        %1 "result" = Result(%0)
      }
    %3 "out" = Result(%2)
  })");
}

TEST(ConstantFoldingTest, LeavesWhatDependsOnAnInputAlone) {
  ExpectUnchanged(&ConstantFolding, R"(model "" {
    %0 "x" = Parameter() {shape = [3]}
    %1 "a" = Constant() {value = f32[3]{1, 2, 3}}
    %2 "y" = Add(%0, %1)
    %3 "out" = Result(%2)
  })");
}

TEST(ConstantFoldingTest, LeavesVariablesAlone) {
  ExpectUnchanged(&ConstantFolding, R"(model "" {
    variable "v" : f32[1]
    %0 "a" = Constant() {value = f32[1]{1}}
    %1 "read" = ReadValue(%0) {variable_id = "v"}
    %2 "assign" = Assign(%0) {variable_id = "v"}
    %3 "out" = Result(%1)
  })");
}

TEST(ConstantFoldingTest, LeavesBodiesWithTheirNodeAlone) {
  ExpectUnchanged(&ConstantFolding, R"(model "" {
    %0 "condition" = Constant() {value = boolean[]{1}}
    %1 "x" = Constant() {value = f32[1]{1}}
    %2 "if" = If(%0, %1) {then_inputs = [1], else_inputs = [1]}
      model "then" {
        %0 "in" = Parameter() {shape = [1]}
        %1 "result" = Result(%0)
      }
      model "else" {
        %0 "in" = Parameter() {shape = [1]}
        %1 "result" = Result(%0)
      }
    %3 "out" = Result(%2)
  })");
}

TEST(ConstantFoldingTest, LeavesKeptDecompressionAlone) {
  ExpectUnchanged(&ConstantFolding, R"(model "" {
    %0 "w" = Constant() {value = f16[2]{1, 2}}
    %1 "wide" = Convert(%0) {destination_type = f32} : f32[2] info("decompression" = "kept")
    %2 "out" = Result(%1)
  })");
  // Without the mark it is as any other.
  ExpectRewrites(&ConstantFolding, R"(model "" {
    %0 "w" = Constant() {value = f16[2]{1, 2}}
    %1 "wide" = Convert(%0) {destination_type = f32} : f32[2] info("decompression" = "other")
    %2 "out" = Result(%1)
  })",
                 R"(model "" {
    %0 "wide" = Constant() {value = f32[2]{1, 2}}
    %1 "out" = Result(%0)
  })");
}

// Weights [2,2] and their scale, to be dequantised once.
std::string Dequantised(const std::string& weights, const std::string& scale) {
  return absl::StrCat(R"(model "" {
    %0 "w" = Constant() {value = )",
                      weights, R"(}
    %1 "wide" = Convert(%0) {destination_type = f32} : f32[2,2] info("decompression" = "folded")
    %2 "scale" = Constant() {value = )",
                      scale, R"(}
    %3 "scaled" = Multiply(%1, %2) : f32[2,2] info("decompression" = "folded")
    %4 "out" = Result(%3)
  })");
}

TEST(ConstantFoldingTest, FoldsDecompressionWhateverTheLimits) {
  FoldingLimits limits;
  limits.max_growth_bytes = 0;
  limits.max_flops = 0;
  const FoldingBudget budget(40);
  ir::PassContext context;
  context.Provide<FoldingLimits>(&limits);
  context.Provide(&budget);
  EXPECT_EQ(Folds(Dequantised("u4[2,2]{1, 2, 3, 4}", "f32[2,1]{1, 0.5}"), context), 2);
  // Others have as much room as before.
  EXPECT_EQ(budget.grown_bytes(), 40);
}

TEST(ConstantFoldingTest, DecompressionThatMultipliesElementsIsLimited) {
  FoldingLimits limits;
  limits.max_growth_bytes = 0;
  ir::PassContext context;
  context.Provide<FoldingLimits>(&limits);
  // The Convert folds, the product has more elements than either side.
  EXPECT_EQ(Folds(R"(model "" {
    %0 "w" = Constant() {value = u4[1,8]{1, 2, 3, 4, 5, 6, 7, 8}}
    %1 "wide" = Convert(%0) {destination_type = f32} : f32[1,8] info("decompression" = "folded")
    %2 "zero" = Constant() {value = f32[8,1]{1, 2, 3, 4, 5, 6, 7, 8}}
    %3 "centred" = Subtract(%1, %2) : f32[8,8] info("decompression" = "folded")
    %4 "out" = Result(%3)
  })",
                  context),
            1);
}

TEST(ConstantFoldingTest, LeavesUnreadNodesAlone) {
  ExpectUnchanged(&ConstantFolding, R"(model "" {
    %0 "x" = Parameter() {shape = [1]}
    %1 "a" = Constant() {value = f32[1]{1}}
    %2 "dead" = Abs(%1)
    %3 "out" = Result(%0)
  })");
}

// The branch may never be taken: what fails stays to fail at run time.
TEST(ConstantFoldingTest, LeavesWhatFailsAlone) {
  // Large enough that inference does not compute it.
  std::string zeros = "0";
  for (int i = 1; i < 600; ++i) zeros += ", 0";
  const std::string text = R"(model "" {
    %0 "data" = Constant() {value = f32[2,300]{)" +
                           zeros + R"(}}
    %1 "lengths" = Constant() {value = i64[2]{1, 999}}
    %2 "reversed" = ReverseSequence(%0, %1) {batch_axis = 0, seq_axis = 1}
    %3 "x" = Parameter() {shape = [1]}
    %4 "y" = Add(%2, %3)
    %5 "out" = Result(%4)
  })";
  EXPECT_EQ(Folds(text), 0);
}

// ---- Limits ----

// A scalar broadcast to 4 MiB, less its own 4 bytes: just within the default; and the same with one more element.
std::string BroadcastTo(int64_t elements) {
  return R"(model "" {
    %0 "a" = Constant() {value = f32[]{1}}
    %1 "shape" = Constant() {value = i64[1]{)" +
         std::to_string(elements) + R"(}}
    %2 "b" = Broadcast(%0, %1)
    %3 "x" = Parameter() {shape = [1]}
    %4 "y" = Add(%2, %3)
    %5 "out" = Result(%4)
  })";
}

TEST(ConstantFoldingTest, GrowsTheModelWithinTheLimitAlone) {
  EXPECT_EQ(Folds(BroadcastTo((4 << 20) / 4)), 1);
  EXPECT_EQ(Folds(BroadcastTo((4 << 20) / 4 + 4)), 0);
  FoldingLimits limits;
  limits.max_growth_bytes = 64;
  ir::PassContext context;
  context.Provide<FoldingLimits>(&limits);
  // The Constants that go count: 4 bytes and 8.
  EXPECT_EQ(Folds(BroadcastTo(19), context), 1);
  EXPECT_EQ(Folds(BroadcastTo(20), context), 0);
}

TEST(ConstantFoldingTest, ConstantsThatOthersReadDoNotCountAsFreed) {
  FoldingLimits limits;
  limits.max_growth_bytes = 0;
  ir::PassContext context;
  context.Provide<FoldingLimits>(&limits);
  EXPECT_EQ(Folds(R"(model "" {
    %0 "a" = Constant() {value = f32[2]{1, 2}}
    %1 "b" = Negative(%0)
    %2 "out" = Result(%1)
  })",
                  context),
            1);
  EXPECT_EQ(Folds(R"(model "" {
    %0 "a" = Constant() {value = f32[2]{1, 2}}
    %1 "b" = Negative(%0)
    %2 "out1" = Result(%1)
    %3 "out2" = Result(%0)
  })",
                  context),
            0);
  // Read twice by the node itself, it is freed once.
  EXPECT_EQ(Folds(R"(model "" {
    %0 "a" = Constant() {value = f32[2]{1, 2}}
    %1 "b" = Concat(%0, %0) {axis = 0}
    %2 "out" = Result(%1)
  })",
                  context),
            0);
}

TEST(ConstantFoldingTest, AllFoldsTogetherStayWithinTheirLimit) {
  FoldingLimits limits;
  limits.max_total_growth_bytes = 100;
  const FoldingBudget budget(40);
  ir::PassContext context;
  context.Provide(&limits);
  context.Provide(&budget);
  // 12 bytes of Constants go each time.
  EXPECT_EQ(Folds(BroadcastTo(19), context), 0);
  EXPECT_EQ(Folds(BroadcastTo(18), context), 1);
  EXPECT_EQ(budget.grown_bytes(), 100);
  // What adds nothing goes on, and what frees makes room.
  EXPECT_EQ(Folds(BroadcastTo(3), context), 1);
  EXPECT_EQ(Folds(BroadcastTo(1), context), 1);
  EXPECT_EQ(budget.grown_bytes(), 92);
  EXPECT_EQ(Folds(BroadcastTo(5), context), 1);
  EXPECT_EQ(Folds(BroadcastTo(4), context), 0);
  EXPECT_EQ(budget.grown_bytes(), 100);
  limits.max_growth_bytes = 8;
  limits.max_total_growth_bytes = 1000;
  EXPECT_EQ(Folds(BroadcastTo(6), context), 0);
  EXPECT_EQ(Folds(BroadcastTo(5), context), 1);
}

TEST(ConstantFoldingTest, ViewsOfTheSameBytesAddNothing) {
  FoldingLimits limits;
  limits.max_growth_bytes = 0;
  ir::PassContext context;
  context.Provide<FoldingLimits>(&limits);
  EXPECT_EQ(Folds(R"(model "" {
    %0 "a" = Constant() {value = f32[4]{1, 2, 3, 4}}
    %1 "shape" = Constant() {value = i64[2]{2, 2}}
    %2 "b" = Reshape(%0, %1)
    %3 "out1" = Result(%2)
    %4 "out2" = Result(%0)
    %5 "out3" = Result(%1)
  })",
                  context),
            1);
}

TEST(ConstantFoldingTest, LimitsOutputsWhoseShapeIsKnownAfterwards) {
  FoldingLimits limits;
  limits.max_growth_bytes = 0;
  ir::PassContext context;
  context.Provide<FoldingLimits>(&limits);
  // 4 bytes in, 2 x 8 bytes out.
  EXPECT_EQ(Folds(R"(model "" {
    %0 "a" = Constant() {value = u8[4]{0, 1, 0, 2}}
    %1 "n" = NonZero(%0) {output_type = i64}
    %2 "out" = Result(%1)
  })",
                  context),
            0);
}

TEST(ConstantFoldingTest, LeavesMuchWorkAlone) {
  FoldingLimits limits;
  limits.max_flops = 10;
  ir::PassContext context;
  context.Provide<FoldingLimits>(&limits);
  constexpr char kProduct[] = R"(model "" {
    %0 "a" = Constant() {value = f32[2,2]{1, 2, 3, 4}}
    %1 "b" = Constant() {value = f32[2,2]{1, 2, 3, 4}}
    %2 "y" = MatMul(%0, %1)
    %3 "out" = Result(%2)
  })";
  EXPECT_EQ(Folds(kProduct, context), 0);
  limits.max_flops = 100;
  EXPECT_EQ(Folds(kProduct, context), 1);
}

// ---- The evaluator ----

class FixedEvaluator final : public ConstantEvaluator {
 public:
  explicit FixedEvaluator(absl::StatusOr<std::vector<ir::Tensor>> answer) : answer_(std::move(answer)) {}
  absl::StatusOr<std::vector<ir::Tensor>> Evaluate(const ir::Node&, absl::Span<const ir::Tensor>) const override {
    return answer_;
  }

 private:
  absl::StatusOr<std::vector<ir::Tensor>> answer_;
};

constexpr char kNegative[] = R"(model "" {
  %0 "a" = Constant() {value = f32[2]{1, 2}}
  %1 "b" = Negative(%0)
  %2 "out" = Result(%1)
})";

absl::Status FoldBy(const ConstantEvaluator& evaluator, CompileReport* report, std::string* after) {
  absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(kNegative);
  EXPECT_OK(model);
  ir::PassContext context;
  context.Provide<ConstantEvaluator>(&evaluator);
  const Pass pass = {"ConstantFolding", "", &ConstantFolding, nullptr};
  const absl::Status status = RunPasses(model->get(), {{&pass}}, context, {}, report);
  *after = *ir::PrintModel(**model);
  return status;
}

TEST(ConstantFoldingTest, AsksTheEvaluatorOfTheContext) {
  const FixedEvaluator evaluator(std::vector<ir::Tensor>{ir::F32({2}, {40, 50})});
  CompileReport report;
  std::string after;
  ASSERT_OK(FoldBy(evaluator, &report, &after));
  EXPECT_EQ(report.rewrites, 1);
  EXPECT_THAT(after, HasSubstr("f32[2]{40, 50}"));
}

TEST(ConstantFoldingTest, WhatTheEvaluatorRefusesStays) {
  const FixedEvaluator evaluator(absl::UnimplementedError("not that one"));
  CompileReport report;
  std::string after;
  ASSERT_OK(FoldBy(evaluator, &report, &after));
  EXPECT_EQ(report.rewrites, 0);
}

TEST(ConstantFoldingTest, AWrongEvaluatorIsAnError) {
  CompileReport report;
  std::string after;
  EXPECT_THAT(FoldBy(FixedEvaluator(absl::InternalError("broken")), &report, &after),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("broken")));
  EXPECT_THAT(FoldBy(FixedEvaluator(std::vector<ir::Tensor>{}), &report, &after),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("another number of outputs")));
  EXPECT_THAT(FoldBy(FixedEvaluator(std::vector<ir::Tensor>{ir::F32({3}, {1, 2, 3})}), &report, &after),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("f32[3]")));
}

}  // namespace
}  // namespace burin::transformations
