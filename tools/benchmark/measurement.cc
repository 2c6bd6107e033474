#include "tools/benchmark/measurement.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "base/status_macros.h"
#include "ir/tensor.h"

namespace burin::benchmark {

namespace {

using Clock = std::chrono::steady_clock;

double Milliseconds(Clock::duration duration) { return std::chrono::duration<double, std::milli>(duration).count(); }

// Says when to start an inference, when to stop, and how far it is to there.
class Schedule {
 public:
  explicit Schedule(const Plan& plan) : plan_(plan), start_(Clock::now()) {}

  Clock::time_point start() const { return start_; }

  // Returns the share that is done once `started` inferences have been started; 1 or more: start no other.
  double Share(int64_t started) const {
    double share = 0;
    if (plan_.iterations > 0) share = static_cast<double>(started) / static_cast<double>(plan_.iterations);
    if (plan_.seconds > 0) share = std::max(share, Milliseconds(Clock::now() - start_) / (1000 * plan_.seconds));
    return share;
  }

  // Waits until the next inference may start, `frames` having been started before; no longer than the time limit.
  void AwaitTurn(int64_t frames) const {
    if (plan_.max_rate <= 0) return;
    double seconds = static_cast<double>(frames) / plan_.max_rate;
    if (plan_.seconds > 0) seconds = std::min(seconds, plan_.seconds);
    std::this_thread::sleep_until(start_ +
                                  std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds)));
  }

 private:
  const Plan plan_;
  const Clock::time_point start_;
};

// Gives a request its inputs.
class Feeder {
 public:
  Feeder(const std::vector<InputSet>& sets, bool fills_inputs) : sets_(sets), fills_inputs_(fills_inputs) {
    if (fills_inputs_) buffers_.resize(sets.size());
  }

  // Returns when the inference that follows starts: before the data is copied, or after it was handed over.
  absl::StatusOr<Clock::time_point> Feed(InferRequest& request, size_t set) {
    const Clock::time_point start = Clock::now();
    if (fills_inputs_) BURIN_RETURN_IF_ERROR(Fill(set));
    if (current_ == set) return fills_inputs_ ? start : Clock::now();
    const std::vector<ir::Tensor>& tensors = fills_inputs_ ? buffers_[set] : sets_[set].tensors;
    for (size_t i = 0; i < tensors.size(); ++i) BURIN_RETURN_IF_ERROR(request.SetInputTensor(i, tensors[i]));
    current_ = set;
    return fills_inputs_ ? start : Clock::now();
  }

 private:
  // Copies the set's data into memory of the request, which is allocated the first time.
  absl::Status Fill(size_t set) {
    std::vector<ir::Tensor>& buffers = buffers_[set];
    const std::vector<ir::Tensor>& tensors = sets_[set].tensors;
    buffers.resize(tensors.size());
    for (size_t i = 0; i < tensors.size(); ++i) {
      if (buffers[i].has_value()) {
        BURIN_RETURN_IF_ERROR(tensors[i].CopyTo(buffers[i]));
      } else {
        BURIN_ASSIGN_OR_RETURN(buffers[i], tensors[i].Copy());
      }
    }
    return absl::OkStatus();
  }

  const std::vector<InputSet>& sets_;
  const bool fills_inputs_;
  std::optional<size_t> current_;                 // The set that the request has.
  std::vector<std::vector<ir::Tensor>> buffers_;  // By set and input.
};

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
  RequestPool(std::vector<InferRequest>& requests, const std::vector<InputSet>& sets, const Plan& plan)
      : requests_(requests), sets_(sets), completions_(std::make_shared<Completions>()) {
    for (size_t i = 0; i < requests.size(); ++i) slots_.push_back(Slot{Feeder(sets, plan.fills_inputs), 0, {}});
  }

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
    slot.set = static_cast<size_t>(started_) % sets_.size();
    BURIN_ASSIGN_OR_RETURN(slot.start, slot.feeder.Feed(requests_[request], slot.set));
    BURIN_RETURN_IF_ERROR(requests_[request].StartAsync());
    ++started_;
    ++running_;
    started_frames_ += sets_[slot.set].frames;
    return absl::OkStatus();
  }

  // Waits for one request to finish, records it and returns which it was.
  absl::StatusOr<size_t> Collect(Measurement* measurement) {
    Completion completion = completions_->Pop();
    --running_;
    BURIN_RETURN_IF_ERROR(completion.status);
    const Slot& slot = slots_[completion.request];
    measurement->samples.push_back(Sample{Milliseconds(completion.end - slot.start), slot.set});
    measurement->frames += sets_[slot.set].frames;
    end_ = std::max(end_, completion.end);
    return completion.request;
  }

  int64_t started() const { return started_; }
  int64_t started_frames() const { return started_frames_; }
  bool is_running() const { return running_ > 0; }
  Clock::time_point end() const { return end_; }

 private:
  struct Slot {
    Feeder feeder;
    size_t set = 0;
    Clock::time_point start;
  };

  std::vector<InferRequest>& requests_;
  const std::vector<InputSet>& sets_;
  std::vector<Slot> slots_;
  std::shared_ptr<Completions> completions_;
  int64_t started_ = 0;
  int64_t started_frames_ = 0;
  int64_t running_ = 0;
  Clock::time_point end_;
};

