#include "tools/kernel_bench/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "jit/isa/isa.h"
#include "testing/gtest/status_matchers.h"
#include "tools/kernel_bench/bench_case.h"
#include "tools/kernel_bench/case_set.h"
#include "tools/kernel_bench/family.h"
#include "tools/kernel_bench/json_report.h"
#include "tools/kernel_bench/peer.h"
#include "tools/kernel_bench/settings.h"

namespace burin::kernel_bench {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Counts in a loop, and says of its options what it was given.
class CountingFamily : public Family {
 public:
  absl::string_view name() const override { return "counting"; }
  absl::string_view description() const override { return "Counts."; }
  std::vector<std::string> CaseNames() const override { return {"up", "broken"}; }
  std::vector<std::string> CasesOf(const CaseSet& /*set*/) const override { return {"up", "down"}; }

  absl::StatusOr<BenchCase> MakeCase(absl::string_view case_name, const CaseOptions& options) const override {
    if (case_name == "broken") return absl::UnimplementedError("broken");
    BenchCase made;
    made.family = "counting";
    made.name = std::string(case_name);
    made.unit = "steps";
    Entrant own;
    own.name = "own";
    own.implementation = std::string(jit::Name(options.target.level()));
    own.timed = options.cold ? "cold" : "hot";
    own.run = [](int64_t repeats) {
      volatile int64_t sum = 0;
      for (int64_t i = 0; i < 1000 * repeats; ++i) sum = sum + i;
    };
    Entrant loop = own;
    loop.role = Role::kYardstick;
    loop.name = "loop";
    made.entrants = {std::move(own), std::move(loop)};
    return made;
  }
};

class NamedPeer : public Peer {
 public:
  std::string name() const override { return "library"; }
  std::string version() const override { return "1.2.3"; }
  absl::StatusOr<std::vector<PeerContender>> Contenders(const PeerWork&) override {
    return std::vector<PeerContender>();
  }
};

class RunTest : public ::testing::Test {
 protected:
  RunTest() {
    families_.push_back(std::make_unique<CountingFamily>());
    settings_.rounds = 3;
  }

  absl::StatusOr<RunResult> RunAll() {
    return kernel_bench::Run(settings_, families_, peers_,
                             [this](absl::string_view text) { text_ += std::string(text); });
  }

  std::vector<std::unique_ptr<Family>> families_;
  std::vector<std::shared_ptr<Peer>> peers_;
  Settings settings_;
  std::string text_;
};

TEST_F(RunTest, RunsTheSelectedCases) {
  settings_.filter = "up";
  settings_.max_isa = jit::IsaLevel::kAvx2;
  peers_.push_back(std::make_shared<NamedPeer>());
  ASSERT_OK_AND_ASSIGN(const RunResult run, RunAll());
  ASSERT_THAT(run.cases, SizeIs(1));
  EXPECT_EQ(run.cases[0].entrants[0].implementation, "avx2");
  EXPECT_EQ(run.cases[0].entrants[0].timed, "hot");
  EXPECT_FALSE(run.limits.has_value());
  EXPECT_EQ(run.peers[0].version, "1.2.3");
  EXPECT_THAT(text_, HasSubstr(run.machine.processor));
  EXPECT_THAT(text_, HasSubstr("limits now"));
  EXPECT_THAT(text_, HasSubstr("peer          library 1.2.3"));
  EXPECT_THAT(text_, HasSubstr("counting/up"));
}

TEST_F(RunTest, LimitsAlone) {
  settings_.limits = true;
  settings_.cpus = {0};
  ASSERT_OK_AND_ASSIGN(const RunResult run, RunAll());
  EXPECT_TRUE(run.limits.has_value());
  EXPECT_THAT(run.cases, IsEmpty());
  EXPECT_THAT(text_, HasSubstr("read_l1"));
}

TEST_F(RunTest, ColdIsHandedOn) {
  settings_.filter = "up";
  settings_.cold = true;
  ASSERT_OK_AND_ASSIGN(const RunResult run, RunAll());
  EXPECT_TRUE(run.cold);
  EXPECT_EQ(run.cases[0].entrants[0].timed, "cold");
}

TEST_F(RunTest, ThreadsNeedProcessors) {
  settings_.filter = "up";
  settings_.threads = 2;
  settings_.cpus = {0};
  EXPECT_THAT(RunAll().status(), StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("-threads")));
}

TEST_F(RunTest, SeveralCasesAreSummedUp) {
  settings_.sets = {{"small", {}}};
  ASSERT_OK_AND_ASSIGN(const RunResult run, RunAll());
  ASSERT_THAT(run.cases, SizeIs(2));
  EXPECT_THAT(text_, HasSubstr("counting, own against loop: cases 2"));
}

TEST_F(RunTest, ErrorsSayWhere) {
  settings_.filter = "broken";
  EXPECT_THAT(RunAll().status(), StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("Case counting/broken: broken")));
  text_.clear();
  settings_.filter = "no such case";
  EXPECT_THAT(RunAll().status(), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(text_, IsEmpty());
}

}  // namespace
}  // namespace burin::kernel_bench
