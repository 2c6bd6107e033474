#include "runtime/executor/fork_watch.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>

#include "gtest/gtest.h"

namespace burin::executor {
namespace {

// Runs `body` in a forked child; returns what it returned, -1 where it did not end by itself.
template <class Body>
int InFork(Body body) {
  const pid_t child = fork();
  if (child == 0) _exit(body());
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

// One test, as what happened before a fork stays.
TEST(ForkWatchTest, CountsForksAndKnowsWhetherArenasWereLost) {
  const int64_t here = ForkCount();
  EXPECT_FALSE(ArenasLostByFork());
  EXPECT_EQ(InFork([here] { return ForkCount() == here + 1 && !ArenasLostByFork() ? 7 : 1; }), 7);
  EXPECT_EQ(InFork([here] { return InFork([here] { return ForkCount() == here + 2 ? 7 : 1; }); }), 7);

  // A child that makes arenas of its own has them; its children do not.
  EXPECT_EQ(InFork([] {
              NoteArenas();
              if (ArenasLostByFork()) return 1;
              return InFork([] { return ArenasLostByFork() ? 7 : 2; });
            }),
            7);
  NoteArenas();
  EXPECT_EQ(InFork([] { return ArenasLostByFork() ? 7 : 1; }), 7);
  EXPECT_FALSE(ArenasLostByFork());
  EXPECT_EQ(ForkCount(), here);
}

}  // namespace
}  // namespace burin::executor
