// Where in one block of memory the values of a graph lie, given when each is alive.
//
// Use it once when a graph is prepared, for what has a size that is known then. It knows neither values nor nodes:
// what shares memory by being a view, or by being computed in place, is one request. Pure functions; thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_GRAPH_MEMORY_PLAN_H_
#define BURIN_RUNTIME_PLUGINS_CPU_GRAPH_MEMORY_PLAN_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace burin::cpu {

// Asks for memory from one step of the execution to another.
struct MemoryRequest {
  // The steps in which the memory is written first and read last; both count.
  int64_t first = 0;
  int64_t last = 0;
  // At least 0.
  int64_t bytes = 0;
};

struct MemoryPlan {
  // Of each request, in bytes from the start of the block; multiples of the alignment. 0 for no bytes.
  std::vector<int64_t> offsets;
  // The size of the block.
  int64_t bytes = 0;
  // What any plan needs: the most bytes, each request rounded up to the alignment, that are alive in one step.
  int64_t least_bytes = 0;
};

// Places `requests` so that those alive in one step do not overlap, and that the block is small. The problem is
// NP-hard (dynamic storage allocation: Garey and Johnson, SR2); the requests are placed one by one, where the gap is
// smallest, in several orders (largest first, longest first, most crowded step first), then with those that stick out
// moved forward, until the block has `least_bytes` or the tries are used up. The same requests give the same plan.
//
// `alignment` is a power of two. InvalidArgument for a request that ends before it begins or has negative bytes;
// ResourceExhausted where the sum of all does not fit an int64.
absl::StatusOr<MemoryPlan> PlanMemory(absl::Span<const MemoryRequest> requests, int64_t alignment);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_GRAPH_MEMORY_PLAN_H_
