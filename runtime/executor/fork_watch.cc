#include "runtime/executor/fork_watch.h"

#include <pthread.h>

#include <atomic>
#include <cstdint>

namespace burin::executor {
namespace {

std::atomic<int64_t> forks{0};
std::atomic<bool> has_arenas{false};
std::atomic<bool> lost_arenas{false};

void InChild() {
  forks.fetch_add(1, std::memory_order_relaxed);
  if (has_arenas.load(std::memory_order_relaxed)) lost_arenas.store(true, std::memory_order_relaxed);
}

// Registers InChild() once. The C library drops it when the library that holds this code is unloaded. Without memory
// for it, forks are not seen.
void Watch() {
  static const int registered = pthread_atfork(nullptr, nullptr, &InChild);
  static_cast<void>(registered);
}

}  // namespace

int64_t ForkCount() {
  Watch();
  return forks.load(std::memory_order_relaxed);
}

void NoteArenas() {
  Watch();
  has_arenas.store(true, std::memory_order_relaxed);
}

bool ArenasLostByFork() { return lost_arenas.load(std::memory_order_relaxed); }

}  // namespace burin::executor
