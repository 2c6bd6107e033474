#include "transformations/driver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "ir/model.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/rewrite.h"
#include "ir/text.h"
#include "ir/verifier.h"
#include "testing/gtest/status_matchers.h"
#include "transformations/pass.h"
#include "transformations/report.h"

namespace burin::transformations {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using PatchOr = absl::StatusOr<std::optional<ir::Patch>>;

// ---- Passes ----

bool Is(const ir::Model& model, ir::NodeId id, ir::OpCode code) { return model.node(id).code() == code; }

PatchOr ReplaceOp(const ir::Model& model, ir::NodeId id, ir::OpCode code, const ir::OpDef& op) {
  if (!Is(model, id, code)) return std::nullopt;
  ir::Patch patch(model);
  patch.Replace({id, 0}, patch.Add(op, {model.node(id).input(0)}));
  return patch;
}

PatchOr ReluToAbs(const ir::Model& model, ir::NodeId id, const ir::PassContext&) {
  return ReplaceOp(model, id, ir::OpCode::kRelu, ir::AbsOp());
}
PatchOr AbsToRelu(const ir::Model& model, ir::NodeId id, const ir::PassContext&) {
  return ReplaceOp(model, id, ir::OpCode::kAbs, ir::ReluOp());
}

// Relu(Relu(x)) => Relu(x), at the outer one.
PatchOr MergeRelus(const ir::Model& model, ir::NodeId id, const ir::PassContext&) {
  if (!Is(model, id, ir::OpCode::kRelu)) return std::nullopt;
  const ir::Value input = model.node(id).input(0);
  if (!Is(model, input.node, ir::OpCode::kRelu)) return std::nullopt;
  ir::Patch patch(model);
  patch.Replace({id, 0}, input);
  return patch;
}

// Floor => Exp once no Relu is left anywhere: what makes it fire is as far away as can be.
PatchOr FloorAfterRelus(const ir::Model& model, ir::NodeId id, const ir::PassContext&) {
  for (const ir::NodeId other : model.NodeIds()) {
    if (Is(model, other, ir::OpCode::kRelu)) return std::nullopt;
  }
  return ReplaceOp(model, id, ir::OpCode::kFloor, ir::ExpOp());
}

// relu => a constant of two elements.
PatchOr ReluToConstant(const ir::Model& model, ir::NodeId id, const ir::PassContext&) {
  if (!Is(model, id, ir::OpCode::kRelu)) return std::nullopt;
  ir::Patch patch(model);
  patch.Replace({id, 0}, patch.AddConstant(ir::F32({2}, {1, 2})));
  return patch;
}

// Floor => Exp where the shape is static.
PatchOr StaticFloor(const ir::Model& model, ir::NodeId id, const ir::PassContext&) {
  if (model.node(id).output_count() == 0 || !model.node(id).output(0).shape.is_static()) return std::nullopt;
  return ReplaceOp(model, id, ir::OpCode::kFloor, ir::ExpOp());
}

// Replaces an f32 value by an i64 one.
PatchOr WrongType(const ir::Model& model, ir::NodeId id, const ir::PassContext&) {
  if (!Is(model, id, ir::OpCode::kRelu)) return std::nullopt;
  ir::Patch patch(model);
  patch.Replace({id, 0}, patch.Add(ir::ShapeOfOp(), {model.node(id).input(0)}));
  return patch;
}

PatchOr EmptyPatch(const ir::Model& model, ir::NodeId id, const ir::PassContext&) {
  if (!Is(model, id, ir::OpCode::kRelu)) return std::nullopt;
  return ir::Patch(model);
}

PatchOr Refuses(const ir::Model& model, ir::NodeId id, const ir::PassContext&) {
  if (!Is(model, id, ir::OpCode::kRelu)) return std::nullopt;
  return absl::InvalidArgumentError("the model is broken");
}

// Drops the attributes that each Softmax needs: the model is invalid afterwards, which no patch can do.
absl::Status BreakSoftmax(const ir::Model& model, const ir::PassContext&, Rewriter& rewriter) {
  for (const ir::NodeId id : model.NodeIds()) {
    if (!Is(model, id, ir::OpCode::kSoftmax)) continue;
    const absl::StatusOr<bool> done = rewriter.Edit(id, [id](ir::Model& edited) {
      edited.SetAttributes(id, ir::ReluOp().make_attributes());
      return absl::OkStatus();
    });
    if (!done.ok()) return done.status();
  }
  return absl::OkStatus();
}

// Replaces all Relus by Abs, through the rewriter.
absl::Status AllRelusToAbs(const ir::Model& model, const ir::PassContext& context, Rewriter& rewriter) {
  for (const ir::NodeId id : model.NodeIds()) {
    PatchOr patch = ReluToAbs(model, id, context);
    if (!patch.ok()) return patch.status();
    if (!patch->has_value()) continue;
    const absl::StatusOr<bool> done = rewriter.Apply(*std::move(*patch), id);
    if (!done.ok()) return done.status();
    if (!*done) return absl::OkStatus();
  }
  return absl::OkStatus();
}

constexpr Pass kReluToAbs = {"ReluToAbs", "relu => abs", &ReluToAbs, nullptr};
constexpr Pass kAbsToRelu = {"AbsToRelu", "abs => relu", &AbsToRelu, nullptr};
constexpr Pass kMergeRelus = {"MergeRelus", "relu(relu(x)) => relu(x)", &MergeRelus, nullptr};
constexpr Pass kFloorAfterRelus = {"FloorAfterRelus", "floor => exp", &FloorAfterRelus, nullptr};
constexpr Pass kReluToConstant = {"ReluToConstant", "relu => constant", &ReluToConstant, nullptr};
constexpr Pass kStaticFloor = {"StaticFloor", "floor => exp", &StaticFloor, nullptr};
constexpr Pass kWrongType = {"WrongType", "relu => shape", &WrongType, nullptr};
constexpr Pass kEmptyPatch = {"EmptyPatch", "relu => relu", &EmptyPatch, nullptr};
constexpr Pass kRefuses = {"Refuses", "relu => error", &Refuses, nullptr};
constexpr Pass kBreakSoftmax = {"BreakSoftmax", "softmax => nonsense", nullptr, &BreakSoftmax};
constexpr Pass kAllRelusToAbs = {"AllRelusToAbs", "relus => abs", nullptr, &AllRelusToAbs};

// ---- Models ----

std::unique_ptr<ir::Model> Parse(const std::string& text) {
  absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(text);
  EXPECT_OK(model);
  return *std::move(model);
}

// Three Relus in a row, named r1 to r3, that came from the user's R1 to R3.
std::unique_ptr<ir::Model> ThreeRelus() {
  return Parse(R"(model "m" {
    %0 "x" = Parameter() {shape = [2]}
    %1 "r1" = Relu(%0) from("R1")
    %2 "r2" = Relu(%1) from("R2")
    %3 "r3" = Relu(%2) from("R3")
    %4 "out" = Result(%3)
  })");
}

