// From what is asked for to streams on CPUs that a model has: LeaseStreams.
//
// What a device does where it compiles a model; of the result it makes a CpuStreamsExecutor, which
// runtime/executor/cpu_streams_executor.h declares. Thread-safe.
#ifndef BURIN_RUNTIME_EXECUTOR_BROKER_LEASE_STREAMS_H_
#define BURIN_RUNTIME_EXECUTOR_BROKER_LEASE_STREAMS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/executor/broker/core_broker.h"
#include "runtime/executor/cpu_allowance.h"
#include "runtime/executor/cpu_topology.h"
#include "runtime/executor/stream_cpus.h"
#include "runtime/executor/streams_table.h"

namespace burin::executor {

// The streams of a model. The lease is to be kept as long as they run.
struct LeasedStreams {
  CoreLease lease;
  // What took effect; the decision on "CPUs" has the lease's reason.
  StreamsTable table;
  std::vector<CpuStream> streams;
};

// Leases from `broker`, for `owner` (the model's name, for people), the CPUs that the streams of `request` have, by
// CalculateStreams on what the model is offered of `allowance`. Where it shares CPUs with other models, pinning is off
// unless it is asked for. Errors as CalculateStreams and OfferCores.
absl::StatusOr<LeasedStreams> LeaseStreams(CoreBroker* broker, std::string owner, const CpuTopology& topology,
                                           const CpuAllowance& allowance, const StreamsRequest& request);

}  // namespace burin::executor

#endif  // BURIN_RUNTIME_EXECUTOR_BROKER_LEASE_STREAMS_H_
