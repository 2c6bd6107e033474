#include "transformations/rewrite_testlib.h"

#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ir/model.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/rewrite.h"
#include "ir/tensor.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"
#include "transformations/pass.h"
#include "transformations/random_inputs_testlib.h"

namespace burin::transformations {
namespace {

using ::testing::HasSubstr;
using PatchOr = absl::StatusOr<std::optional<ir::Patch>>;

PatchOr ReplaceOp(const ir::Model& model, ir::NodeId id, ir::OpCode code, const ir::OpDef& op) {
  if (model.node(id).code() != code) return std::nullopt;
  ir::Patch patch(model);
  patch.Replace({id, 0}, patch.Add(op, {model.node(id).input(0)}));
  return patch;
}

PatchOr MergeRelus(const ir::Model& model, ir::NodeId id, const ir::PassContext&) {
  if (model.node(id).code() != ir::OpCode::kRelu) return std::nullopt;
  const ir::Value input = model.node(id).input(0);
  if (model.node(input.node).code() != ir::OpCode::kRelu) return std::nullopt;
  ir::Patch patch(model);
  patch.Replace({id, 0}, input);
  return patch;
}

PatchOr ReluToAbs(const ir::Model& model, ir::NodeId id, const ir::PassContext&) {
  return ReplaceOp(model, id, ir::OpCode::kRelu, ir::AbsOp());
}

// Wrong for a negative zero alone.
PatchOr DropAdd(const ir::Model& model, ir::NodeId id, const ir::PassContext&) {
  if (model.node(id).code() != ir::OpCode::kAdd) return std::nullopt;
  ir::Patch patch(model);
  patch.Replace({id, 0}, model.node(id).input(0));
  return patch;
}

// Wrong for infinities and NaNs alone, where the factor is 0.
PatchOr ProductIsItsFactor(const ir::Model& model, ir::NodeId id, const ir::PassContext&) {
  if (model.node(id).code() != ir::OpCode::kMultiply) return std::nullopt;
  ir::Patch patch(model);
  patch.Replace({id, 0}, model.node(id).input(1));
  return patch;
}

// Assigns what the negation was made of: seen by the next run alone.
PatchOr AssignWithoutNegation(const ir::Model& model, ir::NodeId id, const ir::PassContext&) {
  if (model.node(id).code() != ir::OpCode::kAssign) return std::nullopt;
  const ir::Node& input = model.node(model.node(id).input(0).node);
  if (input.code() != ir::OpCode::kNegative) return std::nullopt;
  ir::Patch patch(model);
  patch.SetInput({id, 0}, input.input(0));
  return patch;
}

absl::Status LeaveADeadNode(const ir::Model& model, const ir::PassContext&, Rewriter& rewriter) {
  for (const ir::NodeId id : model.NodeIds()) {
    if (model.node(id).code() != ir::OpCode::kRelu || !model.IsRead(id)) continue;
    const absl::StatusOr<bool> done = rewriter.Edit(id, [id](ir::Model& edited) {
      edited.ReplaceUses({id, 0}, edited.node(id).input(0));
      return absl::OkStatus();
    });
    if (!done.ok()) return done.status();
  }
  return absl::OkStatus();
}

constexpr Pass kMergeRelus = {"MergeRelus", "", &MergeRelus, nullptr};
constexpr Pass kReluToAbs = {"ReluToAbs", "", &ReluToAbs, nullptr};
constexpr Pass kDropAdd = {"DropAdd", "", &DropAdd, nullptr};
constexpr Pass kProductIsItsFactor = {"ProductIsItsFactor", "", &ProductIsItsFactor, nullptr};
constexpr Pass kAssignWithoutNegation = {"AssignWithoutNegation", "", &AssignWithoutNegation, nullptr};
constexpr Pass kLeaveADeadNode = {"LeaveADeadNode", "", nullptr, &LeaveADeadNode};

constexpr char kOneRelu[] = R"(model "" {
  %0 "x" = Parameter() {shape = [?,n]}
  %1 "r1" = Relu(%0) from("A")
  %2 "out" = Result(%1)
})";
constexpr char kTwoRelus[] = R"(model "" {
  %0 "x" = Parameter() {shape = [?,n]}
  %1 "r1" = Relu(%0) from("A")
  %2 "r2" = Relu(%1) from("B")
  %3 "out" = Result(%2)
})";
constexpr char kOneAbs[] = R"(model "" {
  %0 "x" = Parameter() {shape = [?,n]}
  %1 "a" = Abs(%0)
  %2 "out" = Result(%1)
})";
constexpr char kNothing[] = R"(model "" {
  %0 "x" = Parameter() {shape = [?,n]}
  %1 "out" = Result(%0)
})";

