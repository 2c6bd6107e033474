// Leases CPUs to the compiled models of a process, so that they do not all work on the same ones.
//
// A model leases before it makes streams and keeps the lease as long as these. Who gets what is decided in
// runtime/executor/broker/core_sharing.h. Leases bind nobody: they decide how many threads a model makes and where. For
// other processes see CpuAllowance::exclusive (runtime/executor/cpu_allowance.h). Thread-safe.
#ifndef BURIN_RUNTIME_EXECUTOR_BROKER_CORE_BROKER_H_
#define BURIN_RUNTIME_EXECUTOR_BROKER_CORE_BROKER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "runtime/executor/broker/core_sharing.h"
#include "runtime/executor/cpu_set.h"
#include "runtime/executor/cpu_topology.h"

namespace burin::executor {

// CPUs that a model has until this is destroyed. Can be moved. In a forked child it is the parent's, and gives nothing
// back.
class CoreLease {
 public:
  // Makes a lease of nothing.
  CoreLease() = default;
  CoreLease(CoreLease&& other) noexcept;
  CoreLease& operator=(CoreLease&& other) noexcept;
  ~CoreLease();

  // Returns the CPUs.
  const CpuSet& cpus() const { return cpus_; }
  // Returns a sentence for people: what was offered, and why not more.
  const std::string& reason() const { return reason_; }

 private:
  friend class CoreBroker;
  struct Book;

  void GiveBack();

  std::shared_ptr<Book> book_;
  int64_t id_ = 0;
  CpuSet cpus_;
  std::string reason_;
};

class CoreBroker {
 public:
  // Returns which of the CPUs of an offer a model will use.
  using Choose = absl::FunctionRef<absl::StatusOr<CpuSet>(const CoreOffer& offer)>;

  CoreBroker();

  // Returns the broker of this process, which is never destroyed. A forked child has one of its own, without leases.
  static CoreBroker& OfProcess();

  // Leases to `owner`, the model's name for people, what `choose` takes of the offer for `demand`. No other lease is
  // made meanwhile; `choose` must not call the broker. Errors as OfferCores and `choose`.
  absl::StatusOr<CoreLease> Lease(std::string owner, const CpuTopology& usable, const CoreDemand& demand,
                                  Choose choose);

  // Returns what is leased at this moment, in the order in which it was.
  std::vector<CoreHolding> holdings() const;

 private:
  std::shared_ptr<CoreLease::Book> book_;
};

}  // namespace burin::executor

#endif  // BURIN_RUNTIME_EXECUTOR_BROKER_CORE_BROKER_H_
