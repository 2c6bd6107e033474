#include "snippets/tokenize/tokenize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "ir/forms/random_model_testlib.h"
#include "ir/model.h"
#include "ir/ops/ops.h"
#include "ir/text.h"
#include "ir/verifier.h"
#include "snippets/tokenize/fusion_report.h"
#include "snippets/tokenize/tokenize_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

std::unique_ptr<ir::Model> Parse(absl::string_view text) {
  absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(text);
  EXPECT_OK(model.status()) << text;
  return *std::move(model);
}

Tokenized Tokenizes(absl::string_view text) { return ExpectTokenizes(*Parse(text), /*seed=*/1); }

TEST(Tokenize, ADiamondBecomesOneSubgraph) {
  const Tokenized t = Tokenizes(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [2, 3]}
    %1 "exp" = Exp(%0)
    %2 "relu" = Relu(%1)
    %3 "abs" = Abs(%1)
    %4 "sum" = Add(%2, %3)
    %5 "out" = Result(%4)
  })");
  ASSERT_EQ(t.report.subgraphs.size(), 1u);
  EXPECT_THAT(t.report.subgraphs[0].ops, UnorderedElementsAre("exp (Exp)", "relu (Relu)", "abs (Abs)", "sum (Add)"));
  EXPECT_EQ(t.report.subgraphs[0].name, "sum");
  EXPECT_THAT(t.report.subgraphs[0].inputs, ElementsAre("x"));
  EXPECT_EQ(t.report.fused_edges, t.report.eligible_edges);
  EXPECT_EQ(t.model->node_count(), 3);
}

TEST(Tokenize, WhatIsReadOutsideIsAnOutput) {
  const Tokenized t = Tokenizes(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [2, 3]}
    %1 "exp" = Exp(%0)
    %2 "relu" = Relu(%1)
    %3 "first" = Result(%1)
    %4 "second" = Result(%2)
  })");
  ASSERT_EQ(t.report.subgraphs.size(), 1u);
  EXPECT_THAT(t.report.subgraphs[0].outputs, ElementsAre("exp", "relu"));
}

TEST(Tokenize, WhatWouldCloseACycleStaysApart) {
  const Tokenized t = Tokenizes(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [2, 3]}
    %1 "exp" = Exp(%0)
    %2 "axis" = Constant() {value = i64[]{0}}
    %3 "scan" = CumSum(%1, %2)
    %4 "sum" = Add(%1, %3)
    %5 "out" = Result(%4)
  })");
  EXPECT_EQ(t.report.subgraphs.size(), 2u);
  ASSERT_EQ(t.report.refusals.size(), 1u);
  EXPECT_EQ(t.report.refusals[0].producer, "exp");
  EXPECT_EQ(t.report.refusals[0].consumer, "sum");
  EXPECT_EQ(t.report.refusals[0].reason, FusionReason::kCycle);
  ASSERT_EQ(t.report.ineligible.size(), 1u);
  EXPECT_EQ(t.report.ineligible[0].name, "scan");
}

TEST(Tokenize, AnOperationAloneBecomesASubgraph) {
  const Tokenized t = Tokenizes(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [a, 3]}
    %1 "softmax" = Softmax(%0) {axis = 1}
    %2 "out" = Result(%1)
  })");
  EXPECT_EQ(CountOps(*t.model, ir::SubgraphOp()), 1);
  EXPECT_EQ(CountOps(*t.model, ir::SoftmaxOp()), 0);
}

TEST(Tokenize, TypesThatKernelsDoNotKnowStayOutside) {
  const Tokenized t = Tokenizes(R"(model "" {
    %0 "x" = Parameter() {element_type = u64, shape = [2, 3]}
    %1 "sum" = Add(%0, %0)
    %2 "out" = Result(%1)
  })");
  EXPECT_TRUE(t.report.subgraphs.empty());
  ASSERT_EQ(t.report.ineligible.size(), 1u);
  EXPECT_THAT(t.report.ineligible[0].reason, HasSubstr("element type u64"));
}

TEST(Tokenize, TranscendentalFunctionsOfDoublesStayOutside) {
  const Tokenized t = Tokenizes(R"(model "" {
    %0 "x" = Parameter() {element_type = f64, shape = [2, 3]}
    %1 "sin" = Sin(%0)
    %2 "out" = Result(%1)
  })");
  EXPECT_TRUE(t.report.subgraphs.empty());
  ASSERT_EQ(t.report.ineligible.size(), 1u);
  EXPECT_THAT(t.report.ineligible[0].reason, HasSubstr("Sin: not with elements of type f64"));
}

