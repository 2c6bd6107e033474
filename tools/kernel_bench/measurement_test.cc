#include "tools/kernel_bench/measurement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "jit/limits/core_sharing.h"
#include "jit/limits/sampler.h"
#include "tools/kernel_bench/bench_case.h"
#include "tools/kernel_bench/comparison.h"
#include "tools/kernel_bench/shared_run.h"

namespace burin::kernel_bench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// A machine whose time passes only where an entrant says so: one cycle a nanosecond.
class MeasurementTest : public ::testing::Test {
 protected:
  MeasurementTest() {
    instruments_.thread_seconds = [time = time_] { return *time; };
    instruments_.preemptions = [] { return int64_t{0}; };
    instruments_.clock_ghz = [] { return 1.0; };
    options_.rounds = 9;
  }

  Entrant Make(Role role, const std::string& name, double nanoseconds, double units) const {
    Entrant entrant;
    entrant.role = role;
    entrant.name = name;
    entrant.units_per_repeat = units;
    entrant.run = [time = time_, nanoseconds](int64_t repeats) {
      *time += 1e-9 * nanoseconds * static_cast<double>(repeats);
    };
    return entrant;
  }

  CaseResult Measure(std::vector<Entrant> entrants) const {
    BenchCase bench_case;
    bench_case.family = "family";
    bench_case.name = "case";
    bench_case.unit = "elements";
    bench_case.entrants = std::move(entrants);
    return MeasureCase(bench_case, options_, instruments_);
  }

  const std::shared_ptr<double> time_ = std::make_shared<double>(0);
  jit::Instruments instruments_;
  jit::SamplerOptions options_;
};

TEST_F(MeasurementTest, MeasuresInTheUnitOfTheCase) {
  const CaseResult result = Measure({Make(Role::kOwn, "kernel", 2000, 500)});
  ASSERT_THAT(result.entrants, SizeIs(1));
  const EntrantResult& kernel = result.entrants[0];
  EXPECT_NEAR(kernel.MedianSeconds(), 2e-6, 1e-12);
  EXPECT_NEAR(kernel.MinSeconds(), 2e-6, 1e-12);
  EXPECT_NEAR(kernel.UnitsPerCycle(), 0.25, 1e-6);
  EXPECT_EQ(kernel.samples.accepted(), 9);
  EXPECT_EQ(result.family, "family");
  EXPECT_TRUE(result.right());
  EXPECT_THAT(result.pairs, IsEmpty());
  EXPECT_THAT(kernel.shares, IsEmpty());
}

TEST_F(MeasurementTest, SharesAreOfEachYardstick) {
  const CaseResult result = Measure({Make(Role::kYardstick, "copy", 1000, 500),
                                     Make(Role::kYardstick, "fma", 1000, 2000), Make(Role::kOwn, "kernel", 2000, 500)});
  EXPECT_THAT(result.entrants[0].shares, IsEmpty());
  ASSERT_THAT(result.entrants[2].shares, SizeIs(2));
  EXPECT_EQ(result.entrants[2].shares[0].yardstick, "copy");
  EXPECT_NEAR(result.entrants[2].shares[0].comparison.ratio, 0.5, 1e-6);
  EXPECT_NEAR(result.entrants[2].shares[1].comparison.ratio, 0.125, 1e-6);
}

TEST_F(MeasurementTest, PairsAreOwnWithLaterOwnAndWithPeers) {
  const CaseResult result = Measure({Make(Role::kPeer, "peer", 3000, 500), Make(Role::kOwn, "wide", 2000, 500),
                                     Make(Role::kOwn, "narrow", 4000, 500), Make(Role::kYardstick, "copy", 1, 1)});
  ASSERT_THAT(result.pairs, SizeIs(3));
  EXPECT_EQ(result.pairs[0].first, 1u);
  EXPECT_EQ(result.pairs[0].second, 0u);
  EXPECT_NEAR(result.pairs[0].comparison.ratio, 1.5, 1e-6);
  EXPECT_EQ(result.pairs[0].comparison.verdict, Verdict::kFaster);
  EXPECT_EQ(result.pairs[1].second, 2u);
  EXPECT_NEAR(result.pairs[1].comparison.ratio, 2, 1e-6);
  EXPECT_EQ(result.pairs[2].first, 2u);
  EXPECT_EQ(result.pairs[2].second, 0u);
  EXPECT_EQ(result.pairs[2].comparison.verdict, Verdict::kSlower);
}

