#include "burin/model.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "burin/operation.h"
#include "burin/tensor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/ops/ops.h"
#include "runtime/api/toy_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

using ByName = std::map<std::string, PartialShape>;
using ByIndex = std::map<size_t, PartialShape>;

// y = a + b, with a, b: f32[2], and a called "alias" as well.
Model TwoInputs() {
  auto graph = std::make_shared<ir::Model>("two");
  const ir::Value a = graph->AddParameter("a", ElementType::kF32, PartialShape({2})).value();
  const ir::Value b = graph->AddParameter("b", ElementType::kF32, PartialShape({2})).value();
  graph->SetOutputNames(a, {"a", "alias"});
  EXPECT_OK(graph->AddResult(graph->Add(ir::AddOp(), {a, b}, nullptr, "sum").value(), "y"));
  return Model(graph);
}

TEST(ModelTest, PortsAreFoundByNameAndIndexOrListed) {
  const Model model = ToyModel();
  EXPECT_EQ(model.input("x").value().index, 0u);
  EXPECT_EQ(model.output(0).value().name(), "y");
  EXPECT_TRUE(model.is_dynamic());
  EXPECT_THAT(model.input("z"), StatusIs(absl::StatusCode::kNotFound, HasSubstr("there are: \"x\"")));
  EXPECT_THAT(model.output(1), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("there are 1: \"y\"")));
  EXPECT_THAT(model.output("x"), StatusIs(absl::StatusCode::kNotFound, HasSubstr("no output \"x\"")));
  EXPECT_EQ(TwoInputs().input("alias").value().index, 0u);
  EXPECT_EQ(TwoInputs().input(1).value().name(), "b");
}

TEST(ModelTest, TellsItsNameAndSize) {
  const Model model = ToyModel();
  EXPECT_EQ(model.name(), "toy");
  EXPECT_EQ(model.operation_count(), 5);
  EXPECT_EQ(model.inputs().size(), 1u);
  EXPECT_EQ(model.outputs().size(), 1u);
  EXPECT_FALSE(TwoInputs().is_dynamic());
}

TEST(ModelTest, ReshapeIsAllOrNothing) {
  Model model = ToyModel();
  EXPECT_THAT(model.Reshape(PartialShape({1, 4})), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("sum")));
  EXPECT_EQ(model.input(0).value().shape.ToString(), "[n,3]");
  Model copy = model.Clone();
  ASSERT_OK(copy.Reshape(std::map<std::string, PartialShape>{{"x", PartialShape({5, 3})}}));
  EXPECT_EQ(copy.output(0).value().shape, PartialShape({5, 3}));
  EXPECT_TRUE(model.is_dynamic());
  EXPECT_FALSE(copy.is_dynamic());
}

TEST(ModelTest, ReshapesSeveralInputsAtOnce) {
  Model model = TwoInputs();
  // One of them alone would not broadcast.
  EXPECT_THAT(model.Reshape(ByIndex{{0, PartialShape({3})}}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("sum")));
  ASSERT_OK(model.Reshape(ByIndex{{0, PartialShape({3})}, {1, PartialShape({4, 1})}}));
  EXPECT_EQ(model.output(0).value().shape, PartialShape({4, 3}));
  ASSERT_OK(model.Reshape(ByName{{"b", PartialShape({Dimension(), 3})}, {"alias", PartialShape({3})}}));
  EXPECT_EQ(model.output("y").value().shape, PartialShape({Dimension(), 3}));
  EXPECT_TRUE(model.is_dynamic());
}

