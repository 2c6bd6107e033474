#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "absl/strings/string_view.h"
#include "ir/model.h"
#include "ir/rewrite.h"
#include "ir/structural.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"
#include "transformations/driver.h"
#include "transformations/pass.h"
#include "transformations/passes.h"
#include "transformations/precision/computed_types.h"
#include "transformations/report.h"
#include "transformations/rewrite_testlib.h"

namespace burin::transformations {
namespace {

class ConvertPrecisionTest : public ::testing::Test {
 protected:
  ConvertPrecisionTest() {
    context_.Provide<ComputedTypes>(&types_);
    options_.context = &context_;
    options_.equivalence = Equivalence::kByTolerances;
    options_.special_floats = false;
  }

  // Expects that the pass makes `after` of `before`, which rounds where the other does not.
  void ExpectBecomes(absl::string_view before, absl::string_view after) {
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(before));
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> expected, ir::ParseModel(after));
    const Pass pass = {"ConvertPrecision", "", nullptr, &ConvertPrecision};
    PipelineOptions options;
    options.verify_each_rewrite = true;
    CompileReport report;
    ASSERT_OK(RunPasses(model.get(), {{&pass}}, context_, options, &report));
    EXPECT_OK(ir::CompareStructure(*model, *expected)) << ir::PrintModel(*model).value_or("");
  }

  const ComputedTypes types_ = {true, false};
  ir::PassContext context_;
  RewriteTestOptions options_;
};

constexpr char kChain[] = R"(model "" {
  %0 "x" = Parameter() {element_type = f16, shape = [?,2]}
  %1 "w" = Constant() {value = f16[2,2]{1, 2, 3, 4.5}}
  %2 "a" = MatMul(%0, %1)
  %3 "b" = Relu(%2)
  %4 "c" = Add(%3, %0)
  %5 "y" = Result(%4)
})";

TEST_F(ConvertPrecisionTest, ConvertsAtTheEdgesAlone) {
  options_.compare_names = true;
  ExpectRewrites(&ConvertPrecision, kChain, R"(model "" {
    %0 "x" = Parameter() {element_type = f16, shape = [?,2]}
    %1 = Convert(%0) {destination_type = f32}
    %2 = Constant() {value = f32[2,2]{1, 2, 3, 4.5}}
    %3 "a" = MatMul(%1, %2)
    %4 "b" = Relu(%3)
    %5 "c" = Add(%4, %1)
    %6 = Convert(%5) {destination_type = f16}
    %7 "y" = Result(%6)
  })",
                 options_);
}

TEST_F(ConvertPrecisionTest, OnlyWhereTheDeviceSaysSo) {
  ExpectUnchanged(&ConvertPrecision, kChain);
  const ComputedTypes other = {false, true};
  context_.Provide<ComputedTypes>(&other);
  ExpectUnchanged(&ConvertPrecision, kChain, options_);
}

TEST_F(ConvertPrecisionTest, WhatIsComputedInAnotherTypeStays) {
  ExpectUnchanged(&ConvertPrecision, R"(model "" {
    %0 "x" = Parameter() {element_type = f16, shape = [3]}
    %1 = Convert(%0) {destination_type = f32}
    %2 = Exp(%1)
    %3 = Convert(%2) {destination_type = f16}
    %4 "y" = Result(%3)
    %5 "same" = Result(%0)
    %6 = Convert(%0) {destination_type = i32}
    %7 "z" = Result(%6)
  })",
                  options_);
}

TEST_F(ConvertPrecisionTest, ConvertsOfTheModelDoNotRound) {
  ExpectBecomes(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [3]}
    %1 "n" = Parameter() {element_type = i32, shape = [3]}
    %2 = Convert(%0) {destination_type = f16}
    %3 = Convert(%1) {destination_type = f16}
    %4 = Multiply(%2, %3)
    %5 = Convert(%4) {destination_type = f32}
    %6 "y" = Result(%5)
    %7 = Convert(%4) {destination_type = bf16}
    %8 "z" = Result(%7)
  })",
                R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [3]}
    %1 "n" = Parameter() {element_type = i32, shape = [3]}
    %3 = Convert(%1) {destination_type = f32}
    %4 = Multiply(%0, %3)
    %6 "y" = Result(%4)
    %7 = Convert(%4) {destination_type = bf16}
    %8 "z" = Result(%7)
  })");
}

TEST_F(ConvertPrecisionTest, AChainBetweenWidenedTypesIsOne) {
  const ComputedTypes both = {true, true};
  context_.Provide<ComputedTypes>(&both);
  ExpectBecomes(R"(model "" {
    %0 "x" = Parameter() {element_type = f16, shape = [3]}
    %1 = Abs(%0)
    %2 = Convert(%1) {destination_type = bf16}
    %3 = Convert(%2) {destination_type = f32}
    %4 "y" = Result(%3)
    %5 "z" = Result(%2)
  })",
                R"(model "" {
    %0 "x" = Parameter() {element_type = f16, shape = [3]}
    %1 = Convert(%0) {destination_type = f32}
    %2 = Abs(%1)
    %4 "y" = Result(%2)
    %3 = Convert(%2) {destination_type = f16}
    %6 = Convert(%3) {destination_type = bf16}
    %5 "z" = Result(%6)
  })");
}

