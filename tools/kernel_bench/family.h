// Is a set of cases of one kind of kernel, made one at a time.
//
// A new kind of kernel is a new family: derive, and list it in tools/kernel_bench/families/families.cc. Families are
// immutable; one thread makes cases.
#ifndef BURIN_TOOLS_KERNEL_BENCH_FAMILY_H_
#define BURIN_TOOLS_KERNEL_BENCH_FAMILY_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "jit/isa/target.h"
#include "tools/kernel_bench/bench_case.h"
#include "tools/kernel_bench/case_set.h"
#include "tools/kernel_bench/peer.h"

namespace burin::kernel_bench {

// Says what cases are made for.
struct CaseOptions {
  // Of this machine, with the caps that were asked for.
  jit::Target target;
  // Whether every repeat finds its buffers outside the caches: it takes the next of so many copies that the caches
  // forget them in between.
  bool cold = false;
  // The libraries that take part.
  std::vector<std::shared_ptr<Peer>> peers;
  // How many threads share the work of entrants that can be shared, where it is measured too.
  int threads = 1;
  // Whether other plans than the one that is chosen take part, of families that plan.
  bool tune = false;
  // Whether kernels take part that store through an epilogue, of families that have them.
  bool epilogues = false;
};

// Makes the cases of one kind.
class Family {
 public:
  virtual ~Family() = default;

  // Returns the name that -family takes.
  virtual absl::string_view name() const = 0;

  // Returns one sentence.
  virtual absl::string_view description() const = 0;

  // Returns the names of the cases, in the order of the report.
  virtual std::vector<std::string> CaseNames() const = 0;

  // Returns the names of the family's cases of a set, likewise; they need not be among CaseNames().
  virtual std::vector<std::string> CasesOf(const CaseSet& /*set*/) const { return {}; }

  // Makes a case of one of these names (BURIN_CHECK), with its buffers and code. Errors as of both.
  virtual absl::StatusOr<BenchCase> MakeCase(absl::string_view case_name, const CaseOptions& options) const = 0;
};

}  // namespace burin::kernel_bench

#endif  // BURIN_TOOLS_KERNEL_BENCH_FAMILY_H_
