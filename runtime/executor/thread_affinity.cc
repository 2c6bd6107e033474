#include "runtime/executor/thread_affinity.h"

#include <sched.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/executor/cpu_set.h"

namespace burin::executor {
namespace {

class SystemAffinity final : public ThreadAffinity {
 public:
  int CurrentThread() override { return static_cast<int>(gettid()); }
  int CurrentCpu() override { return sched_getcpu(); }

  bool Read(AffinityMask* mask) override {
    return sched_getaffinity(0, AffinityMask::bytes(), reinterpret_cast<cpu_set_t*>(mask->mutable_words())) == 0;
  }

  bool Write(int thread, const AffinityMask& mask) override {
    return sched_setaffinity(thread, AffinityMask::bytes(), reinterpret_cast<const cpu_set_t*>(mask.words())) == 0;
  }
};

}  // namespace

AffinityMask AffinityMask::Of(int cpu) {
  AffinityMask mask;
  if (cpu >= 0 && cpu < kMaxCpus) mask.Add(cpu);
  return mask;
}

AffinityMask AffinityMask::Of(const CpuSet& cpus) {
  AffinityMask mask;
  for (int cpu : cpus.cpus()) {
    if (cpu < kMaxCpus) mask.Add(cpu);
  }
  return mask;
}

void AffinityMask::Add(int cpu) { words_[static_cast<size_t>(cpu) / 64] |= uint64_t{1} << (cpu % 64); }

bool AffinityMask::Contains(int cpu) const {
  if (cpu < 0 || cpu >= kMaxCpus) return false;
  return (words_[static_cast<size_t>(cpu) / 64] >> (cpu % 64) & 1) != 0;
}

int AffinityMask::OnlyCpu() const {
  int cpu = -1;
  for (size_t i = 0; i < words_.size(); ++i) {
    if (words_[i] == 0) continue;
    if (cpu >= 0 || (words_[i] & (words_[i] - 1)) != 0) return -1;
    cpu = static_cast<int>(i) * 64 + __builtin_ctzll(words_[i]);
  }
  return cpu;
}

CpuSet AffinityMask::ToCpuSet() const {
  std::vector<int> cpus;
  for (int cpu = 0; cpu < kMaxCpus; ++cpu) {
    if (Contains(cpu)) cpus.push_back(cpu);
  }
  return CpuSet(std::move(cpus));
}

ThreadAffinity* SystemThreadAffinity() {
  // Never destroyed: threads may leave an arena while the process ends.
  static SystemAffinity* const affinity = new SystemAffinity();
  return affinity;
}

}  // namespace burin::executor