std::vector<std::string> OpsOf(const ir::Model& model) {
  std::vector<std::string> ops;
  const absl::StatusOr<std::vector<ir::NodeId>> order = model.TopologicalOrder();
  EXPECT_OK(order);
  for (const ir::NodeId id : *order) ops.push_back(model.node(id).op().name);
  return ops;
}

absl::Status RunOne(ir::Model* model, const PassGroup& group, const PipelineOptions& options = {},
                    CompileReport* report = nullptr) {
  CompileReport own;
  const PassGroup groups[] = {group};
  return RunPasses(model, groups, {}, options, report != nullptr ? report : &own);
}

// ---- Rules ----

TEST(DriverTest, RunsARuleUntilNothingFires) {
  const std::unique_ptr<ir::Model> model = ThreeRelus();
  CompileReport report;
  ASSERT_OK(RunOne(model.get(), {&kMergeRelus}, {}, &report));
  EXPECT_THAT(OpsOf(*model), ElementsAre("Parameter", "Relu", "Result"));
  EXPECT_EQ(report.rewrites, 2);
  // There is nothing left for a second run.
  CompileReport second;
  ASSERT_OK(RunOne(model.get(), {&kMergeRelus}, {}, &second));
  EXPECT_EQ(second.rewrites, 0);
}

TEST(DriverTest, RulesOfAGroupMakeRoomForEachOther) {
  const std::unique_ptr<ir::Model> model = Parse(R"(model "m" {
    %0 "x" = Parameter() {shape = [2]}
    %1 "r" = Relu(%0)
    %2 "a" = Abs(%1)
    %3 "out" = Result(%2)
  })");
  ASSERT_OK(RunOne(model.get(), {&kMergeRelus, &kAbsToRelu}));
  EXPECT_THAT(OpsOf(*model), ElementsAre("Parameter", "Relu", "Result"));
}

