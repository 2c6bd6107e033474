#include "runtime/plugins/cpu/segments/node_grouping.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/text.h"
#include "runtime/plugins/cpu/graph/known_values.h"
#include "runtime/plugins/cpu/segments/segments_testlib.h"

namespace burin::cpu {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class NodeGroupingTest : public ::testing::Test {
 protected:
  // Groups the nodes of a model but for those that are `done`.
  void Group(absl::string_view text, const std::vector<std::string>& done = {}) {
    model_ = ir::ParseModel(text).value();
    std::vector<bool> flags(static_cast<size_t>(model_->id_bound()));
    for (const std::string& name : done) flags[static_cast<size_t>(ir::Index(model_->FindNode(name)))] = true;
    grouping_ = GroupNodes(*model_, model_->TopologicalOrder().value(), flags, KnownValues::Recorded(*model_));
  }
  std::vector<std::string> Planned() const { return NamesOf(*model_, grouping_.planned); }
  std::vector<std::string> Cuts() const { return NamesOf(*model_, grouping_.cuts); }
  std::vector<std::string> Waiting() const { return NamesOf(*model_, grouping_.waiting); }
  std::vector<std::string> Wanted() const {
    std::vector<ir::NodeId> nodes;
    for (const ir::Value& value : grouping_.wanted) nodes.push_back(value.node);
    return NamesOf(*model_, nodes);
  }

  std::unique_ptr<ir::Model> model_;
  NodeGrouping grouping_;
};

TEST_F(NodeGroupingTest, AllOfAStaticModelIsPlanned) {
  Group(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [4]}
    %1 "abs" = Abs(%0)
    %2 "shape" = ShapeOf(%1) {output_type = i64}
    %3 "y" = Result(%1)
    %4 "z" = Result(%2)
  })");
  EXPECT_THAT(Planned(), ElementsAre("abs"));
  EXPECT_THAT(Cuts(), IsEmpty());
  EXPECT_THAT(Waiting(), IsEmpty());
}

constexpr absl::string_view kWhere = R"(model "" {
  %0 "x" = Parameter() {element_type = f32, shape = [4]}
  %1 "exp" = Exp(%0)
  %2 "where" = NonZero(%1) {output_type = i64}
  %3 "abs" = Abs(%2)
  %4 "other" = Sqrt(%0)
  %5 "y" = Result(%3)
  %6 "z" = Result(%4)
})";

TEST_F(NodeGroupingTest, WhatOnlyTheDataTellsCutsAndTheRestWaits) {
  Group(kWhere);
  EXPECT_THAT(Planned(), ElementsAre("exp", "other"));
  EXPECT_THAT(Cuts(), ElementsAre("where"));
  EXPECT_THAT(Waiting(), ElementsAre("abs"));
}

TEST_F(NodeGroupingTest, WhatIsDoneIsLeftOut) {
  Group(kWhere, {"exp", "other"});
  EXPECT_THAT(Planned(), IsEmpty());
  EXPECT_THAT(Cuts(), ElementsAre("where"));
}

TEST_F(NodeGroupingTest, CutsThatNeedNoGraphComeFirst) {
  Group(R"(model "" {
    variable "v" : f32[4]
    sinks(%3)
    %0 "x" = Parameter() {element_type = f32, shape = [4]}
    %1 "read" = ReadValue() {variable_id = "v", variable_type = f32, variable_shape = [4]}
    %2 "sum" = Add(%1, %0)
    %3 "assign" = Assign(%2) {variable_id = "v"}
    %4 "abs" = Abs(%0)
    %5 "where" = NonZero(%4) {output_type = i64}
    %6 "y" = Result(%5)
  })");
  EXPECT_THAT(Planned(), IsEmpty());
  EXPECT_THAT(Cuts(), ElementsAre("read"));
  EXPECT_THAT(Waiting(), ::testing::UnorderedElementsAre("sum", "assign", "abs", "where"));
}

TEST_F(NodeGroupingTest, AContentIsWanted) {
  Group(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [4, 9]}
    %1 "n" = Parameter() {element_type = i64, shape = []}
    %2 "k" = Abs(%1)
    %3 "top" = TopK(%0, %2) {axis = 1, mode = max, sort = value, index_element_type = i64}
    %4 "exp" = Exp(%3)
    %5 "y" = Result(%4)
  })");
  EXPECT_THAT(Planned(), ElementsAre("k"));
  EXPECT_THAT(Cuts(), IsEmpty());
  EXPECT_THAT(Waiting(), ElementsAre("top", "exp"));
  EXPECT_THAT(Wanted(), ElementsAre("k"));
}

}  // namespace
}  // namespace burin::cpu
