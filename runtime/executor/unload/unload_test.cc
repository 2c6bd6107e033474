// A library with streams goes while the threads that it had from oneTBB stay.

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "gtest/gtest.h"

namespace burin::executor {
namespace {

constexpr char kLibrary[] = "runtime/executor/unload/libstreams.so";

TEST(UnloadTest, ALibraryWithStreamsCanBeUnloaded) {
  for (int round = 0; round < 50; ++round) {
    void* const library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    const auto run_tasks = reinterpret_cast<int (*)()>(dlsym(library, "BurinRunTasks"));
    ASSERT_NE(run_tasks, nullptr);
    int runs = 0;
    // This thread ends before the library goes, the other after it.
    std::thread([&] { runs = run_tasks(); }).join();
    EXPECT_EQ(runs, 150);
    EXPECT_EQ(run_tasks(), 150);
    ASSERT_EQ(dlclose(library), 0);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // Whose run-time libraries keep it.
    ASSERT_EQ(dlopen(kLibrary, RTLD_NOW | RTLD_NOLOAD), nullptr) << "it is loaded still";
#endif
    if (round % 10 != 0) continue;
    // Nothing of it is called in a child.
    const pid_t child = fork();
    if (child == 0) _exit(7);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  }
}

}  // namespace
}  // namespace burin::executor