TEST(DriverTest, RunsGroupsInTheirOrder) {
  const std::unique_ptr<ir::Model> model = ThreeRelus();
  CompileReport report;
  const PassGroup groups[] = {{&kMergeRelus}, {&kAllRelusToAbs}, {&kMergeRelus}};
  ASSERT_OK(RunPasses(model.get(), groups, {}, {}, &report));
  EXPECT_THAT(OpsOf(*model), ElementsAre("Parameter", "Abs", "Result"));
  ASSERT_EQ(report.passes.size(), 2u);
  EXPECT_EQ(report.passes[0].name, "MergeRelus");
  EXPECT_EQ(report.passes[0].rewrites, 2);
  EXPECT_EQ(report.passes[1].name, "AllRelusToAbs");
  EXPECT_EQ(report.passes[1].rewrites, 1);
}

TEST(DriverTest, FindsWhatARewriteMakesPossibleFarAway) {
  const std::unique_ptr<ir::Model> model = Parse(R"(model "m" {
    %0 "x" = Parameter() {shape = [2]}
    %1 "f" = Floor(%0)
    %2 "y" = Parameter() {shape = [2]}
    %3 "r" = Relu(%2)
    %4 "floor" = Result(%1)
    %5 "relu" = Result(%3)
  })");
  ASSERT_OK(RunOne(model.get(), {&kFloorAfterRelus, &kReluToAbs}));
  EXPECT_NE(model->node(model->FindNode("f")).code(), ir::OpCode::kFloor);
}

TEST(DriverTest, KeepsTheUsersNames) {
  const std::unique_ptr<ir::Model> model = ThreeRelus();
  ASSERT_OK(RunOne(model.get(), {&kReluToAbs}));
  const ir::NodeId id = model->FindNode("r2");
  ASSERT_NE(id, ir::NodeId::kNone);
  EXPECT_EQ(model->node(id).code(), ir::OpCode::kAbs);
  EXPECT_THAT(model->node(id).original_names(), ElementsAre("R2"));
}

TEST(DriverTest, RewritesBodies) {
  const std::unique_ptr<ir::Model> model = Parse(R"(model "m" {
    %0 "condition" = Parameter() {element_type = boolean, shape = []}
    %1 "x" = Parameter() {shape = [2]}
    %2 "if" = If(%0, %1) {then_inputs = [1], else_inputs = [1]}
      model "then" {
        %0 "in" = Parameter() {shape = [2]}
        %1 "a" = Relu(%0)
        %2 "b" = Relu(%1)
        %3 "result" = Result(%2)
      }
      model "else" {
        %0 "in" = Parameter() {shape = [2]}
        %1 "result" = Result(%0)
      }
    %3 "out" = Result(%2)
  })");
  CompileReport report;
  PipelineOptions options;
  options.verify_each_rewrite = true;
  ASSERT_OK(RunOne(model.get(), {&kMergeRelus}, options, &report));
  EXPECT_EQ(report.rewrites, 1);
  EXPECT_EQ(report.nodes_before, 10);
  EXPECT_EQ(report.nodes_after, 9);
  const ir::Model& body = *model->node(model->FindNode("if")).bodies()[0];
  EXPECT_THAT(OpsOf(body), ElementsAre("Parameter", "Relu", "Result"));
}

TEST(DriverTest, GoesOnFromWhatBecomesKnownOfABody) {
  const std::unique_ptr<ir::Model> model = Parse(R"(model "m" {
    %0 "condition" = Parameter() {element_type = boolean, shape = []}
    %1 "x" = Parameter() {shape = [?]}
    %2 "if" = If(%0, %1) {then_inputs = [1], else_inputs = [1]}
      model "then" {
        %0 "in" = Parameter() {shape = [?]}
        %1 "a" = Relu(%0)
        %2 "result" = Result(%1)
      }
      model "else" {
        %0 "in" = Parameter() {shape = [?]}
        %1 "a" = Relu(%0)
        %2 "result" = Result(%1)
      }
    %3 "f" = Floor(%2)
    %4 "out" = Result(%3)
  })");
  ASSERT_OK(RunOne(model.get(), {&kReluToConstant, &kStaticFloor}));
  EXPECT_EQ(model->node(model->FindNode("if")).output(0).shape, ir::PartialShape{2});
  EXPECT_EQ(model->node(model->FindNode("f")).code(), ir::OpCode::kExp);
}

// ---- What the driver refuses ----