TEST(ModelTest, ReshapeRefusesUnknownAndAmbiguousInputs) {
  Model model = TwoInputs();
  EXPECT_THAT(model.Reshape(ByName{{"z", PartialShape({3})}}),
              StatusIs(absl::StatusCode::kNotFound, AllOf(HasSubstr("\"z\""), HasSubstr("\"a\", \"b\""))));
  EXPECT_THAT(model.Reshape(ByIndex{{2, PartialShape({3})}}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(model.Reshape(ByName{{"a", PartialShape({2})}, {"alias", PartialShape({2})}}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("names one input twice: \"a\" f32[2]")));
  EXPECT_THAT(model.Reshape(PartialShape({2})),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("needs a model with one input")));
}

TEST(ModelTest, CopiesReferToOneModelAndClonesDoNot) {
  Model model = ToyModel();
  const Model handle = model;
  const Model clone = model.Clone();
  ASSERT_OK(model.Reshape(PartialShape({2, 3})));
  EXPECT_FALSE(handle.is_dynamic());
  EXPECT_TRUE(clone.is_dynamic());
}

TEST(ModelTest, ReshapesByPort) {
  Model model = TwoInputs();
  const Port a = *model.input(0);
  const Port b = *model.input(1);
  ASSERT_OK(model.Reshape({{b, PartialShape({5, 2})}, {a, PartialShape({1, 2})}}));
  EXPECT_EQ(model.output(0).value().shape, PartialShape({5, 2}));
  EXPECT_THAT(model.Reshape({{a, PartialShape({2})}, {a, PartialShape({2})}}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("twice")));
  EXPECT_THAT(model.Reshape({{*model.output(0), PartialShape({2})}}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("shapes of inputs")));
  EXPECT_THAT(model.Reshape({{*ToyModel().input(0), PartialShape({2})}}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("no input of the model: \"x\"")));
}

TEST(ModelTest, LayoutsBelongToPorts) {
  Model model = ToyModel();
  EXPECT_EQ(model.input(0)->layout, Layout());
  ASSERT_OK(model.SetLayout("x", "nc"));
  EXPECT_EQ(model.input(0)->layout.ToString(), "[N,C]");
  ASSERT_OK(model.SetLayout(*model.output(0), "N..."));
  EXPECT_EQ(model.output("y")->layout, *Layout::Parse("N..."));
  EXPECT_EQ(model.Clone().input(0)->layout, *Layout::Parse("NC"));
  ASSERT_OK_AND_ASSIGN(const std::string text, model.ToText());
  EXPECT_EQ(Model::FromText(text)->input(0)->layout, *Layout::Parse("NC"));
  ASSERT_OK(model.SetLayout("x", "..."));
  EXPECT_EQ(model.input(0)->layout, Layout());

  EXPECT_THAT(model.SetLayout("x", "NCHW"),
              StatusIs(absl::StatusCode::kInvalidArgument, AllOf(HasSubstr("\"x\""), HasSubstr("NCHW"))));
  EXPECT_THAT(model.SetLayout("x", "NN"), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"x\"")));
  EXPECT_THAT(model.SetLayout("z", "NC"),
              StatusIs(absl::StatusCode::kNotFound, AllOf(HasSubstr("\"x\""), HasSubstr("\"y\""))));
  EXPECT_THAT(model.SetLayout(*TwoInputs().input(1), "N"), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(ModelTest, ANameOfBothAnInputAndAnOutputIsAmbiguous) {
  auto graph = std::make_shared<ir::Model>("straight");
  const ir::Value x = graph->AddParameter("x", ElementType::kF32, PartialShape({2, 3})).value();
  graph->SetOutputNames(x, {"x"});
  ASSERT_OK(graph->AddResult(x, "y"));
  Model model(graph);
  EXPECT_THAT(model.SetLayout("x", "NC"), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("give the port")));
  ASSERT_OK(model.SetLayout(*model.output(0), "NC"));
  EXPECT_EQ(model.input(0)->layout, Layout());
}

TEST(ModelTest, TheBatchIsReadAndSetByLayout) {
  Model model = ToyModel();
  EXPECT_THAT(model.GetBatch(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("layout with an axis N")));
  EXPECT_THAT(model.SetBatch(Dimension(2)), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"x\"")));
  ASSERT_OK(model.SetLayout("x", "NC"));
  EXPECT_EQ(model.GetBatch()->symbol(), "n");
  ASSERT_OK(model.SetBatch(Dimension(4)));
  EXPECT_EQ(*model.GetBatch(), Dimension(4));
  EXPECT_EQ(model.output(0)->shape, PartialShape({4, 3}));
  // An axis N of another position.
  ASSERT_OK(model.SetLayout("x", "CN"));
  EXPECT_EQ(*model.GetBatch(), Dimension(3));
  EXPECT_THAT(model.SetBatch(Dimension(5)), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("sum")));
  EXPECT_EQ(model.input(0)->shape, PartialShape({4, 3}));
}

TEST(ModelTest, TheBatchesOfSeveralInputsAgree) {
  Model model = TwoInputs();
  ASSERT_OK(model.Reshape(ByIndex{{0, PartialShape({Dimension(), 2})}, {1, PartialShape({1, 2})}}));
  ASSERT_OK(model.SetLayout("a", "N?"));
  ASSERT_OK(model.SetLayout("b", "N..."));
  EXPECT_EQ(*model.GetBatch(), Dimension(1));
  ASSERT_OK(model.SetBatch(Dimension(7)));
  EXPECT_EQ(model.input(0)->shape, PartialShape({7, 2}));
  EXPECT_EQ(model.input(1)->shape, PartialShape({7, 2}));
  // An input whose layout has no N keeps its shape.
  ASSERT_OK(model.SetLayout("b", "?C"));
  ASSERT_OK(model.Reshape(ByIndex{{1, PartialShape({1, 2})}}));
  ASSERT_OK(model.SetBatch(Dimension(2)));
  EXPECT_EQ(model.input(1)->shape, PartialShape({1, 2}));

  ASSERT_OK(model.SetLayout("b", "NC"));
  EXPECT_THAT(model.GetBatch(), StatusIs(absl::StatusCode::kInvalidArgument,
                                         AllOf(HasSubstr("contradict"), HasSubstr("\"a\""), HasSubstr("\"b\""))));
  EXPECT_THAT(model.SetBatch(Dimension(2)), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("contradict")));
  ASSERT_OK(model.Reshape(ByIndex{{0, PartialShape::DynamicRank()}}));
  EXPECT_THAT(model.GetBatch(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("rank")));
}

