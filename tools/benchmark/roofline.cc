#include "tools/benchmark/roofline.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status_macros.h"
#include "jit/isa/microarch.h"
#include "jit/isa/target.h"
#include "jit/limits/sampler.h"

namespace burin::benchmark {

namespace {

// A multiplication and an addition.
constexpr double kFlopsPerFma = 2;
constexpr double kFloatsOf256Bits = 8;

// Returns what was measured, per cycle; 0 where it was not.
double RateOf(const jit::MachineLimits& core, jit::Limit limit) {
  const auto found = core.limits.find(limit);
  return found == core.limits.end() ? 0 : found->second.value;
}

}  // namespace

Roofline::Roofline(const jit::MachineLimits& core, const jit::CacheSizes& caches, bool one_core_saturates_memory,
                   int threads)
    : threads_(threads), clock_ghz_(core.clock_ghz) {
  const double floats = std::max(RateOf(core, jit::Limit::kFma256) * kFloatsOf256Bits,
                                 RateOf(core, jit::Limit::kFma512) * 2 * kFloatsOf256Bits);
  flops_rate_ = floats * kFlopsPerFma * clock_ghz_ * threads;
  const auto add = [&](const char* name, jit::Limit limit, int64_t bytes, int readers) {
    const double rate = RateOf(core, limit);
    if (rate > 0 && bytes != 0) levels_.push_back({name, bytes, rate * clock_ghz_ * readers});
  };
  add("L1", jit::Limit::kReadL1, caches.l1_data * threads, threads);
  add("L2", jit::Limit::kReadL2, caches.l2 * threads, threads);
  add("L3", jit::Limit::kReadL3, std::min(caches.l3, caches.l3_share * threads), threads);
  add("DRAM", jit::Limit::kReadDram, -1, one_core_saturates_memory ? 1 : threads);
}

absl::StatusOr<Roofline> Roofline::Measure(int threads) {
  BURIN_ASSIGN_OR_RETURN(const jit::Target target, jit::Target::Host());
  BURIN_ASSIGN_OR_RETURN(const jit::Instruments instruments, jit::Instruments::Host(target.isa()));
  jit::SamplerOptions options;
  options.rounds = 9;
  options.max_seconds = 1;
  BURIN_ASSIGN_OR_RETURN(const jit::MachineLimits core, jit::MachineLimits::Measure(target, options, instruments));
  return Roofline(core, target.caches(), target.microarch().one_core_saturates_dram, threads);
}

std::optional<NodeLimit> Roofline::LimitOf(const ProfilingInfo& info) const {
  if (info.count == 0 || info.real_time_ns == 0) return std::nullopt;
  const double taken = static_cast<double>(info.real_time_ns) / static_cast<double>(info.count);
  double least = 0;
  std::string of;
  if (info.flops > 0 && flops_rate_ > 0) {
    least = info.flops / flops_rate_;
    of = "fma";
  }
  for (const Level& level : levels_) {
    if (level.bytes >= 0 && info.bytes > static_cast<double>(level.bytes)) continue;
    if (info.bytes / level.rate > least) {
      least = info.bytes / level.rate;
      of = level.name;
    }
    break;
  }
  if (of.empty()) return std::nullopt;
  return NodeLimit{of, least / taken};
}

std::string Roofline::ToString() const {
  std::string text = absl::StrFormat("%d %s at %.2f GHz: %.1f GFLOP/s", threads_, threads_ == 1 ? "thread" : "threads",
                                     clock_ghz_, flops_rate_);
  const char* separator = "; ";
  for (const Level& level : levels_) {
    absl::StrAppendFormat(&text, "%s%s %.1f GB/s", separator, level.name, level.rate);
    if (level.bytes >= 0) absl::StrAppendFormat(&text, " to %d KiB", level.bytes / 1024);
    separator = ", ";
  }
  return text;
}

}  // namespace burin::benchmark
