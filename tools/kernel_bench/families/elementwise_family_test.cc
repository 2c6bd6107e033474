#include "tools/kernel_bench/families/elementwise_family.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "jit/emitters/catalogue.h"
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
using ::testing::SizeIs;

std::vector<std::string> NamesOf(const BenchCase& bench_case) {
  std::vector<std::string> names;
  for (const Entrant& entrant : bench_case.entrants) names.push_back(entrant.name);
  return names;
}

TEST(ElementwiseFamilyTest, TwoCasesForEachFunction) {
  const std::unique_ptr<Family> family = ElementwiseFamily();
  EXPECT_EQ(family->name(), "elementwise");
  EXPECT_THAT(family->CaseNames(), SizeIs(2 * jit::EmitterCatalogue().size()));
  EXPECT_THAT(family->CaseNames(), Contains("Exp/1x4096"));
  EXPECT_THAT(family->CaseNames(), Contains("GeluErf/128x3072"));
}

TEST(ElementwiseFamilyTest, EveryKernelIsRightAtEveryWidth) {
  ASSERT_OK_AND_ASSIGN(const jit::Target host, jit::Target::Host());
  const std::unique_ptr<Family> family = ElementwiseFamily();
  for (const std::string& name : family->CaseNames()) {
    if (!absl::EndsWith(name, "/1x4096")) continue;
    ASSERT_OK_AND_ASSIGN(const BenchCase made, family->MakeCase(name, {host, false, {}}));
    for (const Entrant& entrant : made.entrants) {
      entrant.run(2);
      EXPECT_EQ(entrant.role == Role::kYardstick, entrant.check == nullptr) << name << ", " << entrant.name;
      if (entrant.check == nullptr) continue;
      const Accuracy accuracy = entrant.check();
      EXPECT_TRUE(accuracy.right) << name << ", " << entrant.name << ": " << accuracy.note;
    }
  }
}

TEST(ElementwiseFamilyTest, ContendersAreThoseOfTheTarget) {
  ASSERT_OK_AND_ASSIGN(const jit::Target host, jit::Target::Host());
  const std::unique_ptr<Family> family = ElementwiseFamily();
  const jit::Target narrow = host.WithCap(jit::IsaLevel::kAvx2);
  ASSERT_OK_AND_ASSIGN(const BenchCase made, family->MakeCase("Exp/1x4096", {narrow, false, {}}));
  EXPECT_THAT(NamesOf(made), ElementsAre("copy loop", "FMA loop", "burin 256"));
  EXPECT_EQ(made.entrants[2].units_per_repeat, 4096);
  EXPECT_EQ(made.entrants[2].bytes_per_repeat, 2 * 4 * 4096);
  if (!host.Supports(jit::IsaLevel::kAvx512)) GTEST_SKIP() << "this machine has no AVX-512";
  ASSERT_OK_AND_ASSIGN(const BenchCase wide, family->MakeCase("Exp/1x4096", {host, false, {}}));
  EXPECT_THAT(NamesOf(wide), ElementsAre("copy loop", "FMA loop", "burin 512", "burin 256"));
}

// Writes what no function gives.
class WrongPeer : public Peer {
 public:
  std::string name() const override { return "wrong"; }
  std::string version() const override { return "0"; }
  absl::StatusOr<std::vector<PeerContender>> Contenders(const PeerWork& work) override {
    if (work.function != "Exp" || work.dims != std::vector<int64_t>{1, 4096}) return std::vector<PeerContender>();
    PeerContender contender;
    for (const PeerWork::Buffers& buffers : work.copies) {
      contender.calls.push_back([buffers] { buffers.out[4095] = -1; });
    }
    return std::vector<PeerContender>{contender};
  }
};

TEST(ElementwiseFamilyTest, PeersTakePartAndAreChecked) {
  ASSERT_OK_AND_ASSIGN(const jit::Target host, jit::Target::Host());
  const CaseOptions options = {host, false, {std::make_shared<WrongPeer>()}};
  const std::unique_ptr<Family> family = ElementwiseFamily();
  ASSERT_OK_AND_ASSIGN(const BenchCase made, family->MakeCase("Exp/1x4096", options));
  ASSERT_EQ(made.entrants.back().name, "wrong");
  EXPECT_FALSE(made.entrants.back().check().right);
  ASSERT_OK_AND_ASSIGN(const BenchCase other, family->MakeCase("Log/1x4096", options));
  EXPECT_NE(other.entrants.back().name, "wrong");
}

}  // namespace
}  // namespace burin::kernel_bench
