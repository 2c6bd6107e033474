#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ::testing::HasSubstr;

using ir::F32;
using ir::I32;

SingleNode Grouped(int64_t heads, std::vector<std::pair<std::string, int64_t>> attributes = {}) {
  return SingleNode("GroupQueryAttention").Domain("com.microsoft").With([=](::onnx::NodeProto& node) {
    SetInt(node, "num_heads", heads);
    SetInt(node, "kv_num_heads", 1);
    SetFloat(node, "scale", 1);
    for (const auto& [name, value] : attributes) SetInt(node, name, value);
  });
}

const ir::Tensor kAbsent;

// Queries of 0: keys that count weigh the same.
TEST(GroupQueryAttentionTest, APromptSeesWhatIsBeforeIt) {
  const ir::Tensor zero = F32({1, 3, 1}, {0, 0, 0});
  const ir::Tensor values = F32({1, 3, 1}, {3, 5, 10});
  ExpectComputes(Grouped(1)
                     .Inputs({zero, zero, values, kAbsent, kAbsent, I32({1}, {2}), I32({}, {3})})
                     .Outputs({kFloat, kFloat, kFloat}),
                 {F32({1, 3, 1}, {3, 4, 6}), F32({1, 1, 3, 1}, {0, 0, 0}), F32({1, 1, 3, 1}, {3, 5, 10})}, 1e-6);
  ExpectComputes(Grouped(1, {{"local_window_size", 2}})
                     .Inputs({zero, zero, values, kAbsent, kAbsent, I32({1}, {2}), I32({}, {3})}),
                 {F32({1, 3, 1}, {3, 4, 7.5})}, 1e-6);
}

TEST(GroupQueryAttentionTest, ATokenComesBehindThePast) {
  // A past of two tokens, and a cache of four of which two are used.
  const ir::Tensor one = F32({1, 1, 1}, {1});
  ExpectComputes(Grouped(1)
                     .Inputs({F32({1, 1, 1}, {0}), one, F32({1, 1, 1}, {9}), F32({1, 1, 2, 1}, {7, 8}),
                              F32({1, 1, 2, 1}, {0, 3}), I32({1}, {2}), I32({}, {3})})
                     .Outputs({kFloat, kFloat, kFloat}),
                 {F32({1, 1, 1}, {4}), F32({1, 1, 3, 1}, {7, 8, 1}), F32({1, 1, 3, 1}, {0, 3, 9})}, 1e-6);
  ExpectComputes(Grouped(1)
                     .Inputs({F32({1, 1, 1}, {0}), one, F32({1, 1, 1}, {9}), F32({1, 1, 4, 1}, {7, 8, 50, 50}),
                              F32({1, 1, 4, 1}, {0, 3, 50, 50}), I32({1}, {2}), I32({}, {3})})
                     .Outputs({kFloat, kFloat, kFloat}),
                 {F32({1, 1, 1}, {4}), F32({1, 1, 4, 1}, {7, 8, 1, 50}), F32({1, 1, 4, 1}, {0, 3, 9, 50})}, 1e-6);
}

TEST(GroupQueryAttentionTest, PackedHeadsTurnByTheirPlaces) {
  // Two heads of queries, one of keys and one of values, of two elements each; the second token makes a quarter turn.
  const double l = std::log(3);
  const ir::Tensor packed = F32({1, 2, 8}, {0, 0, 0, 0, 1, 0, 0, 0, 0, -l, 0, 0, 1, 0, 4, 4});
  // Its query (l, 0) meets the keys (1, 0) and (0, 1): weights 3/4 and 1/4. The other head weighs both the same.
  ExpectComputes(Grouped(2, {{"do_rotary", 1}})
                     .Inputs({packed, kAbsent, kAbsent, kAbsent, kAbsent, I32({1}, {1}), I32({}, {2}),
                              F32({2, 1}, {1, 0}), F32({2, 1}, {0, 1})}),
                 {F32({1, 2, 4}, {0, 0, 0, 0, 1, 1, 2, 2})}, 1e-6);
}

TEST(GroupQueryAttentionTest, ASinkTakesWeightAndGivesNothing) {
  const ir::Tensor zero = F32({1, 1, 1}, {0});
  ExpectComputes(Grouped(1).Inputs({zero, zero, F32({1, 1, 1}, {8}), kAbsent, kAbsent, I32({1}, {0}), I32({}, {1}),
                                    kAbsent, kAbsent, kAbsent, kAbsent, F32({1}, {std::log(3)})}),
                 {F32({1, 1, 1}, {2})}, 1e-6);
  ExpectComputes(Grouped(1, {{"smooth_softmax", 1}})
                     .Inputs({zero, zero, F32({1, 1, 1}, {8}), kAbsent, kAbsent, I32({1}, {0}), I32({}, {1})}),
                 {F32({1, 1, 1}, {4})}, 1e-6);
}

TEST(GroupQueryAttentionTest, RefusesWhatItDoesNotDo) {
  const ir::Tensor zero = F32({1, 1, 1}, {0});
  const auto refuse = [&](SingleNode node) {
    return ReadBytes(FileOf(node.Inputs({zero, zero, zero, kAbsent, kAbsent, I32({1}, {0}), I32({}, {1})})));
  };
  EXPECT_THAT(refuse(Grouped(0)), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("kv_num_heads")));
  EXPECT_THAT(refuse(Grouped(1, {{"sliding_window_cache", 1}})),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("window's size")));
}

}  // namespace
}  // namespace burin::onnx