TEST(ModelTest, AnyValueCanBecomeAnOutput) {
  Model model = ToyModel();
  ASSERT_OK_AND_ASSIGN(const Port relu, model.AddOutput("relu"));
  EXPECT_EQ(relu.index, 1u);
  EXPECT_EQ(relu.name(), "relu");
  EXPECT_EQ(relu.kind, Slot::Kind::kOutput);
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> outputs, model.Evaluate({Row({-1, 2, 3})}));
  EXPECT_THAT(Elements(outputs[0]), ElementsAre(10, 22, 33));
  EXPECT_THAT(Elements(outputs[1]), ElementsAre(0, 2, 3));
  // What is an output stays that one.
  EXPECT_EQ(model.AddOutput("relu")->index, 1u);
  EXPECT_EQ(model.AddOutput("relu", 0)->index, 1u);
  EXPECT_EQ(model.AddOutput("sum")->index, 0u);
  EXPECT_EQ(model.AddOutput("y")->index, 0u);
  EXPECT_EQ(model.outputs().size(), 2u);
  EXPECT_OK(model.Validate());

  EXPECT_THAT(model.AddOutput("z"), StatusIs(absl::StatusCode::kNotFound, HasSubstr("'z'")));
  EXPECT_THAT(model.AddOutput("z", 0), StatusIs(absl::StatusCode::kNotFound, HasSubstr("'z'")));
  EXPECT_THAT(model.AddOutput("relu", 1), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("no output 1")));
}

TEST(ModelTest, OneOfSeveralValuesCanBecomeAnOutput) {
  ASSERT_OK_AND_ASSIGN(Model model, Model::FromText(R"(model "m" {
    %0 "x" = Parameter() {shape = [6]}
    %1 "axis" = Constant() {value = i64[]{0}}
    %2 "parts" = Split(%0, %1) {num_splits = 3} : f32[2], f32[2], f32[2] names("first"; ; "third")
    %3 "out" = Result(%2)
  })"));
  EXPECT_THAT(model.AddOutput("parts"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("not one output but 3")));
  EXPECT_EQ(model.AddOutput("third")->name(), "third");
  EXPECT_EQ(model.AddOutput("parts", 1)->name(), "parts:1");
  EXPECT_EQ(model.AddOutput("first")->index, 0u);
  EXPECT_EQ(model.output("parts:1")->index, 2u);
  ASSERT_OK(model.Validate());
}