// The mask of an attention, from 8-byte positions.
TEST(Tokenize, WideMasksJoinTheChainsThatTheyFeed) {
  const Tokenized t = Tokenizes(R"(model "" {
    %0 "scores" = Parameter() {element_type = f32, shape = [b, 4, 128, 128]}
    %1 "row" = Parameter() {element_type = i64, shape = [128, 1]}
    %2 "column" = Parameter() {element_type = i64, shape = [1, 128]}
    %3 "given" = Parameter() {element_type = i64, shape = [b, 1, 1, 128]}
    %4 "before" = LessEqual(%2, %1)
    %5 "used" = Convert(%3) {destination_type = boolean}
    %6 "both" = LogicalAnd(%4, %5)
    %7 "lowest" = Constant() {value = f32[]{-10000}}
    %8 "masked" = Select(%6, %0, %7)
    %9 "weights" = Softmax(%8) {axis = 3}
    %10 "out" = Result(%9)
  })");
  EXPECT_EQ(t.report.subgraphs.size(), 1u);
  EXPECT_TRUE(t.report.ineligible.empty());
}

TEST(Tokenize, UnknownRanksStayOutside) {
  const Tokenized t = Tokenizes(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [...]}
    %1 "exp" = Exp(%0)
    %2 "out" = Result(%1)
  })");
  EXPECT_TRUE(t.report.subgraphs.empty());
  ASSERT_EQ(t.report.ineligible.size(), 1u);
  EXPECT_THAT(t.report.ineligible[0].reason, HasSubstr("rank"));
}

TEST(Tokenize, ScalarsAndEmptyTensors) {
  for (const char* shape : {"[]", "[0, 3]", "[1, 1]"}) {
    const Tokenized t = Tokenizes(absl::StrCat(R"(model "" {
      %0 "x" = Parameter() {element_type = f32, shape = )",
                                               shape, R"(}
      %1 "y" = Parameter() {element_type = f32, shape = []}
      %2 "exp" = Exp(%0)
      %3 "sum" = Add(%2, %1)
      %4 "out" = Result(%3)
    })"));
    EXPECT_EQ(t.report.subgraphs.size(), 1u) << shape;
  }
}

TEST(Tokenize, LayerNormalisationWithResidualIsOneSubgraph) {
  const Tokenized t = Tokenizes(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [batch, tokens, 64]}
    %1 "residual" = Parameter() {element_type = f32, shape = [batch, tokens, 64]}
    %2 "in" = Add(%0, %1)
    %3 "axes" = Constant() {value = i64[1]{-1}}
    %4 "mean" = ReduceMean(%2, %3) {keep_dims = true}
    %5 "centred" = Subtract(%2, %4)
    %6 "square" = Multiply(%5, %5)
    %7 "variance" = ReduceMean(%6, %3) {keep_dims = true}
    %8 "epsilon" = Constant() {value = f32[]{1e-05}}
    %9 "shifted" = Add(%7, %8)
    %10 "deviation" = Sqrt(%9)
    %11 "normal" = Divide(%5, %10)
    %12 "sum" = Result(%2)
    %13 "out" = Result(%11)
  })");
  EXPECT_EQ(t.report.subgraphs.size(), 1u) << t.report.ToString();
}

TEST(Tokenize, ATransposeBeforeAnOperationIsReadByStrides) {
  const Tokenized t = Tokenizes(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [8, a]}
    %1 "y" = Parameter() {element_type = f32, shape = [a, 8]}
    %2 "order" = Constant() {value = i64[2]{1, 0}}
    %3 "turned" = Transpose(%0, %2)
    %4 "sum" = Add(%3, %1)
    %5 "out" = Result(%4)
  })");
  ASSERT_EQ(t.report.subgraphs.size(), 1u);
  EXPECT_THAT(t.report.subgraphs[0].ops, ElementsAre("turned (Transpose)", "sum (Add)"));
}

TEST(Tokenize, AViewThatOthersReadTooStaysOutside) {
  const Tokenized t = Tokenizes(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [8, 4]}
    %1 "order" = Constant() {value = i64[2]{1, 0}}
    %2 "turned" = Transpose(%0, %1)
    %3 "exp" = Exp(%2)
    %4 "out" = Result(%3)
    %5 "also" = Result(%2)
  })");
  ASSERT_EQ(t.report.subgraphs.size(), 1u);
  EXPECT_THAT(t.report.subgraphs[0].ops, ElementsAre("exp (Exp)"));
  EXPECT_EQ(CountOps(*t.model, ir::TransposeOp()), 1);
}

