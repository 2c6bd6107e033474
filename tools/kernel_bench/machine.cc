#include "tools/kernel_bench/machine.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "base/status_macros.h"
#include "jit/isa/cpu_info.h"
#include "jit/isa/microarch.h"

namespace burin::kernel_bench {
namespace {

constexpr int kRoundsInDepth = 5;

std::string Environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string MicroarchSource(jit::MicroarchClass id) {
  if (!Environment("BURIN_MICROARCH").empty()) return "BURIN_MICROARCH";
  if (id == jit::MicroarchClass::kUnknown) return "no entry for the processor: the parameters are cautious ones";
  return "the processor's vendor, family and model";
}

std::string CapOf(const std::optional<jit::IsaLevel>& cap) {
  std::vector<std::string> caps;
  if (cap.has_value()) caps.push_back(absl::StrCat(jit::Name(*cap), " by -max_isa"));
  const std::string variable = Environment("BURIN_MAX_ISA");
  if (!variable.empty()) caps.push_back(absl::StrCat(variable, " by BURIN_MAX_ISA"));
  return caps.empty() ? "none" : absl::StrJoin(caps, ", ");
}

}  // namespace

ClockRange ClockRange::Read(const jit::Instruments& instruments, int readings) {
  std::vector<double> clocks(static_cast<size_t>(readings));
  for (double& clock : clocks) clock = instruments.clock_ghz();
  std::sort(clocks.begin(), clocks.end());
  return {clocks.front(), clocks[clocks.size() / 2], clocks.back()};
}

std::string ClockRange::ToString() const { return absl::StrFormat("%.2f GHz (%.2f to %.2f)", median, min, max); }

Machine Machine::Describe(const jit::Target& target, const std::optional<jit::IsaLevel>& cap,
                          const jit::Instruments& instruments) {
  const jit::CpuInfo& cpu = jit::CpuInfo::Host();
  Machine machine;
  machine.time = absl::FormatTime(absl::RFC3339_sec, absl::Now(), absl::UTCTimeZone());
  machine.processor = cpu.Identity();
  machine.hypervisor = cpu.hypervisor;
  machine.microarch = std::string(jit::Name(target.microarch().id));
  machine.parameters = target.microarch().ToString();
  machine.microarch_source = MicroarchSource(target.microarch().id);
  machine.level = std::string(jit::Name(target.level()));
  machine.features = target.isa().ToString();
  machine.cap = CapOf(cap);
  machine.caches = target.caches().ToString();
  machine.cpus = jit::UsableCpus();
  machine.clock = ClockRange::Read(instruments);
  if (getloadavg(machine.load.data(), static_cast<int>(machine.load.size())) != static_cast<int>(machine.load.size())) {
    machine.load = {0, 0, 0};
  }
  return machine;
}

std::string Machine::ToString() const {
  return absl::StrCat("time          ", time, "\n",                                                 //
                      "processor     ", processor, hypervisor ? ", under a hypervisor" : "", "\n",  //
                      "class         ", microarch, " (by ", microarch_source, ")\n",                //
                      "parameters    ", parameters, "\n",                                           //
                      "level         ", level, " (cap: ", cap, ")\n",                               //
                      "features      ", features, "\n",                                             //
                      "caches        ", caches, "\n",                                               //
                      "processors    ", absl::StrJoin(cpus, ","), "; what is measured runs on one thread\n",
                      "clock         ", clock.ToString(), "\n",  //
                      absl::StrFormat("load average  %.2f %.2f %.2f\n", load[0], load[1], load[2]));
}

absl::StatusOr<std::vector<jit::CoreSharing>> MeasurePairs(const jit::IsaSet& isa, absl::Span<const int> cpus) {
  const size_t count = cpus.size() * (cpus.size() - std::min<size_t>(cpus.size(), 1)) / 2;
  const int rounds = count > static_cast<size_t>(kPairsInDepth) ? 1 : kRoundsInDepth;
  std::vector<jit::CoreSharing> pairs;
  for (size_t first = 0; first < cpus.size(); ++first) {
    for (size_t second = first + 1; second < cpus.size(); ++second) {
      BURIN_ASSIGN_OR_RETURN(jit::CoreSharing pair, jit::MeasureCoreSharing(isa, cpus[first], cpus[second], rounds));
      pairs.push_back(std::move(pair));
    }
  }
  return pairs;
}

}  // namespace burin::kernel_bench
