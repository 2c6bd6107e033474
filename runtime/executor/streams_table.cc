#include "runtime/executor/streams_table.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "base/enum_names.h"
#include "base/status_macros.h"
#include "runtime/executor/core_pools.h"
#include "runtime/executor/cpu_allowance.h"
#include "runtime/executor/cpu_topology.h"
#include "runtime/executor/place_streams.h"

namespace burin::executor {
namespace {

// Above this share of time spent on memory, a stream has two cores; above the second, as many as share well.
constexpr double kMixedShare = 0.25;
constexpr double kMemoryBoundShare = 0.5;

constexpr char kKindsProperty[] = "SCHEDULING_CORE_TYPE";
constexpr char kSiblingsProperty[] = "ENABLE_HYPER_THREADING";
constexpr char kThreadsProperty[] = "INFERENCE_NUM_THREADS";

// What the steps below hand on.
struct Plan {
  const StreamsRequest& request;
  const CpuAllowance& allowance;
  std::vector<CorePool> pools;
  StreamsTable table;

  void Decide(absl::string_view property, absl::string_view value, absl::string_view reason) {
    table.decisions.push_back({std::string(property), std::string(value), std::string(reason)});
  }

  // Returns the decision on `property`, which was made before.
  StreamsDecision& Decided(absl::string_view property) {
    return *std::find_if(table.decisions.begin(), table.decisions.end(),
                         [&](const StreamsDecision& decision) { return decision.property == property; });
  }
};

absl::string_view YesNo(bool value) { return value ? "YES" : "NO"; }

int NodeCount(const std::vector<CorePool>& pools) {
  std::set<int> nodes;
  for (const CorePool& pool : pools) nodes.insert(pool.node);
  return static_cast<int>(nodes.size());
}

int CoreCountOf(const std::vector<CorePool>& pools, CoreKind kind) {
  int count = 0;
  for (const CorePool& pool : pools) count += pool.kind == kind ? pool.cores : 0;
  return count;
}

// Prints the kinds of the pools: "performance and efficiency".
std::string KindNames(const std::vector<CorePool>& pools) {
  std::set<CoreKind> kinds;
  for (const CorePool& pool : pools) kinds.insert(pool.kind);
  return absl::StrJoin(kinds, " and ", [](std::string* out, CoreKind kind) { absl::StrAppend(out, EnumName(kind)); });
}

void DropKind(CoreKind kind, std::vector<CorePool>* pools) {
  pools->erase(std::remove_if(pools->begin(), pools->end(), [&](const CorePool& pool) { return pool.kind == kind; }),
               pools->end());
}

absl::Status CheckRequest(const StreamsRequest& request) {
  if (request.streams_mode == StreamsMode::kNumber && (request.streams < 1 || request.streams > kMaxStreams)) {
    return absl::InvalidArgumentError(
        absl::StrCat("NUM_STREAMS: expected AUTO, NUMA or 1..", kMaxStreams, ", given ", request.streams));
  }
  if (request.inference_num_threads.value_or(1) < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("INFERENCE_NUM_THREADS: expected at least 1, given ", *request.inference_num_threads));
  }
  if (request.num_requests.value_or(1) < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("PERFORMANCE_HINT_NUM_REQUESTS: expected at least 1, given ", *request.num_requests));
  }
  if (!(request.memory_bound_share >= 0 && request.memory_bound_share <= 1)) {
    return absl::InvalidArgumentError(
        absl::StrCat("The share of memory-bound time is not in 0..1: ", request.memory_bound_share));
  }
  return absl::OkStatus();
}

// Returns the least number of threads that the user asks for, 0 where nobody asks.
int AskedThreads(const StreamsRequest& request) {
  const int streams = request.streams_mode == StreamsMode::kNumber ? request.streams : 0;
  return std::max(streams, request.inference_num_threads.value_or(0));
}

// Whether one inference at a time is wanted as fast as can be.
bool IsLatencyStream(const StreamsRequest& request) {
  const bool one = request.streams_mode == StreamsMode::kNumber && request.streams == 1;
  return request.hint == PerformanceHint::kLatency && (one || request.streams_mode == StreamsMode::kAuto);
}

