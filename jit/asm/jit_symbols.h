// Tells profilers and debuggers the names of generated code.
//
// Use it through ExecutableCode, which registers every kernel. Off by default, at the cost of one comparison a kernel;
// the environment, read once, turns it on:
//   BURIN_PERF = map       /tmp/perf-PID.map, which `perf report` reads by itself: names only
//   BURIN_PERF = jitdump   jit-PID.dump in JITDUMPDIR or the working directory: names and code, for `perf record -k
//   mono`
//                          and then `perf inject --jit`
//   BURIN_GDB = 1          gdb's JIT interface: names in backtraces and breakpoints
// What cannot be written is a warning in the log, once; kernels run as without. All methods may be called from any
// thread.
//
// Formats: Linux's tools/perf/Documentation/jit-interface.txt and jitdump-specification.txt; gdb's manual, "JIT
// Compilation Interface".
#ifndef BURIN_JIT_ASM_JIT_SYMBOLS_H_
#define BURIN_JIT_ASM_JIT_SYMBOLS_H_

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace burin::jit {

// Names what perf is told.
enum class PerfMode { kNone, kMap, kJitdump };

// Says whom to tell, and where the files go.
struct JitSymbolOptions {
  PerfMode perf = PerfMode::kNone;
  bool gdb = false;
  // The folder of perf-PID.map; perf looks in /tmp alone.
  std::string map_dir = "/tmp";
  // The folder of jit-PID.dump.
  std::string jitdump_dir = ".";

  // Returns what the environment says. A value that is not listed above is a warning in the log and counts as none.
  static JitSymbolOptions FromEnvironment();
};

namespace internal {
struct GdbEntry;
}  // namespace internal

// Keeps a name registered; a debugger forgets it when this is destroyed. Move-only.
class JitSymbol {
 public:
  // Makes a symbol that nobody was told of.
  JitSymbol();
  JitSymbol(JitSymbol&& other) noexcept;
  JitSymbol& operator=(JitSymbol&& other) noexcept;
  ~JitSymbol();

 private:
  friend class JitSymbols;

  explicit JitSymbol(std::unique_ptr<internal::GdbEntry> entry);
  void Release();

  std::unique_ptr<internal::GdbEntry> entry_;
};

// Tells perf and gdb of code. One per process is enough; a test makes its own.
class JitSymbols {
 public:
  // Returns the one that follows the environment. It is never destroyed.
  static JitSymbols& Process();

  explicit JitSymbols(JitSymbolOptions options) : options_(std::move(options)) {}
  JitSymbols(const JitSymbols&) = delete;
  JitSymbols& operator=(const JitSymbols&) = delete;
  ~JitSymbols();

  // Returns what it was made with.
  const JitSymbolOptions& options() const { return options_; }

  // Tells of `code`, at the address where it runs, under `name`; a newline or another control character in the name is
  // written as a blank.
  JitSymbol Register(absl::string_view name, absl::Span<const uint8_t> code);

 private:
  // Return false, with a warning in the log, where the file cannot be written.
  bool OpenPerfFile();
  void ClosePerfFile();
  void WriteMapLine(absl::string_view name, absl::Span<const uint8_t> code);
  void WriteJitdumpRecord(absl::string_view name, absl::Span<const uint8_t> code);
  void Write(absl::string_view bytes);
  void GiveUp(absl::string_view action, int error_number);

  const JitSymbolOptions options_;
  // Guards what follows. Not an absl::Mutex: a child of a fork() may lock it.
  std::mutex mutex_;
  int fd_ = -1;
  // The process that opened the file: a child writes its own.
  pid_t pid_ = 0;
  std::string path_;
  // The page of the jitdump file that is mapped so that perf records its name.
  void* marker_ = nullptr;
  uint64_t code_index_ = 0;
  bool failed_ = false;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_ASM_JIT_SYMBOLS_H_
