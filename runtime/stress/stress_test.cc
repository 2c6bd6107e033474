// Hammers the runtime on REFERENCE from many threads at once: inferences started, waited for, polled, cancelled,
// chained by callbacks and destroyed while they run, states, profiles, properties and compilations, all at random.
//
// Every result is compared with what it has to be, every callback counted, and memory that was taken back watched.
// Meant for the sanitizers:
//   bazel test --config=tsan --test_env=BURIN_STRESS_SECONDS=60 //runtime/stress:stress_test
// The seed is printed; BURIN_STRESS_SEED sets it. Threads meet differently each time all the same.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <functional>
#include <future>
#include <iostream>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "burin/compiled_model.h"
#include "burin/core.h"
#include "burin/infer_request.h"
#include "burin/model.h"
#include "burin/model_builder.h"
#include "burin/properties.h"
#include "burin/remote_context.h"
#include "burin/tensor.h"
#include "burin/variable_state.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gtest/status_matchers.h"

namespace burin {
namespace {

using ::testing::AnyOf;
using ::testing::Each;
using ::testing::HasSubstr;

constexpr int kThreads = 32;
constexpr int64_t kColumns = 3;

int64_t NumberFromEnvironment(const char* name, int64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoll(text, nullptr, 10);
}

// Appends operations that change nothing but take time, so that something is running when others meddle.
ModelBuilder::Value Delay(ModelBuilder* builder, ModelBuilder::Value value) {
  const ModelBuilder::Value zero = builder->Constant(Tensor::CreateZeroed(ElementType::kF32, {1}).value());
  for (int i = 0; i < 20; ++i) value = builder->Op("Add", {value, zero});
  return value;
}

// y = x + x, with x: f32[n,3].
Model Doubling() {
  ModelBuilder builder("doubling");
  const ModelBuilder::Value x = builder.Parameter("x", ElementType::kF32, {Dimension::Symbol("n"), kColumns});
  builder.Result(Delay(&builder, builder.Op("Add", {x, x})), "y");
  Model model = builder.Build().value();
  EXPECT_OK(model.SetLayout("x", "NC"));
  return model;
}

// v += x; y = v, with x: f32[1,3], and v starting from zeros.
Model Accumulating() {
  ModelBuilder builder("accumulating");
  const PartialShape shape({1, kColumns});
  builder.AddVariable({"v", ElementType::kF32, shape});
  const ModelBuilder::Value x = builder.Parameter("x", ElementType::kF32, shape);
  const ModelBuilder::Value old =
      builder.Op("ReadValue", {}, {{"variable_id", "v"}, {"variable_type", "f32"}, {"variable_shape", "[1,3]"}});
  const ModelBuilder::Value sum = Delay(&builder, builder.Op("Add", {old, x}));
  builder.Op("Assign", {sum}, {{"variable_id", "v"}});
  builder.Result(sum, "y");
  return builder.Build().value();
}

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  int64_t Between(int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(engine_); }
  bool OneIn(int64_t n) { return Between(1, n) == 1; }
  // Small whole numbers, of which sums are exact.
  Tensor Rows(int64_t rows) {
    Tensor tensor = Tensor::Create(ElementType::kF32, {rows, kColumns}).value();
    float* data = tensor.mutable_data_as<float>();
    for (int64_t i = 0; i < tensor.element_count(); ++i) data[i] = static_cast<float>(Between(-4, 4));
    return tensor;
  }

 private:
  std::mt19937_64 engine_;
};

std::vector<float> Elements(const Tensor& tensor) {
  const float* data = tensor.data_as<float>();
  return std::vector<float>(data, data + tensor.element_count());
}

// What the callbacks of one request did; outlives the request.
struct Calls {
  std::atomic<int64_t> count{0};
  std::atomic<int64_t> errors{0};  // With a Status that is neither OK nor Cancelled.
  std::atomic<bool> request_gone{false};
  std::atomic<int64_t> late{0};  // After the request's destruction.
};

std::function<void(absl::Status)> Counting(std::shared_ptr<Calls> calls) {
  return [calls = std::move(calls)](const absl::Status& status) {
    if (calls->request_gone) ++calls->late;
    if (!status.ok() && !absl::IsCancelled(status)) ++calls->errors;
    ++calls->count;
  };
}

// What all threads share.
struct Shared {
  struct Request {
    InferRequest request;
    std::shared_ptr<Calls> calls = std::make_shared<Calls>();
    std::atomic<int64_t> started{0};
  };

