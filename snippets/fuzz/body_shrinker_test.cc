#include "snippets/fuzz/body_shrinker.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/text.h"
#include "ir/verifier.h"
#include "snippets/testing/body_fuzzer.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

bool Holds(const ir::Model& body, absl::string_view op) {
  for (const ir::NodeId id : body.NodeIds()) {
    if (body.node(id).op().name == op) return true;
  }
  return false;
}

ShrunkBody Parse(absl::string_view text) {
  ShrunkBody body;
  body.body = ir::ParseModel(text).value();
  body.ranges.resize(body.body->parameters().size());
  body.parameter_axes.resize(body.body->parameters().size());
  return body;
}

TEST(BodyShrinkerTest, LeavesWhatFails) {
  ShrunkBody body = Parse(R"(model "" {
    %0 "x" = Parameter() {shape = [3]}
    %1 "y" = Parameter() {shape = [3]}
    %2 = Exp(%0)
    %3 = Log(%2)
    %4 = Add(%3, %1)
    %5 = Tanh(%4)
    %6 = Relu(%5)
    %7 "a" = Result(%6)
    %8 "b" = Result(%2)
  })");
  const ShrunkBody shrunk = ShrinkBody(std::move(body), [](const ShrunkBody& candidate) {
    EXPECT_OK(ir::Verify(*candidate.body));
    EXPECT_EQ(candidate.ranges.size(), candidate.body->parameters().size());
    return Holds(*candidate.body, "Tanh");
  });
  EXPECT_TRUE(Holds(*shrunk.body, "Tanh"));
  // A parameter, the function and a result.
  EXPECT_EQ(shrunk.body->node_count(), 3);
}

TEST(BodyShrinkerTest, KeepsABodyThatNothingCanBeTakenFrom) {
  ShrunkBody body = Parse(R"(model "" {
    %0 "x" = Parameter() {shape = [3]}
    %1 = Exp(%0)
    %2 "a" = Result(%1)
  })");
  const ShrunkBody shrunk = ShrinkBody(std::move(body), [](const ShrunkBody&) { return false; });
  EXPECT_EQ(shrunk.body->node_count(), 3);
}

TEST(BodyShrinkerTest, ShrinksDrawnBodies) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    DrawnBody drawn = DrawBody(seed);
    if (!Holds(*drawn.body, "Add")) continue;
    const int64_t before = drawn.body->node_count();
    const ShrunkBody shrunk =
        ShrinkBody({std::move(drawn.body), drawn.ranges, drawn.parameter_axes}, [](const ShrunkBody& candidate) {
          EXPECT_OK(ir::Verify(*candidate.body));
          return Holds(*candidate.body, "Add");
        });
    EXPECT_TRUE(Holds(*shrunk.body, "Add")) << "seed " << seed;
    EXPECT_LE(shrunk.body->node_count(), before) << "seed " << seed;
  }
}

}  // namespace
}  // namespace burin::snippets
