#include "tools/benchmark/measurement.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

#include "absl/status/status.h"
#include "base/status_macros.h"

namespace burin::benchmark {

namespace {

using Clock = std::chrono::steady_clock;

double Milliseconds(Clock::duration duration) { return std::chrono::duration<double, std::milli>(duration).count(); }

// Says when to stop, and how far it is to there.
class Schedule {
 public:
  explicit Schedule(const Limits& limits) : limits_(limits), start_(Clock::now()) {}

  Clock::time_point start() const { return start_; }

  // Returns the share that is done once `started` inferences have been started; 1 or more: start no other.
  double Share(int64_t started) const {
    double share = 0;
    if (limits_.iterations > 0) share = static_cast<double>(started) / static_cast<double>(limits_.iterations);
    if (limits_.seconds > 0) share = std::max(share, Milliseconds(Clock::now() - start_) / (1000 * limits_.seconds));
    return share;
  }

 private:
  const Limits limits_;
  const Clock::time_point start_;
};

absl::Status SetInputs(InferRequest& request, const InputSet& inputs) {
  for (size_t i = 0; i < inputs.tensors.size(); ++i) {
    BURIN_RETURN_IF_ERROR(request.SetInputTensor(i, inputs.tensors[i]));
  }
  return absl::OkStatus();
}

// A request that has finished.
struct Completion {
  size_t request = 0;
  Clock::time_point end;
  absl::Status status;
};

// Filled by callbacks. Thread-safe.
class Completions {
 public:
  void Push(Completion completion) {
    std::lock_guard<std::mutex> lock(mutex_);
    queue_.push_back(std::move(completion));
    arrived_.notify_one();
  }

  Completion Pop() {
    std::unique_lock<std::mutex> lock(mutex_);
    arrived_.wait(lock, [this] { return !queue_.empty(); });
    Completion completion = std::move(queue_.front());
    queue_.pop_front();
    return completion;
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Completion> queue_;  // Guarded by mutex_.
};

// The requests of an asynchronous measurement.
class RequestPool {
 public:
  RequestPool(std::vector<InferRequest>& requests, const std::vector<InputSet>& sets)
      : requests_(requests), sets_(sets), slots_(requests.size()), completions_(std::make_shared<Completions>()) {}

  absl::Status Prepare() {
    for (size_t i = 0; i < requests_.size(); ++i) {
      // The queue outlives the last callback, which may still run when the pool is gone.
      BURIN_RETURN_IF_ERROR(requests_[i].SetCallback([queue = completions_, i](absl::Status status) {
        queue->Push(Completion{i, Clock::now(), std::move(status)});
      }));
    }
    return absl::OkStatus();
  }

  // Starts the request with the next set.
  absl::Status Start(size_t request) {
    Slot& slot = slots_[request];
    const InputSet& inputs = sets_[static_cast<size_t>(started_) % sets_.size()];
    if (slot.inputs != &inputs) {
      BURIN_RETURN_IF_ERROR(SetInputs(requests_[request], inputs));
      slot.inputs = &inputs;
    }
    slot.start = Clock::now();
    BURIN_RETURN_IF_ERROR(requests_[request].StartAsync());
    ++started_;
    ++running_;
    return absl::OkStatus();
  }

  // Waits for one request to finish, records it and returns which it was.
  absl::StatusOr<size_t> Collect(Measurement* measurement) {
    Completion completion = completions_->Pop();
    --running_;
    BURIN_RETURN_IF_ERROR(completion.status);
    const Slot& slot = slots_[completion.request];
    measurement->latencies_ms.push_back(Milliseconds(completion.end - slot.start));
    measurement->frames += slot.inputs->frames;
    end_ = std::max(end_, completion.end);
    return completion.request;
  }

  int64_t started() const { return started_; }
  bool is_running() const { return running_ > 0; }
  Clock::time_point end() const { return end_; }

 private:
  struct Slot {
    const InputSet* inputs = nullptr;
    Clock::time_point start;
  };

  std::vector<InferRequest>& requests_;
  const std::vector<InputSet>& sets_;
  std::vector<Slot> slots_;
  std::shared_ptr<Completions> completions_;
  int64_t started_ = 0;
  int64_t running_ = 0;
  Clock::time_point end_;
};

absl::Status RunPool(RequestPool& pool, size_t request_count, const Schedule& schedule, const OnProgress& on_progress,
                     Measurement* measurement) {
  for (size_t i = 0; i < request_count && schedule.Share(pool.started()) < 1; ++i) {
    BURIN_RETURN_IF_ERROR(pool.Start(i));
  }
  while (pool.is_running()) {
    BURIN_ASSIGN_OR_RETURN(size_t request, pool.Collect(measurement));
    const double share = schedule.Share(pool.started());
    on_progress(share);
    if (share < 1) BURIN_RETURN_IF_ERROR(pool.Start(request));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<double> RunOnce(InferRequest& request, const InputSet& inputs) {
  BURIN_RETURN_IF_ERROR(SetInputs(request, inputs));
  const Clock::time_point start = Clock::now();
  BURIN_RETURN_IF_ERROR(request.Infer());
  return Milliseconds(Clock::now() - start);
}

absl::StatusOr<Measurement> MeasureSync(InferRequest& request, const std::vector<InputSet>& sets, const Limits& limits,
                                        const OnProgress& on_progress) {
  Measurement measurement;
  const Schedule schedule(limits);
  const InputSet* current = nullptr;
  for (int64_t started = 0; schedule.Share(started) < 1; ++started) {
    const InputSet& inputs = sets[static_cast<size_t>(started) % sets.size()];
    if (current != &inputs) BURIN_RETURN_IF_ERROR(SetInputs(request, inputs));
    current = &inputs;
    const Clock::time_point start = Clock::now();
    BURIN_RETURN_IF_ERROR(request.Infer());
    const Clock::time_point end = Clock::now();
    measurement.latencies_ms.push_back(Milliseconds(end - start));
    measurement.frames += inputs.frames;
    measurement.duration_ms = Milliseconds(end - schedule.start());
    on_progress(schedule.Share(started + 1));
  }
  return measurement;
}

absl::StatusOr<Measurement> MeasureAsync(std::vector<InferRequest>& requests, const std::vector<InputSet>& sets,
                                         const Limits& limits, const OnProgress& on_progress) {
  Measurement measurement;
  RequestPool pool(requests, sets);
  BURIN_RETURN_IF_ERROR(pool.Prepare());
  const Schedule schedule(limits);
  const absl::Status status = RunPool(pool, requests.size(), schedule, on_progress, &measurement);
  // After an error others may still be running.
  while (pool.is_running()) pool.Collect(&measurement).IgnoreError();
  for (InferRequest& request : requests) BURIN_RETURN_IF_ERROR(request.SetCallback(nullptr));
  BURIN_RETURN_IF_ERROR(status);
  measurement.duration_ms = Milliseconds(pool.end() - schedule.start());
  return measurement;
}

}  // namespace burin::benchmark
