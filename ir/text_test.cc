#include "ir/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "ir/forms/random_model_testlib.h"
#include "ir/op_def.h"
#include "ir/ops/ops.h"
#include "ir/runtime_info.h"
#include "ir/structural.h"
#include "ir/verifier.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kToy[] = R"(model "toy" {
  %0 "x" = Parameter() {shape = [?,3]} : f32[?,3]
  %1 "w" = Constant() {value = f32[3]{1, 2, 0.5}} : f32[3]
  %2 "y" = Add(%0, %1) : f32[?,3] names("y_out") from("Add_7")
  %3 "out" = Result(%2) : f32[?,3]
}
)";

NodeId Id(int32_t id) { return static_cast<NodeId>(id); }

// Expects that the model prints to a text that parses to the same model and prints the same again.
void ExpectRoundTrip(const Model& model) {
  ASSERT_OK_AND_ASSIGN(const std::string text, PrintModel(model));
  const absl::StatusOr<std::unique_ptr<Model>> parsed = ParseModel(text);
  ASSERT_OK(parsed) << text;
  ASSERT_OK(Verify(**parsed)) << text;
  StructuralOptions options;
  options.compare_names = true;
  ASSERT_OK(CompareStructure(model, **parsed, options)) << text;
  EXPECT_EQ((*parsed)->NodeIds(), model.NodeIds()) << text;
  EXPECT_EQ((*parsed)->parameters(), model.parameters()) << text;
  EXPECT_EQ((*parsed)->results(), model.results()) << text;
  EXPECT_EQ((*parsed)->sinks(), model.sinks()) << text;
  ASSERT_OK_AND_ASSIGN(const std::string again, PrintModel(**parsed));
  ASSERT_EQ(again, text);
}

TEST(TextTest, PrintsWhatItParsed) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> model, ParseModel(kToy));
  EXPECT_OK(Verify(*model));
  EXPECT_EQ(model->name(), "toy");
  EXPECT_THAT(PrintModel(*model), IsOkAndHolds(std::string(kToy)));
  EXPECT_EQ(PrintNode(*model, Id(2)), R"(%2 "y" = Add(%0, %1) : f32[?,3] names("y_out") from("Add_7"))");
  EXPECT_EQ(model->node(Id(2)).output_names(0), std::vector<std::string>{"y_out"});
  EXPECT_EQ(model->node(Id(2)).original_names(), std::vector<std::string>{"Add_7"});
}

TEST(TextTest, PrintsRuntimeInfoWhereThereIsSome) {
  constexpr char kText[] = R"(model "m" {
  info("options/mode" = "fast", "origin" = "a \"b\"")
  %0 "x" = Parameter() {shape = [2]} : f32[2] info("layout" = "N")
  %1 "y" = Abs(%0) : f32[2] names("t") from("Abs_1") info("a" = "", "b" = "1")
  %2 "out" = Result(%1) : f32[2]
}
)";
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> model, ParseModel(kText));
  EXPECT_EQ(model->runtime_info(), (RuntimeInfo{{"options/mode", "fast"}, {"origin", "a \"b\""}}));
  EXPECT_EQ(model->node(Id(0)).runtime_info(), (RuntimeInfo{{kLayoutKey, "N"}}));
  EXPECT_EQ(model->node(Id(1)).runtime_info(), (RuntimeInfo{{"a", ""}, {"b", "1"}}));
  EXPECT_THAT(PrintModel(*model), IsOkAndHolds(std::string(kText)));
}

TEST(TextTest, LongConstantsCanPrintWithoutTheirElements) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> model, ParseModel(kToy));
  ASSERT_OK_AND_ASSIGN(const std::string text, PrintModel(*model, PrintOptions{2}));
  EXPECT_THAT(text, HasSubstr("{value = f32[3]#"));
  EXPECT_THAT(ParseModel(text), StatusIs(absl::StatusCode::kInvalidArgument,
                                         AllOf(StartsWith("line 3, column "), HasSubstr("without its elements"))));
  EXPECT_THAT(PrintModel(*model, PrintOptions{3}), IsOkAndHolds(std::string(kToy)));
}

TEST(TextTest, WhatFollowsFromTheRestMayBeLeftOut) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> model, ParseModel(R"(
      model "" {  // Names and types.
        %0 = Parameter()
        %5 = Relu(%0.0)
        %1 = Relu(%5)
        %2 = Result(%1)
      })"));
  EXPECT_OK(Verify(*model));
  EXPECT_EQ(model->node(Id(5)).name(), "Relu");
  EXPECT_EQ(model->node(Id(1)).name(), "Relu_1");
  ExpectRoundTrip(*model);
}

