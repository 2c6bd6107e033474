#include "jit/limits/sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

using ::testing::DoubleNear;
using ::testing::Optional;

// A machine of a test: time passes only where a contender says so.
class FakeMachine {
 public:
  Instruments instruments() {
    return {[this] { return seconds_; }, [this] { return preemptions_; },
            [this] {
              if (clock_changes_ > 0 && ++readings_ % 2 == 0) {
                --clock_changes_;
                return 2.5;
              }
              return 2.0;
            }};
  }

  // A contender whose repeats take `nanoseconds` each.
  Contender Taking(const std::string& name, double nanoseconds, double units = 1) {
    return {name,
            [this, name, nanoseconds](int64_t repeats) {
              seconds_ += 1e-9 * nanoseconds * static_cast<double>(repeats);
              runs_.emplace_back(name, repeats);
              if (preempt_next_ > 0 && repeats > 1) {
                --preempt_next_;
                ++preemptions_;
              }
            },
            units};
  }

  // Lets the next `count` samples be preempted.
  void Preempt(int count) { preempt_next_ = count; }
  // Lets the clock change within the next `count` samples.
  void ChangeClock(int count) { clock_changes_ = count; }
  const std::vector<std::pair<std::string, int64_t>>& runs() const { return runs_; }

 private:
  double seconds_ = 0;
  int64_t preemptions_ = 0;
  int preempt_next_ = 0;
  int clock_changes_ = 0;
  int readings_ = 0;
  std::vector<std::pair<std::string, int64_t>> runs_;
};

TEST(SamplerTest, CountsCyclesAndUnits) {
  FakeMachine machine;
  const std::vector<Contender> contenders = {machine.Taking("a", 100, 50), machine.Taking("b", 10, 40)};
  const std::vector<Samples> results = SampleInterleaved(contenders, SamplerOptions(), machine.instruments());
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].name, "a");
  EXPECT_EQ(results[0].accepted(), 21);
  EXPECT_EQ(results[0].rejected, 0);
  // 100 ns at 2 GHz are 200 cycles.
  EXPECT_THAT(results[0].CyclesAt(0.5), Optional(DoubleNear(200, 1e-6)));
  EXPECT_THAT(results[0].UnitsPerCycle(), Optional(DoubleNear(0.25, 1e-9)));
  EXPECT_THAT(results[1].UnitsPerCycle(), Optional(DoubleNear(2, 1e-9)));
  EXPECT_THAT(results[1].seconds[0], Optional(DoubleNear(10e-9, 1e-15)));
}

TEST(SamplerTest, ASampleTakesTheTimeAskedFor) {
  FakeMachine machine;
  SamplerOptions options;
  options.seconds_per_sample = 1e-3;
  SampleInterleaved(std::vector<Contender>{machine.Taking("fast", 20)}, options, machine.instruments());
  EXPECT_NEAR(static_cast<double>(machine.runs().back().second), 50000, 500);
  SampleInterleaved(std::vector<Contender>{machine.Taking("slow", 1e9)}, options, machine.instruments());
  EXPECT_EQ(machine.runs().back().second, 1);
}

TEST(SamplerTest, ADisturbedSampleIsRejectedAndTakenAgain) {
  FakeMachine machine;
  const std::vector<Contender> contenders = {machine.Taking("a", 100)};
  // The repeats are found before the first round, in runs that must not use the preemptions up.
  SamplerOptions options;
  options.rounds = 5;
  Instruments instruments = machine.instruments();
  int readings = 0;
  instruments.clock_ghz = [&, clock = instruments.clock_ghz] {
    if (++readings == 1) machine.Preempt(2);
    return clock();
  };
  std::vector<Samples> results = SampleInterleaved(contenders, options, instruments);
  EXPECT_EQ(results[0].accepted(), 5);
  EXPECT_EQ(results[0].rejected, 2);

  machine.ChangeClock(1);
  results = SampleInterleaved(contenders, options, machine.instruments());
  EXPECT_EQ(results[0].accepted(), 5);
  EXPECT_EQ(results[0].rejected, 1);
}

