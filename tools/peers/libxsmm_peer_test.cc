#include "tools/peers/libxsmm_peer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "testing/gtest/status_matchers.h"
#include "tools/kernel_bench/peer.h"
#include "tools/peers/peer_testlib.h"

namespace burin::peers {
namespace {

class LibxsmmPeerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    absl::StatusOr<std::shared_ptr<kernel_bench::Peer>> made = LibxsmmPeer();
    ASSERT_OK(made);
    peer_ = *made;
    if (peer_ == nullptr) GTEST_SKIP() << "built without libxsmm (tools/peers/README.md)";
  }

  std::shared_ptr<kernel_bench::Peer> peer_;
};

TEST_F(LibxsmmPeerTest, HasNameAndVersion) {
  EXPECT_EQ(peer_->name(), "libxsmm");
  EXPECT_THAT(peer_->version(), ::testing::ContainsRegex("[0-9]+[.][0-9]+"));
}

TEST_F(LibxsmmPeerTest, Transposes) {
  const std::vector<float> in = SomeFloats(3 * 5);
  ASSERT_OK_AND_ASSIGN(const std::vector<float> out, Results(*peer_, "Transpose", {3, 5}, {1, 0}));
  for (size_t row = 0; row < 3; ++row) {
    for (size_t column = 0; column < 5; ++column) EXPECT_EQ(out[column * 3 + row], in[row * 5 + column]);
  }
}

TEST_F(LibxsmmPeerTest, HasNeitherFunctionsNorOtherPermutations) {
  EXPECT_THAT(Results(*peer_, "Exp", {8}), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(Results(*peer_, "Transpose", {2, 3, 4}, {1, 2, 0}), StatusIs(absl::StatusCode::kNotFound));
}

TEST_F(LibxsmmPeerTest, MultipliesSmallMatrices) {
  const std::vector<float> in = SomeFloats(4);
  ASSERT_OK_AND_ASSIGN(const std::vector<float> product,
                       GraphResults(*peer_, "MatMul", {{"a", {2, 2}}, {"b", {2, 2}}}, {}));
  for (size_t i = 0; i < 2; ++i) {
    for (size_t j = 0; j < 2; ++j) EXPECT_EQ(product[i * 2 + j], in[i * 2] * in[j] + in[i * 2 + 1] * in[2 + j]);
  }
  EXPECT_THAT(GraphResults(*peer_, "MatMul", {{"a", {200, 200}}, {"b", {200, 200}}}, {}),
              StatusIs(absl::StatusCode::kNotFound));
}

TEST_F(LibxsmmPeerTest, HasNobodyForWhatItDoesNotKnow) {
  EXPECT_THAT(Results(*peer_, "NoFunction", {8}), StatusIs(absl::StatusCode::kNotFound));
}

}  // namespace
}  // namespace burin::peers