testing::Matcher<absl::Status> Tells(const std::string& what) {
  return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(what));
}

TEST(RewriteTestlibTest, AcceptsARightPass) {
  EXPECT_OK(CheckRewrites(kMergeRelus, kTwoRelus, kOneRelu));
  EXPECT_OK(CheckUnchanged(kMergeRelus, kOneRelu));
  ExpectRewrites(&MergeRelus, kTwoRelus, kOneRelu);
  ExpectUnchanged(&MergeRelus, kOneRelu);
}

TEST(RewriteTestlibTest, ExpectationsFailWhereTheChecksDo) {
  EXPECT_NONFATAL_FAILURE(ExpectUnchanged(&MergeRelus, kTwoRelus), "fired where it should not");
  EXPECT_NONFATAL_FAILURE(ExpectRewrites(&MergeRelus, kOneRelu, kOneRelu), "did not fire");
  EXPECT_NONFATAL_FAILURE(ExpectRewrites(&LeaveADeadNode, kOneRelu, kNothing), "leaves 3 nodes instead of 2");
}

TEST(RewriteTestlibTest, RefusesAPassThatDoesNotFireOrFiresWrongly) {
  EXPECT_THAT(CheckRewrites(kMergeRelus, kOneRelu, kOneRelu), Tells("did not fire"));
  EXPECT_THAT(CheckUnchanged(kMergeRelus, kTwoRelus), Tells("fired where it should not"));
  EXPECT_THAT(CheckRewrites(kMergeRelus, kTwoRelus, kTwoRelus), Tells("another model than expected"));
  EXPECT_THAT(CheckRewrites(kLeaveADeadNode, kOneRelu, kNothing), Tells("leaves 3 nodes instead of 2"));
}

TEST(RewriteTestlibTest, ComparesNamesOnRequest) {
  RewriteTestOptions options;
  options.compare_names = true;
  EXPECT_OK(CheckRewrites(kMergeRelus, kTwoRelus, kOneRelu, options));
  constexpr char kRenamed[] = R"(model "" {
    %0 "x" = Parameter() {shape = [?,n]}
    %1 "other" = Relu(%0) from("A")
    %2 "out" = Result(%1)
  })";
  EXPECT_OK(CheckRewrites(kMergeRelus, kTwoRelus, kRenamed));
  EXPECT_THAT(CheckRewrites(kMergeRelus, kTwoRelus, kRenamed, options), Tells("another model"));
}

TEST(RewriteTestlibTest, RefusesAPassThatChangesTheMaths) {
  EXPECT_THAT(CheckRewrites(kReluToAbs, kOneRelu, kOneAbs), Tells("changes what is computed"));
}

TEST(RewriteTestlibTest, SeesSignedZerosInfinitiesAndNaNs) {
  EXPECT_THAT(CheckRewrites(kDropAdd, R"(model "" {
                %0 "x" = Parameter() {shape = [8]}
                %1 "zero" = Constant() {value = f32[]{0}}
                %2 "sum" = Add(%0, %1)
                %3 "out" = Result(%2)
              })",
                            R"(model "" {
                %0 "x" = Parameter() {shape = [8]}
                %1 "out" = Result(%0)
              })"),
              Tells("changes what is computed"));
  EXPECT_THAT(CheckRewrites(kProductIsItsFactor, R"(model "" {
                %0 "x" = Parameter() {shape = [8]}
                %1 "abs" = Abs(%0)
                %2 "zero" = Constant() {value = f32[8]{0, 0, 0, 0, 0, 0, 0, 0}}
                %3 "product" = Multiply(%1, %2)
                %4 "out" = Result(%3)
              })",
                            R"(model "" {
                %0 "x" = Parameter() {shape = [8]}
                %1 "zero" = Constant() {value = f32[8]{0, 0, 0, 0, 0, 0, 0, 0}}
                %2 "out" = Result(%1)
              })"),
              Tells("changes what is computed"));
}