// The sum can never run, which a known shape of the Relu shows; the model is left to say so.
TEST(DriverTest, APatchThatAReaderRefusesIsDropped) {
  const std::unique_ptr<ir::Model> model = Parse(R"(model "m" {
    %0 "x" = Parameter() {shape = [?]}
    %1 "y" = Parameter() {shape = [3]}
    %2 "r" = Relu(%0)
    %3 "sum" = Add(%2, %1)
    %4 "out" = Result(%3)
  })");
  CompileReport report;
  std::vector<bool> applied;
  PipelineOptions options;
  options.observer = [&applied](const RewriteEvent& event) { applied.push_back(event.applied); };
  // The next rule has its turn.
  ASSERT_OK(RunOne(model.get(), {&kReluToConstant, &kReluToAbs}, options, &report));
  EXPECT_THAT(OpsOf(*model), ElementsAre("Parameter", "Parameter", "Abs", "Add", "Result"));
  EXPECT_EQ(report.Find("ReluToConstant")->refused, 1);
  EXPECT_EQ(report.Find("ReluToConstant")->rewrites, 0);
  EXPECT_EQ(report.rewrites, 1);
  EXPECT_THAT(applied, ElementsAre(false, false, true));
}

TEST(DriverTest, APatchThatDoesNotApplyIsAnErrorThatNamesPassAndNode) {
  const std::unique_ptr<ir::Model> model = ThreeRelus();
  EXPECT_THAT(RunOne(model.get(), {&kWrongType}),
              StatusIs(absl::StatusCode::kInternal, AllOf(HasSubstr("WrongType"), HasSubstr("'r1'"))));
}

TEST(DriverTest, AnEmptyPatchIsAnError) {
  const std::unique_ptr<ir::Model> model = ThreeRelus();
  EXPECT_THAT(RunOne(model.get(), {&kEmptyPatch}),
              StatusIs(absl::StatusCode::kInternal, AllOf(HasSubstr("EmptyPatch"), HasSubstr("empty patch"))));
}

TEST(DriverTest, ARulesOwnErrorKeepsItsCode) {
  const std::unique_ptr<ir::Model> model = ThreeRelus();
  EXPECT_THAT(RunOne(model.get(), {&kRefuses}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("Refuses"), HasSubstr("'r1'"), HasSubstr("the model is broken"))));
}

TEST(DriverTest, RefusesAModelWithACycle) {
  const std::unique_ptr<ir::Model> model = ThreeRelus();
  model->SetInput({model->FindNode("r1"), 0}, {model->FindNode("r3"), 0});
  EXPECT_THAT(RunOne(model.get(), {&kMergeRelus}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("cycle")));
}

TEST(DriverTest, PassesThatUndoEachOtherAreAnError) {
  const std::unique_ptr<ir::Model> model = ThreeRelus();
  EXPECT_THAT(RunOne(model.get(), {&kReluToAbs, &kAbsToRelu}),
              StatusIs(absl::StatusCode::kInternal, AllOf(HasSubstr("no end"), HasSubstr("ToAbs"))));
}

TEST(DriverTest, TheCapIsTheCallers) {
  PipelineOptions options;
  options.max_rewrites = 3;
  std::unique_ptr<ir::Model> model = ThreeRelus();
  EXPECT_OK(RunOne(model.get(), {&kReluToAbs}, options));
  options.max_rewrites = 2;
  model = ThreeRelus();
  EXPECT_THAT(RunOne(model.get(), {&kReluToAbs}, options),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("no end after 2 rewrites")));
}

std::unique_ptr<ir::Model> TwoSoftmaxes() {
  return Parse(R"(model "m" {
    %0 "x" = Parameter() {shape = [2,3]}
    %1 "s1" = Softmax(%0) {axis = 1}
    %2 "s2" = Softmax(%1) {axis = 0}
    %3 "out" = Result(%2)
  })");
}

TEST(DriverTest, VerificationNamesTheRewriteThatBrokeTheModel) {
  const std::unique_ptr<ir::Model> model = TwoSoftmaxes();
  PipelineOptions options;
  options.verify_each_rewrite = true;
  CompileReport report;
  EXPECT_THAT(
      RunOne(model.get(), {&kBreakSoftmax}, options, &report),
      StatusIs(absl::StatusCode::kInternal, AllOf(HasSubstr("Pass BreakSoftmax at node 's1'"), HasSubstr("M5"))));
  EXPECT_EQ(report.rewrites, 1);
}

