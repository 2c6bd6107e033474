#include "tools/kernel_bench/families/dense/convolution_family.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
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
using ::testing::IsSupersetOf;

std::vector<std::string> NamesOf(const BenchCase& bench_case) {
  std::vector<std::string> names;
  for (const Entrant& entrant : bench_case.entrants) names.push_back(entrant.name);
  return names;
}

// Checks every entrant of a case, as a whole and by its items.
void ExpectRight(const BenchCase& made) {
  for (const Entrant& entrant : made.entrants) {
    entrant.run(1);
    EXPECT_EQ(entrant.role == Role::kYardstick, entrant.check == nullptr) << made.name << ", " << entrant.name;
    if (entrant.check == nullptr) continue;
    const Accuracy accuracy = entrant.check();
    EXPECT_TRUE(accuracy.right) << made.name << ", " << entrant.name << ": " << accuracy.note;
    ASSERT_GT(entrant.items, 0) << entrant.name;
    entrant.run_items(0, 0, entrant.items);
  }
}

TEST(ConvolutionFamilyTest, EveryContenderIsRight) {
  ASSERT_OK_AND_ASSIGN(const jit::Target host, jit::Target::Host());
  const std::unique_ptr<Family> family = ConvolutionFamily();
  EXPECT_EQ(family->name(), "convolution");
  EXPECT_THAT(family->CaseNames(), ::testing::Contains("64x64/56/k3s1"));
  for (const char* const name :
       {"3x32/224/k3s2", "64x64/14/k3s1", "100x100/30/k3s1", "96x24/56/k1s1", "dw40/14/k3s2"}) {
    ASSERT_OK_AND_ASSIGN(const BenchCase made, family->MakeCase(name, {host, false, {}}));
    ExpectRight(made);
  }
}

TEST(ConvolutionFamilyTest, ContendersAreThoseOfTheTarget) {
  ASSERT_OK_AND_ASSIGN(const jit::Target host, jit::Target::Host());
  const jit::Target narrow = host.WithCap(jit::IsaLevel::kAvx2);
  const std::unique_ptr<Family> family = ConvolutionFamily();
  ASSERT_OK_AND_ASSIGN(const BenchCase made, family->MakeCase("32x32/7/k3s1", {narrow, false, {}}));
  EXPECT_THAT(NamesOf(made), ElementsAre("FMA loop", "direct 256", "winograd 256"));
  EXPECT_EQ(made.entrants[1].units_per_repeat, 7 * 7 * 32 * 32 * 9);
  ASSERT_OK_AND_ASSIGN(const BenchCase depthwise, family->MakeCase("dw16/14/k3s1", {narrow, true, {}}));
  EXPECT_THAT(NamesOf(depthwise), ElementsAre("FMA loop", "depthwise 256"));
}

TEST(ConvolutionFamilyTest, EpiloguesAndOtherTilesTakePart) {
  ASSERT_OK_AND_ASSIGN(const jit::Target host, jit::Target::Host());
  CaseOptions options = {host, false, {}};
  options.tune = true;
  options.epilogues = true;
  for (const char* const name : {"24x40/14/k3s1", "dw40/14/k3s1"}) {
    ASSERT_OK_AND_ASSIGN(const BenchCase made, ConvolutionFamily()->MakeCase(name, options));
    ExpectRight(made);
    const auto candidates = std::count_if(made.entrants.begin(), made.entrants.end(),
                                          [](const Entrant& entrant) { return entrant.role == Role::kCandidate; });
    EXPECT_GT(candidates, 3) << name;
    const std::string own = made.entrants[1].name;
    EXPECT_THAT(NamesOf(made), IsSupersetOf({own + " bias_residual_relu", own + " bias_gelu"}));
  }
}

TEST(ConvolutionFamilyTest, SetsAreMade) {
  const std::vector<std::string> names = ConvolutionFamily()->CasesOf({"small", {}});
  EXPECT_THAT(names, ::testing::Contains("dw16/14/k3s1"));
  EXPECT_EQ(ConvolutionFamily()->CasesOf({"", 7}).size(), CaseSet::kDrawn);
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
    EXPECT_EQ(graph.nodes[0].type, "Conv");
    EXPECT_THAT(graph.constants[0].dims, ElementsAre(24, 16, 3, 3));
    PeerContender contender;
    contender.calls.push_back([buffers = graph.copies[0]] { buffers.out[0][0] = -1000; });
    return std::vector<PeerContender>{contender};
  }
};

TEST(ConvolutionFamilyTest, PeersTakePartAndAreChecked) {
  ASSERT_OK_AND_ASSIGN(const jit::Target host, jit::Target::Host());
  const CaseOptions options = {host, false, {std::make_shared<WrongPeer>()}};
  ASSERT_OK_AND_ASSIGN(const BenchCase made, ConvolutionFamily()->MakeCase("16x24/9/k3s2", options));
  ASSERT_EQ(made.entrants.back().name, "wrong");
  EXPECT_FALSE(made.entrants.back().check().right);
}

}  // namespace
}  // namespace burin::kernel_bench
