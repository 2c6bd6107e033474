#include "base/logging.h"

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/base/const_init.h"
#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "base/enum_names.h"

namespace burin {

template <>
struct EnumNames<LogSeverity> {
  static constexpr EnumEntry<LogSeverity> kEntries[] = {{LogSeverity::kInfo, "info"},
                                                        {LogSeverity::kWarning, "warning"},
                                                        {LogSeverity::kError, "error"},
                                                        {LogSeverity::kNone, "none"}};
};

namespace {

void WriteToStderr(absl::string_view line) {
  const std::string text = absl::StrCat(line, "\n");
  std::fwrite(text.data(), 1, text.size(), stderr);
}

// Guards the sink: held while it runs.
ABSL_CONST_INIT absl::Mutex sink_mutex(absl::kConstInit);

// Returns the replaced sink, empty for stderr. Never destroyed: other threads may log while the process exits.
LogSink& ReplacedSink() ABSL_EXCLUSIVE_LOCKS_REQUIRED(sink_mutex) {
  static LogSink* const sink = new LogSink();
  return *sink;
}

LogSeverity MinLevelFromEnvironment() {
  const char* const text = std::getenv("BURIN_LOG_LEVEL");
  if (text == nullptr || *text == '\0') return LogSeverity::kWarning;
  const absl::StatusOr<LogSeverity> severity = ParseEnum<LogSeverity>(text);
  if (severity.ok()) return *severity;
  WriteToStderr(absl::StrCat("[burin W] BURIN_LOG_LEVEL: ", severity.status().message(), "; using warning"));
  return LogSeverity::kWarning;
}

std::atomic<LogSeverity>& MinLevel() {
  static std::atomic<LogSeverity> level(MinLevelFromEnvironment());
  return level;
}

// Holds the enabled verbose categories. `any` answers the usual question, "none at all", without the lock.
struct VlogCategories {
  absl::Mutex mutex;
  std::vector<std::string> names ABSL_GUARDED_BY(mutex);
  std::atomic<bool> any{false};

  void Set(absl::string_view list) {
    std::vector<std::string> parsed;
    for (absl::string_view name : absl::StrSplit(list, ',')) {
      name = absl::StripAsciiWhitespace(name);
      if (!name.empty()) parsed.emplace_back(name);
    }
    absl::MutexLock lock(&mutex);
    names = std::move(parsed);
    any.store(!names.empty(), std::memory_order_relaxed);
  }
};

// Never destroyed, as above.
VlogCategories& Categories() {
  static VlogCategories* const categories = [] {
    auto* const made = new VlogCategories();
    const char* const text = std::getenv("BURIN_VLOG");
    made->Set(text == nullptr ? "" : text);
    return made;
  }();
  return *categories;
}

char Letter(LogSeverity severity) {
  switch (severity) {
    case LogSeverity::kInfo:
      return 'I';
    case LogSeverity::kWarning:
      return 'W';
    case LogSeverity::kError:
    case LogSeverity::kNone:
      break;
  }
  return 'E';
}

absl::string_view FileName(absl::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == absl::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace

void SetMinLogLevel(LogSeverity severity) { MinLevel().store(severity, std::memory_order_relaxed); }

LogSeverity MinLogLevel() { return MinLevel().load(std::memory_order_relaxed); }

void SetLogSink(LogSink sink) {
  absl::MutexLock lock(&sink_mutex);
  ReplacedSink() = std::move(sink);
}

void SetVlogCategories(absl::string_view categories) { Categories().Set(categories); }

bool IsLogEnabled(LogSeverity severity) { return severity != LogSeverity::kNone && severity >= MinLogLevel(); }

bool IsVlogEnabled(absl::string_view category) {
  VlogCategories& categories = Categories();
  if (!categories.any.load(std::memory_order_relaxed)) return false;
  absl::MutexLock lock(&categories.mutex);
  for (const std::string& name : categories.names) {
    if (name == "*" || name == category) return true;
  }
  return false;
}

namespace internal {

LogMessage::LogMessage(LogSeverity severity, absl::string_view tag, const char* file, int line) : severity_(severity) {
  stream_ << "[burin " << Letter(severity) << " " << FileName(file) << ":" << line;
  if (!tag.empty()) stream_ << " " << tag;
  stream_ << "] ";
}

LogMessage::~LogMessage() {
  const std::string line = stream_.str();
  absl::MutexLock lock(&sink_mutex);
  if (const LogSink& sink = ReplacedSink(); sink != nullptr) {
    sink(severity_, line);
  } else {
    WriteToStderr(line);
  }
}

}  // namespace internal
}  // namespace burin
