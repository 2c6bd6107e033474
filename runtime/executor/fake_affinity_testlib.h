// Masks of threads on a machine that is not there, for tests of what binds threads.
//
// Thread-safe.
#ifndef BURIN_RUNTIME_EXECUTOR_FAKE_AFFINITY_TESTLIB_H_
#define BURIN_RUNTIME_EXECUTOR_FAKE_AFFINITY_TESTLIB_H_

#include <atomic>
#include <map>
#include <mutex>
#include <vector>

#include "runtime/executor/cpu_set.h"
#include "runtime/executor/thread_affinity.h"

namespace burin::executor {

// Remembers what was set, and refuses what has no CPU of the machine.
class FakeAffinity final : public ThreadAffinity {
 public:
  // Makes a machine of `cpus`, on all of which each thread may run at first.
  explicit FakeAffinity(CpuSet cpus);

  int CurrentThread() override;
  int CurrentCpu() override { return current_cpu_; }
  bool Read(AffinityMask* mask) override;
  bool Write(int thread, const AffinityMask& mask) override;

  // Sets what CurrentCpu() returns; -1 at first.
  void set_current_cpu(int cpu) { current_cpu_ = cpu; }
  // Returns the mask of the calling thread.
  CpuSet Current();
  // Returns the masks of all threads that were read or set.
  std::vector<CpuSet> All() const;

 private:
  const CpuSet cpus_;
  std::atomic<int> current_cpu_{-1};
  mutable std::mutex mutex_;
  std::map<int, CpuSet> masks_;  // Guarded by mutex_: by the kernel's number of the thread.
};

}  // namespace burin::executor

#endif  // BURIN_RUNTIME_EXECUTOR_FAKE_AFFINITY_TESTLIB_H_