TEST(DriverTest, VerificationAfterEachGroupNamesTheGroup) {
  const std::unique_ptr<ir::Model> model = TwoSoftmaxes();
  CompileReport report;
  EXPECT_THAT(RunOne(model.get(), {&kBreakSoftmax}, {}, &report),
              StatusIs(absl::StatusCode::kInternal, AllOf(HasSubstr("BreakSoftmax"), HasSubstr("M5"))));
  EXPECT_EQ(report.rewrites, 2);
}

// ---- Options ----

TEST(DriverTest, DisabledPassesDoNotRun) {
  const std::unique_ptr<ir::Model> model = ThreeRelus();
  PipelineOptions options;
  options.disabled = {"MergeRelus"};
  CompileReport report;
  const PassGroup groups[] = {{&kMergeRelus}, {&kAllRelusToAbs}};
  ASSERT_OK(RunPasses(model.get(), groups, {}, options, &report));
  EXPECT_THAT(OpsOf(*model), ElementsAre("Parameter", "Abs", "Abs", "Abs", "Result"));
  EXPECT_EQ(report.Find("MergeRelus"), nullptr);
  options.disabled = {"AllRelusToAbs"};
  EXPECT_OK(RunPasses(ThreeRelus().get(), groups, {}, options, &report));
}

TEST(DriverTest, AnUnknownDisabledPassIsAnErrorThatListsThoseThereAre) {
  const std::unique_ptr<ir::Model> model = ThreeRelus();
  PipelineOptions options;
  options.disabled = {"ReluToAbs", "MergeReluz"};
  CompileReport report;
  const PassGroup groups[] = {{&kMergeRelus}, {&kReluToAbs}};
  EXPECT_THAT(RunPasses(model.get(), groups, {}, options, &report),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("'MergeReluz'"), HasSubstr("MergeRelus, ReluToAbs"))));
  EXPECT_EQ(report.rewrites, 0);
  // A pass of another stage of the same compilation is known.
  options.disabled = {"AbsToRelu"};
  EXPECT_THAT(RunPasses(model.get(), groups, {}, options, &report), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_OK(RunPasses(model.get(), groups, {}, options, &report, {kAbsToRelu}));
}

TEST(DriverTest, StopsAfterAsManyRewritesAsAsked) {
  for (int64_t limit = 0; limit <= 4; ++limit) {
    const std::unique_ptr<ir::Model> model = ThreeRelus();
    PipelineOptions options;
    options.stop_after_rewrite = limit;
    CompileReport report;
    ASSERT_OK(RunOne(model.get(), {&kReluToAbs}, options, &report));
    EXPECT_EQ(report.rewrites, std::min<int64_t>(limit, 3));
    EXPECT_EQ(report.stopped, limit <= 3);
    int64_t left = 0;
    for (const std::string& op : OpsOf(*model)) left += op == "Relu" ? 1 : 0;
    EXPECT_EQ(left, 3 - report.rewrites);
    EXPECT_OK(ir::Verify(*model));
  }
}

TEST(DriverTest, AWholeGraphPassStopsToo) {
  const std::unique_ptr<ir::Model> model = ThreeRelus();
  PipelineOptions options;
  options.stop_after_rewrite = 2;
  CompileReport report;
  ASSERT_OK(RunOne(model.get(), {&kAllRelusToAbs}, options, &report));
  EXPECT_EQ(report.rewrites, 2);
  EXPECT_THAT(OpsOf(*model), ElementsAre("Parameter", "Abs", "Abs", "Relu", "Result"));
}

