#include "runtime/dev/async_infer_request.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/dev/async_infer_request_testlib.h"
#include "runtime/dev/event_testlib.h"
#include "runtime/dev/sync_infer_request.h"
#include "runtime/dev/task_executor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::async_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A request with stages of its own.
class StagedRequest final : public AsyncInferRequest {
 public:
  StagedRequest(std::unique_ptr<ISyncInferRequest> request, const std::shared_ptr<ITaskExecutor>& callback_executor,
                std::vector<Stage> stages)
      : AsyncInferRequest(std::move(request), nullptr, callback_executor, nullptr) {
    SetPipeline(std::move(stages));
  }
  ~StagedRequest() override { Stop(); }
};

class StagesTest : public AsyncInferRequestTest {
 protected:
  // A stage on a queue of its own that records its name and returns `status`.
  AsyncInferRequest::Stage MakeStage(const std::string& name, absl::Status status = absl::OkStatus()) {
    return {std::make_shared<QueueExecutor>(), [this, name, status] {
              ran_.push_back(name);
              return status;
            }};
  }
  std::unique_ptr<AsyncInferRequest> MakeStaged(std::vector<AsyncInferRequest::Stage> stages) {
    return std::make_unique<StagedRequest>(std::make_unique<FakeRequest>(&inputs_, &outputs_, nullptr),
                                           callback_executor_, std::move(stages));
  }
  std::vector<std::string> ran_;
};

TEST_F(StagesTest, RunOneAfterTheOtherEachOnItsExecutor) {
  std::vector<std::thread::id> threads;
  std::vector<AsyncInferRequest::Stage> stages;
  for (int i = 0; i < 3; ++i) {
    stages.push_back({std::make_shared<QueueExecutor>(), [&threads] {
                        threads.push_back(std::this_thread::get_id());
                        return absl::OkStatus();
                      }});
  }
  auto request = MakeStaged(std::move(stages));
  Event done;
  ASSERT_OK(request->SetCallback([&](absl::Status status) {
    EXPECT_OK(status);
    threads.push_back(std::this_thread::get_id());
    done.Notify();
  }));
  ASSERT_OK(request->StartAsync());
  done.Wait();
  ASSERT_EQ(threads.size(), 4u);
  threads.push_back(std::this_thread::get_id());
  EXPECT_EQ(std::set<std::thread::id>(threads.begin(), threads.end()).size(), 5u);
}

TEST_F(StagesTest, AFailedOneEndsTheChain) {
  auto request =
      MakeStaged({MakeStage("a"), MakeStage("b", absl::ResourceExhaustedError("no memory")), MakeStage("c")});
  Event done;
  ASSERT_OK(request->SetCallback([&](absl::Status status) {
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("no memory")));
    done.Notify();
  }));
  ASSERT_OK(request->StartAsync());
  EXPECT_THAT(request->Wait(), StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("no memory")));
  done.Wait();
  EXPECT_THAT(ran_, ElementsAre("a", "b"));
}

TEST_F(StagesTest, InferRunsThemThroughTheirExecutors) {
  auto request = MakeStaged({MakeStage("a"), MakeStage("b")});
  bool called = false;
  ASSERT_OK(request->SetCallback([&](absl::Status) { called = true; }));
  ASSERT_OK(request->Infer());
  EXPECT_THAT(ran_, ElementsAre("a", "b"));
  request.reset();
  EXPECT_FALSE(called);
}

TEST_F(StagesTest, CancelIsSeenBetweenThem) {
  Event started, release;
  AsyncInferRequest::Stage first = MakeStage("a");
  first.task = [&] {
    started.Notify();
    release.Wait();
    return absl::OkStatus();
  };
  auto request = MakeStaged({std::move(first), MakeStage("b")});
  ASSERT_OK(request->StartAsync());
  started.Wait();
  request->Cancel();
  release.Notify();
  EXPECT_THAT(request->Wait(), StatusIs(absl::StatusCode::kCancelled));
  EXPECT_TRUE(ran_.empty());
}

// Keeps the task instead of running it: what a batching device does until its batch is full.
class KeepingExecutor final : public ITaskExecutor {
 public:
  void Run(Task task) override { kept = std::move(task); }
  Task kept;
};

TEST_F(StagesTest, AnExecutorMayRunATaskWheneverItLikes) {
  auto keeping = std::make_shared<KeepingExecutor>();
  AsyncInferRequest::Stage second = MakeStage("b");
  second.executor = keeping;
  AsyncInferRequest::Stage first = MakeStage("a");
  first.executor = std::make_shared<ImmediateExecutor>();
  auto request = MakeStaged({first, second, MakeStage("c")});
  ASSERT_OK(request->StartAsync());
  EXPECT_THAT(ran_, ElementsAre("a"));
  EXPECT_THAT(request->WaitFor(std::chrono::milliseconds(1)), IsOkAndHolds(false));
  ASSERT_TRUE(keeping->kept);
  keeping->kept();
  ASSERT_OK(request->Wait());
  EXPECT_THAT(ran_, ElementsAre("a", "b", "c"));
}

TEST_F(StagesTest, InputsAreReadyBeforeTheFirst) {
  AsyncInferRequest::Stage stage = MakeStage("a");
  auto sync = std::make_unique<FakeRequest>(&inputs_, &inputs_, nullptr);
  const FakeRequest* seen = sync.get();
  bool has_value = false;
  stage.task = [&] {
    has_value = seen->input_tensors()[0].has_value();
    return absl::OkStatus();
  };
  StagedRequest request(std::move(sync), callback_executor_, {stage});
  ASSERT_OK(request.StartAsync());
  ASSERT_OK(request.Wait());
  EXPECT_TRUE(has_value);
}

// A request whose stage uses what the derived class owns.
class OwningRequest final : public AsyncInferRequest {
 public:
  OwningRequest(std::unique_ptr<ISyncInferRequest> request, const std::shared_ptr<ITaskExecutor>& executor,
                std::function<void()> in_stage)
      : AsyncInferRequest(std::move(request), nullptr, executor, nullptr), name_(100, 'x') {
    SetPipeline({{executor, [this, in_stage = std::move(in_stage)] {
                    in_stage();
                    return name_ == std::string(100, 'x') ? absl::OkStatus() : absl::InternalError("gone");
                  }}});
  }
  ~OwningRequest() override {
    Stop();
    Stop();  // Again, as the base class does.
    name_ = "gone";
  }

 private:
  std::string name_;
};

TEST_F(StagesTest, ADerivedRequestStopsBeforeItsMembersGo) {
  Event started;
  std::atomic<bool> over{false};
  auto request =
      std::make_unique<OwningRequest>(std::make_unique<FakeRequest>(&inputs_, &outputs_, nullptr), task_executor_, [&] {
        started.Notify();
        absl::SleepFor(absl::Milliseconds(20));
        over = true;
      });
  ASSERT_OK(request->StartAsync());
  started.Wait();
  request.reset();
  EXPECT_TRUE(over);
}

}  // namespace
}  // namespace burin::async_test