TEST_F(MeasurementTest, TheFirstOfOurOwnIsComparedWithTheBestCandidate) {
  const CaseResult result =
      Measure({Make(Role::kOwn, "chosen", 2000, 500), Make(Role::kOwn, "other", 1000, 500),
               Make(Role::kCandidate, "slow", 3000, 500), Make(Role::kCandidate, "fast", 1600, 500)});
  ASSERT_THAT(result.pairs, SizeIs(2));
  EXPECT_EQ(result.pairs[1].first, 0u);
  EXPECT_EQ(result.pairs[1].second, 3u);
  EXPECT_NEAR(result.pairs[1].comparison.ratio, 0.8, 1e-6);
}

TEST_F(MeasurementTest, SharedWorkIsThatOfEntrantsThatAreRight) {
  BenchCase bench_case;
  Entrant shared = Make(Role::kOwn, "shared", 2000, 500);
  shared.items = 4;
  shared.run_items = [](int, int64_t, int64_t) {};
  Entrant wrong = shared;
  wrong.check = [] { return Accuracy{3, 2, false, "element 0"}; };
  bench_case.entrants = {shared, Make(Role::kPeer, "peer", 2000, 500), wrong};
  CaseResult result = MeasureCase(bench_case, options_, instruments_);
  SharedRunOptions options;
  options.cpus = {jit::UsableCpus().front(), jit::UsableCpus().back()};
  options.rounds = 1;
  options.seconds_per_sample = 1e-6;
  MeasureShared(bench_case, options, result);
  ASSERT_THAT(result.shared, SizeIs(1));
  EXPECT_EQ(result.shared[0].name, "shared");
  EXPECT_EQ(result.shared[0].run.threads, 2);
}

TEST_F(MeasurementTest, AWrongResultVoidsTheLine) {
  Entrant wrong = Make(Role::kOwn, "wrong", 1, 500);
  wrong.check = [] { return Accuracy{3, 2, false, "element 0"}; };
  Entrant right = Make(Role::kPeer, "right", 2000, 500);
  right.check = [] { return Accuracy{1e-7, 1e-6, true, ""}; };
  const CaseResult result = Measure({std::move(wrong), std::move(right)});
  EXPECT_FALSE(result.right());
  EXPECT_FALSE(result.entrants[0].measured());
  EXPECT_EQ(result.entrants[0].UnitsPerCycle(), 0);
  EXPECT_EQ(result.entrants[0].MedianSeconds(), 0);
  EXPECT_EQ(result.entrants[0].MinSeconds(), 0);
  EXPECT_EQ(result.entrants[0].name, "wrong");
  ASSERT_TRUE(result.entrants[1].accuracy.has_value());
  EXPECT_EQ(result.entrants[1].accuracy->max_relative, 1e-6);
  EXPECT_TRUE(result.entrants[1].measured());
  EXPECT_THAT(result.pairs, IsEmpty());
}

TEST_F(MeasurementTest, RejectedSamplesAreCounted) {
  instruments_.preemptions = [count = int64_t{0}]() mutable { return count++; };
  const CaseResult result = Measure({Make(Role::kOwn, "kernel", 2000, 500), Make(Role::kPeer, "peer", 2000, 500)});
  EXPECT_FALSE(result.entrants[0].measured());
  EXPECT_EQ(result.entrants[0].samples.rejected, options_.rounds * options_.attempts);
  EXPECT_THAT(result.pairs, IsEmpty());
}

}  // namespace
}  // namespace burin::kernel_bench