absl::Status RunPool(RequestPool& pool, size_t request_count, const Schedule& schedule, const OnProgress& on_progress,
                     Measurement* measurement) {
  for (size_t i = 0; i < request_count; ++i) {
    schedule.AwaitTurn(pool.started_frames());
    if (i > 0 && schedule.Share(pool.started()) >= 1) break;
    BURIN_RETURN_IF_ERROR(pool.Start(i));
  }
  while (pool.is_running()) {
    BURIN_ASSIGN_OR_RETURN(size_t request, pool.Collect(measurement));
    if (schedule.Share(pool.started()) < 1) schedule.AwaitTurn(pool.started_frames());
    const double share = schedule.Share(pool.started());
    on_progress(share);
    if (share < 1) BURIN_RETURN_IF_ERROR(pool.Start(request));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<double> RunOnce(InferRequest& request, const InputSet& inputs) {
  for (size_t i = 0; i < inputs.tensors.size(); ++i) {
    BURIN_RETURN_IF_ERROR(request.SetInputTensor(i, inputs.tensors[i]));
  }
  const Clock::time_point start = Clock::now();
  BURIN_RETURN_IF_ERROR(request.Infer());
  return Milliseconds(Clock::now() - start);
}

absl::StatusOr<Measurement> MeasureSync(InferRequest& request, const std::vector<InputSet>& sets, const Plan& plan,
                                        const OnProgress& on_progress) {
  Measurement measurement;
  Feeder feeder(sets, plan.fills_inputs);
  const Schedule schedule(plan);
  for (int64_t started = 0; started == 0 || schedule.Share(started) < 1; ++started) {
    schedule.AwaitTurn(measurement.frames);
    if (started > 0 && schedule.Share(started) >= 1) break;  // Time was up while it waited.
    const size_t set = static_cast<size_t>(started) % sets.size();
    BURIN_ASSIGN_OR_RETURN(Clock::time_point start, feeder.Feed(request, set));
    BURIN_RETURN_IF_ERROR(request.Infer());
    const Clock::time_point end = Clock::now();
    measurement.samples.push_back(Sample{Milliseconds(end - start), set});
    measurement.frames += sets[set].frames;
    measurement.duration_ms = Milliseconds(end - schedule.start());
    on_progress(schedule.Share(started + 1));
  }
  return measurement;
}

absl::StatusOr<Measurement> MeasureAsync(std::vector<InferRequest>& requests, const std::vector<InputSet>& sets,
                                         const Plan& plan, const OnProgress& on_progress) {
  Measurement measurement;
  RequestPool pool(requests, sets, plan);
  BURIN_RETURN_IF_ERROR(pool.Prepare());
  const Schedule schedule(plan);
  const absl::Status status = RunPool(pool, requests.size(), schedule, on_progress, &measurement);
  // After an error others may still be running.
  while (pool.is_running()) pool.Collect(&measurement).IgnoreError();
  for (InferRequest& request : requests) BURIN_RETURN_IF_ERROR(request.SetCallback(nullptr));
  BURIN_RETURN_IF_ERROR(status);
  measurement.duration_ms = Milliseconds(pool.end() - schedule.start());
  return measurement;
}

}  // namespace burin::benchmark
