// Executes a planned graph: one of them for each stream, with memory of its own.
//
// InferStatic() walks the steps in their order: it allocates nothing, takes no lock and looks nothing up. Used by one
// thread at a time, whose team it is given.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_GRAPH_READY_GRAPH_H_
#define BURIN_RUNTIME_PLUGINS_CPU_GRAPH_READY_GRAPH_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/aligned_buffer.h"
#include "runtime/executor/team.h"
#include "runtime/plugins/cpu/graph/graph_plan.h"
#include "runtime/plugins/cpu/graph/primitive.h"

namespace burin::cpu {

// Is told of each step that has run.
class StepObserver {
 public:
  virtual ~StepObserver() = default;
  virtual void Ran(size_t step, int64_t nanoseconds) = 0;
};

struct ReadyGraphOptions {
  // Whether memory that nobody reads any more is filled with ones, which are NaNs of any float type: what reads it all
  // the same shows.
  bool poison_dead_memory = false;
};

// Is the memory of a stream, which its graphs use in turn. It grows to what the largest of them needs. Used by one
// thread at a time.
class GraphArena {
 public:
  // Sees to it that there are `bytes` bytes, until as many are given back. What was there is lost where it grows.
  // ResourceExhausted where memory is denied: there is then what there was.
  absl::Status Reserve(int64_t bytes);
  // Gives back what Reserve() was asked for. The memory stays.
  void Release(int64_t bytes);
  // Lets memory go where less than half of it is still reserved. What was there is lost then.
  void Trim();

  void* data() { return buffer_.data(); }
  int64_t bytes() const { return static_cast<int64_t>(buffer_.size()); }

 private:
  AlignedBuffer buffer_;
  // How many graphs have reserved so many bytes.
  std::map<int64_t, int> reserved_;
};

class ReadyGraph {
 public:
  // `arena`, which outlives this, is reserved for it. ResourceExhausted where memory is denied.
  static absl::StatusOr<std::unique_ptr<ReadyGraph>> Create(std::shared_ptr<const GraphPlan> plan, GraphArena* arena,
                                                            const ReadyGraphOptions& options = {});
  ~ReadyGraph();

  // What one inference works on.
  struct Run {
    // Dense row-major memory of each parameter, and of each result, that no two of them share.
    absl::Span<const void* const> inputs;
    absl::Span<void* const> outputs;
    executor::Team* team = nullptr;
    const std::atomic<bool>* cancelled = nullptr;
    // Null where nobody wants to know.
    StepObserver* observer = nullptr;
  };

  // Computes the outputs. Cancelled between two steps; the first error of a step that its inputs do not suit. The
  // outputs are then anything.
  absl::Status InferStatic(const Run& run);

  const GraphPlan& plan() const { return *plan_; }

 private:
  // A pointer that is the user's, to be set before each run.
  struct Patch {
    size_t pointer = 0;
    size_t number = 0;
  };

  ReadyGraph(std::shared_ptr<const GraphPlan> plan, GraphArena* arena, const ReadyGraphOptions& options);

  // Sets all pointers but the user's.
  void Resolve();
  void* Locate(const ValuePlace& place, size_t pointer);

  const std::shared_ptr<const GraphPlan> plan_;
  const ReadyGraphOptions options_;
  GraphArena* const arena_;
  // For which the pointers are set.
  void* resolved_ = nullptr;
  // The inputs, then the outputs, of all steps.
  std::vector<void*> pointers_;
  // By step, its first pointer.
  std::vector<size_t> first_;
  std::vector<Patch> input_patches_;
  std::vector<Patch> output_patches_;
  // Whether the last run shared work with members of the team.
  bool shares_work_ = true;
  RunErrors errors_;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_GRAPH_READY_GRAPH_H_