TEST(Tokenize, AMatrixPlusItsTransposeIsTwoSubgraphs) {
  const Tokenized t = Tokenizes(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [8, 8]}
    %1 "exp" = Exp(%0)
    %2 "order" = Constant() {value = i64[2]{1, 0}}
    %3 "turned" = Transpose(%1, %2)
    %4 "sum" = Add(%3, %1)
    %5 "out" = Result(%4)
  })");
  EXPECT_EQ(t.report.subgraphs.size(), 2u) << t.report.ToString();
  ASSERT_FALSE(t.report.refusals.empty());
  EXPECT_EQ(t.report.refusals[0].reason, FusionReason::kAxes);
}

TEST(Tokenize, BodiesOfOthersAreTokenizedToo) {
  const Tokenized t = Tokenizes(R"(model "" {
    %0 "condition" = Parameter() {element_type = boolean, shape = []}
    %1 "x" = Parameter() {element_type = f32, shape = [4]}
    %2 "branch" = If(%0, %1) {then_inputs = [1], else_inputs = [1]}
    model "then" {
      %0 "a" = Parameter() {element_type = f32, shape = [4]}
      %1 "exp" = Exp(%0)
      %2 "relu" = Relu(%1)
      %3 "out" = Result(%2)
    }
    model "else" {
      %0 "b" = Parameter() {element_type = f32, shape = [4]}
      %1 "out" = Result(%0)
    }
    %3 "result" = Result(%2)
  })");
  ASSERT_EQ(t.report.subgraphs.size(), 1u) << t.report.ToString();
  EXPECT_EQ(t.report.subgraphs[0].name, "branch/0/relu");
}

TEST(Tokenize, SingleOpsMakesOneOfEach) {
  const std::unique_ptr<ir::Model> model = Parse(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [2, 3]}
    %1 "exp" = Exp(%0)
    %2 "relu" = Relu(%1)
    %3 "out" = Result(%2)
  })");
  TokenizeOptions options;
  options.single_ops = true;
  const Tokenized t = ExpectTokenizes(*model, 1, options);
  EXPECT_EQ(t.report.subgraphs.size(), 2u);
  ASSERT_EQ(t.report.refusals.size(), 1u);
  EXPECT_EQ(t.report.refusals[0].reason, FusionReason::kSingleOps);
}

TEST(Tokenize, OriginalNamesStay) {
  std::unique_ptr<ir::Model> model = Parse(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [2, 3]}
    %1 "exp" = Exp(%0)
    %2 "relu" = Relu(%1)
    %3 "out" = Result(%2)
  })");
  model->AddOriginalNames(model->FindNode("exp"), {"user/exp"});
  model->AddOriginalNames(model->FindNode("relu"), {"user/relu"});
  ASSERT_OK(Tokenize(*model));
  const ir::Node& subgraph = model->node(model->FindNode("relu"));
  EXPECT_THAT(subgraph.original_names(), ElementsAre("user/exp", "user/relu"));
  const ir::Model& body = *subgraph.bodies()[0];
  EXPECT_THAT(body.node(body.FindNode("exp")).original_names(), ElementsAre("user/exp"));
}

TEST(Tokenize, RandomGraphsStayTheSame) {
  int64_t edges = 0;
  int64_t fused = 0;
  int64_t reasonless = 0;
  for (uint64_t seed = 0; seed < 120; ++seed) {
    std::mt19937_64 random(seed);
    RandomGraphOptions options;
    options.dynamic = seed % 3 == 0;
    options.unknown = seed % 2 == 0;
    options.percent_outside = seed % 4 == 0 ? 0 : 10;
    const std::unique_ptr<ir::Model> model = RandomGraph(random, options);
    const Tokenized t = ExpectTokenizes(*model, seed);
    if (::testing::Test::HasFailure()) {
      FAIL() << "seed " << seed << "\n" << ir::PrintModel(*model).value_or("");
    }
    // What a cycle forbids is not a matter of choice.
    const auto reasons = t.report.RefusalsByReason();
    const auto cycles = reasons.find(FusionReason::kCycle);
    edges += t.report.eligible_edges - (cycles == reasons.end() ? 0 : cycles->second);
    fused += t.report.fused_edges;
    for (const FusionRefusal& refusal : t.report.refusals) reasonless += refusal.text.empty();
  }
  std::printf("%lld of %lld edges that close no cycle fused\n", static_cast<long long>(fused),
              static_cast<long long>(edges));
  EXPECT_EQ(reasonless, 0);
  EXPECT_GE(static_cast<double>(fused), 0.95 * static_cast<double>(edges));
}

