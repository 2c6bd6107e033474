#include "tools/benchmark/exec_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "ir/text.h"
#include "nlohmann/json.hpp"
#include "testing/gtest/status_matchers.h"

namespace burin::benchmark {
namespace {

using ::testing::HasSubstr;

Model Toy() {
  absl::StatusOr<std::unique_ptr<ir::Model>> graph = ir::ParseModel(R"(model "toy" {
    %0 "x" = Parameter() {element_type = f32, shape = [?]} : f32[?]
    %1 "relu" = Relu(%0) : f32[?] names("y:0") from("Relu_7") info("execTimeMcs" = "12")
    %2 "y" = Result(%1) : f32[?]
  })");
  EXPECT_OK(graph);
  return Model(std::shared_ptr<ir::Model>(*std::move(graph)));
}

TEST(ExecGraphTest, JsonListsNodesWithTheirFacts) {
  ASSERT_OK_AND_ASSIGN(std::string text, GraphToText(Toy(), "a.json"));
  const nlohmann::json json = nlohmann::json::parse(text);
  EXPECT_EQ(json["name"], "toy");
  ASSERT_EQ(json["nodes"].size(), 3);
  const nlohmann::json& relu = json["nodes"][1];
  EXPECT_EQ(relu["name"], "relu");
  EXPECT_EQ(relu["type"], "Relu");
  EXPECT_EQ(relu["original_names"][0], "Relu_7");
  EXPECT_EQ(relu["runtime_info"]["execTimeMcs"], "12");
  EXPECT_EQ(relu["inputs"][0]["node"], "x");
  EXPECT_EQ(relu["inputs"][0]["output"], 0);
  EXPECT_EQ(relu["outputs"][0]["names"][0], "y:0");
  EXPECT_EQ(relu["outputs"][0]["element_type"], "f32");
  EXPECT_EQ(relu["outputs"][0]["shape"], "[?]");
}

TEST(ExecGraphTest, TheNameSaysTheForm) {
  EXPECT_THAT(GraphToText(Toy(), "a.txt").value(), HasSubstr("info(\"execTimeMcs\" = \"12\")"));
  EXPECT_THAT(GraphToText(Toy(), "a.dot").value(), HasSubstr("digraph \"toy\""));
  EXPECT_THAT(GraphToText(Toy(), "a.svg").value(), HasSubstr("</svg>"));
  EXPECT_OK(CheckGraphPath("dir/a.json"));
  EXPECT_THAT(CheckGraphPath("a.xml"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(".svg, found \"a.xml\"")));
  EXPECT_THAT(GraphToText(Toy(), "a"), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin::benchmark
