#include "runtime/executor/stream_queue.h"

#include <memory>
#include <optional>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace burin::executor {
namespace {

using ::testing::ElementsAre;

class StreamQueueTest : public ::testing::Test {
 protected:
  // Returns an entry whose task says its name.
  StreamQueue::Entry Task(const std::string& name) {
    return {[this, name] { said_ += name; }, nullptr};
  }
  // Runs the tasks that a stream is given, one after another; returns what they said.
  std::string Serve(StreamQueue* queue, int stream) {
    said_.clear();
    while (queue->Next(stream) != nullptr) queue->Pop(stream).task();
    return said_;
  }

 private:
  std::string said_;
};

TEST_F(StreamQueueTest, FreeStreamsAreTakenFirstOneFirstThenTheWarmest) {
  StreamQueue queue({std::nullopt, std::nullopt, std::nullopt});
  EXPECT_EQ(queue.Take(std::nullopt), 0);
  EXPECT_EQ(queue.Take(std::nullopt), 1);
  queue.Free(0);
  EXPECT_EQ(queue.free(), 2u);
  EXPECT_EQ(queue.Take(std::nullopt), 0);
  EXPECT_EQ(queue.Take(std::nullopt), 2);
  EXPECT_EQ(queue.Take(std::nullopt), StreamQueue::kNone);
}

TEST_F(StreamQueueTest, ANodeHasItsStreams) {
  StreamQueue queue({4, 7, 4, std::nullopt});
  EXPECT_THAT(queue.nodes(), ElementsAre(4, 7));
  EXPECT_TRUE(queue.HasNode(7));
  EXPECT_FALSE(queue.HasNode(0));
  EXPECT_EQ(queue.Take(7), 1);
  EXPECT_EQ(queue.Take(7), StreamQueue::kNone);
  EXPECT_EQ(queue.Take(4), 0);
  EXPECT_EQ(queue.Take(4), 2);
  EXPECT_EQ(queue.Take(std::nullopt), 3);
}

TEST_F(StreamQueueTest, WhatIsPreferredIsTakenBeforeTheWarmest) {
  StreamQueue queue({std::nullopt, std::nullopt, std::nullopt, std::nullopt});
  const auto odd = [](int stream) { return stream % 2 == 1; };
  EXPECT_EQ(queue.TakePreferred(odd), 1);
  EXPECT_EQ(queue.TakePreferred(odd), 3);
  EXPECT_EQ(queue.TakePreferred(odd), 0);
  queue.Free(3);
  queue.Free(1);
  queue.Free(0);
  EXPECT_EQ(queue.TakePreferred(odd), 1);
  EXPECT_EQ(queue.TakePreferred(odd), 3);
  EXPECT_EQ(queue.TakePreferred(odd), 0);
  EXPECT_EQ(queue.TakePreferred(odd), 2);
  EXPECT_EQ(queue.TakePreferred(odd), StreamQueue::kNone);
}

TEST_F(StreamQueueTest, WhoComesFirstIsServedFirst) {
  StreamQueue queue({0, 1});
  ASSERT_EQ(queue.Take(std::nullopt), 0);
  ASSERT_EQ(queue.Take(std::nullopt), 1);
  queue.Push(Task("a"), 1);
  queue.Push(Task("b"), std::nullopt);
  queue.Push(Task("c"), 0);
  queue.Push(Task("d"), std::nullopt);
  queue.Push(Task("e"), 1);
  EXPECT_EQ(queue.tasks(), 5u);
  EXPECT_EQ(Serve(&queue, 0), "bcd");
  queue.Free(0);
  EXPECT_EQ(Serve(&queue, 1), "ae");
  queue.Free(1);
  EXPECT_EQ(queue.tasks(), 0u);
}

TEST_F(StreamQueueTest, CallersStandInTheSameLine) {
  StreamQueue queue({std::nullopt});
  ASSERT_EQ(queue.Take(std::nullopt), 0);
  StreamQueue::Caller caller;
  queue.Push(Task("a"), std::nullopt);
  queue.Push({nullptr, &caller}, std::nullopt);
  queue.Push(Task("b"), std::nullopt);
  EXPECT_EQ(queue.tasks(), 2u);
  EXPECT_EQ(queue.Next(0)->caller, nullptr);
  queue.Pop(0);
  EXPECT_EQ(queue.Next(0)->caller, &caller);
  EXPECT_EQ(queue.Pop(0).caller, &caller);
  EXPECT_EQ(Serve(&queue, 0), "b");
}

TEST_F(StreamQueueTest, UsedTicketsKeepNoTask) {
  StreamQueue queue({std::nullopt});
  ASSERT_EQ(queue.Take(std::nullopt), 0);
  const auto held = std::make_shared<int>(1);
  queue.Push({[held] {}, nullptr}, std::nullopt);
  queue.Pop(0);
  EXPECT_EQ(held.use_count(), 1);
}

}  // namespace
}  // namespace burin::executor
