#include "runtime/executor/team.h"

#include <immintrin.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>

#include "base/check.h"
#include "runtime/executor/flush_denormals.h"

namespace burin::executor {

namespace {

using Clock = std::chrono::steady_clock;

// Threads of different cores that write one line wait for each other.
constexpr size_t kCacheLine = 64;

// Spins on `done` for about `most`; returns whether it came true.
template <typename Done>
bool SpinUntil(std::chrono::microseconds most, Done done) {
  // Between two looks at the clock, which takes as long as some pauses.
  constexpr int kPauses = 16;
  if (done()) return true;
  const Clock::time_point end = Clock::now() + most;
  do {
    for (int i = 0; i < kPauses; ++i) {
      _mm_pause();
      if (done()) return true;
    }
  } while (Clock::now() < end);
  return false;
}

}  // namespace

// Is shared with the members, some of whom may be invited still when the team is gone.
//
// A chunk is claimed by raising the lower bound of a lane, and only then does the claimer look at what is to be done:
// that cannot change before the claimed chunk is reported as done. So a thread that was away between its look at a lane
// and its claim, for however long, claims a chunk of the work that is there now, rightly.
class Team::State {
 public:
  State(int size, ITaskExecutor* threads, TeamPatience patience, bool flush_denormals)
      : size_(size),
        threads_(threads),
        patience_(patience),
        flush_denormals_(flush_denormals),
        lanes_(new Lane[size]) {}

  int size() const { return size_; }
  int present() const { return joined_.load(std::memory_order_relaxed); }
  uint64_t shared_works() const { return work_.load(std::memory_order_relaxed) / 2; }

