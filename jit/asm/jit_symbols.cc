#include "jit/asm/jit_symbols.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/logging.h"
#include "jit/asm/gdb_jit.h"

namespace burin::jit {
namespace {

// The header of a jitdump file, and of its record JIT_CODE_LOAD.
struct JitdumpHeader {
  uint32_t magic;
  uint32_t version;
  uint32_t total_size;
  uint32_t elf_mach;
  uint32_t pad1;
  uint32_t pid;
  uint64_t timestamp;
  uint64_t flags;
};
static_assert(sizeof(JitdumpHeader) == 40, "as in the specification");

struct JitdumpCodeLoad {
  uint32_t id;
  uint32_t total_size;
  uint64_t timestamp;
  uint32_t pid;
  uint32_t tid;
  uint64_t vma;
  uint64_t code_addr;
  uint64_t code_size;
  uint64_t code_index;
};
static_assert(sizeof(JitdumpCodeLoad) == 56, "as in the specification");

constexpr uint32_t kJitdumpMagic = 0x4a695444;
constexpr uint32_t kJitdumpVersion = 1;
constexpr uint32_t kJitCodeLoad = 0;
constexpr size_t kPageBytes = 4096;

// The clock of `perf record -k mono`.
uint64_t MonotonicNanoseconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

std::string Printable(absl::string_view name) {
  std::string text(name);
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return text;
}

template <class T>
absl::string_view AsBytes(const T& value) {
  return absl::string_view(reinterpret_cast<const char*>(&value), sizeof(value));
}

}  // namespace

JitSymbolOptions JitSymbolOptions::FromEnvironment() {
  JitSymbolOptions options;
  if (const char* perf = std::getenv("BURIN_PERF"); perf != nullptr && *perf != '\0') {
    const absl::string_view mode = perf;
    if (mode == "map") {
      options.perf = PerfMode::kMap;
    } else if (mode == "jitdump") {
      options.perf = PerfMode::kJitdump;
    } else {
      BURIN_LOG(kWarning) << "BURIN_PERF is neither map nor jitdump: " << perf;
    }
  }
  if (const char* gdb = std::getenv("BURIN_GDB"); gdb != nullptr && *gdb != '\0') {
    const absl::string_view value = gdb;
    if (value == "1") {
      options.gdb = true;
    } else if (value != "0") {
      BURIN_LOG(kWarning) << "BURIN_GDB is neither 0 nor 1: " << gdb;
    }
  }
  if (const char* dir = std::getenv("JITDUMPDIR"); dir != nullptr && *dir != '\0') options.jitdump_dir = dir;
  return options;
}

JitSymbol::JitSymbol() = default;
JitSymbol::JitSymbol(std::unique_ptr<internal::GdbEntry> entry) : entry_(std::move(entry)) {}
JitSymbol::JitSymbol(JitSymbol&& other) noexcept = default;

JitSymbol& JitSymbol::operator=(JitSymbol&& other) noexcept {
  if (this != &other) {
    Release();
    entry_ = std::move(other.entry_);
  }
  return *this;
}

JitSymbol::~JitSymbol() { Release(); }

void JitSymbol::Release() {
  if (entry_ != nullptr) internal::UnregisterWithGdb(*entry_);
  entry_ = nullptr;
}

JitSymbols& JitSymbols::Process() {
  static JitSymbols& symbols = *new JitSymbols(JitSymbolOptions::FromEnvironment());
  return symbols;
}

JitSymbols::~JitSymbols() { ClosePerfFile(); }

JitSymbol JitSymbols::Register(absl::string_view name, absl::Span<const uint8_t> code) {
  if (options_.perf == PerfMode::kNone && !options_.gdb) return JitSymbol();
  const std::string printable = Printable(name);
  if (options_.perf != PerfMode::kNone) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (OpenPerfFile()) {
      if (options_.perf == PerfMode::kMap) {
        WriteMapLine(printable, code);
      } else {
        WriteJitdumpRecord(printable, code);
      }
    }
  }
  return options_.gdb ? JitSymbol(internal::RegisterWithGdb(printable, code)) : JitSymbol();
}

bool JitSymbols::OpenPerfFile() {
  if (failed_) return false;
  const pid_t pid = getpid();
  if (fd_ >= 0 && pid == pid_) return true;
  ClosePerfFile();
  pid_ = pid;
  code_index_ = 0;
  const bool map = options_.perf == PerfMode::kMap;
  path_ = map ? absl::StrCat(options_.map_dir, "/perf-", pid, ".map")
              : absl::StrCat(options_.jitdump_dir, "/jit-", pid, ".dump");
  // The name is easily guessed, in a folder that others write to: no link is followed, and no file of others taken.
  fd_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | (map ? O_APPEND : O_TRUNC), 0600);
  if (fd_ < 0) {
    GiveUp("open", errno);
    return false;
  }
  if (map) return true;
  const JitdumpHeader header = {kJitdumpMagic,
                                kJitdumpVersion,
                                sizeof(JitdumpHeader),
                                EM_X86_64,
                                0,
                                static_cast<uint32_t>(pid),
                                MonotonicNanoseconds(),
                                0};
  Write(AsBytes(header));
  if (failed_) return false;
  marker_ = mmap(nullptr, kPageBytes, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd_, 0);
  if (marker_ == MAP_FAILED) {
    marker_ = nullptr;
    GiveUp("mmap", errno);
    return false;
  }
  return true;
}

void JitSymbols::ClosePerfFile() {
  if (marker_ != nullptr) munmap(marker_, kPageBytes);
  if (fd_ >= 0) close(fd_);
  marker_ = nullptr;
  fd_ = -1;
}

void JitSymbols::WriteMapLine(absl::string_view name, absl::Span<const uint8_t> code) {
  Write(
      absl::StrCat(absl::Hex(reinterpret_cast<uintptr_t>(code.data())), " ", absl::Hex(code.size()), " ", name, "\n"));
}

void JitSymbols::WriteJitdumpRecord(absl::string_view name, absl::Span<const uint8_t> code) {
  JitdumpCodeLoad record = {};
  record.id = kJitCodeLoad;
  record.total_size = static_cast<uint32_t>(sizeof(record) + name.size() + 1 + code.size());
  record.timestamp = MonotonicNanoseconds();
  record.pid = static_cast<uint32_t>(pid_);
  record.tid = static_cast<uint32_t>(syscall(SYS_gettid));
  record.vma = reinterpret_cast<uintptr_t>(code.data());
  record.code_addr = record.vma;
  record.code_size = code.size();
  record.code_index = code_index_++;
  std::string bytes(AsBytes(record));
  bytes.append(name.data(), name.size());
  bytes.push_back('\0');
  bytes.append(reinterpret_cast<const char*>(code.data()), code.size());
  Write(bytes);
}

void JitSymbols::Write(absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      GiveUp("write", errno);
      return;
    }
    bytes.remove_prefix(static_cast<size_t>(written));
  }
}

void JitSymbols::GiveUp(absl::string_view action, int error_number) {
  failed_ = true;
  BURIN_LOG(kWarning) << "perf is not told of generated code: " << action << ": " << path_ << ": "
                      << std::strerror(error_number);
  ClosePerfFile();
}

}  // namespace burin::jit
