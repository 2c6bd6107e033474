#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "ir/ops/op_testlib.h"
#include "runtime/readers/onnx/onnx_model_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::onnx {
namespace {

using ir::F32;
using ir::I32;
using ir::I64;

// A pool of 1-grams 2, 3 and of 2-grams (5, 4), (5, 6), in columns 1, 0, 2, 4.
std::function<void(::onnx::NodeProto&)> Pool(const std::string& mode, int64_t min, int64_t max, int64_t skips,
                                             std::vector<float> weights = {}) {
  return [=](::onnx::NodeProto& node) {
    SetString(node, "mode", mode);
    SetInt(node, "min_gram_length", min);
    SetInt(node, "max_gram_length", max);
    SetInt(node, "max_skip_count", skips);
    SetInts(node, "ngram_counts", {0, 2});
    SetInts(node, "ngram_indexes", {1, 0, 2, 4});
    SetInts(node, "pool_int64s", {2, 3, 5, 4, 5, 6});
    if (!weights.empty()) SetFloats(node, "weights", weights);
  };
}

const ir::Tensor& X() {
  static const ir::Tensor* const x = new ir::Tensor(I32({2, 6}, {1, 2, 5, 4, 5, 6, 2, 2, 3, 5, 3, 6}));
  return *x;
}

TEST(TfIdfTest, CountsWhatStandsTogether) {
  ExpectComputes(SingleNode("TfIdfVectorizer").Inputs({X()}).With(Pool("TF", 1, 2, 0)),
                 {F32({2, 5}, {0, 1, 1, 0, 1, 2, 2, 0, 0, 0})});
  ExpectComputes(SingleNode("TfIdfVectorizer").Inputs({X()}).With(Pool("TF", 2, 2, 0)),
                 {F32({2, 5}, {0, 0, 1, 0, 1, 0, 0, 0, 0, 0})});
}

// 5 and 6 stand at distances 3 and 1 in the first row, and at 2 in the second.
TEST(TfIdfTest, SkipsElements) {
  ExpectComputes(SingleNode("TfIdfVectorizer").Inputs({X()}).With(Pool("TF", 2, 2, 1)),
                 {F32({2, 5}, {0, 0, 1, 0, 1, 0, 0, 0, 0, 1})});
  // Distances beyond the row find nothing.
  ExpectComputes(SingleNode("TfIdfVectorizer").Inputs({X()}).With(Pool("TF", 2, 2, 9)),
                 {F32({2, 5}, {0, 0, 1, 0, 2, 0, 0, 0, 0, 1})});
}

TEST(TfIdfTest, Weighs) {
  const ir::Tensor row = I64({6}, {2, 2, 5, 6, 5, 6});
  const std::vector<float> weights = {2, 3, 5, 7};
  ExpectComputes(SingleNode("TfIdfVectorizer").Inputs({row}).With(Pool("TFIDF", 1, 2, 0, weights)),
                 {F32({5}, {0, 4, 0, 0, 14})});
  ExpectComputes(SingleNode("TfIdfVectorizer").Inputs({row}).With(Pool("IDF", 1, 2, 0, weights)),
                 {F32({5}, {0, 2, 0, 0, 7})});
}

TEST(TfIdfTest, RefusesPoolsThatDoNotFit) {
  for (const std::vector<int64_t>& counts : {std::vector<int64_t>{0, 3}, std::vector<int64_t>{0, 8},
                                             std::vector<int64_t>{2, 0}, std::vector<int64_t>{-1, 2}}) {
    EXPECT_THAT(ReadBytes(FileOf(SingleNode("TfIdfVectorizer").Inputs({X()}).With([&](::onnx::NodeProto& node) {
                  SetString(node, "mode", "TF");
                  SetInt(node, "min_gram_length", 1);
                  SetInt(node, "max_gram_length", 2);
                  SetInts(node, "ngram_counts", counts);
                  SetInts(node, "ngram_indexes", {0, 1, 2, 3});
                  SetInts(node, "pool_int64s", {2, 3, 5, 4, 5, 6});
                }))),
                StatusIs(absl::StatusCode::kInvalidArgument));
  }
  EXPECT_THAT(ReadBytes(FileOf(SingleNode("TfIdfVectorizer").Inputs({X()}).With(Pool("TF", 1, 2, 0, {1, 2})))),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(ReadBytes(FileOf(SingleNode("TfIdfVectorizer").Inputs({X()}).With(Pool("TF", 0, 2, 0)))),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin::onnx
