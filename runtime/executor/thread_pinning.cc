#include "runtime/executor/thread_pinning.h"

#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "oneapi/tbb/task_arena.h"
#include "runtime/executor/thread_affinity.h"

namespace burin::executor {
namespace {

// The CPU that this thread is bound to, -1 for none, and the mask that it had before. A thread that was in an arena at
// the end of its ThreadPinning keeps what was here: it is bound only if its mask says so too. Without a destructor, so
// that a thread may end after this library was unloaded.
struct Binding {
  int cpu = -1;
  AffinityMask before;
};

thread_local Binding current_binding;

uintptr_t CurrentOwner() { return static_cast<uintptr_t>(pthread_self()); }

}  // namespace

ThreadPinning::ThreadPinning(oneapi::tbb::task_arena& arena, const std::vector<int>& cpus, ThreadAffinity* affinity)
    : task_scheduler_observer(arena), affinity_(affinity), count_(cpus.size()), places_(new Place[cpus.size()]) {
  for (size_t i = 0; i < count_; ++i) places_[i].cpu = cpus[i];
  observe(true);
}

ThreadPinning::~ThreadPinning() {
  // Waits for calls below that are under way; there are none afterwards. oneTBB's threads stay in an arena without work
  // for a while, and then leave it as they are.
  observe(false);
  for (size_t i = 0; i < count_; ++i) {
    Place& place = places_[i];
    if (place.bound.load(std::memory_order_acquire) && place.worker != 0) Write(place.worker, place.before);
  }
}

bool ThreadPinning::Write(int thread, const AffinityMask& mask) {
  set_calls_.fetch_add(1, std::memory_order_relaxed);
  return affinity_->Write(thread, mask);
}

ThreadPinning::Place* ThreadPinning::TakePlace(const AffinityMask& before) {
  const int bound = before.OnlyCpu();
  const int here = affinity_->CurrentCpu();
  const auto take = [this](auto fits) -> Place* {
    for (size_t i = 0; i < count_; ++i) {
      uintptr_t vacant = 0;
      if (!fits(places_[i].cpu)) continue;
      if (places_[i].owner.compare_exchange_strong(vacant, CurrentOwner(), std::memory_order_acq_rel)) {
        return &places_[i];
      }
    }
    return nullptr;
  };
  Place* place = take([bound](int cpu) { return cpu == bound; });
  if (place == nullptr) place = take([here](int cpu) { return cpu == here; });
  if (place == nullptr) place = take([](int) { return true; });
  return place;
}

void ThreadPinning::on_scheduler_entry(bool is_worker) {
  AffinityMask before;
  if (!affinity_->Read(&before)) return;
  Place* const place = TakePlace(before);
  if (place == nullptr) return;
  if (before.OnlyCpu() == place->cpu) return;
  place->before = before;
  place->worker = is_worker ? affinity_->CurrentThread() : 0;
  if (!Write(0, AffinityMask::Of(place->cpu))) return;
  place->nested = current_binding.cpu >= 0 && before.OnlyCpu() == current_binding.cpu;
  if (!place->nested) current_binding.before = before;
  current_binding.cpu = place->cpu;
  place->bound.store(true, std::memory_order_release);
}

void ThreadPinning::on_scheduler_exit(bool) {
  for (size_t i = 0; i < count_; ++i) {
    Place& place = places_[i];
    if (place.owner.load(std::memory_order_relaxed) != CurrentOwner()) continue;
    if (place.bound.exchange(false, std::memory_order_relaxed)) {
      Write(0, place.before);
      current_binding.cpu = place.nested ? place.before.OnlyCpu() : -1;
    }
    place.owner.store(0, std::memory_order_release);
    return;
  }
}

std::optional<AffinityMask> MaskBeforeBinding(ThreadAffinity* affinity) {
  AffinityMask mask;
  if (current_binding.cpu < 0 || !affinity->Read(&mask) || mask.OnlyCpu() != current_binding.cpu) return std::nullopt;
  return current_binding.before;
}

}  // namespace burin::executor
