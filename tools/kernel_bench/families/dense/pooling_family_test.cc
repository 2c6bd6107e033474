#include "tools/kernel_bench/families/dense/pooling_family.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"
#include "tools/kernel_bench/bench_case.h"
#include "tools/kernel_bench/case_set.h"
#include "tools/kernel_bench/family.h"
#include "tools/kernel_bench/peer.h"

namespace burin::kernel_bench {
namespace {

using ::testing::ElementsAre;

TEST(PoolingFamilyTest, EveryContenderIsRight) {
  ASSERT_OK_AND_ASSIGN(const jit::Target host, jit::Target::Host());
  const std::unique_ptr<Family> family = PoolingFamily();
  EXPECT_EQ(family->name(), "pooling");
  for (const std::string& name : family->CaseNames()) {
    ASSERT_OK_AND_ASSIGN(const BenchCase made, family->MakeCase(name, {host, false, {}}));
    for (const Entrant& entrant : made.entrants) {
      entrant.run(1);
      EXPECT_EQ(entrant.role == Role::kYardstick, entrant.check == nullptr) << name << ", " << entrant.name;
      if (entrant.check == nullptr) continue;
      const Accuracy accuracy = entrant.check();
      EXPECT_TRUE(accuracy.right) << name << ", " << entrant.name << ": " << accuracy.note;
      entrant.run_items(0, 0, entrant.items);
    }
  }
}

TEST(PoolingFamilyTest, ContendersAreThoseOfTheTarget) {
  ASSERT_OK_AND_ASSIGN(const jit::Target host, jit::Target::Host());
  ASSERT_OK_AND_ASSIGN(const BenchCase made,
                       PoolingFamily()->MakeCase("max16/14/k2s2p0", {host.WithCap(jit::IsaLevel::kAvx2), true, {}}));
  EXPECT_EQ(made.entrants.size(), 2u);
  EXPECT_EQ(made.entrants[1].name, "burin 256");
  EXPECT_EQ(made.entrants[1].units_per_repeat, 16 * (14 * 14 + 7 * 7));
  EXPECT_THAT(PoolingFamily()->CasesOf({"resnet50", {}}), ElementsAre("max64/112/k3s2p1", "average2048/7/k7s1p0"));
}

// Writes what no case gives.
class WrongPeer : public Peer {
 public:
  std::string name() const override { return "wrong"; }
  std::string version() const override { return "0"; }
  absl::StatusOr<std::vector<PeerContender>> Contenders(const PeerWork& /*work*/) override {
    return std::vector<PeerContender>();
  }
  absl::StatusOr<std::vector<PeerContender>> GraphContenders(const PeerGraph& graph) override {
    EXPECT_EQ(graph.nodes[0].type, "AveragePool");
    PeerContender contender;
    contender.calls.push_back([buffers = graph.copies[0]] { buffers.out[0][0] = -1000; });
    return std::vector<PeerContender>{contender};
  }
};

TEST(PoolingFamilyTest, PeersTakePartAndAreChecked) {
  ASSERT_OK_AND_ASSIGN(const jit::Target host, jit::Target::Host());
  const CaseOptions options = {host, false, {std::make_shared<WrongPeer>()}};
  ASSERT_OK_AND_ASSIGN(const BenchCase made, PoolingFamily()->MakeCase("average40/14/k3s1p1", options));
  ASSERT_EQ(made.entrants.back().name, "wrong");
  EXPECT_FALSE(made.entrants.back().check().right);
}

}  // namespace
}  // namespace burin::kernel_bench
