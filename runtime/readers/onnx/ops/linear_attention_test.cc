#include <cmath>
#include <string>

#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ::testing::HasSubstr;

using ir::F32;

SingleNode Rule(const std::string& rule, int64_t query_heads = 1) {
  return SingleNode("LinearAttention", 27).Outputs({kFloat, kFloat}).With([=](::onnx::NodeProto& node) {
    SetString(node, "update_rule", rule);
    SetInt(node, "q_num_heads", query_heads);
    SetInt(node, "kv_num_heads", 1);
    SetFloat(node, "scale", 1);
  });
}

// Heads of one element: the state is a number.
const ir::Tensor& Query() {
  static const ir::Tensor* const x = new ir::Tensor(F32({1, 2, 1}, {1, 10}));
  return *x;
}
const ir::Tensor& Key() {
  static const ir::Tensor* const x = new ir::Tensor(F32({1, 2, 1}, {2, 3}));
  return *x;
}
const ir::Tensor& Value() {
  static const ir::Tensor* const x = new ir::Tensor(F32({1, 2, 1}, {5, 7}));
  return *x;
}

TEST(LinearAttentionTest, SumsUpKeysTimesValues) {
  // 2 * 5 = 10, then 10 + 3 * 7 = 31.
  ExpectComputes(Rule("linear").Inputs({Query(), Key(), Value()}),
                 {F32({1, 2, 1}, {10, 310}), F32({1, 1, 1, 1}, {31})});
  // After a state of 1.
  ExpectComputes(Rule("linear").Inputs({Query(), Key(), Value(), F32({1, 1, 1, 1}, {1})}),
                 {F32({1, 2, 1}, {11, 320}), F32({1, 1, 1, 1}, {32})});
}

TEST(LinearAttentionTest, ForgetsByTheDecay) {
  // 10, then 10 / 2 + 21.
  ExpectComputes(Rule("gated").Inputs({Query(), Key(), Value(), ir::Tensor(), F32({1, 2, 1}, {3, -std::log(2)})}),
                 {F32({1, 2, 1}, {10, 260}), F32({1, 1, 1, 1}, {26})}, 1e-6);
}

TEST(LinearAttentionTest, LearnsWhatItDoesNotKnow) {
  // 2 * 5 = 10; known 3 * 10 = 30: 10 + 3 * (7 - 30) / 2 = -24.5.
  ExpectComputes(Rule("delta").Inputs({Query(), Key(), Value(), ir::Tensor(), ir::Tensor(), F32({1, 2, 1}, {1, 0.5})}),
                 {F32({1, 2, 1}, {10, -245}), F32({1, 1, 1, 1}, {-24.5})}, 1e-6);
  // 10 / 2 = 5, known 15: 5 + 3 * (7 - 15) / 2 = -7.
  ExpectComputes(
      Rule("gated_delta")
          .Inputs({Query(), Key(), Value(), ir::Tensor(), F32({1, 2, 1}, {0, -std::log(2)}), F32({1, 2, 1}, {1, 0.5})}),
      {F32({1, 2, 1}, {10, -70}), F32({1, 1, 1, 1}, {-7})}, 1e-6);
}

TEST(LinearAttentionTest, HeadsOfQueriesShareAState) {
  ExpectComputes(Rule("linear", 2).Inputs({F32({1, 1, 4}, {1, 0, 0, 1}), F32({1, 1, 2}, {2, 3}), F32({1, 1, 1}, {5})}),
                 {F32({1, 1, 2}, {10, 15}), F32({1, 1, 2, 1}, {10, 15})});
}

TEST(LinearAttentionTest, RefusesInputsThatTheRuleDoesNotHave) {
  EXPECT_THAT(ReadBytes(FileOf(Rule("gated").Inputs({Query(), Key(), Value()}))),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("decay")));
  EXPECT_THAT(ReadBytes(FileOf(Rule("quadratic").Inputs({Query(), Key(), Value()}))),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("update_rule is not known")));
}

}  // namespace
}  // namespace burin::onnx
