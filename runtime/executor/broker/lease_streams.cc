#include "runtime/executor/broker/lease_streams.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/status_macros.h"
#include "runtime/executor/broker/core_broker.h"
#include "runtime/executor/broker/core_sharing.h"
#include "runtime/executor/cpu_allowance.h"
#include "runtime/executor/cpu_set.h"
#include "runtime/executor/cpu_topology.h"
#include "runtime/executor/stream_cpus.h"
#include "runtime/executor/streams_table.h"

namespace burin::executor {
namespace {

CoreDemand DemandOf(const StreamsRequest& request) {
  CoreDemand demand;
  demand.threads = request.inference_num_threads;
  if (request.streams_mode == StreamsMode::kNumber) {
    demand.threads = std::max(request.streams, demand.threads.value_or(1));
  }
  demand.reserve = request.cpu_reservation;
  if (request.core_choice == CoreChoice::kPerformanceOnly) demand.kind = CoreKind::kPerformance;
  if (request.core_choice == CoreChoice::kEfficiencyOnly) demand.kind = CoreKind::kEfficiency;
  return demand;
}

// Calculates the streams on `offer`.
absl::StatusOr<StreamsTable> CalculateOn(const CoreOffer& offer, const CpuTopology& topology, CpuAllowance allowance,
                                         const StreamsRequest& request) {
  const bool was_exclusive = allowance.exclusive;
  allowance.cpus = offer.cpus;
  allowance.exclusive = was_exclusive && !offer.shared;
  allowance.reasons.push_back(offer.reason);
  BURIN_ASSIGN_OR_RETURN(StreamsTable table, CalculateStreams(topology, allowance, request));
  if (was_exclusive && offer.shared && !request.cpu_pinning.has_value() && !table.cpu_pinning) {
    for (StreamsDecision& decision : table.decisions) {
      if (decision.property == "ENABLE_CPU_PINNING")
        decision.reason = "Other models of the process have these CPUs too";
    }
  }
  return table;
}

}  // namespace

absl::StatusOr<LeasedStreams> LeaseStreams(CoreBroker* broker, std::string owner, const CpuTopology& topology,
                                           const CpuAllowance& allowance, const StreamsRequest& request) {
  LeasedStreams result;
  const auto choose = [&](const CoreOffer& offer) -> absl::StatusOr<CpuSet> {
    BURIN_ASSIGN_OR_RETURN(result.table, CalculateOn(offer, topology, allowance, request));
    BURIN_ASSIGN_OR_RETURN(result.streams, AssignCpus(result.table.rows, topology.RestrictedTo(offer.cpus)));
    return CpusOf(result.streams);
  };
  BURIN_ASSIGN_OR_RETURN(
      result.lease, broker->Lease(std::move(owner), topology.RestrictedTo(allowance.cpus), DemandOf(request), choose));
  return result;
}

}  // namespace burin::executor