// Chooses the kinds of cores where the user left it open; returns why.
std::string ChooseKinds(Plan* plan) {
  const int performance = CoreCountOf(plan->pools, CoreKind::kPerformance);
  const int efficiency = CoreCountOf(plan->pools, CoreKind::kEfficiency);
  const int cores = CoreCount(plan->pools);
  if (performance == cores || efficiency == cores || performance + efficiency == 0) return "All cores are of one kind";
  std::string reason = "All kinds of cores count";
  if (performance + efficiency < cores) {
    DropKind(CoreKind::kLowPower, &plan->pools);
    reason = "Low power cores would be waited for";
  }
  if (performance == 0 || efficiency == 0 || !IsLatencyStream(plan->request)) return reason;
  if (AskedThreads(plan->request) > performance) return "More threads are asked for than there are performance cores";
  // An efficiency core does about half of what a performance core does. Where the latter do most of the work, the
  // others are not worth waiting for at the end of each region.
  if (plan->request.memory_bound_share >= kMemoryBoundShare) {
    reason = "Performance cores alone saturate the memory";
  } else if (2 * performance > efficiency) {
    reason = "Performance cores alone do most of the work of one inference";
  } else {
    return "Efficiency cores do half of the work of one inference, or more";
  }
  DropKind(CoreKind::kEfficiency, &plan->pools);
  return reason;
}

absl::Status DecideKinds(Plan* plan) {
  const CoreChoice choice = plan->request.core_choice;
  if (choice == CoreChoice::kAnyCore) {
    const std::string reason = ChooseKinds(plan);
    plan->Decide(kKindsProperty, KindNames(plan->pools), reason);
    return absl::OkStatus();
  }
  const CoreKind kind = choice == CoreChoice::kPerformanceOnly ? CoreKind::kPerformance : CoreKind::kEfficiency;
  for (CoreKind other : {CoreKind::kPerformance, CoreKind::kEfficiency, CoreKind::kLowPower}) {
    if (other != kind) DropKind(other, &plan->pools);
  }
  if (plan->pools.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("SCHEDULING_CORE_TYPE: the process may use no core of this kind: ", EnumName(kind)));
  }
  plan->Decide(kKindsProperty, EnumName(kind), "Asked for");
  return absl::OkStatus();
}

// Decides on SMT siblings, for DecideHyperThreading; returns why.
std::string ChooseSiblings(const Plan& plan, bool* use) {
  *use = false;
  if (SiblingCount(plan.pools) == 0) return "No core has a second thread that the process may use";
  *use = plan.request.hyper_threading.value_or(false);
  if (plan.request.hyper_threading.has_value()) return "Asked for";
  *use = AskedThreads(plan.request) > CoreCount(plan.pools);
  if (*use) return "More threads are asked for than there are cores";
  if (plan.request.hint == PerformanceHint::kLatency) return "For latency the threads of a core hinder each other";
  if (NodeCount(plan.pools) > 1) return "On several NUMA nodes the memory limits before the cores do";
  *use = true;
  return "For throughput the threads of a core fill each other's pauses";
}

void DecideHyperThreading(Plan* plan) {
  bool use = false;
  const std::string reason = ChooseSiblings(*plan, &use);
  if (!use) {
    for (CorePool& pool : plan->pools) pool.siblings = 0;
  }
  plan->table.hyper_threading = use;
  plan->Decide(kSiblingsProperty, YesNo(use), reason);
}

// Returns the quota in whole threads, at least one.
int QuotaThreads(const Plan& plan) {
  const double quota = *plan.allowance.quota_cpus;
  const double rounded = plan.request.hint == PerformanceHint::kLatency ? std::floor(quota) : std::ceil(quota);
  return static_cast<int>(std::clamp(rounded, 1.0, static_cast<double>(CpuCount(plan.pools))));
}

// Returns how many streams the user asks for, 1 where the hint decides.
int AskedStreams(const Plan& plan) {
  switch (plan.request.streams_mode) {
    case StreamsMode::kAuto:
      return 1;
    case StreamsMode::kNuma:
      return NodeCount(plan.pools);
    case StreamsMode::kNumber:
      return plan.request.streams;
  }
  return 1;
}

// Chooses the number of CPUs that get a thread; sets `reason`.
absl::StatusOr<int> ChooseThreads(const Plan& plan, std::string* reason) {
  const int cpus = CpuCount(plan.pools);
  const int streams = AskedStreams(plan);
  const std::optional<double> quota = plan.allowance.quota_cpus;
  int threads = cpus;
  *reason = "As many as CPUs are chosen";
  if (plan.request.inference_num_threads.has_value()) {
    const int asked = *plan.request.inference_num_threads;
    if (streams > asked) {
      return absl::InvalidArgumentError(absl::StrCat("NUM_STREAMS needs a thread for each stream: streams ", streams,
                                                     ", INFERENCE_NUM_THREADS ", asked));
    }
    threads = std::min(cpus, asked);
    *reason = threads == asked ? "Asked for" : absl::StrCat("Asked for ", asked, ", limited to the CPUs");
    if (quota.has_value() && *quota < threads) absl::StrAppend(reason, ", although the quota is ", *quota, " CPUs");
  } else if (quota.has_value() && QuotaThreads(plan) < cpus) {
    threads = std::min(cpus, std::max(QuotaThreads(plan), streams));
    *reason = absl::StrCat("The quota is ", *quota, " CPUs");
    if (streams > QuotaThreads(plan)) absl::StrAppend(reason, "; more streams are asked for, of one thread each");
  }
  if (streams > cpus) absl::StrAppend(reason, "; more streams than CPUs are asked for, of one thread each");
  return threads;
}

