#include "runtime/executor/fake_affinity_testlib.h"

#include <mutex>
#include <utility>
#include <vector>

#include "runtime/executor/cpu_set.h"
#include "runtime/executor/thread_affinity.h"

namespace burin::executor {

FakeAffinity::FakeAffinity(CpuSet cpus) : cpus_(std::move(cpus)) {}

int FakeAffinity::CurrentThread() { return SystemThreadAffinity()->CurrentThread(); }

CpuSet FakeAffinity::Current() {
  std::lock_guard<std::mutex> lock(mutex_);
  return masks_.emplace(CurrentThread(), cpus_).first->second;
}

bool FakeAffinity::Read(AffinityMask* mask) {
  *mask = AffinityMask::Of(Current());
  return true;
}

bool FakeAffinity::Write(int thread, const AffinityMask& mask) {
  const CpuSet set = mask.ToCpuSet().Intersection(cpus_);
  if (set.empty()) return false;
  std::lock_guard<std::mutex> lock(mutex_);
  masks_[thread == 0 ? CurrentThread() : thread] = set;
  return true;
}

std::vector<CpuSet> FakeAffinity::All() const {
  std::lock_guard<std::mutex> lock(mutex_);
  std::vector<CpuSet> all;
  for (const auto& entry : masks_) all.push_back(entry.second);
  return all;
}

}  // namespace burin::executor
