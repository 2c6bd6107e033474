// Places streams on pools of cores.
//
// A step of CalculateStreams (runtime/executor/streams_table.h): how many streams there are is decided there, where
// they go is decided here. Stateless, hence thread-safe.
#ifndef BURIN_RUNTIME_EXECUTOR_PLACE_STREAMS_H_
#define BURIN_RUNTIME_EXECUTOR_PLACE_STREAMS_H_

#include <optional>
#include <vector>

#include "runtime/executor/core_pools.h"
#include "runtime/executor/cpu_topology.h"

namespace burin::executor {

// Some streams that are alike. `kind`, `node` and `package` are absent where one stream spans several of them.
struct StreamsRow {
  int streams = 0;
  int threads_per_stream = 0;
  std::optional<CoreKind> kind;
  std::optional<int> node;
  std::optional<int> package;
  // Whether SMT siblings may be among the CPUs of the streams.
  bool siblings = false;
};

// Return the sums over `rows`.
int StreamCount(const std::vector<StreamsRow>& rows);
int ThreadCount(const std::vector<StreamsRow>& rows);

// Returns `streams` streams on all CPUs of `pools`, which are not empty. Packages, in them nodes, and in these kinds of
// cores get streams in proportion to their CPUs and at least one; where a package has fewer streams than nodes, or a
// node fewer than kinds, its streams span these. Streams of one place differ by one core at most. Where there are fewer
// streams than packages they take the largest packages, one each, unless they `may_span_packages`. More streams than
// CPUs have one thread each.
std::vector<StreamsRow> PlaceStreams(const std::vector<CorePool>& pools, int streams, bool may_span_packages);

// Returns one stream on each NUMA node of `pools`, with all of its CPUs.
std::vector<StreamsRow> PlaceStreamPerNode(const std::vector<CorePool>& pools);

// Returns streams within single pools. Of `pools[i]` there are as many as its number of cores holds
// `cores_per_stream[i]`, which is positive, at least one; the cores left over are spread over them.
std::vector<StreamsRow> PlaceStreamsOfSize(const std::vector<CorePool>& pools,
                                           const std::vector<int>& cores_per_stream);

}  // namespace burin::executor

#endif  // BURIN_RUNTIME_EXECUTOR_PLACE_STREAMS_H_