TEST_F(ConvertPrecisionTest, WeightsOfAWiderModelAreWidened) {
  ExpectRewrites(&ConvertPrecision, R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [1,2]}
    %1 = Constant() {value = f16[2]{0.5, 3}}
    %2 = Convert(%1) {destination_type = f32}
    %3 = Add(%0, %2)
    %4 "y" = Result(%3)
  })",
                 R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [1,2]}
    %1 = Constant() {value = f32[2]{0.5, 3}}
    %3 = Add(%0, %1)
    %4 "y" = Result(%3)
  })",
                 options_);
}

TEST_F(ConvertPrecisionTest, TypesThatAttributesName) {
  ExpectRewrites(&ConvertPrecision, R"(model "" {
    %0 "n" = Parameter() {element_type = i32, shape = []}
    %1 = Constant() {value = i32[]{0}}
    %2 = Constant() {value = i32[]{1}}
    %3 = Range(%1, %0, %2) {output_type = f16}
    %4 "y" = Result(%3)
  })",
                 R"(model "" {
    %0 "n" = Parameter() {element_type = i32, shape = []}
    %1 = Constant() {value = i32[]{0}}
    %2 = Constant() {value = i32[]{1}}
    %3 = Range(%1, %0, %2) {output_type = f32}
    %5 = Convert(%3) {destination_type = f16}
    %4 "y" = Result(%5)
  })",
                 options_);
}

TEST_F(ConvertPrecisionTest, OutputsOfOtherTypesStay) {
  ExpectRewrites(&ConvertPrecision, R"(model "" {
    %0 "x" = Parameter() {element_type = f16, shape = [7]}
    %1 = Constant() {value = i64[]{3}}
    %2 = TopK(%0, %1) {axis = 0}
    %3 "indices" = Result(%2.1)
  })",
                 R"(model "" {
    %0 "x" = Parameter() {element_type = f16, shape = [7]}
    %1 = Constant() {value = i64[]{3}}
    %4 = Convert(%0) {destination_type = f32}
    %2 = TopK(%4, %1) {axis = 0}
    %3 "indices" = Result(%2.1)
  })",
                 options_);
}

TEST_F(ConvertPrecisionTest, BodiesKeepTheirSignature) {
  ExpectRewrites(&ConvertPrecision, R"(model "" {
    %0 "x" = Parameter() {element_type = f16, shape = [3]}
    %1 "c" = Parameter() {element_type = boolean, shape = []}
    %2 = If(%1, %0) {then_inputs = [1], else_inputs = [1]}
      model "" {
        %0 "a" = Parameter() {element_type = f16, shape = [3]}
        %1 = Exp(%0)
        %2 "b" = Result(%1)
      }
      model "" {
        %0 "a" = Parameter() {element_type = f16, shape = [3]}
        %2 "b" = Result(%0)
      }
    %3 "y" = Result(%2)
  })",
                 R"(model "" {
    %0 "x" = Parameter() {element_type = f16, shape = [3]}
    %1 "c" = Parameter() {element_type = boolean, shape = []}
    %2 = If(%1, %0) {then_inputs = [1], else_inputs = [1]}
      model "" {
        %0 "a" = Parameter() {element_type = f16, shape = [3]}
        %3 = Convert(%0) {destination_type = f32}
        %1 = Exp(%3)
        %4 = Convert(%1) {destination_type = f16}
        %2 "b" = Result(%4)
      }
      model "" {
        %0 "a" = Parameter() {element_type = f16, shape = [3]}
        %2 "b" = Result(%0)
      }
    %3 "y" = Result(%2)
  })",
                 options_);
}

TEST_F(ConvertPrecisionTest, BitsAndRandomNumbersKeepTheirType) {
  ExpectBecomes(R"(model "" {
    %0 "x" = Parameter() {element_type = f16, shape = [3]}
    %1 = Relu(%0)
    %2 = BitCast(%1) {destination_type = i16}
    %3 "bits" = Result(%2)
    %4 "sizes" = Parameter() {element_type = i64, shape = [2]}
    %5 = RandomUniform(%4) {output_type = f16, seed = 1}
    %6 = Exp(%5)
    %7 "numbers" = Result(%6)
  })",
                R"(model "" {
    %0 "x" = Parameter() {element_type = f16, shape = [3]}
    %8 = Convert(%0) {destination_type = f32}
    %1 = Relu(%8)
    %9 = Convert(%1) {destination_type = f16}
    %2 = BitCast(%9) {destination_type = i16}
    %3 "bits" = Result(%2)
    %4 "sizes" = Parameter() {element_type = i64, shape = [2]}
    %5 = RandomUniform(%4) {output_type = f16, seed = 1}
    %10 = Convert(%5) {destination_type = f32}
    %6 = Exp(%10)
    %11 = Convert(%6) {destination_type = f16}
    %7 "numbers" = Result(%11)
  })");
}

TEST_F(ConvertPrecisionTest, ConvertsKeepTheirAttributes) {
  ExpectBecomes(R"(model "" {
    %0 "x" = Parameter() {element_type = f16, shape = [3]}
    %1 = Exp(%0)
    %2 = Convert(%1) {destination_type = f8e5m2, saturate = false}
    %3 "y" = Result(%2)
  })",
                R"(model "" {
    %0 "x" = Parameter() {element_type = f16, shape = [3]}
    %4 = Convert(%0) {destination_type = f32}
    %1 = Exp(%4)
    %2 = Convert(%1) {destination_type = f8e5m2, saturate = false}
    %3 "y" = Result(%2)
  })");
}

}  // namespace
}  // namespace burin::transformations
