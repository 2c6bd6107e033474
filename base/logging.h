// Writes leveled lines and verbose categories to one sink.
//
// Use BURIN_LOG for what a user of the library should see and BURIN_VLOG for what a developer asks for by category. Not
// for errors that a caller can handle (return absl::Status) nor on a path that runs per inference, except as
// BURIN_VLOG. Every function here may be called from any thread; a line reaches the sink whole and lines never
// interleave.
//
// The environment is read once, at first use:
//   BURIN_LOG_LEVEL = info | warning | error | none   the lowest severity written; default warning
//   BURIN_VLOG      = cat1,cat2 or *                  the verbose categories written; default none
#ifndef BURIN_BASE_LOGGING_H_
#define BURIN_BASE_LOGGING_H_

#include <functional>
#include <ostream>
#include <sstream>

#include "absl/strings/string_view.h"

namespace burin {

// Orders log lines by weight. kNone is a limit only: nothing is logged with it.
enum class LogSeverity { kInfo = 0, kWarning = 1, kError = 2, kNone = 3 };

// Receives one whole line without its newline. Called with the logging lock held: it must not log.
using LogSink = std::function<void(LogSeverity severity, absl::string_view line)>;

// Sets the lowest severity that BURIN_LOG writes; overrides BURIN_LOG_LEVEL. kNone silences it.
void SetMinLogLevel(LogSeverity severity);

// Returns the lowest severity that BURIN_LOG writes.
LogSeverity MinLogLevel();

// Replaces the sink. An empty function restores the default, which writes to stderr. On return no call of the previous
// sink is running or will start.
void SetLogSink(LogSink sink);

// Sets the verbose categories, as a list such as "cat1,cat2" or "*"; overrides BURIN_VLOG. An empty list disables all.
void SetVlogCategories(absl::string_view categories);

// Returns whether BURIN_LOG writes lines of this severity.
bool IsLogEnabled(LogSeverity severity);

// Returns whether BURIN_VLOG writes lines of this category.
bool IsVlogEnabled(absl::string_view category);

namespace internal {

// Collects one line; its destructor hands it to the sink.
class LogMessage {
 public:
  LogMessage(LogSeverity severity, absl::string_view tag, const char* file, int line);
  LogMessage(const LogMessage&) = delete;
  LogMessage& operator=(const LogMessage&) = delete;
  ~LogMessage();

  // Returns the stream that the text goes to.
  std::ostream& stream() { return stream_; }

 private:
  const LogSeverity severity_;
  std::ostringstream stream_;
};

// Turns a streamed expression into void: `&` binds looser than `<<`, so both branches of the macros' `?:` agree.
struct LogVoidify {
  void operator&(std::ostream&) const {}
};

}  // namespace internal
}  // namespace burin

// Logs a line of severity kInfo, kWarning or kError: BURIN_LOG(kWarning) << "text " << value. The operands are
// evaluated only where the severity is enabled.
#define BURIN_LOG(severity)                              \
  !::burin::IsLogEnabled(::burin::LogSeverity::severity) \
      ? (void)0                                          \
      : ::burin::internal::LogVoidify() &                \
            ::burin::internal::LogMessage(::burin::LogSeverity::severity, "", __FILE__, __LINE__).stream()

// Logs a line of a verbose category where that category is enabled, whatever the minimum severity:
// BURIN_VLOG("passes") << "text". The line reaches the sink with severity kInfo.
#define BURIN_VLOG(category)              \
  !::burin::IsVlogEnabled(category)       \
      ? (void)0                           \
      : ::burin::internal::LogVoidify() & \
            ::burin::internal::LogMessage(::burin::LogSeverity::kInfo, category, __FILE__, __LINE__).stream()

#endif  // BURIN_BASE_LOGGING_H_
