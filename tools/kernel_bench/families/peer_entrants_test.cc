#include "tools/kernel_bench/families/peer_entrants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "testing/gtest/status_matchers.h"
#include "tools/kernel_bench/bench_case.h"
#include "tools/kernel_bench/peer.h"

namespace burin::kernel_bench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

// Doubles by two variants, and knows nothing else.
class Doubler : public Peer {
 public:
  std::string name() const override { return "doubler"; }
  std::string version() const override { return "4.5"; }

  absl::StatusOr<std::vector<PeerContender>> Contenders(const PeerWork& work) override {
    if (work.function == "Refused") return absl::InternalError("no");
    std::vector<PeerContender> contenders;
    if (work.function != "Double") return contenders;
    for (const char* const variant : {"", "slow"}) {
      PeerContender contender;
      contender.variant = variant;
      contender.implementation = "loop";
      contender.timed = "all";
      for (const PeerWork::Buffers& buffers : work.copies) {
        contender.calls.push_back([buffers] { *buffers.out = 2 * *buffers.in + *buffers.out; });
      }
      contenders.push_back(contender);
    }
    return contenders;
  }
};

TEST(PeerEntrantsTest, OneForEachContender) {
  const float in[2] = {1, 10};
  float out[2] = {0, 0};
  PeerWork work;
  work.function = "Double";
  work.dims = {1};
  work.copies = {{&in[0], &out[0]}, {&in[1], &out[1]}};
  Entrant like;
  like.units_per_repeat = 7;
  like.bytes_per_repeat = 8;
  const auto check = [&](const std::function<void()>& call) {
    out[0] = 0;
    call();
    return Accuracy{out[0], 0, true, ""};
  };
  std::vector<Entrant> entrants;
  ASSERT_OK(AddPeers({std::make_shared<Doubler>()}, work, like, check, entrants));
  ASSERT_THAT(entrants, SizeIs(2));
  EXPECT_EQ(entrants[0].name, "doubler");
  EXPECT_EQ(entrants[1].name, "doubler slow");
  EXPECT_EQ(entrants[0].implementation, "4.5, loop");
  EXPECT_EQ(entrants[0].role, Role::kPeer);
  EXPECT_EQ(entrants[0].units_per_repeat, 7);
  EXPECT_EQ(entrants[0].bytes_per_repeat, 8);
  EXPECT_EQ(entrants[0].check().max_absolute, 2);
  entrants[0].run(3);
  EXPECT_THAT(out, ElementsAre(6, 20));
}

TEST(PeerEntrantsTest, NobodyOrAnError) {
  PeerWork work;
  work.function = "Halve";
  std::vector<Entrant> entrants;
  const auto check = [](const std::function<void()>&) { return Accuracy(); };
  EXPECT_OK(AddPeers({std::make_shared<Doubler>()}, work, Entrant(), check, entrants));
  EXPECT_THAT(entrants, SizeIs(0));
  work.function = "Refused";
  EXPECT_THAT(AddPeers({std::make_shared<Doubler>()}, work, Entrant(), check, entrants),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("doubler: no")));
}

// Copies the first input to the first output, and says so.
class GraphCopier : public Peer {
 public:
  std::string name() const override { return "copier"; }
  std::string version() const override { return "1"; }
  absl::StatusOr<std::vector<PeerContender>> Contenders(const PeerWork& /*work*/) override {
    return std::vector<PeerContender>();
  }
  absl::StatusOr<std::vector<PeerContender>> GraphContenders(const PeerGraph& graph) override {
    PeerContender contender;
    contender.variant = graph.variant;
    for (const PeerGraph::Buffers& buffers : graph.copies) {
      contender.calls.push_back([buffers] { *buffers.out[0] = *buffers.in[0]; });
    }
    contender.finish = [buffers = graph.copies[0]] { *buffers.out[0] += 1; };
    return std::vector<PeerContender>{contender};
  }
};

TEST(PeerEntrantsTest, GraphsAreForThoseWhoRunThem) {
  const float in = 5;
  float out = 0;
  PeerGraph graph;
  graph.variant = "plain";
  graph.copies = {{{&in}, {&out}}};
  std::vector<Entrant> entrants;
  const auto check = [](const std::function<void()>& call) {
    call();
    return Accuracy();
  };
  ASSERT_OK(
      AddGraphPeers({std::make_shared<Doubler>(), std::make_shared<GraphCopier>()}, graph, Entrant(), check, entrants));
  ASSERT_THAT(entrants, SizeIs(1));
  EXPECT_EQ(entrants[0].name, "copier plain");
  EXPECT_TRUE(entrants[0].check().right);
  // Finished for the check alone.
  EXPECT_EQ(out, 6);
  entrants[0].run(1);
  EXPECT_EQ(out, 5);
}

}  // namespace
}  // namespace burin::kernel_bench
