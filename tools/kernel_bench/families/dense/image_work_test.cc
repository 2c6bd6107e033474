#include "tools/kernel_bench/families/dense/image_work.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>

#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"
#include "tools/kernel_bench/bench_case.h"
#include "tools/kernel_bench/family.h"
#include "tools/kernel_bench/peer.h"

namespace burin::kernel_bench {
namespace {

constexpr int64_t kChannels = 3;
constexpr int64_t kSize = 7;

// Whose output is twice the input, plus a constant.
std::shared_ptr<ImageWork> Doubled() {
  const std::shared_ptr<ImageWork> work =
      ImageWork::Create({kChannels, kSize, kChannels, kSize}, {4}, {jit::Target::Host().value(), false, {}}).value();
  *work->constant(0, 0) = 0.5f;
  work->Finish([&](int64_t row, int64_t column, int64_t channel) {
    return 2.0 * work->input(0)[(row * kSize + column) * kChannels + channel] + 0.5;
  });
  return work;
}

TEST(ImageWorkTest, SaysWhatIsRight) {
  const std::shared_ptr<ImageWork> work = Doubled();
  const auto doubled = [&](float addend) {
    for (int64_t i = 0; i < work->shape().in_elements(); ++i) {
      work->output(0)[i] = 2 * work->input(0)[i] + *work->constant(0, 0) + addend;
    }
  };
  EXPECT_TRUE(work->Check([&] { doubled(0); }, 1e-6).right);
  EXPECT_FALSE(work->Check([&] { doubled(1e-3f); }, 1e-6).right);
  EXPECT_TRUE(work->Check([&] { doubled(1e-3f); }, 1e-2).right);
  EXPECT_FALSE(work->Check([] {}, 1e-2).right);
  const auto after = [](double result, int64_t pixel, int64_t channel) {
    return pixel == kSize * kSize - 1 && channel == 2 ? result + 1 : result;
  };
  EXPECT_FALSE(work->Check([&] { doubled(0); }, 1e-2, after).right);
  EXPECT_GT(work->ExpectedRange(), 1);
  EXPECT_LE(work->ExpectedRange(), 4);
}

TEST(ImageWorkTest, PeersHaveThePixelsOfAChannelSideBySide) {
  const std::shared_ptr<ImageWork> work = Doubled();
  const PeerGraph graph = work->Graph({"", "Double", {}, {}, {}}, {{"w", {1}, {0.5f}}});
  EXPECT_THAT(graph.nodes[0].inputs, ::testing::ElementsAre("x", "w"));
  EXPECT_THAT(graph.inputs[0].dims, ::testing::ElementsAre(1, kChannels, kSize, kSize));
  EXPECT_EQ(graph.copies[0].in[0][kSize * kSize + 2], work->input(0)[2 * kChannels + 1]);
  const auto doubled = [&] {
    for (int64_t i = 0; i < work->shape().in_elements(); ++i) {
      graph.copies[0].out[0][i] = 2 * graph.copies[0].in[0][i] + 0.5f;
    }
  };
  EXPECT_TRUE(work->CheckOfPeer(doubled, 1e-6).right);
  EXPECT_FALSE(work->CheckOfPeer([] {}, 1e-6).right);
}

}  // namespace
}  // namespace burin::kernel_bench
