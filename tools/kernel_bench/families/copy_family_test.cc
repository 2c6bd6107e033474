#include "tools/kernel_bench/families/copy_family.h"

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
#include "tools/kernel_bench/families/movement.h"
#include "tools/kernel_bench/family.h"
#include "tools/kernel_bench/peer.h"

namespace burin::kernel_bench {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

TEST(CopyFamilyTest, EveryPlanIsRightAtEveryWidth) {
  ASSERT_OK_AND_ASSIGN(const jit::Target host, jit::Target::Host());
  const std::unique_ptr<Family> family = CopyFamily();
  EXPECT_EQ(family->name(), "copy");
  for (const Movement& movement : AllMovements()) {
    if (movement.out_bytes() > (4 << 20)) continue;
    ASSERT_OK_AND_ASSIGN(const BenchCase made, family->MakeCase(movement.name, {host, false, {}}));
    EXPECT_EQ(made.name, movement.name);
    EXPECT_EQ(made.entrants.front().name, "copy loop");
    EXPECT_EQ(made.entrants.back().name, "burin 256");
    EXPECT_EQ(made.entrants.size(), host.Supports(jit::IsaLevel::kAvx512) ? 3u : 2u);
    for (const Entrant& entrant : made.entrants) {
      entrant.run(2);
      EXPECT_EQ(entrant.role == Role::kYardstick, entrant.check == nullptr) << movement.name << ", " << entrant.name;
      if (entrant.check == nullptr) continue;
      EXPECT_EQ(entrant.units_per_repeat, static_cast<double>(movement.out_bytes()));
      const Accuracy accuracy = entrant.check();
      EXPECT_TRUE(accuracy.right) << movement.name << ", " << entrant.name << ": " << accuracy.note;
    }
  }
}

// Says what it was asked for, and writes nothing.
class AskedPeer : public Peer {
 public:
  explicit AskedPeer(std::vector<PeerWork>* asked) : asked_(asked) {}

  std::string name() const override { return "asked"; }
  std::string version() const override { return "0"; }
  absl::StatusOr<std::vector<PeerContender>> Contenders(const PeerWork& work) override {
    asked_->push_back(work);
    PeerContender contender;
    contender.calls.emplace_back([] {});
    return std::vector<PeerContender>{contender};
  }

 private:
  std::vector<PeerWork>* const asked_;
};

TEST(CopyFamilyTest, PeersTransposeFloats) {
  ASSERT_OK_AND_ASSIGN(const jit::Target host, jit::Target::Host());
  std::vector<PeerWork> asked;
  const CaseOptions options = {host, false, {std::make_shared<AskedPeer>(&asked)}};
  const std::unique_ptr<Family> family = CopyFamily();
  ASSERT_OK_AND_ASSIGN(const BenchCase made, family->MakeCase("nchw_to_nhwc_f32/1x64x56x56", options));
  ASSERT_EQ(asked.size(), 1u);
  EXPECT_EQ(asked[0].function, "Transpose");
  EXPECT_THAT(asked[0].dims, ElementsAre(1, 64, 56, 56));
  EXPECT_THAT(asked[0].permutation, ElementsAre(0, 2, 3, 1));
  const Accuracy accuracy = made.entrants.back().check();
  EXPECT_FALSE(accuracy.right);
  EXPECT_EQ(accuracy.note, "byte 0 is 255 instead of 0");
  ASSERT_OK(family->MakeCase("contiguous/8KiB", options));
  ASSERT_OK(family->MakeCase("transpose_u8/1024x1024", options));
  EXPECT_EQ(asked.size(), 1u);
}

}  // namespace
}  // namespace burin::kernel_bench
