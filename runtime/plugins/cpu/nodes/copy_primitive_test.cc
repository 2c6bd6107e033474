#include "runtime/plugins/cpu/nodes/copy_primitive.h"

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "gtest/gtest.h"
#include "runtime/executor/team.h"
#include "runtime/plugins/cpu/graph/primitive.h"
#include "runtime/plugins/cpu/graph/value_desc.h"
#include "runtime/plugins/cpu/nodes/node_runner_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

// Runs moves from two inputs of bytes to one output of 8.
std::vector<uint8_t> Moved(const std::vector<ElementMove>& moves, const std::vector<std::vector<uint8_t>>& inputs) {
  const absl::StatusOr<std::unique_ptr<const Primitive>> primitive = MakeCopyPrimitive(moves, HostContext(1));
  EXPECT_OK(primitive.status());
  std::vector<uint8_t> output(8, 0xEE);
  std::vector<const void*> in;
  for (const std::vector<uint8_t>& input : inputs) in.push_back(input.data());
  std::vector<void*> out = {output.data()};
  executor::Team team(1, nullptr);
  RunErrors errors;
  (*primitive)->Execute({in, out, nullptr, &team, &errors});
  return output;
}

TEST(CopyPrimitiveTest, SeveralMovesAreOne) {
  const std::vector<ElementMove> moves = {{0, 0, 0, 0, {1, {{3, 1, 1}}}}, {1, 0, 1, 3, {1, {{4, 1, 1}}}}};
  EXPECT_EQ(Moved(moves, {{1, 2, 3}, {9, 4, 5, 6, 7}}), (std::vector<uint8_t>{1, 2, 3, 4, 5, 6, 7, 0xEE}));
}

TEST(CopyPrimitiveTest, NothingMovesNothing) {
  EXPECT_EQ(Moved({{0, 0, 0, 0, {1, {{0, 1, 1}}}}}, {{1}}), std::vector<uint8_t>(8, 0xEE));
}

TEST(CopyPrimitiveTest, MovesBetweenLayouts) {
  const ValueDesc from{ElementType::kU8, {1, 2, 2, 2}, Layout::kRowMajor};
  ValueDesc to = from;
  to.layout = Layout::kChannelsLast;
  const absl::StatusOr<ElementMove> move = MoveBetween(from, to);
  ASSERT_OK(move.status());
  EXPECT_EQ(Moved({*move}, {{1, 2, 3, 4, 5, 6, 7, 8}}), (std::vector<uint8_t>{1, 5, 2, 6, 3, 7, 4, 8}));
}

TEST(CopyPrimitiveTest, PackedElementsStayInOrder) {
  const ValueDesc from{ElementType::kI4, {1, 2, 2, 4}, Layout::kRowMajor};
  const absl::StatusOr<ElementMove> move = MoveBetween(from, from);
  ASSERT_OK(move.status());
  EXPECT_EQ(Moved({*move}, {{1, 2, 3, 4, 5, 6, 7, 8}}), (std::vector<uint8_t>{1, 2, 3, 4, 5, 6, 7, 8}));
  ValueDesc to = from;
  to.layout = Layout::kChannelsLast;
  EXPECT_THAT(MoveBetween(from, to).status(), StatusIs(absl::StatusCode::kUnimplemented));
}

}  // namespace
}  // namespace burin::cpu