  Core cores[2];
  std::vector<CompiledModel> doubling;
  std::vector<CompiledModel> accumulating;
  std::vector<std::unique_ptr<Request>> requests;  // For everybody's use.
  std::atomic<int64_t> inferences{0};
  std::atomic<int64_t> cancelled{0};
  std::atomic<int64_t> callbacks{0};
};

// One thread's work: a request of its own at a time, of which it knows all that may happen to it.
class Worker {
 public:
  Worker(Shared* shared, uint64_t seed) : shared_(shared), random_(seed) { Renew(); }

  void Step() {
    switch (random_.Between(0, 9)) {
      case 0:
      case 1:
        return InferAndCheck();
      case 2:
      case 3:
      case 4:
        return StartAndFinish();
      case 5:
        return MeddleWithSharedRequest();
      case 6:
        return UseState();
      case 7:
        return ReadProperties();
      case 8:
        return random_.OneIn(4) ? RunChain() : CheckProfile();
      default:
        return random_.OneIn(3) ? Renew() : InferAndCheck();
    }
  }

  // Drops the request in good order.
  void Close() {
    states_.clear();
    request_.reset();
    calls_->request_gone = true;
    // Its destructor has waited for them.
    EXPECT_EQ(calls_->count, started_);
    Bury();
  }

  // Checks once more that nothing has called back, or written to its output, since the requests went.
  void Inspect() const {
    for (const std::shared_ptr<Calls>& calls : buried_) {
      EXPECT_EQ(calls->late, 0);
      EXPECT_EQ(calls->errors, 0);
    }
    for (const std::vector<float>& memory : abandoned_) EXPECT_THAT(memory, Each(kGone));
  }

 private:
  static constexpr float kGone = -1000;

  void Bury() {
    shared_->callbacks += calls_->count;
    if (buried_.size() < 10000) buried_.push_back(calls_);
  }

  void Renew() {
    if (request_.has_value()) Close();
    stateful_ = random_.OneIn(3);
    const std::vector<CompiledModel>& models = stateful_ ? shared_->accumulating : shared_->doubling;
    const CompiledModel& model = models[static_cast<size_t>(random_.Between(0, 1))];
    has_profile_ = model.GetProperty(perf_count).value();
    ASSERT_OK_AND_ASSIGN(InferRequest request, model.CreateInferRequest());
    request_.emplace(std::move(request));
    calls_ = std::make_shared<Calls>();
    ASSERT_OK(request_->SetCallback(Counting(calls_)));
    ASSERT_OK_AND_ASSIGN(states_, request_->QueryState());
    started_ = succeeded_ = 0;
    state_.assign(kColumns, 0);
  }

  // Sets an input and says what has to come of it. Nothing else uses this request: it cannot be busy.
  void SetInput() {
    const int64_t rows = stateful_ ? 1 : random_.Between(1, 40);
    Tensor input = random_.Rows(rows);
    expected_ = Elements(input);
    for (size_t i = 0; i < expected_.size(); ++i) expected_[i] += stateful_ ? state_[i] : expected_[i];
    if (!stateful_ && random_.OneIn(3)) {
      std::vector<Tensor> items;
      for (int64_t i = 0; i < rows; ++i) {
        Tensor item = input.Region({i, 0}, {i + 1, kColumns}).value();
        items.push_back(random_.OneIn(2) ? item.Copy().value() : item);
      }
      ASSERT_OK(request_->SetInputTensors(items));
    } else {
      ASSERT_OK(request_->SetInputTensor(0, input));
    }
  }