TEST(SamplerTest, ARoundOfRejectedSamplesHasNone) {
  FakeMachine machine;
  SamplerOptions options;
  options.rounds = 4;
  machine.ChangeClock(3);
  const std::vector<Samples> results =
      SampleInterleaved(std::vector<Contender>{machine.Taking("a", 100)}, options, machine.instruments());
  EXPECT_EQ(results[0].rejected, 3);
  EXPECT_EQ(results[0].accepted(), 3);
  EXPECT_EQ(results[0].cycles[0], std::nullopt);
  EXPECT_EQ(results[0].seconds[0], std::nullopt);
  EXPECT_TRUE(results[0].cycles[1].has_value());
}

TEST(SamplerTest, WithoutSamplesThereIsNoFigure) {
  Samples samples;
  samples.cycles = {std::nullopt};
  EXPECT_EQ(samples.CyclesAt(0.5), std::nullopt);
  EXPECT_EQ(samples.UnitsPerCycle(), std::nullopt);
}

TEST(SamplerTest, QuantilesInterpolate) {
  Samples samples;
  samples.cycles = {4.0, std::nullopt, 1.0, 2.0, 3.0, 5.0};
  EXPECT_THAT(samples.CyclesAt(0), Optional(1.0));
  EXPECT_THAT(samples.CyclesAt(0.25), Optional(2.0));
  EXPECT_THAT(samples.CyclesAt(0.5), Optional(3.0));
  EXPECT_THAT(samples.CyclesAt(1), Optional(5.0));
  EXPECT_THAT(samples.CyclesAt(0.625), Optional(3.5));
}

TEST(SamplerTest, EveryRoundHasEachContenderOnceInAnyOrder) {
  FakeMachine machine;
  const std::vector<Contender> contenders = {machine.Taking("a", 100), machine.Taking("b", 100),
                                             machine.Taking("c", 100)};
  SamplerOptions options;
  options.rounds = 20;
  SampleInterleaved(contenders, options, machine.instruments());
  // The last 20 rounds: a warm-up and a sample of each contender.
  std::vector<std::string> samples;
  const auto& runs = machine.runs();
  for (size_t i = runs.size() - 20 * 6; i < runs.size(); i += 2) {
    EXPECT_EQ(runs[i].first, runs[i + 1].first);
    EXPECT_EQ(runs[i].second, 1);
    samples.push_back(runs[i].first);
  }
  std::set<std::string> orders;
  for (size_t round = 0; round < samples.size(); round += 3) {
    const std::string order = samples[round] + samples[round + 1] + samples[round + 2];
    EXPECT_EQ(std::set<char>(order.begin(), order.end()).size(), 3u) << order;
    orders.insert(order);
  }
  EXPECT_GT(orders.size(), 1u);
}

TEST(SamplerTest, StopsWhenTheTimeIsUp) {
  FakeMachine machine;
  SamplerOptions options;
  options.rounds = 1000;
  options.max_seconds = 0.01;
  const std::vector<Samples> results =
      SampleInterleaved(std::vector<Contender>{machine.Taking("slow", 1e9)}, options, machine.instruments());
  EXPECT_EQ(results[0].cycles.size(), 3u);
}

TEST(SamplerTest, TheHostsInstrumentsWork) {
  ASSERT_OK_AND_ASSIGN(const Target host, Target::Host());
  ASSERT_OK_AND_ASSIGN(const Instruments instruments, Instruments::Host(host.isa()));
  const double start = instruments.thread_seconds();
  const double clock = instruments.clock_ghz();
  // Any processor, also a busy or an emulated one.
  EXPECT_GT(clock, 0.001);
  EXPECT_LT(clock, 10);
  EXPECT_GT(instruments.thread_seconds(), start);
  EXPECT_GE(instruments.preemptions(), 0);
}

}  // namespace
}  // namespace burin::jit
