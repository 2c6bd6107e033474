// Something that happens once, for tests of threads: one thread says so, others wait for it.
//
// As absl::Notification, but of standard parts, which ThreadSanitizer understands: the distribution's Abseil is not
// instrumented, and what one thread wrote before Notify() would look like a race with what another reads after Wait().
// Thread-safe.
#ifndef BURIN_RUNTIME_DEV_EVENT_TESTLIB_H_
#define BURIN_RUNTIME_DEV_EVENT_TESTLIB_H_

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace burin {

class Event {
 public:
  // Makes it happen. May be followed at once by the event's destruction in a thread that waited.
  void Notify() {
    std::lock_guard<std::mutex> lock(mutex_);
    has_happened_ = true;
    changed_.notify_all();
  }
  bool has_happened() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return has_happened_;
  }
  // Returns when it has happened.
  void Wait() const {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return has_happened_; });
  }
  // Waits at most `timeout`; returns whether it has happened.
  bool WaitFor(std::chrono::milliseconds timeout) const {
    std::unique_lock<std::mutex> lock(mutex_);
    return changed_.wait_for(lock, timeout, [this] { return has_happened_; });
  }

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  bool has_happened_ = false;  // Guarded by mutex_.
};

}  // namespace burin

#endif  // BURIN_RUNTIME_DEV_EVENT_TESTLIB_H_