// Limits the pools to the number of threads.
absl::Status DecideThreads(Plan* plan) {
  std::string reason;
  BURIN_ASSIGN_OR_RETURN(const int threads, ChooseThreads(*plan, &reason));
  if (plan->request.streams_mode == StreamsMode::kNuma) {
    LimitPoolsEvenly(threads, &plan->pools);
  } else {
    if (IsLatencyStream(plan->request)) KeepOnePackage(threads, &plan->pools);
    LimitPools(threads, &plan->pools);
  }
  if (plan->table.hyper_threading && SiblingCount(plan->pools) == 0) {
    plan->table.hyper_threading = false;
    plan->Decided(kSiblingsProperty) = {kSiblingsProperty, "NO", "There are no more threads than cores"};
  }
  plan->Decided(kKindsProperty).value = KindNames(plan->pools);
  // The value follows from the rows.
  plan->Decide(kThreadsProperty, "", reason);
  return absl::OkStatus();
}

// Returns how many of `cores` cores share a stream of a memory-bound model: 4, 5 or 3, whichever leaves none over, and
// less where there would be few streams.
int SharingCores(int cores) {
  if (cores < 4) return 1;
  if (cores < 8) return 2;
  for (int size : {4, 5, 3}) {
    if (cores % size == 0) return size;
  }
  return cores > 16 ? 4 : 3;
}

int CoresPerStream(const CorePool& pool, bool hybrid, double memory_bound_share) {
  if (memory_bound_share >= kMemoryBoundShare) return SharingCores(pool.cores);
  if (memory_bound_share >= kMixedShare) return std::min(2, SharingCores(pool.cores));
  // Two efficiency cores do about what one performance core does.
  return hybrid && pool.kind != CoreKind::kPerformance ? 2 : 1;
}

// Places as many streams as the throughput hints make; returns why.
std::string PlaceForThroughput(Plan* plan) {
  const double share = plan->request.memory_bound_share;
  const bool hybrid = CoreCountOf(plan->pools, CoreKind::kPerformance) != CoreCount(plan->pools) &&
                      CoreCountOf(plan->pools, CoreKind::kPerformance) != 0;
  std::vector<int> sizes;
  for (const CorePool& pool : plan->pools) sizes.push_back(CoresPerStream(pool, hybrid, share));
  plan->table.rows = PlaceStreamsOfSize(plan->pools, sizes);
  const int streams = StreamCount(plan->table.rows);
  if (plan->request.num_requests.has_value() && *plan->request.num_requests < streams) {
    plan->table.rows =
        PlaceStreams(plan->pools, *plan->request.num_requests, plan->request.inference_num_threads.has_value());
    return absl::StrCat("As many as requests, PERFORMANCE_HINT_NUM_REQUESTS; the CPUs would serve ", streams);
  }
  return share >= kMemoryBoundShare ? "The model waits for memory: cores that share a stream share what they read"
         : share >= kMixedShare     ? "The model waits for memory at times: two cores share a stream"
                                    : "The model computes: streams of a core are served best";
}

void DecideStreams(Plan* plan) {
  const StreamsRequest& request = plan->request;
  std::string reason;
  const bool may_span = request.inference_num_threads.has_value();
  if (request.streams_mode == StreamsMode::kNuma) {
    plan->table.rows = PlaceStreamPerNode(plan->pools);
    reason = "Asked for: one on each NUMA node";
  } else if (request.streams_mode == StreamsMode::kNumber) {
    plan->table.rows = PlaceStreams(plan->pools, request.streams, may_span);
    reason = "Asked for";
  } else if (request.hint == PerformanceHint::kLatency) {
    plan->table.rows = PlaceStreams(plan->pools, 1, may_span);
    reason = "For latency one inference gets all threads";
  } else {
    reason = PlaceForThroughput(plan);
  }
  const int threads = ThreadCount(plan->table.rows);
  if (threads < CpuCount(plan->pools)) absl::StrAppend(&reason, "; a stream stays within its package");
  plan->Decide("NUM_STREAMS", absl::StrCat(StreamCount(plan->table.rows)), reason);
  plan->Decided(kThreadsProperty).value = absl::StrCat(threads);
}

