// On which CPUs a thread may run: read and set, for the threads that do the work.
//
// An interface, so that tests pin threads on machines that are not there. For the mask of the process as a set see
// runtime/executor/cpu_allowance.h. Implementations are thread-safe.
#ifndef BURIN_RUNTIME_EXECUTOR_THREAD_AFFINITY_H_
#define BURIN_RUNTIME_EXECUTOR_THREAD_AFFINITY_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "runtime/executor/cpu_set.h"

namespace burin::executor {

// The CPUs that a thread may run on, as the kernel has them: a bit each. Copying it allocates nothing, unlike a CpuSet.
class AffinityMask {
 public:
  // Linux is built for at most this many.
  static constexpr int kMaxCpus = 8192;

  // Returns the mask of one CPU, or of several; those of kMaxCpus and above are left out.
  static AffinityMask Of(int cpu);
  static AffinityMask Of(const CpuSet& cpus);

  // Adds a CPU in [0, kMaxCpus).
  void Add(int cpu);
  // Returns whether `cpu` is in the mask.
  bool Contains(int cpu) const;
  // Returns the CPU where it is the only one, else -1.
  int OnlyCpu() const;
  // Returns the CPUs.
  CpuSet ToCpuSet() const;

  // Gives access to the words, the lowest CPUs first.
  const uint64_t* words() const { return words_.data(); }
  uint64_t* mutable_words() { return words_.data(); }
  static constexpr size_t bytes() { return kMaxCpus / 8; }

  friend bool operator==(const AffinityMask& a, const AffinityMask& b) { return a.words_ == b.words_; }
  friend bool operator!=(const AffinityMask& a, const AffinityMask& b) { return !(a == b); }

 private:
  std::array<uint64_t, kMaxCpus / 64> words_{};
};

// Reads and sets masks of threads of this process.
class ThreadAffinity {
 public:
  virtual ~ThreadAffinity() = default;

  // Returns the kernel's number of the calling thread.
  virtual int CurrentThread() = 0;
  // Returns the CPU that the calling thread runs on now, which may change at once; -1 where that is not known.
  virtual int CurrentCpu() = 0;
  // Reads the mask of the calling thread; returns whether that worked.
  virtual bool Read(AffinityMask* mask) = 0;
  // Sets the mask of `thread`, a number of CurrentThread(), or 0 for the calling one. Returns whether that worked: the
  // kernel refuses a mask without any CPU that is online and in the thread's cpuset.
  virtual bool Write(int thread, const AffinityMask& mask) = 0;
};

// Returns the kernel's own.
ThreadAffinity* SystemThreadAffinity();

}  // namespace burin::executor

#endif  // BURIN_RUNTIME_EXECUTOR_THREAD_AFFINITY_H_
