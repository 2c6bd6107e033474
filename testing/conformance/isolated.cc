// The suite is also a test that no model crashes the process.
#include "testing/conformance/isolated.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/check.h"

namespace burin::conformance {

namespace {

// Generous, so that a loaded machine does not turn a slow case into a failure; a hang is still found.
constexpr unsigned kSeconds = 600;

// With the outcome before it, what a pipe surely holds: the child never waits for a reader.
constexpr size_t kMaxDetail = 60000;

struct Child {
  size_t index = 0;
  int pipe = -1;
};

using RunOne = std::function<Result(const Case&)>;

// Never returns: runs the case and writes outcome and detail into the pipe.
[[noreturn]] void RunChild(const Case& test_case, const RunOne& run, unsigned seconds, int pipe) {
  alarm(seconds);
  const Result result = run(test_case);
  std::string message = absl::StrCat(static_cast<int>(result.outcome), result.detail.substr(0, kMaxDetail));
  size_t written = 0;
  while (written < message.size()) {
    const ssize_t count = write(pipe, message.data() + written, message.size() - written);
    if (count <= 0) break;
    written += static_cast<size_t>(count);
  }
  _exit(0);
}

Child Start(const Case& test_case, const RunOne& run, unsigned seconds, size_t index, pid_t* pid) {
  int ends[2];
  BURIN_CHECK_EQ(pipe(ends), 0);
  std::fflush(nullptr);  // Or the child would print the parent's buffered output again.
  *pid = fork();
  BURIN_CHECK_GE(*pid, 0);
  if (*pid == 0) {
    close(ends[0]);
    RunChild(test_case, run, seconds, ends[1]);
  }
  close(ends[1]);
  return {index, ends[0]};
}

std::string ReadAll(int pipe) {
  std::string text;
  char buffer[4096];
  ssize_t count = 0;
  while ((count = read(pipe, buffer, sizeof(buffer))) > 0) text.append(buffer, static_cast<size_t>(count));
  close(pipe);
  return text;
}

Result Interpret(const std::string& text, int wait_status, unsigned seconds) {
  if (WIFSIGNALED(wait_status)) {
    const int signal = WTERMSIG(wait_status);
    return {Outcome::kFailed, signal == SIGALRM ? absl::StrCat("hangs: no result within ", seconds, " s")
                                                : absl::StrCat("crashes with signal ", signal)};
  }
  if (!WIFEXITED(wait_status) || WEXITSTATUS(wait_status) != 0 || text.empty()) {
    return {Outcome::kFailed, absl::StrCat("ends without a result, exit status ", WEXITSTATUS(wait_status))};
  }
  return {static_cast<Outcome>(text[0] - '0'), text.substr(1)};
}

}  // namespace

std::vector<Result> RunEachIsolated(const std::vector<Case>& cases, int parallel, const RunOne& run, unsigned seconds) {
  std::vector<Result> results(cases.size());
  std::map<pid_t, Child> running;
  size_t next = 0;
  while (next < cases.size() || !running.empty()) {
    while (next < cases.size() && static_cast<int>(running.size()) < parallel) {
      pid_t pid = 0;
      const Child child = Start(cases[next], run, seconds, next, &pid);
      running[pid] = child;
      ++next;
    }
    int wait_status = 0;
    const pid_t ended = wait(&wait_status);
    auto found = running.find(ended);
    if (found == running.end()) continue;
    results[found->second.index] = Interpret(ReadAll(found->second.pipe), wait_status, seconds);
    running.erase(found);
  }
  return results;
}

std::vector<Result> RunIsolated(const std::vector<Case>& cases, int parallel, const std::string& device) {
  return RunEachIsolated(
      cases, parallel, [&device](const Case& test_case) { return RunCase(test_case, device); }, kSeconds);
}

}  // namespace burin::conformance
