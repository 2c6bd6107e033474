#include "burin/model.h"

#include <map>
#include <memory>
#include <string>

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
using ::testing::HasSubstr;

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

}  // namespace
}  // namespace burin