TEST(RewriteTestlibTest, RunsModelsWithVariablesTwice) {
  EXPECT_THAT(CheckRewrites(kAssignWithoutNegation, R"(model "" {
                variable "v" : f32[2]
                %0 "x" = Parameter() {shape = [2]}
                %1 "read" = ReadValue(%0) {variable_id = "v"}
                %2 "negative" = Negative(%0)
                %3 "assign" = Assign(%2) {variable_id = "v"}
                %4 "out" = Result(%1)
              })",
                            R"(model "" {
                variable "v" : f32[2]
                %0 "x" = Parameter() {shape = [2]}
                %1 "read" = ReadValue(%0) {variable_id = "v"}
                %2 "assign" = Assign(%0) {variable_id = "v"}
                %3 "out" = Result(%1)
              })"),
              Tells("changes what is computed"));
}

std::unique_ptr<ir::Model> Parse(const char* text) {
  absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(text);
  EXPECT_OK(model);
  return *std::move(model);
}

TEST(RewriteTestlibTest, TolerancesAreThoseOfTheOperations) {
  const std::unique_ptr<ir::Model> divided = Parse(R"(model "" {
    %0 "x" = Parameter() {shape = [16]}
    %1 "c" = Constant() {value = f32[]{3}}
    %2 "y" = Divide(%0, %1)
    %3 "out" = Result(%2)
  })");
  const std::unique_ptr<ir::Model> multiplied = Parse(R"(model "" {
    %0 "x" = Parameter() {shape = [16]}
    %1 "c" = Constant() {value = f32[]{0.333333343}}
    %2 "y" = Multiply(%0, %1)
    %3 "out" = Result(%2)
  })");
  const std::unique_ptr<ir::Model> wrong = Parse(R"(model "" {
    %0 "x" = Parameter() {shape = [16]}
    %1 "c" = Constant() {value = f32[]{0.33334}}
    %2 "y" = Multiply(%0, %1)
    %3 "out" = Result(%2)
  })");
  EXPECT_THAT(CheckEquivalent(*divided, *multiplied), Tells("instead of"));
  RewriteTestOptions options;
  options.equivalence = Equivalence::kByTolerances;
  EXPECT_OK(CheckEquivalent(*divided, *multiplied, options));
  EXPECT_THAT(CheckEquivalent(*divided, *wrong, options), Tells("Seed"));
}

TEST(RewriteTestlibTest, UsesTheInputsGiven) {
  // No random shape holds three elements.
  const std::unique_ptr<ir::Model> model = Parse(R"(model "" {
    %0 "shape" = Parameter() {element_type = i64, shape = [1]}
    %1 "data" = Constant() {value = f32[3]{1, 2, 3}}
    %2 "y" = Reshape(%1, %0)
    %3 "out" = Result(%2)
  })");
  RewriteTestOptions options;
  options.min_integer = 100;
  options.max_integer = 200;
  EXPECT_THAT(CheckEquivalent(*model, *model, options),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("refuses every random input")));
  options.inputs = {{ir::I64({1}, {3})}};
  EXPECT_OK(CheckEquivalent(*model, *model, options));
}

TEST(RandomInputsTest, RespectsSymbolsAndBoundsAndReachesZero) {
  const std::unique_ptr<ir::Model> model = Parse(R"(model "" {
    %0 "a" = Parameter() {shape = [n,2..3,?]}
    %1 "b" = Parameter() {shape = [n]}
    %2 "c" = Parameter() {element_type = u8, shape = [64]}
    %3 "any" = Parameter()
    %4 "out" = Result(%0)
  })");
  std::set<int64_t> seen;
  std::set<int64_t> unbounded;
  std::set<size_t> ranks;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random(seed);
    const std::vector<ir::Tensor> inputs = RandomInputs(random, *model, {});
    EXPECT_EQ(inputs[0].shape()[0], inputs[1].shape()[0]) << "seed " << seed;
    seen.insert(inputs[0].shape()[1]);
    unbounded.insert(inputs[0].shape()[2]);
    ranks.insert(inputs[3].shape().size());
  }
  EXPECT_THAT(seen, testing::ElementsAre(2, 3));
  EXPECT_THAT(unbounded, testing::ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(ranks, testing::ElementsAre(0, 1, 2, 3, 4));
}

}  // namespace
}  // namespace burin::transformations
