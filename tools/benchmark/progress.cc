#include "tools/benchmark/progress.h"

#include <algorithm>
#include <string>

namespace burin::benchmark {

namespace {

constexpr int kPercentPerMark = 2;

}  // namespace

void Progress::Update(double share) {
  if (stream_ == nullptr) return;
  const int percent = static_cast<int>(100 * std::min(1.0, std::max(0.0, share)));
  if (percent <= percent_) return;
  percent_ = percent;
  const size_t marks = static_cast<size_t>(percent / kPercentPerMark);
  const std::string bar = std::string(marks, '=') + std::string(100 / kPercentPerMark - marks, ' ');
  std::fprintf(stream_, "\r[%s] %3d%%", bar.c_str(), percent);
  std::fflush(stream_);
}

void Progress::Finish() {
  if (percent_ >= 0) std::fputc('\n', stream_);
  percent_ = -1;
}

}  // namespace burin::benchmark
