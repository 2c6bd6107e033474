// Counts what drawn bodies and their kernels consist of, so that a fuzzer shows what it has tested.
//
// Use it over many bodies; what must come up is Required(). Not thread-safe.
#ifndef BURIN_SNIPPETS_FUZZ_FUZZ_COUNTERS_H_
#define BURIN_SNIPPETS_FUZZ_FUZZ_COUNTERS_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "jit/isa/target.h"
#include "snippets/codegen/kernel_emitter.h"
#include "snippets/testing/body_fuzzer.h"
#include "snippets/testing/kernel_check.h"
#include "snippets/testing/subgraph_runner.h"

namespace burin::snippets {

// Holds the counts, by names such as "op/Softmax", "reduction/sum along vectors" or "spill/values". A body adds to each
// at most once.
class FuzzCounters {
 public:
  // Counts a body that was compiled with these registers and compared. Errors as of GenerateKernel().
  absl::Status Add(const DrawnBody& drawn, const SubgraphRunner& runner, const jit::Target& target,
                   const RegisterLimits& limits, const ComparedElements& compared);

  // Counts something else.
  void AddName(const std::string& name) { ++counts_[name]; }

  // Returns the count.
  int64_t Get(absl::string_view name) const;

  // Returns how the elements of all bodies were compared.
  const ComparedElements& compared() const { return compared_; }

  // Returns what a run over many bodies must count.
  static std::vector<std::string> Required();

  // Returns those of Required() that were counted less than `least` times.
  std::vector<std::string> Rare(int64_t least) const;

  // Returns one line for each count.
  std::string ToString() const;

 private:
  std::map<std::string, int64_t> counts_;
  ComparedElements compared_;
};

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_FUZZ_FUZZ_COUNTERS_H_
