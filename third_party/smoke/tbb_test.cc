#include <gtest/gtest.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_scheduler_observer.h>

#include <atomic>
#include <cstdint>

namespace burin {
namespace {

class CountingObserver : public oneapi::tbb::task_scheduler_observer {
 public:
  explicit CountingObserver(oneapi::tbb::task_arena& arena) : task_scheduler_observer(arena) { observe(true); }
  ~CountingObserver() override { observe(false); }

  void on_scheduler_entry(bool) override { ++entries_; }
  int entries() const { return entries_; }

 private:
  std::atomic<int> entries_{0};
};

TEST(TbbTest, ArenaRunsWorkOnANumaNode) {
  oneapi::tbb::task_arena::constraints constraints;
  constraints.set_numa_id(oneapi::tbb::info::numa_nodes().front()).set_max_concurrency(2);
  oneapi::tbb::task_arena arena(constraints);
  arena.initialize();
  CountingObserver observer(arena);
  std::atomic<int64_t> sum{0};
  arena.execute([&] { oneapi::tbb::parallel_for(int64_t{0}, int64_t{1000}, [&](int64_t i) { sum += i; }); });
  EXPECT_EQ(sum, 499500);
  EXPECT_GE(observer.entries(), 1);
}

}  // namespace
}  // namespace burin
