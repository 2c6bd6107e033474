#include "tools/kernel_bench/measurement.h"

#include <algorithm>
#include <utility>

namespace burin::kernel_bench {
namespace {

std::vector<double> Seconds(const jit::Samples& samples) {
  std::vector<double> seconds;
  for (const std::optional<double>& value : samples.seconds) {
    if (value.has_value()) seconds.push_back(*value);
  }
  return seconds;
}

// Fills in what needs no measurement, and runs the checks.
EntrantResult Check(const Entrant& entrant) {
  EntrantResult result;
  result.role = entrant.role;
  result.name = entrant.name;
  result.implementation = entrant.implementation;
  result.timed = entrant.timed;
  result.bytes_per_repeat = entrant.bytes_per_repeat;
  result.samples.name = entrant.name;
  result.samples.units_per_repeat = entrant.units_per_repeat;
  if (entrant.check) result.accuracy = entrant.check();
  return result;
}

void AddShares(CaseResult& result) {
  for (EntrantResult& entrant : result.entrants) {
    if (entrant.role == Role::kYardstick || !entrant.measured()) continue;
    for (const EntrantResult& yardstick : result.entrants) {
      if (yardstick.role != Role::kYardstick) continue;
      entrant.shares.push_back({yardstick.name, Comparison::Of(entrant.samples, yardstick.samples)});
    }
  }
}

// Compares the chosen plan, the first of our own, with the best of those that were not chosen.
void AddCandidate(CaseResult& result) {
  std::optional<size_t> own;
  std::optional<size_t> best;
  for (size_t i = 0; i < result.entrants.size(); ++i) {
    const EntrantResult& entrant = result.entrants[i];
    if (!entrant.measured()) continue;
    if (entrant.role == Role::kOwn && !own.has_value()) own = i;
    if (entrant.role != Role::kCandidate) continue;
    if (!best.has_value() || entrant.UnitsPerCycle() > result.entrants[*best].UnitsPerCycle()) best = i;
  }
  if (!own.has_value() || !best.has_value()) return;
  result.pairs.push_back({*own, *best, Comparison::Of(result.entrants[*own].samples, result.entrants[*best].samples)});
}

void AddPairs(CaseResult& result) {
  for (size_t first = 0; first < result.entrants.size(); ++first) {
    const EntrantResult& own = result.entrants[first];
    if (own.role != Role::kOwn || !own.measured()) continue;
    for (size_t second = 0; second < result.entrants.size(); ++second) {
      const EntrantResult& other = result.entrants[second];
      const bool compared = other.role == Role::kPeer || (other.role == Role::kOwn && second > first);
      if (!compared || !other.measured()) continue;
      result.pairs.push_back({first, second, Comparison::Of(own.samples, other.samples)});
    }
  }
  AddCandidate(result);
}

}  // namespace

double EntrantResult::MedianSeconds() const { return Median(Seconds(samples)); }

double EntrantResult::MinSeconds() const {
  const std::vector<double> seconds = Seconds(samples);
  return seconds.empty() ? 0 : *std::min_element(seconds.begin(), seconds.end());
}

double EntrantResult::UnitsPerCycle() const {
  const std::optional<double> cycles = samples.CyclesAt(0.5);
  return cycles.has_value() ? samples.units_per_repeat / *cycles : 0;
}

bool CaseResult::right() const {
  return std::all_of(entrants.begin(), entrants.end(), [](const EntrantResult& entrant) {
    return !entrant.accuracy.has_value() || entrant.accuracy->right;
  });
}

CaseResult MeasureCase(const BenchCase& bench_case, const jit::SamplerOptions& options,
                       const jit::Instruments& instruments) {
  CaseResult result;
  result.family = bench_case.family;
  result.name = bench_case.name;
  result.unit = bench_case.unit;
  result.buffers = bench_case.buffers;
  std::vector<jit::Contender> contenders;
  std::vector<size_t> places;
  for (const Entrant& entrant : bench_case.entrants) {
    result.entrants.push_back(Check(entrant));
    const EntrantResult& checked = result.entrants.back();
    if (checked.accuracy.has_value() && !checked.accuracy->right) continue;
    contenders.push_back({entrant.name, entrant.run, entrant.units_per_repeat});
    places.push_back(result.entrants.size() - 1);
  }
  std::vector<jit::Samples> samples = jit::SampleInterleaved(contenders, options, instruments);
  for (size_t i = 0; i < samples.size(); ++i) result.entrants[places[i]].samples = std::move(samples[i]);
  AddShares(result);
  AddPairs(result);
  return result;
}

void MeasureShared(const BenchCase& bench_case, const SharedRunOptions& options, CaseResult& result) {
  for (size_t i = 0; i < bench_case.entrants.size(); ++i) {
    const Entrant& entrant = bench_case.entrants[i];
    const std::optional<Accuracy>& accuracy = result.entrants[i].accuracy;
    const bool is_wrong = accuracy.has_value() && !accuracy->right;
    if (entrant.items == 0 || entrant.role == Role::kCandidate || is_wrong) continue;
    result.shared.push_back({entrant.name, MeasureSharedRun(entrant, options)});
  }
}

}  // namespace burin::kernel_bench