  void CheckOutput() {
    ++succeeded_;
    ++shared_->inferences;
    if (stateful_) state_ = expected_;
    ASSERT_OK_AND_ASSIGN(const Tensor output, request_->GetOutputTensor());
    ASSERT_EQ(Elements(output), expected_);
  }

  void InferAndCheck() {
    SetInput();
    ASSERT_OK(request_->Infer());
    CheckOutput();
  }

  void StartAndFinish() {
    SetInput();
    if (random_.OneIn(12)) return StartAndDestroy();
    ASSERT_OK(request_->StartAsync());
    ++started_;
    if (random_.OneIn(4)) Poke();
    const bool cancelled = random_.OneIn(4);
    if (cancelled) request_->Cancel();
    if (random_.OneIn(2)) PollUntilDone();
    const absl::Status status = request_->Wait();
    if (status.ok()) return CheckOutput();
    ++shared_->cancelled;
    ASSERT_TRUE(cancelled && absl::IsCancelled(status)) << status;
  }

  // Calls that are Busy while it runs, and work as soon as it is done: nothing in between.
  void Poke() {
    const auto ok_or_busy = AnyOf(IsOk(), StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("Busy")));
    EXPECT_THAT(request_->GetTensor("y").status(),
                AnyOf(ok_or_busy, StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("no memory yet"))));
    EXPECT_THAT(request_->SetCallback(Counting(calls_)), ok_or_busy);
    EXPECT_THAT(request_->QueryState().status(), ok_or_busy);
    if (!stateful_) return;
    const absl::StatusOr<Tensor> value = states_[0].GetState();
    if (value.ok()) {
      EXPECT_THAT(Elements(*value), AnyOf(state_, expected_));
    } else {
      EXPECT_THAT(value.status(), StatusIs(absl::StatusCode::kFailedPrecondition));
    }
  }

  void PollUntilDone() {
    while (true) {
      const absl::StatusOr<bool> done = request_->WaitFor(std::chrono::milliseconds(random_.Between(0, 2)));
      if (!done.ok() || *done) return;
    }
  }

  // Drops a request that runs, with the memory of its output.
  void StartAndDestroy() {
    std::vector<float> memory(expected_.size());
    const int64_t rows = static_cast<int64_t>(memory.size()) / kColumns;
    ASSERT_OK(request_->SetOutputTensor(0, Tensor::View(ElementType::kF32, {rows, kColumns}, memory.data()).value()));
    ASSERT_OK(request_->StartAsync());
    ++started_;
    if (random_.OneIn(2)) Poke();
    states_.clear();
    request_.reset();
    calls_->request_gone = true;
    // The last one has called back only if it had settled before.
    EXPECT_THAT(calls_->count.load(), AnyOf(started_ - 1, started_));
    Bury();
    // Nothing may write there any more; Inspect() looks at the last few.
    std::fill(memory.begin(), memory.end(), kGone);
    abandoned_.push_back(std::move(memory));
    if (abandoned_.size() > 20) abandoned_.pop_front();
    Renew();
  }

  // Requests that everybody starts, waits for and cancels.
  void MeddleWithSharedRequest() {
    Shared::Request& shared =
        *shared_->requests[static_cast<size_t>(random_.Between(0, static_cast<int64_t>(shared_->requests.size()) - 1))];
    InferRequest request = shared.request;
    for (int64_t i = random_.Between(1, 5); i > 0; --i) {
      const absl::Status started = request.StartAsync();
      if (started.ok()) ++shared.started;
      ASSERT_THAT(started, AnyOf(IsOk(), StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("Busy"))));
      if (random_.OneIn(3)) request.Cancel();
      if (random_.OneIn(3)) {
        ASSERT_THAT(request.Wait(), AnyOf(IsOk(), StatusIs(absl::StatusCode::kCancelled)));
      }
      if (random_.OneIn(3)) {
        ASSERT_THAT(request.WaitFor(std::chrono::milliseconds(1)).status(),
                    AnyOf(IsOk(), StatusIs(absl::StatusCode::kCancelled)));
      }
      if (random_.OneIn(5)) {
        ASSERT_THAT(request.Infer(), AnyOf(IsOk(), StatusIs(absl::StatusCode::kCancelled),
                                           StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("Busy"))));
      }
    }
  }

  void UseState() {
    if (!stateful_) return InferAndCheck();
    ASSERT_EQ(states_.size(), 1u);
    if (succeeded_ > 0 && states_[0].GetState().ok()) {
      EXPECT_EQ(Elements(states_[0].GetState().value()), state_);
    }
    if (random_.OneIn(2)) {
      const Tensor value = random_.Rows(1);
      ASSERT_OK(states_[0].SetState(value));
      state_ = Elements(value);
    } else {
      ASSERT_OK(random_.OneIn(2) ? states_[0].Reset() : request_->ResetState());
      state_.assign(kColumns, 0);
    }
    InferAndCheck();
    EXPECT_EQ(Elements(states_[0].GetState().value()), state_);
  }

  void CheckProfile() {
    if (!has_profile_) {
      EXPECT_THAT(request_->GetProfilingInfo(), StatusIs(absl::StatusCode::kFailedPrecondition));
      return;
    }
    ASSERT_OK_AND_ASSIGN(const std::vector<ProfilingInfo> profile, request_->GetProfilingInfo());
    int64_t most = 0;
    int64_t fewest = INT64_MAX;
    for (const ProfilingInfo& info : profile) {
      most = std::max(most, info.count);
      fewest = std::min(fewest, info.count);
    }
    // A cancelled inference leaves nodes out; one that succeeded does not.
    EXPECT_EQ(fewest, succeeded_);
    EXPECT_GE(most, fewest);
  }

  void ReadProperties() {
    Core& core = shared_->cores[random_.Between(0, 1)];
    EXPECT_FALSE(core.GetAvailableDevices().empty());
    EXPECT_OK(core.GetProperty("REFERENCE", full_device_name));
    EXPECT_OK(core.SetProperty("REFERENCE", {perf_count(random_.OneIn(2))}));
    EXPECT_OK(core.GetProperty("REFERENCE", perf_count));
    EXPECT_OK(core.GetVersions("REFERENCE"));
    EXPECT_GE(request_->GetCompiledModel().GetProperty(optimal_number_of_infer_requests).value(), 1);
    ASSERT_OK_AND_ASSIGN(const RemoteContext context, request_->GetCompiledModel().GetContext());
    EXPECT_OK(context.CreateHostTensor(ElementType::kF32, {1, kColumns}));
    if (!random_.OneIn(20)) return;
    ASSERT_OK_AND_ASSIGN(const CompiledModel compiled, core.CompileModel(Doubling(), "REFERENCE"));
    ASSERT_OK_AND_ASSIGN(InferRequest request, compiled.CreateInferRequest());
    const Tensor input = random_.Rows(2);
    ASSERT_OK(request.SetInputTensor(input));
    ASSERT_OK(request.Infer());
    EXPECT_EQ(request.GetOutputTensor()->data_as<float>()[5], 2 * input.data_as<float>()[5]);
  }

  // A request that keeps itself going: each callback starts the next inference, the last drops the last handle.
  void RunChain() {
    const auto done = std::make_shared<std::promise<void>>();
    const std::future<void> over = done->get_future();
    {
      ASSERT_OK_AND_ASSIGN(InferRequest request,
                           shared_->doubling[static_cast<size_t>(random_.Between(0, 1))].CreateInferRequest());
      ASSERT_OK(request.SetInputTensor(random_.Rows(2)));
      ASSERT_OK(request.SetCallback([holder = std::make_shared<InferRequest>(request), done,
                                     left = random_.Between(1, 10)](const absl::Status& status) mutable {
        EXPECT_OK(status);
        if (--left > 0) {
          EXPECT_OK(holder->StartAsync());
          return;
        }
        holder.reset();
        done->set_value();
      }));
      ASSERT_OK(request.StartAsync());
    }
    ASSERT_EQ(over.wait_for(std::chrono::minutes(2)), std::future_status::ready) << "a callback was lost";
  }

  Shared* const shared_;
  Random random_;
  std::optional<InferRequest> request_;
  std::vector<VariableState> states_;
  std::shared_ptr<Calls> calls_;
  std::vector<std::shared_ptr<Calls>> buried_;
  std::deque<std::vector<float>> abandoned_;  // A deque moves no vector, and a vector no element.
  bool stateful_ = false;
  bool has_profile_ = false;
  int64_t started_ = 0;    // With StartAsync.
  int64_t succeeded_ = 0;  // In either way.
  std::vector<float> expected_;
  std::vector<float> state_;
};

