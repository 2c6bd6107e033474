// Which CPUs a compiled model is offered, given what other models of the process have: OfferCores.
//
// The policy of CoreBroker (runtime/executor/broker/core_broker.h) as a pure function, so that it can be asked for any
// machine. It counts whole cores: two models on the threads of one core would hinder each other. Thread-safe.
#ifndef BURIN_RUNTIME_EXECUTOR_BROKER_CORE_SHARING_H_
#define BURIN_RUNTIME_EXECUTOR_BROKER_CORE_SHARING_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/executor/cpu_set.h"
#include "runtime/executor/cpu_topology.h"

namespace burin::executor {

// What one model has.
struct CoreHolding {
  // The model's name, for people.
  std::string owner;
  CpuSet cpus;
  // Whether the CPUs are withheld from others.
  bool reserved = false;
};

// What a model wants.
struct CoreDemand {
  // How many threads the user asks for, at least 1; absent where nobody does.
  std::optional<int> threads;
  // Whether CPUs are wanted that nobody has, nor will get.
  bool reserve = false;
  // The only kind of cores that is wanted; absent where any is.
  std::optional<CoreKind> kind;
};

// What a model may choose from.
struct CoreOffer {
  CpuSet cpus;
  // Whether other models have some of these.
  bool shared = false;
  // A sentence for people: what it is, and why not more.
  std::string reason;
};

// Returns what a model that wants `demand` may choose from, of the CPUs `usable`, where others have `holdings`.
//
// Reserved cores are never offered. A model that comes first is offered all others. A later one is offered the cores
// that nobody has, if they hold the threads that are asked for; where none are, if they are its fair share at least,
// which is the cores divided by the models with itself. Else it shares: as many cores as are asked for, or its fair
// share, of those that fewest models have, in one package where they fit. What others have stays as it is: shares
// become even as models come and go.
//
// ResourceExhausted where all cores are reserved, or those that nobody has are fewer than are to be reserved.
absl::StatusOr<CoreOffer> OfferCores(const CpuTopology& usable, const std::vector<CoreHolding>& holdings,
                                     const CoreDemand& demand);

}  // namespace burin::executor

#endif  // BURIN_RUNTIME_EXECUTOR_BROKER_CORE_SHARING_H_