  // Invites until `members` are there or on their way.
  void Summon(int members);
  void Share(int64_t chunks, Body body);
  // Sends members away and waits for them.
  void Close();
  void Unref() {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

 private:
  // The chunks of a part that are not claimed: the first in the upper half, the end in the lower half.
  struct alignas(kCacheLine) Lane {
    std::atomic<uint64_t> unclaimed{0};
    // Whether a member has this lane's number.
    std::atomic<bool> taken{false};
  };

  // What this thread is doing, for bodies that share work themselves.
  struct Activity {
    const State* team = nullptr;
    int member = 0;
  };

  ~State() = default;

  static bool HasWork(uint64_t unclaimed) { return (unclaimed >> 32) < (unclaimed & 0xFFFFFFFFu); }
  // Returns the next chunk of `lane`, or -1.
  static int64_t Claim(Lane& lane);

  // Takes chunks until none is left, those of its own lane first, and reports them. Returns the state of `work_` of
  // which it has seen all lanes.
  uint64_t TakeChunks(int member);
  void Report(int64_t done);
  // Waits for the chunks that members have begun.
  void WaitForMembers();
  // Is the task of a member: joins, works, leaves.
  void Join();
  void Work(int member);

  const int size_;
  ITaskExecutor* const threads_;
  const TeamPatience patience_;
  const bool flush_denormals_;
  const pid_t process_ = getpid();
  const std::unique_ptr<Lane[]> lanes_;
  static thread_local Activity activity_;

  // Members, invited or there, and those that are there.
  alignas(kCacheLine) std::atomic<int> expected_{0};
  std::atomic<int> joined_{0};
  std::atomic<int> references_{1};

  // Written by the caller alone.
  alignas(kCacheLine) std::atomic<bool> closed_{false};
  // Raised by one before the lanes of a work are filled, and by one after.
  std::atomic<uint64_t> work_{0};
  // What is to be done with the chunks.
  const Body* body_ = nullptr;

  // Twice the number of chunks that are not done, plus one where the caller sleeps.
  alignas(kCacheLine) std::atomic<int64_t> unfinished_{0};
  std::mutex mutex_;
  std::condition_variable change_;
};

thread_local Team::State::Activity Team::State::activity_;

void Team::State::Summon(int members) {
  const int missing = members - expected_.load(std::memory_order_relaxed);
  if (missing <= 0) return;
  expected_.fetch_add(missing, std::memory_order_relaxed);
  references_.fetch_add(missing, std::memory_order_relaxed);
  for (int i = 0; i < missing; ++i) threads_->Run([this] { Join(); });
}

void Team::State::Share(int64_t chunks, Body body) {
  BURIN_DCHECK_LT(chunks, kMaxChunks);
  if (activity_.team == this || size_ == 1 || chunks <= 1) {
    const int member = activity_.team == this ? activity_.member : 0;
    for (int64_t chunk = 0; chunk < chunks; ++chunk) body(chunk, member);
    return;
  }
  const int lanes = static_cast<int>(std::min<int64_t>(size_, chunks));
  Summon(lanes - 1);
  body_ = &body;
  unfinished_.store(2 * chunks, std::memory_order_relaxed);
  const uint64_t work = work_.load(std::memory_order_relaxed);
  work_.store(work + 1, std::memory_order_release);
  // The members' lanes first: they start while the caller fills the rest.
  for (int lane = lanes - 1; lane >= 0; --lane) {
    const uint64_t begin = static_cast<uint64_t>(chunks * lane / lanes);
    const uint64_t end = static_cast<uint64_t>(chunks * (lane + 1) / lanes);
    lanes_[lane].unclaimed.store(begin << 32 | end, std::memory_order_release);
  }
  work_.store(work + 2, std::memory_order_release);
  TakeChunks(0);
  WaitForMembers();
}

int64_t Team::State::Claim(Lane& lane) {
  uint64_t unclaimed = lane.unclaimed.load(std::memory_order_acquire);
  while (HasWork(unclaimed)) {
    if (lane.unclaimed.compare_exchange_weak(unclaimed, unclaimed + (uint64_t{1} << 32), std::memory_order_acq_rel,
                                             std::memory_order_acquire)) {
      return static_cast<int64_t>(unclaimed >> 32);
    }
  }
  return -1;
}

uint64_t Team::State::TakeChunks(int member) {
  const Activity outer = activity_;
  activity_ = {this, member};
  uint64_t work = work_.load(std::memory_order_acquire);
  int i = 0;
  while (i < size_) {
    // Where the next work has come meanwhile, its own part comes before what is others'.
    const uint64_t now = work_.load(std::memory_order_acquire);
    if (now != work) {
      work = now;
      i = 0;
    }
    Lane& lane = lanes_[(member + i) % size_];
    ++i;
    int64_t done = 0;
    for (int64_t chunk = Claim(lane); chunk >= 0; chunk = Claim(lane)) {
      (*body_)(chunk, member);
      ++done;
    }
    // Before the next lane, which may be in another core's cache: the caller may wait for nothing but this.
    if (done > 0) Report(done);
  }
  activity_ = outer;
  return work;
}

void Team::State::Report(int64_t done) {
  const int64_t left = unfinished_.fetch_sub(2 * done, std::memory_order_acq_rel) - 2 * done;
  if (left != 1) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  change_.notify_all();
}

void Team::State::WaitForMembers() {
  const auto done = [this] { return unfinished_.load(std::memory_order_acquire) <= 1; };
  if (SpinUntil(patience_.wait, done)) return;
  if (unfinished_.fetch_or(1, std::memory_order_acq_rel) == 0) return;
  std::unique_lock<std::mutex> lock(mutex_);
  change_.wait(lock, done);
}

void Team::State::Join() {
  // In this order, as Close() does it in the other: a member that finds the team open is waited for.
  joined_.fetch_add(1);
  if (!closed_.load()) {
    // There is a free lane: no more than size - 1 are expected at a time.
    for (int member = 1; member < size_; ++member) {
      if (lanes_[member].taken.exchange(true, std::memory_order_acquire)) continue;
      Work(member);
      lanes_[member].taken.store(false, std::memory_order_release);
      break;
    }
  }
  expected_.fetch_sub(1);
  if (joined_.fetch_sub(1) == 1 && closed_.load()) {
    const std::lock_guard<std::mutex> lock(mutex_);
    change_.notify_all();
  }
  Unref();
}

void Team::State::Work(int member) {
  const FlushDenormals flush(flush_denormals_);
  const Lane& own = lanes_[member];
  uint64_t seen = 0;
  // Its own lane alone would not do: another member may have taken from that before it looked.
  const auto called = [&] {
    return HasWork(own.unclaimed.load(std::memory_order_acquire)) || work_.load(std::memory_order_relaxed) != seen ||
           closed_.load(std::memory_order_relaxed);
  };
  do {
    seen = TakeChunks(member);
  } while (SpinUntil(patience_.idle, called) && !closed_.load(std::memory_order_relaxed));
}

void Team::State::Close() {
  closed_.store(true);
  // A child of fork() has no members, whatever the counts say.
  if (getpid() != process_) return;
  std::unique_lock<std::mutex> lock(mutex_);
  change_.wait(lock, [this] { return joined_.load() == 0; });
}

Team::Team(int size, ITaskExecutor* threads, TeamPatience patience, bool flush_denormals)
    : state_(new State(size, threads, patience, flush_denormals)) {
  BURIN_CHECK_GE(size, 1) << "a team has its caller";
  BURIN_CHECK(size == 1 || threads != nullptr) << "members need threads";
}

Team::~Team() {
  state_->Close();
  state_->Unref();
}

int Team::size() const { return state_->size(); }
int Team::present() const { return state_->present(); }
uint64_t Team::shared_works() const { return state_->shared_works(); }
void Team::Summon() { state_->Summon(state_->size() - 1); }
void Team::Share(int64_t chunks, Body body) { state_->Share(chunks, body); }

}  // namespace burin::executor
