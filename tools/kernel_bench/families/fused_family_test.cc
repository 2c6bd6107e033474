#include "tools/kernel_bench/families/fused_family.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"
#include "tools/kernel_bench/bench_case.h"
#include "tools/kernel_bench/family.h"
#include "tools/kernel_bench/peer.h"

namespace burin::kernel_bench {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;

std::vector<std::string> NamesOf(const BenchCase& bench_case) {
  std::vector<std::string> names;
  for (const Entrant& entrant : bench_case.entrants) names.push_back(entrant.name);
  return names;
}

TEST(FusedFamilyTest, EveryContenderIsRight) {
  ASSERT_OK_AND_ASSIGN(const jit::Target host, jit::Target::Host());
  const std::unique_ptr<Family> family = FusedFamily();
  EXPECT_EQ(family->name(), "fused");
  for (const std::string& name : family->CaseNames()) {
    // The largest takes long by its definition.
    if (absl::StrContains(name, "4096x1024")) continue;
    ASSERT_OK_AND_ASSIGN(const BenchCase made, family->MakeCase(name, {host, false, {}}));
    for (const Entrant& entrant : made.entrants) {
      entrant.run(1);
      EXPECT_EQ(entrant.role == Role::kYardstick, entrant.check == nullptr) << name << ", " << entrant.name;
      if (entrant.check == nullptr) continue;
      const Accuracy accuracy = entrant.check();
      EXPECT_TRUE(accuracy.right) << name << ", " << entrant.name << ": " << accuracy.note;
    }
  }
}

TEST(FusedFamilyTest, ContendersAreThoseOfTheTarget) {
  ASSERT_OK_AND_ASSIGN(const jit::Target host, jit::Target::Host());
  const jit::Target narrow = host.WithCap(jit::IsaLevel::kAvx2);
  const std::unique_ptr<Family> family = FusedFamily();
  ASSERT_OK_AND_ASSIGN(const BenchCase made, family->MakeCase("chain3/128x3072", {narrow, false, {}}));
  EXPECT_THAT(NamesOf(made), ElementsAre("memory", "instructions", "burin 256", "op by op"));
  EXPECT_EQ(made.entrants[2].units_per_repeat, 128 * 3072);
  EXPECT_EQ(made.entrants[2].bytes_per_repeat, 2 * 4 * 128 * 3072);
}

TEST(FusedFamilyTest, TakesABodyOfTheCallersOwn) {
  ASSERT_OK_AND_ASSIGN(const jit::Target host, jit::Target::Host());
  EXPECT_THAT(FusedFamily()->CaseNames(), Not(Contains("body")));
  const std::unique_ptr<Family> family = FusedFamily(R"(model "" {
    %0 "x" = Parameter() {shape = [16,100], element_type = f16}
    %1 = Exp(%0)
    %2 "y" = Result(%1)
  })");
  ASSERT_OK_AND_ASSIGN(const BenchCase made, family->MakeCase("body", {host, false, {}}));
  EXPECT_TRUE(made.entrants[1].check().right);
  EXPECT_EQ(made.entrants[1].bytes_per_repeat, 2 * 2 * 1600);
  EXPECT_FALSE(FusedFamily("model")->MakeCase("body", {host, false, {}}).ok());
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
    PeerContender contender;
    for (const PeerGraph::Buffers& buffers : graph.copies) {
      contender.calls.push_back([buffers] { buffers.out[0][0] = -1; });
    }
    return std::vector<PeerContender>{contender};
  }
};

TEST(FusedFamilyTest, PeersTakePartAndAreChecked) {
  ASSERT_OK_AND_ASSIGN(const jit::Target host, jit::Target::Host());
  const CaseOptions options = {host, false, {std::make_shared<WrongPeer>()}};
  ASSERT_OK_AND_ASSIGN(const BenchCase made, FusedFamily()->MakeCase("softmax/128x128", options));
  ASSERT_EQ(made.entrants.back().name, "wrong");
  EXPECT_FALSE(made.entrants.back().check().right);
  // No library has it.
  ASSERT_OK_AND_ASSIGN(const BenchCase own, FusedFamily()->MakeCase("clipped_norm/384x1024", options));
  EXPECT_EQ(own.entrants.back().name, "op by op");
}

}  // namespace
}  // namespace burin::kernel_bench
