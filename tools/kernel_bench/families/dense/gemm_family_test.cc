#include "tools/kernel_bench/families/dense/gemm_family.h"

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
#include "tools/kernel_bench/case_set.h"
#include "tools/kernel_bench/family.h"
#include "tools/kernel_bench/peer.h"

namespace burin::kernel_bench {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> NamesOf(const BenchCase& bench_case) {
  std::vector<std::string> names;
  for (const Entrant& entrant : bench_case.entrants) names.push_back(entrant.name);
  return names;
}

TEST(GemmFamilyTest, EveryContenderIsRight) {
  ASSERT_OK_AND_ASSIGN(const jit::Target host, jit::Target::Host());
  const std::unique_ptr<Family> family = GemmFamily();
  EXPECT_EQ(family->name(), "gemm");
  for (const std::string& name : family->CaseNames()) {
    // The largest take long by their definition.
    if (absl::StrContains(name, "4096") || absl::StrContains(name, "1024x1024x1024")) continue;
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

TEST(GemmFamilyTest, ContendersAreThoseOfTheTarget) {
  ASSERT_OK_AND_ASSIGN(const jit::Target host, jit::Target::Host());
  const jit::Target narrow = host.WithCap(jit::IsaLevel::kAvx2);
  const std::unique_ptr<Family> family = GemmFamily();
  ASSERT_OK_AND_ASSIGN(const BenchCase made, family->MakeCase("constant/7x64x512", {narrow, false, {}}));
  EXPECT_THAT(NamesOf(made), ElementsAre("FMA loop", "read loop", "burin 256"));
  EXPECT_EQ(made.entrants[2].units_per_repeat, 7 * 64 * 512);
  ASSERT_OK_AND_ASSIGN(const BenchCase square, family->MakeCase("plain/64x64x64", {narrow, true, {}}));
  EXPECT_THAT(NamesOf(square), ElementsAre("FMA loop", "burin 256"));
}

TEST(GemmFamilyTest, EpiloguesAndOtherTilesTakePart) {
  ASSERT_OK_AND_ASSIGN(const jit::Target host, jit::Target::Host());
  CaseOptions options = {host, false, {}};
  options.tune = true;
  options.epilogues = true;
  ASSERT_OK_AND_ASSIGN(const BenchCase made, GemmFamily()->MakeCase("constant/40x100x30", options));
  int candidates = 0;
  for (const Entrant& entrant : made.entrants) {
    if (entrant.check == nullptr) continue;
    const Accuracy accuracy = entrant.check();
    EXPECT_TRUE(accuracy.right) << entrant.name << ": " << accuracy.note;
    candidates += entrant.role == Role::kCandidate ? 1 : 0;
    entrant.run_items(0, 0, entrant.items);
  }
  EXPECT_GT(candidates, 3);
  EXPECT_EQ(made.entrants.back().name, made.entrants[1].name + " bias_gelu");
}

TEST(GemmFamilyTest, SetsAreMade) {
  EXPECT_THAT(GemmFamily()->CasesOf({"mobilenet_v2", {}}), ElementsAre("constant/1x1000x1280"));
  EXPECT_EQ(GemmFamily()->CasesOf({"", 7}).size(), CaseSet::kDrawn);
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
      contender.calls.push_back([buffers] { buffers.out[0][0] = -1000; });
    }
    return std::vector<PeerContender>{contender};
  }
};

TEST(GemmFamilyTest, PeersTakePartAndAreChecked) {
  ASSERT_OK_AND_ASSIGN(const jit::Target host, jit::Target::Host());
  const CaseOptions options = {host, false, {std::make_shared<WrongPeer>()}};
  for (const char* const name : {"constant/32x32x32", "plain/64x64x64"}) {
    ASSERT_OK_AND_ASSIGN(const BenchCase made, GemmFamily()->MakeCase(name, options));
    ASSERT_EQ(made.entrants.back().name, "wrong");
    EXPECT_FALSE(made.entrants.back().check().right);
  }
}

}  // namespace
}  // namespace burin::kernel_bench