TEST(TextTest, KeepsTheOrderOfTheSignature) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> model, ParseModel(R"(model "m" {
    variable "a" : f32[...]
    variable "b" : undefined[2,?]
    inputs(%3, %0)
    results(%5, %4)
    sinks(%7, %6)
    %0 = Parameter()
    %3 = Parameter()
    %4 = Result(%0)
    %5 = Result(%4)
    %6 = Assign(%3) {variable_id = "a"}
    %7 = Assign(%6) {variable_id = "a"}
  })"));
  EXPECT_THAT(model->parameters(), ElementsAre(Id(3), Id(0)));
  EXPECT_THAT(model->results(), ElementsAre(Id(5), Id(4)));
  EXPECT_THAT(model->sinks(), ElementsAre(Id(7), Id(6)));
  ASSERT_EQ(model->variables().size(), 2u);
  EXPECT_EQ(model->variables()[1].type, ElementType::kUndefined);
  EXPECT_EQ(model->variables()[1].shape, (PartialShape{2, Dimension()}));
  ExpectRoundTrip(*model);
}

TEST(TextTest, IdsThatAreInNoTopologicalOrderAndFarApartComeBack) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> model, ParseModel(R"(model "m" {
    %65600 = Parameter()
    %7 = Abs(%65600)
    %3 = Result(%7)
  })"));
  EXPECT_EQ(model->id_bound(), 65601);
  ExpectRoundTrip(*model);
}

TEST(TextTest, RandomModelsComeBack) {
  const uint64_t seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  for (int i = 0; i < 100 && !HasFailure(); ++i) ExpectRoundTrip(*RandomModel(random, 60));
}

// Finds the ops of which random models have no node: those would not be tested.
TEST(TextTest, RandomModelsHoldNearlyEveryOp) {
  std::mt19937_64 random(1);
  std::vector<const OpDef*> missing(AllOps().begin(), AllOps().end());
  for (int i = 0; i < 200 && !missing.empty(); ++i) {
    const std::unique_ptr<Model> model = RandomModel(random, 100);
    for (const NodeId id : model->NodeIds()) {
      missing.erase(std::remove(missing.begin(), missing.end(), &model->node(id).op()), missing.end());
    }
  }
  std::string names;
  for (const OpDef* op : missing) absl::StrAppend(&names, " ", op->name);
  EXPECT_LE(missing.size() * 10, AllOps().size()) << names;
}

TEST(TextTest, BodiesStandBelowTheirNode) {
  constexpr char kText[] = R"(model "outer" {
  %0 "condition" = Parameter() {element_type = boolean, shape = []} : boolean[]
  %1 "x" = Parameter() {shape = [2]} : f32[2]
  %2 "if" = If(%0, %1) {then_inputs = [1], else_inputs = [1]} : f32[2]
    model "then" {
      %0 "a" = Parameter() {shape = [2]} : f32[2]
      %1 "b" = Abs(%0) : f32[2]
      %2 "c" = Result(%1) : f32[2]
    }
    model "else" {
      %0 "a" = Parameter() : f32[...]
      %7 "c" = Result(%0) : f32[...]
    }
  %3 "out" = Result(%2) : f32[2]
}
)";
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> model, ParseModel(kText));
  ASSERT_EQ(model->node(Id(2)).bodies().size(), 2u);
  EXPECT_EQ(model->node(Id(2)).bodies()[1]->name(), "else");
  EXPECT_THAT(PrintModel(*model), IsOkAndHolds(std::string(kText)));
  EXPECT_EQ(PrintNode(*model, Id(2)), R"(%2 "if" = If(%0, %1) {then_inputs = [1], else_inputs = [1]} : f32[2])");
  ExpectRoundTrip(*model);
}

TEST(TextTest, RefusesACycle) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> model, ParseModel(kToy));
  model->SetInput(Use{Id(2), 1}, Value{Id(2), 0});
  EXPECT_THAT(PrintModel(*model), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("cycle")));
}

