// Tells whether the process is a fork, for those whose threads a fork leaves behind.
//
// A forked child has one thread. Mutexes that other threads held stay locked in it, and whoever waits for these threads
// waits forever. Hence objects that own threads remember ForkCount() and touch nothing of theirs where it has changed.
// Only fork() is seen, not clone() by hand. Thread-safe; no locks, so that a child can ask.
#ifndef BURIN_RUNTIME_EXECUTOR_FORK_WATCH_H_
#define BURIN_RUNTIME_EXECUTOR_FORK_WATCH_H_

#include <cstdint>

namespace burin::executor {

// Returns how many forks lie between this process and the one that called this first. The first call starts counting.
int64_t ForkCount();

// Says that this process now has arenas of oneTBB, whose threads would be missed in a child.
void NoteArenas();

// Returns whether a parent had said NoteArenas() before it forked. oneTBB then counts on threads that are gone, and may
// hold locks of theirs: this process must not use it.
bool ArenasLostByFork();

}  // namespace burin::executor

#endif  // BURIN_RUNTIME_EXECUTOR_FORK_WATCH_H_
