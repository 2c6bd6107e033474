// A progress bar for people: on a terminal alone, so that logs stay readable.
//
// Not thread-safe.
#ifndef BURIN_TOOLS_BENCHMARK_PROGRESS_H_
#define BURIN_TOOLS_BENCHMARK_PROGRESS_H_

#include <cstdio>

namespace burin::benchmark {

class Progress {
 public:
  // Draws on `stream` where `is_terminal`; otherwise every call does nothing.
  Progress(std::FILE* stream, bool is_terminal) : stream_(is_terminal ? stream : nullptr) {}
  ~Progress() { Finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Redraws where the share done, in [0, 1], has grown by a percent or more.
  void Update(double share);
  // Ends the line, if one was begun.
  void Finish();

 private:
  std::FILE* stream_;
  int percent_ = -1;  // As drawn; -1: nothing is.
};

}  // namespace burin::benchmark

#endif  // BURIN_TOOLS_BENCHMARK_PROGRESS_H_