TEST(TextTest, ErrorsTellWhereAndWhat) {
  const struct {
    const char* from;
    const char* to;
    const char* message;
  } kCases[] = {
      {"model \"toy\"", "graph \"toy\"", "line 1, column 1: Expected a model"},
      {"model \"toy\"", "model toy", "line 1, column 7: Expected a string"},
      {"%1 \"w\"", "%0 \"w\"", "line 3, column 3: Two nodes have the same id: 0"},
      {"%1 \"w\"", "%1 \"x\"", "line 3, column 3: Two nodes have the same name: 'x'"},
      {"%1 \"w\"", "%65793 \"w\"", "line 3, column 3: The node's id is too far"},
      {"%1 \"w\"", "%2147483647 \"w\"", "line 3, column 3: "},
      {"%1 \"w\"", "%2147483648 \"w\"", "line 3, column 3: Not the number"},
      {"%1 \"w\"", "%-1 \"w\"", "line 3, column 3: Not the number"},
      {"Add(", "Sum(", "line 4, column 12: No such op: 'Sum'"},
      {"Add(%0, %1)", "Add(%0, %9)", "line 4, column 3: Node 'y' (Add): Input 1 is no output"},
      {"Add(%0, %1)", "Add(%0, %3)", "line 4, column 3: Node 'y' (Add): Input 1 is no output"},
      {"Add(%0, %1)", "Add(%0, %1.1)", "line 4, column 3: Node 'y' (Add): Input 1 is no output"},
      {"Add(%0, %1)", "Add(%0, _)", "line 4, column 3: Node 'y' (Add): "},
      {"Add(%0, %1)", "Add(%0, %1, %1)", "line 4, column 3: Node 'y' (Add): The number of inputs is wrong: 3"},
      {"Add(%0, %1) :", "Add(%0, %1) {no_such = 1} :", "line 4, column 35: The op has no such attribute: "},
      {": f32[3]\n", ": f32[4]\n", "line 3, column 3: Output 0 is another; inference gives f32[3], the text f32[4]"},
      {": f32[3]\n", ": f16[3]\n", "line 3, column 3: Output 0 is another"},
      {": f32[3]\n", ": f32[3], f32[3]\n", "line 3, column 3: The number of outputs is wrong"},
      {"names(\"y_out\")", "names(\"y_out\"; \"b\")", "line 4, column 3: Names are given for more outputs"},
      {"  %0", "  inputs(%1)\n  %0", "line 1, column 7: The parameters in order are others"},
      {"  %0", "  inputs(%0)\n  inputs(%0)\n  %0", "line 3, column 3: An order is given twice"},
      {"  %0", "  info(\"a\" = \"1\", \"a\" = \"2\")\n  %0", "line 2, column 19: A key of the runtime info is given"},
      {"  %0", "  info()\n  info()\n  %0", "line 3, column 3: The model's runtime info is given twice"},
      {"from(\"Add_7\")", "info(\"a\")", "line 4, column 58: Expected '='"},
      {"  %0", "  variable \"\" : f32[]\n  %0", "line 2, column 3: A variable's id is empty"},
      {"Result(%2) : f32[?,3]\n}\n", "Result(%2) : f32[?,3]\n", "line 6, column 1: Expected '%'"},
      {"Result(%2) : f32[?,3]\n}\n", "Result(%2) : f32[?,3]\n}\n}", "line 7, column 1: Unexpected text: '}'"},
      {": f32[?,3]\n}", ": f32[?,3] model \"b\" { }\n}", "line 5, column 3: Node 'out' (Result): The number of bodies"},
  };
  for (const auto& c : kCases) {
    const std::string text = absl::StrReplaceAll(kToy, {{c.from, c.to}});
    ASSERT_NE(text, kToy) << c.from;
    EXPECT_THAT(ParseModel(text), StatusIs(absl::StatusCode::kInvalidArgument, StartsWith(c.message))) << text;
  }
}

TEST(TextTest, RefusesDeepNesting) {
  std::string text;
  for (int i = 0; i < 100000; ++i) absl::StrAppend(&text, "model \"\" { %0 = Abs(%0) ");
  EXPECT_THAT(ParseModel(text), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("nested deeper than 64")));
  const std::string open(1 << 20, '[');
  EXPECT_FALSE(ParseModel(absl::StrCat("model \"\" { %0 = Parameter() {shape = ", open)).ok());
}

TEST(TextTest, MutatedTextsGiveAnErrorOrAValidModel) {
  const uint64_t seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  int parsed = 0;
  std::string text;
  for (int i = 0; i < 6000; ++i) {
    if (i % 100 == 0) {
      ASSERT_OK_AND_ASSIGN(text, PrintModel(*RandomModel(random, 15)));
    }
    const std::string mutated = Mutated(random, text);
    const absl::StatusOr<std::unique_ptr<Model>> model = ParseModel(mutated);
    if (!model.ok()) {
      EXPECT_THAT(std::string(model.status().message()), StartsWith("line ")) << mutated;
      continue;
    }
    ++parsed;
    ASSERT_OK(Verify(**model)) << mutated;
    ExpectRoundTrip(**model);
  }
  EXPECT_GT(parsed, 100);
  EXPECT_LT(parsed, 5900);
}

}  // namespace
}  // namespace burin::ir
