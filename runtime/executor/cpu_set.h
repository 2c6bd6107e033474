// A set of logical CPUs by their kernel numbers.
//
// Use it wherever CPUs are listed, intersected or counted. Not for hot paths: it is a sorted vector. A value; safe to
// read from any thread.
#ifndef BURIN_RUNTIME_EXECUTOR_CPU_SET_H_
#define BURIN_RUNTIME_EXECUTOR_CPU_SET_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace burin::executor {

// The numbers of some logical CPUs, each in [0, kMaxCpus).
class CpuSet {
 public:
  // Bounds what a malformed text can make us allocate; Linux itself is built for at most 8192 CPUs.
  static constexpr int kMaxCpus = 65536;

  CpuSet() = default;
  // Makes the set of `cpus`, in any order; numbers out of range are left out.
  explicit CpuSet(std::vector<int> cpus);

  // Returns the set {0 .. count - 1}.
  static CpuSet FirstCpus(int count);

  // Reads the kernel's list format, such as "0-3,8,10-11" with an optional line end; an empty text is an empty set.
  // Returns nullopt where the text is anything else or a number is out of range.
  static std::optional<CpuSet> ParseList(absl::string_view text);

  // Returns the numbers, ascending.
  const std::vector<int>& cpus() const { return cpus_; }
  // Returns the number of CPUs.
  int size() const { return static_cast<int>(cpus_.size()); }
  // Returns whether there are none.
  bool empty() const { return cpus_.empty(); }
  // Returns whether `cpu` is in the set.
  bool Contains(int cpu) const;
  // Returns whether every CPU of this set is in `other`.
  bool IsSubsetOf(const CpuSet& other) const;

  // Returns the CPUs that are in both sets.
  CpuSet Intersection(const CpuSet& other) const;
  // Returns the CPUs of this set that `other` lacks.
  CpuSet Difference(const CpuSet& other) const;

  // Prints the kernel's list format: "0-3,8".
  std::string ToString() const;

  friend bool operator==(const CpuSet& a, const CpuSet& b) { return a.cpus_ == b.cpus_; }
  friend bool operator!=(const CpuSet& a, const CpuSet& b) { return !(a == b); }

 private:
  std::vector<int> cpus_;
};

}  // namespace burin::executor

#endif  // BURIN_RUNTIME_EXECUTOR_CPU_SET_H_