constexpr char kResidual[] = R"(model "" {
  %0 "x" = Parameter() {element_type = f32, shape = [b, 3, 6, 6]}
  %1 "w1" = Constant() {value = f32[3, 3, 1, 1]{1, 2, 3, 4, 5, 6, 7, 8, 9}}
  %2 "conv1" = Convolution(%0, %1) {strides = [1,1], pads_begin = [0,0], pads_end = [0,0], dilations = [1,1]}
  %3 "b1" = Constant() {value = f32[1, 3, 1, 1]{1, 2, 3}}
  %4 "biased1" = Add(%2, %3)
  %5 "relu1" = Relu(%4)
  %6 "conv2" = Convolution(%5, %1) {strides = [1,1], pads_begin = [0,0], pads_end = [0,0], dilations = [1,1]}
  %7 "biased2" = Add(%6, %3)
  %8 "sum" = Add(%5, %7)
  %9 "relu2" = Relu(%8)
  %10 "out" = Result(%9)
})";

TEST(Tokenize, AnchorsTakeWhatFollows) {
  TokenizeOptions options;
  options.dense_anchors = true;
  const Tokenized t = ExpectTokenizes(*Parse(kResidual), 1, options);
  ASSERT_EQ(t.report.subgraphs.size(), 2u) << t.report.ToString();
  EXPECT_EQ(t.report.eligible_anchors, 2);
  EXPECT_EQ(t.report.subgraphs[0].anchor, "conv1 (Convolution)");
  EXPECT_THAT(t.report.subgraphs[0].ops, ElementsAre("conv1 (Convolution)", "biased1 (Add)", "relu1 (Relu)"));
  EXPECT_THAT(t.report.subgraphs[0].inputs, ElementsAre("x", "w1"));
  EXPECT_EQ(t.report.subgraphs[1].anchor, "conv2 (Convolution)");
  EXPECT_THAT(t.report.subgraphs[1].ops,
              ElementsAre("conv2 (Convolution)", "biased2 (Add)", "sum (Add)", "relu2 (Relu)"));
  EXPECT_THAT(t.report.subgraphs[1].inputs, ElementsAre("relu1", "w1"));
  EXPECT_EQ(CountOps(*t.model, ir::ConvolutionOp()), 0);
}

TEST(Tokenize, AnchorsStayOutsideUnlessAskedFor) {
  const Tokenized t = ExpectTokenizes(*Parse(kResidual), 1);
  EXPECT_EQ(t.report.eligible_anchors, 0);
  EXPECT_EQ(CountOps(*t.model, ir::ConvolutionOp()), 2);
}

TEST(Tokenize, SingleOpsLeaveAnchorsAlone) {
  TokenizeOptions options;
  options.dense_anchors = true;
  options.single_ops = true;
  const Tokenized t = ExpectTokenizes(*Parse(kResidual), 1, options);
  EXPECT_EQ(CountOps(*t.model, ir::ConvolutionOp()), 2);
  EXPECT_EQ(t.report.subgraphs.size(), 5u);
  for (const FusedSubgraph& subgraph : t.report.subgraphs) EXPECT_EQ(subgraph.anchor, "");
  EXPECT_GT(t.report.refusals.size(), 0u);
  for (const FusionRefusal& refusal : t.report.refusals) {
    const bool is_apart_anyway = refusal.reason == FusionReason::kCycle || refusal.reason == FusionReason::kAnchors;
    EXPECT_TRUE(is_apart_anyway || refusal.reason == FusionReason::kSingleOps) << refusal.text;
  }
}

TEST(Tokenize, AnAnchorAloneStaysAsItIs) {
  TokenizeOptions options;
  options.dense_anchors = true;
  const Tokenized t = ExpectTokenizes(*Parse(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [2, 3, 4]}
    %1 "y" = Parameter() {element_type = f32, shape = [2, 4, 3]}
    %2 "product" = MatMul(%0, %1)
    %3 "soft" = Softmax(%2) {axis = 2}
    %4 "out" = Result(%3)
  })"),
                                      1, options);
  EXPECT_EQ(CountOps(*t.model, ir::MatMulOp()), 1);
  EXPECT_EQ(t.report.eligible_anchors, 1);
  ASSERT_EQ(t.report.subgraphs.size(), 1u);
  EXPECT_EQ(t.report.subgraphs[0].anchor, "");
  ASSERT_EQ(t.report.refusals.size(), 1u);
  EXPECT_EQ(t.report.refusals[0].producer, "product");
  EXPECT_EQ(t.report.refusals[0].reason, FusionReason::kEpilogue);
}