TEST(DriverTest, StagesThatShareAReportShareTheNumbers) {
  const std::unique_ptr<ir::Model> model = ThreeRelus();
  PipelineOptions options;
  options.stop_after_rewrite = 4;
  std::vector<int64_t> numbers;
  options.observer = [&numbers](const RewriteEvent& event) {
    if (event.applied) numbers.push_back(event.index);
  };
  CompileReport report;
  ASSERT_OK(RunOne(model.get(), {&kReluToAbs}, options, &report));
  EXPECT_FALSE(report.stopped);
  ASSERT_OK(RunOne(model.get(), {&kAbsToRelu}, options, &report));
  EXPECT_TRUE(report.stopped);
  EXPECT_THAT(numbers, ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(report.rewrites, 4);
}

TEST(DriverTest, TheObserverSeesTheModelBeforeAndAfter) {
  const std::unique_ptr<ir::Model> model = ThreeRelus();
  std::vector<std::string> seen;
  PipelineOptions options;
  options.stop_after_rewrite = 2;
  options.observer = [&seen](const RewriteEvent& event) {
    seen.push_back(absl::StrCat(event.index, event.applied ? " after " : " before ", event.pass->name, " at ",
                                event.node_name, ": ", event.model->node_count()));
  };
  ASSERT_OK(RunOne(model.get(), {&kMergeRelus}, options));
  EXPECT_THAT(seen, ElementsAre("1 before MergeRelus at r2: 5", "1 after MergeRelus at r2: 4",
                                "2 before MergeRelus at r3: 4", "2 after MergeRelus at r3: 3"));
}

TEST(DriverTest, TheObserverIsToldWhatAPatchTouched) {
  for (const PassGroup& group : {PassGroup{&kReluToAbs}, PassGroup{&kAllRelusToAbs}}) {
    const std::unique_ptr<ir::Model> model = ThreeRelus();
    std::vector<std::string> touched;
    PipelineOptions options;
    options.stop_after_rewrite = 1;
    options.observer = [&touched](const RewriteEvent& event) {
      EXPECT_EQ(event.touched.empty(), !event.applied);
      for (const ir::NodeId id : event.touched) touched.push_back(event.model->node(id).name());
    };
    ASSERT_OK(RunOne(model.get(), group, options));
    // What the old node read, what reads the new one, and that one itself, which has taken its name.
    EXPECT_THAT(touched, ElementsAre("x", "r2", "r1"));
  }
}

// ---- The report ----

TEST(DriverTest, ReportsWhatFiredAndWhatItCost) {
  const std::unique_ptr<ir::Model> model = ThreeRelus();
  CompileReport report;
  ASSERT_OK(RunOne(model.get(), {&kMergeRelus, &kAbsToRelu}, {}, &report));
  EXPECT_EQ(report.nodes_before, 5);
  EXPECT_EQ(report.nodes_after, 3);
  EXPECT_GT(report.verify_ns, 0);
  const PassReport* merged = report.Find("MergeRelus");
  ASSERT_NE(merged, nullptr);
  EXPECT_EQ(merged->rewrites, 2);
  EXPECT_GT(merged->time_ns, 0);
  // Every node was tried at least once before and once after.
  EXPECT_GE(merged->visits, 8);
  const PassReport* idle = report.Find("AbsToRelu");
  ASSERT_NE(idle, nullptr);
  EXPECT_EQ(idle->rewrites, 0);
  EXPECT_GT(idle->visits, 0);
}

TEST(DriverTest, DoesNotVerifyWhereNothingChanged) {
  const std::unique_ptr<ir::Model> model = ThreeRelus();
  CompileReport report;
  ASSERT_OK(RunOne(model.get(), {&kAbsToRelu}, {}, &report));
  EXPECT_EQ(report.verify_ns, 0);
}

// ---- Work follows nodes and rewrites ----

int64_t VisitsForChain(int length) {
  ir::Model model;
  ir::Value at = *model.AddParameter("x", ElementType::kF32, ir::PartialShape{2});
  for (int i = 0; i < length; ++i) at = *model.Add(ir::ReluOp(), {at});
  EXPECT_OK(model.AddResult(at, "out"));
  CompileReport report;
  EXPECT_OK(RunOne(&model, {&kMergeRelus}, {}, &report));
  EXPECT_EQ(report.rewrites, length - 1);
  return report.Find("MergeRelus")->visits;
}

// `length` Relus of one value.
int64_t VisitsForHub(int length) {
  ir::Model model;
  const ir::Value x = *model.AddParameter("x", ElementType::kF32, ir::PartialShape{2});
  for (int i = 0; i < length; ++i) EXPECT_OK(model.AddResult(*model.Add(ir::ReluOp(), {x}), absl::StrCat("out", i)));
  CompileReport report;
  EXPECT_OK(RunOne(&model, {&kReluToAbs}, {}, &report));
  EXPECT_EQ(report.rewrites, length);
  return report.Find("ReluToAbs")->visits;
}

TEST(DriverTest, VisitsGrowLinearlyWithTheNodes) {
  EXPECT_LT(VisitsForChain(10'000), 11 * VisitsForChain(1'000));
  EXPECT_LT(VisitsForHub(10'000), 11 * VisitsForHub(1'000));
}

}  // namespace
}  // namespace burin::transformations
