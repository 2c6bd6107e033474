#include "runtime/plugins/cpu/graph/ready_graph.h"

#include <chrono>
#include <cstring>
#include <utility>

#include "absl/status/status.h"
#include "base/check.h"
#include "base/status_macros.h"

namespace burin::cpu {

namespace {

using Clock = std::chrono::steady_clock;

// An arena of this size or less is not made smaller.
constexpr int64_t kLeastTrimmedBytes = int64_t{1} << 20;

}  // namespace

absl::Status GraphArena::Reserve(int64_t bytes) {
  if (bytes > this->bytes() || buffer_.data() == nullptr) {
    BURIN_ASSIGN_OR_RETURN(buffer_, AlignedBuffer::Create(static_cast<size_t>(bytes)));
  }
  ++reserved_[bytes];
  return absl::OkStatus();
}

void GraphArena::Release(int64_t bytes) {
  const auto size = reserved_.find(bytes);
  BURIN_DCHECK(size != reserved_.end());
  if (--size->second == 0) reserved_.erase(size);
}

void GraphArena::Trim() {
  const int64_t needed = reserved_.empty() ? 0 : reserved_.rbegin()->first;
  if (bytes() <= kLeastTrimmedBytes || needed > bytes() / 2) return;
  absl::StatusOr<AlignedBuffer> less = AlignedBuffer::Create(static_cast<size_t>(needed));
  // Without it the larger one still serves.
  if (less.ok()) buffer_ = *std::move(less);
}

absl::StatusOr<std::unique_ptr<ReadyGraph>> ReadyGraph::Create(std::shared_ptr<const GraphPlan> plan, GraphArena* arena,
                                                               const ReadyGraphOptions& options) {
  BURIN_RETURN_IF_ERROR(arena->Reserve(plan->arena_bytes()));
  return std::unique_ptr<ReadyGraph>(new ReadyGraph(std::move(plan), arena, options));
}

ReadyGraph::ReadyGraph(std::shared_ptr<const GraphPlan> plan, GraphArena* arena, const ReadyGraphOptions& options)
    : plan_(std::move(plan)), options_(options), arena_(arena) {
  Resolve();
}

ReadyGraph::~ReadyGraph() { arena_->Release(plan_->arena_bytes()); }

void ReadyGraph::Resolve() {
  resolved_ = arena_->data();
  pointers_.clear();
  first_.clear();
  input_patches_.clear();
  output_patches_.clear();
  for (const PlannedStep& step : plan_->steps()) {
    first_.push_back(pointers_.size());
    for (const ValuePlace& place : step.inputs) pointers_.push_back(Locate(place, pointers_.size()));
    for (const ValuePlace& place : step.outputs) pointers_.push_back(Locate(place, pointers_.size()));
  }
}

void* ReadyGraph::Locate(const ValuePlace& place, size_t pointer) {
  switch (place.home) {
    case ValueHome::kAbsent:
      return nullptr;
    case ValueHome::kArena:
      return static_cast<char*>(arena_->data()) + place.offset;
    case ValueHome::kInput:
      input_patches_.push_back({pointer, static_cast<size_t>(place.offset)});
      return nullptr;
    case ValueHome::kOutput:
      output_patches_.push_back({pointer, static_cast<size_t>(place.offset)});
      return nullptr;
    case ValueHome::kConstant:
      // Steps do not write to their inputs.
      return const_cast<void*>(place.constant);
  }
  return nullptr;
}

absl::Status ReadyGraph::InferStatic(const Run& run) {
  BURIN_DCHECK_EQ(run.inputs.size(), plan_->input_count());
  BURIN_DCHECK_EQ(run.outputs.size(), plan_->output_count());
  // Another graph of the stream may have made the arena grow.
  if (arena_->data() != resolved_) Resolve();
  for (const Patch& patch : input_patches_) pointers_[patch.pointer] = const_cast<void*>(run.inputs[patch.number]);
  for (const Patch& patch : output_patches_) pointers_[patch.pointer] = run.outputs[patch.number];
  errors_.Clear();
  // Whom nobody will have work for is not woken: that costs more than a small graph.
  const uint64_t works = run.team->shared_works();
  if (shares_work_) run.team->Summon();
  Clock::time_point before = run.observer != nullptr ? Clock::now() : Clock::time_point();
  const std::vector<PlannedStep>& steps = plan_->steps();
  for (size_t i = 0; i < steps.size(); ++i) {
    if (run.cancelled != nullptr && run.cancelled->load(std::memory_order_relaxed)) {
      return absl::CancelledError("The inference was cancelled");
    }
    const PlannedStep& step = steps[i];
    void* const* pointers = pointers_.data() + first_[i];
    ExecutionArgs args;
    args.inputs = absl::MakeConstSpan(const_cast<const void* const*>(pointers), step.inputs.size());
    args.outputs = absl::MakeConstSpan(pointers + step.inputs.size(), step.outputs.size());
    args.scratch = static_cast<char*>(arena_->data()) + step.scratch_offset;
    args.team = run.team;
    args.errors = &errors_;
    step.primitive->Execute(args);
    if (run.observer != nullptr) {
      const Clock::duration taken = Clock::now() - before;
      run.observer->Ran(i, std::chrono::duration_cast<std::chrono::nanoseconds>(taken).count());
      // What the observer does is nobody's time.
      before = Clock::now();
    }
    if (options_.poison_dead_memory) {
      for (const ArenaRange& range : plan_->dead_after(i)) {
        std::memset(static_cast<char*>(arena_->data()) + range.offset, 0xFF, static_cast<size_t>(range.bytes));
      }
    }
  }
  shares_work_ = run.team->shared_works() != works;
  return errors_.status();
}

}  // namespace burin::cpu