void MakeModels(Shared* shared) {
  for (const bool with_profile : {false, true}) {
    Core& core = shared->cores[with_profile ? 1 : 0];
    shared->doubling.push_back(core.CompileModel(Doubling(), "REFERENCE", {perf_count(with_profile)}).value());
    shared->accumulating.push_back(core.CompileModel(Accumulating(), "REFERENCE", {perf_count(with_profile)}).value());
  }
  Random random(1);
  for (int i = 0; i < 3; ++i) {
    shared->requests.push_back(
        std::unique_ptr<Shared::Request>(new Shared::Request{shared->doubling[0].CreateInferRequest().value()}));
    Shared::Request& request = *shared->requests.back();
    ASSERT_OK(request.request.SetInputTensor(random.Rows(4)));
    ASSERT_OK(request.request.SetCallback(Counting(request.calls)));
  }
}

TEST(StressTest, NothingIsLostOrWrongUnderManyThreads) {
  const int64_t seconds = NumberFromEnvironment("BURIN_STRESS_SECONDS", 3);
  const int64_t seed = NumberFromEnvironment("BURIN_STRESS_SEED", static_cast<int64_t>(std::random_device()()));
  std::cout << "seed " << seed << ", " << seconds << " s, " << kThreads << " threads" << std::endl;

  Shared shared;
  ASSERT_NO_FATAL_FAILURE(MakeModels(&shared));
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  std::vector<std::unique_ptr<Worker>> workers(kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      std::unique_ptr<Worker>& worker = workers[static_cast<size_t>(i)];
      worker = std::make_unique<Worker>(&shared, static_cast<uint64_t>(seed) * kThreads + static_cast<uint64_t>(i));
      while (std::chrono::steady_clock::now() < end && !::testing::Test::HasFailure()) worker->Step();
      worker->Close();
    });
  }
  for (std::thread& thread : threads) thread.join();

  for (const std::unique_ptr<Shared::Request>& request : shared.requests) {
    if (request->started > 0) {
      EXPECT_THAT(request->request.Wait(), AnyOf(IsOk(), StatusIs(absl::StatusCode::kCancelled)));
    }
    const int64_t started = request->started;
    const std::shared_ptr<Calls> calls = request->calls;
    request->request = shared.doubling[0].CreateInferRequest().value();  // The former one goes.
    EXPECT_EQ(calls->count, started);
    EXPECT_EQ(calls->errors, 0);
    shared.callbacks += calls->count;
  }
  shared.requests.clear();
  shared.doubling.clear();
  shared.accumulating.clear();
  for (const std::unique_ptr<Worker>& worker : workers) worker->Inspect();
  std::cout << shared.inferences << " inferences checked, " << shared.cancelled << " cancelled, " << shared.callbacks
            << " callbacks" << std::endl;
  // Far fewer would mean that the threads waited for each other.
  EXPECT_GT(shared.inferences, 10 * seconds);
  EXPECT_GT(shared.callbacks, seconds);
}

}  // namespace
}  // namespace burin
