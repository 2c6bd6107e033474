#include "tools/query/model_report.h"

#include <memory>
#include <string>
#include <utility>

#include "base/element_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/ops/if.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "runtime/dev/model_support.h"
#include "testing/gtest/status_matchers.h"

namespace burin::query {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

// y = relu(relu(x) + x).
ir::Model Toy() {
  ir::Model model("toy");
  const ir::Value x = model.AddParameter("x", ElementType::kF32, ir::PartialShape({2})).value();
  const ir::Value first = model.Add(ir::ReluOp(), {x}, nullptr, "first").value();
  const ir::Value sum = model.Add(ir::AddOp(), {first, x}, nullptr, "sum").value();
  const ir::Value second = model.Add(ir::ReluOp(), {sum}, nullptr, "second").value();
  EXPECT_OK(model.AddResult(second, "y"));
  return model;
}

const ModelSupport kAll = {{{"x", "X"}, {"first", "X"}, {"sum", "X"}, {"second", "X"}, {"y", "X"}}, {}};

TEST(ModelReportTest, CountsByKindOfOperation) {
  const ModelReport report = JudgeModel(Toy(), kAll);
  EXPECT_EQ(report.name, "toy");
  EXPECT_EQ(report.supported_count(), 5);
  EXPECT_EQ(report.refused_count(), 0);
  EXPECT_EQ(report.types.at("Relu").supported, 2);
  EXPECT_EQ(report.types.at("Add").supported, 1);
  EXPECT_EQ(report.types.count("MatMul"), 0u);
}

TEST(ModelReportTest, RefusedOnesHaveReasonAndName) {
  ModelSupport support = kAll;
  support.supported.erase("second");
  support.refused["second"] = "too late";
  const ModelReport report = JudgeModel(Toy(), support);
  EXPECT_EQ(report.supported_count(), 4);
  EXPECT_EQ(report.refused_count(), 1);
  EXPECT_EQ(report.types.at("Relu").supported, 1);
  EXPECT_THAT(report.types.at("Relu").refused, ElementsAre(Pair("too late", ElementsAre("second"))));
  EXPECT_THAT(report.types.at("Add").refused, IsEmpty());
}

TEST(ModelReportTest, WhatTheDeviceDoesNotNameIsRefused) {
  const ModelReport report = JudgeModel(Toy(), {});
  EXPECT_EQ(report.supported_count(), 0);
  EXPECT_EQ(report.refused_count(), 5);
  EXPECT_THAT(report.types.at("Relu").refused,
              ElementsAre(Pair("the device does not say that it supports it", ElementsAre("first", "second"))));
}

TEST(ModelReportTest, OriginalNamesDecideAndAllMustBeSupported) {
  ir::Model model("fused");
  const ir::Value x = model.AddParameter("x", ElementType::kF32, ir::PartialShape({2})).value();
  const ir::Value relu = model.Add(ir::ReluOp(), {x}, nullptr, "fused_relu").value();
  EXPECT_OK(model.AddResult(relu, "y"));
  model.AddOriginalNames(relu.node, {"a", "b"});
  ModelSupport support = {{{"x", "X"}, {"a", "X"}, {"b", "X"}, {"y", "X"}}, {}};
  EXPECT_EQ(JudgeModel(model, support).refused_count(), 0);
  support.supported.erase("b");
  support.refused["b"] = "not b";
  EXPECT_THAT(JudgeModel(model, support).types.at("Relu").refused,
              ElementsAre(Pair("not b", ElementsAre("fused_relu"))));
}

// y = c ? abs(x) : abs(x), named "branch" with "inner" in both bodies.
ir::Model Branches() {
  ir::Model model("branches");
  const ir::Value condition = model.AddParameter("c", ElementType::kBoolean, ir::PartialShape({})).value();
  const ir::Value x = model.AddParameter("x", ElementType::kF32, ir::PartialShape({2})).value();
  auto attributes = std::make_unique<ir::IfAttributes>();
  attributes->then_inputs = {1};
  attributes->else_inputs = {1};
  ir::NodeSpec spec;
  spec.op = &ir::IfOp();
  spec.name = "branch";
  spec.inputs = {condition, x};
  spec.attributes = std::move(attributes);
  for (int i = 0; i < 2; ++i) {
    auto body = std::make_unique<ir::Model>();
    const ir::Value p = body->AddParameter("p", ElementType::kF32, ir::PartialShape({2})).value();
    EXPECT_OK(body->AddResult(body->Add(ir::AbsOp(), {p}, nullptr, "inner").value(), "r"));
    spec.bodies.push_back(std::move(body));
  }
  EXPECT_OK(model.AddResult({model.AddNode(std::move(spec)).value(), 0}, "y"));
  return model;
}

TEST(ModelReportTest, ABodySharesTheVerdictOnItsOperationUnlessItHasOne) {
  ModelSupport support = {{{"c", "X"}, {"x", "X"}, {"branch", "X"}, {"y", "X"}}, {}};
  EXPECT_EQ(JudgeModel(Branches(), support).types.at("Abs").supported, 2);
  EXPECT_EQ(JudgeModel(Branches(), support).refused_count(), 0);

  support.refused["inner"] = "no Abs";
  const ModelReport one_refused = JudgeModel(Branches(), support);
  EXPECT_THAT(one_refused.types.at("Abs").refused, ElementsAre(Pair("no Abs", ElementsAre("inner", "inner"))));
  EXPECT_EQ(one_refused.types.at("If").supported, 1);

  support.refused = {{"branch", "no If"}};
  const ModelReport all_refused = JudgeModel(Branches(), support);
  EXPECT_THAT(all_refused.types.at("Abs").refused, ElementsAre(Pair("no If", ElementsAre("inner", "inner"))));
}

TEST(ModelReportTest, Text) {
  ModelSupport support = kAll;
  support.supported.clear();
  support.refused = {{"first", "no Relu"}, {"second", "no Relu"}, {"sum", "no Add"}, {"x", "odd"}};
  support.supported = {{"y", "X"}};
  EXPECT_EQ(ToText(JudgeModel(Toy(), support)),
            "model \"toy\"\n"
            "  supported 1, refused 4\n"
            "  operation  supported  refused\n"
            "  Add                0        1\n"
            "  Parameter          0        1\n"
            "  Relu               0        2\n"
            "  Result             1        0\n"
            "refused\n"
            "  1 Add: no Add\n"
            "    sum\n"
            "  1 Parameter: odd\n"
            "    x\n"
            "  2 Relu: no Relu\n"
            "    first, second\n");
}

TEST(ModelReportTest, Json) {
  ModelSupport support = kAll;
  support.supported.erase("sum");
  support.refused["sum"] = "no Add";
  EXPECT_EQ(ToJson(JudgeModel(Toy(), support)).dump(),
            R"({"name":"toy","supported":4,"refused":1,"operations":[)"
            R"({"type":"Add","supported":0,"refused":1,"reasons":[{"reason":"no Add","names":["sum"]}]},)"
            R"({"type":"Parameter","supported":1,"refused":0,"reasons":[]},)"
            R"({"type":"Relu","supported":2,"refused":0,"reasons":[]},)"
            R"({"type":"Result","supported":1,"refused":0,"reasons":[]}]})");
}

}  // namespace
}  // namespace burin::query
