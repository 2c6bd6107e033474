#include "jit/limits/machine_limits.h"

#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "base/aligned_buffer.h"
#include "base/status_macros.h"
#include "jit/isa/cache_info.h"
#include "jit/limits/loops.h"

namespace burin::jit {
namespace {

constexpr int64_t kBlock = static_cast<int64_t>(ReadLoop::kBlockBytes);
constexpr int64_t kMiB = int64_t{1} << 20;
// What is read of the DRAM's working set in one repeat.
constexpr int64_t kDramChunkBytes = 2 * kMiB;
constexpr size_t kHugePageBytes = size_t{2} << 20;

struct RegisterLimit {
  Limit limit;
  LoopSpec spec;
};

constexpr RegisterLimit kRegisterLimits[] = {
    {Limit::kFma256, {LoopOp::kFma, 256, 12}},
    {Limit::kFma512, {LoopOp::kFma, 512, 12}},
    {Limit::kFmaAndAdd256, {LoopOp::kFmaAndAdd, 256, 24}},
    {Limit::kFmaAndAdd512, {LoopOp::kFmaAndAdd, 512, 24}},
    {Limit::kFmaLatency, {LoopOp::kFma, 256, 1}},
    {Limit::kDotBf16_512, {LoopOp::kDotBf16, 512, 12}},
    {Limit::kDotInt8_256, {LoopOp::kDotInt8, 256, 12}},
    {Limit::kDotInt8_512, {LoopOp::kDotInt8, 512, 12}},
};

constexpr Limit kReadLimits[] = {Limit::kReadL1, Limit::kReadL2, Limit::kReadL3, Limit::kReadDram};

// What is measured, and in what order the results come back.
struct Plan {
  std::vector<Limit> limits;
  std::vector<Contender> contenders;
  // Whatever the contenders run, which live as long.
  std::vector<std::shared_ptr<const void>> owned;
};

absl::Status AddRegisterLoops(const Target& target, Plan& plan) {
  for (const RegisterLimit& wanted : kRegisterLimits) {
    LoopSpec spec = wanted.spec;
    spec.chains = std::min(spec.chains, MaxChains(target.isa()));
    absl::StatusOr<RegisterLoop> created = RegisterLoop::Create(target.isa(), spec);
    if (absl::IsUnimplemented(created.status())) continue;
    BURIN_RETURN_IF_ERROR(created.status());
    const auto loop = std::make_shared<const RegisterLoop>(*std::move(created));
    plan.owned.push_back(loop);
    plan.limits.push_back(wanted.limit);
    plan.contenders.push_back({spec.Name(), [loop](int64_t repeats) { loop->Run(repeats); },
                               static_cast<double>(loop->instructions_per_iteration())});
  }
  return absl::OkStatus();
}

// A buffer of pages that were written, huge ones where the system has them, so that reading measures the memory and not
// the translation of addresses or one shared page of zeros.
absl::StatusOr<std::shared_ptr<const AlignedBuffer>> WrittenBuffer(int64_t bytes) {
  BURIN_ASSIGN_OR_RETURN(AlignedBuffer buffer, AlignedBuffer::Create(static_cast<size_t>(bytes), kHugePageBytes));
  // Advice: where it is not taken, the figures are those of small pages.
  (void)madvise(buffer.data(), buffer.capacity(), MADV_HUGEPAGE);
  std::memset(buffer.data(), 1, buffer.size());
  return std::make_shared<const AlignedBuffer>(std::move(buffer));
}

absl::Status AddReads(const Target& target, Plan& plan) {
  BURIN_ASSIGN_OR_RETURN(ReadLoop created, ReadLoop::Create(target.isa()));
  const auto loop = std::make_shared<const ReadLoop>(std::move(created));
  plan.owned.push_back(loop);
  for (const Limit limit : kReadLimits) {
    const int64_t bytes = WorkingSetBytes(limit, target.caches());
    if (bytes == 0) continue;
    BURIN_ASSIGN_OR_RETURN(const std::shared_ptr<const AlignedBuffer> buffer, WrittenBuffer(bytes));
    plan.owned.push_back(buffer);
    plan.limits.push_back(limit);
    Contender contender;
    contender.name = std::string(EnumName(limit));
    if (limit == Limit::kReadDram) {
      contender.units_per_repeat = static_cast<double>(kDramChunkBytes);
      // Goes on where the last call stopped: what it reads was read a whole working set ago.
      contender.run = [loop, buffer, bytes, place = int64_t{0}](int64_t repeats) mutable {
        for (int64_t repeat = 0; repeat < repeats; ++repeat) {
          loop->Run(static_cast<const char*>(buffer->data()) + place, kDramChunkBytes / kBlock, 1);
          place = (place + kDramChunkBytes) % bytes;
        }
      };
    } else {
      contender.units_per_repeat = static_cast<double>(bytes);
      contender.run = [loop, buffer, bytes](int64_t repeats) { loop->Run(buffer->data(), bytes / kBlock, repeats); };
    }
    plan.contenders.push_back(std::move(contender));
  }
  return absl::OkStatus();
}

std::optional<MeasuredLimit> Evaluate(Limit limit, const Samples& samples) {
  if (samples.accepted() == 0) return std::nullopt;
  // Cycles per unit for a latency, units per cycle for the rest.
  const auto value = [&](double quantile) {
    const double units_per_cycle = samples.units_per_repeat / *samples.CyclesAt(quantile);
    return limit == Limit::kFmaLatency ? 1 / units_per_cycle : units_per_cycle;
  };
  return MeasuredLimit{value(0.25), value(0.75), value(0.5), samples.accepted(), samples.rejected};
}

absl::string_view UnitOf(Limit limit) {
  if (limit == Limit::kFmaLatency) return "cycles";
  return limit >= Limit::kReadL1 ? "bytes/cycle" : "instructions/cycle";
}

// A rate as a whole number of instructions, which is what ports are: a busy machine shows a little less.
int WholeRate(double measured) { return std::max(1, static_cast<int>(std::lround(measured))); }

}  // namespace

int64_t WorkingSetBytes(Limit limit, const CacheSizes& caches) {
  const auto whole = [](int64_t bytes, int64_t unit) { return std::max(bytes / unit, int64_t{1}) * unit; };
  switch (limit) {
    case Limit::kReadL1:
      return whole(caches.l1_data / 2, kBlock);
    case Limit::kReadL2:
      return whole(caches.l2 / 2, kBlock);
    case Limit::kReadL3: {
      // Beyond the level above by so much that little of it is found there, and well inside this one.
      const int64_t bytes = std::max(caches.l3_share / 4, 3 * caches.l2);
      return bytes > caches.l3_share / 2 ? 0 : whole(bytes, kBlock);
    }
    case Limit::kReadDram:
      return whole(std::clamp(3 * caches.l3, 96 * kMiB, 512 * kMiB), kDramChunkBytes);
    default:
      return 0;
  }
}

absl::StatusOr<MachineLimits> MachineLimits::Measure(const Target& target, const SamplerOptions& options,
                                                     const Instruments& instruments) {
  Plan plan;
  BURIN_RETURN_IF_ERROR(AddRegisterLoops(target, plan));
  BURIN_RETURN_IF_ERROR(AddReads(target, plan));
  const std::vector<Samples> results = SampleInterleaved(plan.contenders, options, instruments);
  MachineLimits measured;
  std::vector<double> clocks;
  for (size_t i = 0; i < results.size(); ++i) {
    const std::optional<MeasuredLimit> limit = Evaluate(plan.limits[i], results[i]);
    if (limit.has_value()) measured.limits.emplace(plan.limits[i], *limit);
    for (size_t round = 0; round < results[i].cycles.size(); ++round) {
      if (!results[i].cycles[round].has_value()) continue;
      clocks.push_back(*results[i].cycles[round] / (*results[i].seconds[round] * 1e9));
    }
  }
  if (!clocks.empty()) {
    std::nth_element(clocks.begin(), clocks.begin() + static_cast<ptrdiff_t>(clocks.size() / 2), clocks.end());
    measured.clock_ghz = clocks[clocks.size() / 2];
  }
  return measured;
}

Microarch MachineLimits::Apply(const Microarch& base) const {
  Microarch applied = base;
  const auto value = [this](Limit limit) -> std::optional<double> {
    const auto found = limits.find(limit);
    if (found == limits.end()) return std::nullopt;
    return found->second.value;
  };
  const auto bandwidth = [&](Limit limit, double& field) { field = value(limit).value_or(field); };
  if (const std::optional<double> fma = value(Limit::kFma256)) applied.fma256_per_cycle = WholeRate(*fma);
  if (const std::optional<double> fma = value(Limit::kFma512)) {
    applied.fma512_per_cycle = WholeRate(*fma);
    applied.broadcast = applied.fma512_per_cycle == 1 ? BroadcastForm::kEmbedded : BroadcastForm::kRegister;
  }
  if (const std::optional<double> latency = value(Limit::kFmaLatency)) applied.fma_latency = WholeRate(*latency);
  // In halves: a rate below one is one instruction every few cycles.
  if (const std::optional<double> dot = value(Limit::kDotBf16_512)) {
    applied.dpbf16_512_per_cycle = std::max(0.5, std::round(*dot * 2) / 2);
  }
  const bool wide = limits.count(Limit::kFmaAndAdd512) > 0 && limits.count(Limit::kFma512) > 0;
  const std::optional<double> both = value(wide ? Limit::kFmaAndAdd512 : Limit::kFmaAndAdd256);
  const std::optional<double> alone = value(wide ? Limit::kFma512 : Limit::kFma256);
  // Twice as many where additions have ports of their own, as many where they share them: half-way tells.
  if (both.has_value() && alone.has_value()) applied.adds_beside_fma = *both > 1.5 * *alone;
  bandwidth(Limit::kReadL2, applied.l2_bytes_per_cycle);
  bandwidth(Limit::kReadL3, applied.l3_bytes_per_cycle);
  bandwidth(Limit::kReadDram, applied.dram_bytes_per_cycle);
  return applied;
}

std::string MachineLimits::ToString() const {
  std::string text = absl::StrFormat("clock %.2f GHz\n", clock_ghz);
  for (const auto& [limit, measured] : limits) {
    absl::StrAppendFormat(&text, "%-16s %7.2f %s (median %.2f, slow %.2f; %d samples, %d rejected)\n", EnumName(limit),
                          measured.value, UnitOf(limit), measured.median, measured.slow, measured.accepted,
                          measured.rejected);
  }
  return text;
}

}  // namespace burin::jit