// Decides whether threads are bound where nobody asked; returns why.
std::string ChoosePinning(const Plan& plan, bool* pin) {
  const std::vector<StreamsRow>& rows = plan.table.rows;
  *pin = plan.request.cpu_reservation;
  if (*pin) return "Reserved CPUs are pinned to";
  if (ThreadCount(rows) > CpuCount(plan.pools)) return "There are more threads than CPUs";
  if (std::any_of(rows.begin(), rows.end(), [](const StreamsRow& row) { return !row.kind.has_value(); })) {
    return "A stream has cores of several kinds, among which threads should move";
  }
  if (plan.allowance.quota_cpus.has_value()) return "A quota gives time on any CPU, and others use these too";
  if (!plan.allowance.exclusive) return "Other processes may run on these CPUs";
  *pin = true;
  return "No other process runs on these CPUs";
}

absl::Status DecidePinning(Plan* plan) {
  const StreamsRequest& request = plan->request;
  const int threads = ThreadCount(plan->table.rows);
  const int cpus = CpuCount(plan->pools);
  if (threads > cpus && (request.cpu_reservation || request.cpu_pinning.value_or(false))) {
    return absl::InvalidArgumentError(
        absl::StrCat(request.cpu_reservation ? "ENABLE_CPU_RESERVATION" : "ENABLE_CPU_PINNING",
                     " needs a CPU for each thread: threads ", threads, ", CPUs ", cpus));
  }
  plan->table.cpu_reservation = request.cpu_reservation;
  plan->Decide("ENABLE_CPU_RESERVATION", YesNo(request.cpu_reservation),
               request.cpu_reservation ? "Asked for" : "Not asked for");
  std::string reason = "Asked for";
  plan->table.cpu_pinning = request.cpu_pinning.value_or(false);
  if (!request.cpu_pinning.has_value()) reason = ChoosePinning(*plan, &plan->table.cpu_pinning);
  plan->Decide("ENABLE_CPU_PINNING", YesNo(plan->table.cpu_pinning), reason);
  return absl::OkStatus();
}

// Says which CPUs there are to choose from.
void DecideCpus(const CpuTopology& usable, Plan* plan) {
  std::vector<std::string> reasons = plan->allowance.reasons;
  reasons.insert(reasons.end(), usable.notes().begin(), usable.notes().end());
  plan->Decide("CPUs", usable.ids().ToString(), absl::StrJoin(reasons, "; "));
}

// Says what became of PERFORMANCE_HINT_NUM_REQUESTS where it does not decide.
void DecideRequests(Plan* plan) {
  if (!plan->request.num_requests.has_value()) return;
  const bool counts =
      plan->request.streams_mode == StreamsMode::kAuto && plan->request.hint != PerformanceHint::kLatency;
  plan->Decide("PERFORMANCE_HINT_NUM_REQUESTS", absl::StrCat(*plan->request.num_requests),
               counts ? "Asked for: there are no more streams than this"
                      : "Without effect: the number of streams follows from NUM_STREAMS or the latency hint");
}

}  // namespace

std::string StreamsTable::RowsToString() const {
  std::string text;
  for (const StreamsRow& row : rows) {
    absl::StrAppend(&text, row.streams, " x ", row.threads_per_stream,
                    row.threads_per_stream == 1 ? " thread" : " threads", ", ",
                    row.kind.has_value() ? EnumName(*row.kind) : "several kinds", row.siblings ? " with siblings" : "",
                    ", ", row.node.has_value() ? absl::StrCat("node ", *row.node) : "several nodes", ", ",
                    row.package.has_value() ? absl::StrCat("package ", *row.package) : "several packages", "\n");
  }
  return text;
}

std::string StreamsTable::ToString() const {
  std::string text = RowsToString();
  for (const StreamsDecision& decision : decisions) {
    absl::StrAppend(&text, decision.property, " ", decision.value, ": ", decision.reason, "\n");
  }
  return text;
}

absl::StatusOr<StreamsTable> CalculateStreams(const CpuTopology& topology, const CpuAllowance& allowance,
                                              const StreamsRequest& request) {
  BURIN_RETURN_IF_ERROR(CheckRequest(request));
  const CpuTopology usable = topology.RestrictedTo(allowance.cpus);
  Plan plan{request, allowance, MakeCorePools(usable, request.current_node), StreamsTable()};
  DecideCpus(usable, &plan);
  BURIN_RETURN_IF_ERROR(DecideKinds(&plan));
  DecideHyperThreading(&plan);
  BURIN_RETURN_IF_ERROR(DecideThreads(&plan));
  DecideStreams(&plan);
  DecideRequests(&plan);
  BURIN_RETURN_IF_ERROR(DecidePinning(&plan));
  return std::move(plan.table);
}

}  // namespace burin::executor