TEST(ModelTest, PortsAndOperationsCanBeRenamed) {
  Model model = TwoInputs();
  model.SetName("renamed");
  EXPECT_EQ(model.name(), "renamed");
  ASSERT_OK(model.SetPortNames(*model.input(0), {"left", "l"}));
  EXPECT_EQ(model.input(0)->name(), "left");
  EXPECT_EQ(model.input("l")->index, 0u);
  EXPECT_THAT(model.input("alias"), StatusIs(absl::StatusCode::kNotFound));
  ASSERT_OK(model.SetPortNames(*model.output(0), {"total"}));
  EXPECT_EQ(model.output(0)->name(), "total");
  EXPECT_EQ(model.output("y")->index, 0u);
  ASSERT_OK(model.RenameOperation("sum", "addition"));
  EXPECT_EQ(model.GetOperation("addition")->type, "Add");
  EXPECT_THAT(model.GetOperation("sum"), StatusIs(absl::StatusCode::kNotFound));
  ASSERT_OK(model.RenameOperation("a", "first"));
  EXPECT_EQ(model.input("first")->index, 0u);

  const Port b = *model.input(1);
  EXPECT_THAT(model.SetPortNames(b, {}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(model.SetPortNames(b, {""}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(model.SetPortNames(b, {"r", "r"}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("twice")));
  EXPECT_THAT(model.SetPortNames(b, {"r", "left"}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"left\"")));
  EXPECT_EQ(model.input(1)->name(), "b");
  EXPECT_OK(model.SetPortNames(b, {"total"}));  // An input may be called as an output is.
  EXPECT_THAT(model.RenameOperation("addition", "y"), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("'y'")));
  EXPECT_THAT(model.RenameOperation("addition", ""), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(model.RenameOperation("sum", "other"), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_OK(model.RenameOperation("addition", "addition"));
}

TEST(ModelTest, ListsOperationsInOrder) {
  ASSERT_OK_AND_ASSIGN(const std::vector<Operation> operations, ToyModel().GetOperations());
  std::vector<std::string> names;
  std::vector<std::string> types;
  for (const Operation& operation : operations) {
    for (const Operation::Input& input : operation.inputs) EXPECT_THAT(names, Contains(input.operation));
    names.push_back(operation.name);
    types.push_back(operation.type);
  }
  EXPECT_THAT(names, UnorderedElementsAre("x", "b", "relu", "sum", "y"));
  EXPECT_THAT(types, UnorderedElementsAre("Parameter", "Constant", "Relu", "Add", "Result"));
}

TEST(ModelTest, RuntimeInfoHasPaths) {
  Model model = ToyModel();
  ASSERT_OK(model.SetRuntimeInfo("options/cache/mode", "fast"));
  ASSERT_OK(model.SetRuntimeInfo("options/cache/size", "10"));
  ASSERT_OK(model.SetRuntimeInfo("options/cached", "no"));
  ASSERT_OK(model.SetRuntimeInfo("options/cache/mode", "slow"));
  EXPECT_EQ(*model.GetRuntimeInfo("options/cache/mode"), "slow");
  EXPECT_THAT(model.GetRuntimeInfo("options/cache"),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("'options/cache/mode'")));
  EXPECT_THAT(model.GetRuntimeInfoBelow("options/cache"),
              ElementsAre(Pair("options/cache/mode", "slow"), Pair("options/cache/size", "10")));
  EXPECT_EQ(model.GetRuntimeInfoBelow().size(), 3u);
  EXPECT_EQ(model.Clone().GetRuntimeInfoBelow().size(), 3u);
  EXPECT_EQ(Model::FromText(*model.ToText())->GetRuntimeInfoBelow(), model.GetRuntimeInfoBelow());
  EXPECT_EQ(model.RemoveRuntimeInfo("options/cache"), 2u);
  EXPECT_THAT(model.GetRuntimeInfoBelow(), ElementsAre(Pair("options/cached", "no")));
  EXPECT_EQ(model.RemoveRuntimeInfo("options/cache"), 0u);
  for (const char* path : {"", "/a", "a/", "a//b"}) {
    EXPECT_THAT(model.SetRuntimeInfo(path, "x"), StatusIs(absl::StatusCode::kInvalidArgument)) << path;
  }
}

TEST(ModelTest, OperationsHaveRuntimeInfo) {
  Model model = ToyModel();
  ASSERT_OK(model.SetOperationRuntimeInfo("relu", "note/by", "me"));
  EXPECT_THAT(model.GetOperation("relu")->runtime_info, ElementsAre(Pair("note/by", "me")));
  EXPECT_THAT(model.SetOperationRuntimeInfo("z", "a", "b"), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(model.SetOperationRuntimeInfo("relu", "a//", "b"), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(model.SetOperationRuntimeInfo("x", "layout", "NN"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("'x'")));
  ASSERT_OK(model.SetOperationRuntimeInfo("x", "layout", "NC"));
  EXPECT_EQ(model.input(0)->layout, *Layout::Parse("NC"));
}

TEST(ModelTest, PrintsATextThatItReads) {
  const Model model = ToyModel();
  ASSERT_OK_AND_ASSIGN(const std::string text, model.ToText());
  EXPECT_THAT(text, HasSubstr("Relu"));
  ASSERT_OK_AND_ASSIGN(const Model read, Model::FromText(text));
  EXPECT_EQ(*read.ToText(), text);
  ASSERT_OK_AND_ASSIGN(const std::vector<Tensor> outputs, read.Evaluate({Row({-1, 2, 3})}));
  EXPECT_THAT(Elements(outputs[0]), ElementsAre(10, 22, 33));
  EXPECT_THAT(Model::FromText("nonsense"), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("line 1, column 1")));
  ASSERT_OK_AND_ASSIGN(const std::string brief, model.ToText(2));
  EXPECT_THAT(Model::FromText(brief), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(ModelTest, EvaluatesWithoutADevice) {
  const Model model = ToyModel();
  EXPECT_THAT(model.Evaluate({}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(model.Evaluate({*Tensor::Create(ElementType::kF32, {1, 4})}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("'x'")));
  EXPECT_OK(model.Validate());
}

}  // namespace
}  // namespace burin