TEST(Tokenize, RandomGraphsWithAnchorsStayTheSame) {
  int64_t edges = 0;
  int64_t fused = 0;
  int64_t anchors = 0;
  int64_t anchored = 0;
  for (uint64_t seed = 0; seed < 120; ++seed) {
    std::mt19937_64 random(seed);
    RandomGraphOptions graph;
    graph.dynamic = seed % 3 == 0;
    graph.unknown = seed % 2 == 0;
    graph.percent_outside = seed % 4 == 0 ? 0 : 5;
    graph.percent_anchors = 20;
    const std::unique_ptr<ir::Model> model = RandomGraph(random, graph);
    TokenizeOptions options;
    options.dense_anchors = true;
    options.single_ops = seed % 10 == 9;
    const Tokenized t = ExpectTokenizes(*model, seed, options);
    if (::testing::Test::HasFailure()) {
      FAIL() << "seed " << seed << "\n" << ir::PrintModel(*model).value_or("") << t.report.ToString();
    }
    if (options.single_ops) continue;
    anchors += t.report.eligible_anchors;
    for (const FusedSubgraph& subgraph : t.report.subgraphs) anchored += !subgraph.anchor.empty();
    // What a cycle, two anchors, or the forms of an epilogue forbid is not a matter of choice.
    edges += t.report.eligible_edges;
    fused += t.report.fused_edges;
    for (const FusionRefusal& refusal : t.report.refusals) {
      EXPECT_FALSE(refusal.text.empty());
      edges -= refusal.reason == FusionReason::kCycle || refusal.reason == FusionReason::kAnchors ||
               refusal.reason == FusionReason::kEpilogue;
    }
  }
  std::printf("%lld of %lld edges fused, %lld of %lld anchors have an epilogue\n", static_cast<long long>(fused),
              static_cast<long long>(edges), static_cast<long long>(anchored), static_cast<long long>(anchors));
  EXPECT_GE(static_cast<double>(fused), 0.95 * static_cast<double>(edges));
  EXPECT_GT(anchored, 100);
}

TEST(Tokenize, RandomModelsOfEveryOperationStayTheSame) {
  int64_t subgraphs = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    std::mt19937_64 random(seed);
    const std::unique_ptr<ir::Model> model = ir::RandomModel(random, /*steps=*/60);
    TokenizeOptions options;
    options.dense_anchors = seed % 2 == 1;
    subgraphs += static_cast<int64_t>(ExpectTokenizes(*model, seed, options).report.subgraphs.size());
    if (::testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
  std::printf("%lld Subgraphs\n", static_cast<long long>(subgraphs));
  EXPECT_GT(subgraphs, 60);
}

TEST(Tokenize, LargeGraphs) {
  for (const int ops : {1000, 8000}) {
    std::mt19937_64 random(7);
    RandomGraphOptions options;
    options.ops = ops;
    const std::unique_ptr<ir::Model> model = RandomGraph(random, options);
    const auto begin = std::chrono::steady_clock::now();
    ASSERT_OK_AND_ASSIGN(const FusionReport report, Tokenize(*model));
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
    std::printf("%d operations: %.1f ms, %zu Subgraphs, %lld of %lld edges\n", ops, time.count(),
                report.subgraphs.size(), static_cast<long long>(report.fused_edges),
                static_cast<long long>(report.eligible_edges));
    EXPECT_LT(report.subgraphs.size(), static_cast<size_t>(ops / 10));
    EXPECT_OK(ir::Verify(*model));
  }
}

TEST(Tokenize, AChainOf1000) {
  std::string text = "model \"\" {\n%0 \"x\" = Parameter() {element_type = f32, shape = [16, 64]}\n";
  constexpr int kOps = 1000;
  for (int i = 1; i <= kOps; ++i) absl::StrAppend(&text, "%", i, " \"n", i, "\" = Add(%", i - 1, ", %0)\n");
  absl::StrAppend(&text, "%", kOps + 1, " \"out\" = Result(%", kOps, ")\n}");
  const std::unique_ptr<ir::Model> model = Parse(text);
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_OK_AND_ASSIGN(const FusionReport report, Tokenize(*model));
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
  std::printf("A chain of %d operations: %.1f ms\n", kOps, time.count());
  EXPECT_EQ(report.subgraphs.size(), 1u);
  EXPECT_EQ(report.fused_edges, kOps - 1);
}

}  // namespace
}  // namespace burin::snippets
