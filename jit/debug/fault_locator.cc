#include "jit/debug/fault_locator.h"

#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/logging.h"
#include "jit/debug/code_map.h"

namespace burin::jit {
namespace {

struct LocatedSignal {
  int number;
  absl::string_view name;
  // Who handled it before.
  struct sigaction before;
};

LocatedSignal located_signals[] = {
    {SIGSEGV, "SIGSEGV", {}}, {SIGBUS, "SIGBUS", {}}, {SIGILL, "SIGILL", {}}, {SIGFPE, "SIGFPE", {}}};

// Where the handlers look. Taken before they are installed: Process() may take a lock at its first call.
std::atomic<const CodeMap*> code_map{nullptr};

// The instruction that this thread has told of, so that a fault which handlers hand to each other is told of once.
// Initial-exec: a handler must not allocate the thread's copy at its first use.
__attribute__((tls_model("initial-exec"))) thread_local uintptr_t told = 0;

// Collects a line without taking memory; what does not fit is dropped.
class Line {
 public:
  void Text(absl::string_view text) {
    for (const char c : text) {
      if (size_ < sizeof(bytes_) - 1) bytes_[size_++] = static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }

  void Hex(uint64_t value, int least_digits) {
    constexpr char kDigits[] = "0123456789abcdef";
    char text[16];
    int count = 0;
    for (; value != 0 || count < least_digits; value >>= 4) text[count++] = kDigits[value & 15];
    std::reverse(text, text + count);
    Text(absl::string_view(text, static_cast<size_t>(count)));
  }

  void Write() {
    bytes_[size_++] = '\n';
    for (size_t written = 0; written < size_;) {
      const ssize_t count = write(STDERR_FILENO, bytes_ + written, size_ - written);
      if (count < 0 && errno != EINTR) return;
      if (count > 0) written += static_cast<size_t>(count);
    }
  }

 private:
  char bytes_[1024];
  size_t size_ = 0;
};

LocatedSignal& Located(int number) {
  return *std::find_if(std::begin(located_signals), std::end(located_signals),
                       [number](const LocatedSignal& located) { return located.number == number; });
}

uintptr_t InstructionOf(const void* context) {
  return static_cast<uintptr_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
}

// Writes the line, where the instruction is a kernel's.
void Tell(const LocatedSignal& located, const siginfo_t& info, uintptr_t at) {
  constexpr size_t kMaxInstructionBytes = 15;
  CodePlace place;
  if (!code_map.load(std::memory_order_acquire)->Find(at, &place)) return;
  told = at;
  Line line;
  line.Text("burin: ");
  line.Text(located.name);
  line.Text(" in kernel ");
  line.Text(place.kernel);
  line.Text("+0x");
  line.Hex(place.offset, 1);
  if (place.mark[0] != '\0') {
    line.Text(" (");
    line.Text(place.mark);
    line.Text(")");
  }
  // Of an address that is none of the 48 or 57 bits the system knows only that it was bad.
  if ((located.number == SIGSEGV || located.number == SIGBUS) && info.si_code != SI_KERNEL) {
    line.Text(", address 0x");
    line.Hex(reinterpret_cast<uintptr_t>(info.si_addr), 1);
  }
  line.Text(", instruction");
  const auto* const bytes = reinterpret_cast<const uint8_t*>(at);
  for (size_t i = 0; i < std::min(kMaxInstructionBytes, place.code_bytes - place.offset); ++i) {
    line.Text(" ");
    line.Hex(bytes[i], 2);
  }
  line.Write();
}

bool HasHandler(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 || (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
}

void CallBefore(const LocatedSignal& located, siginfo_t* info, void* context) {
  const struct sigaction& before = located.before;
  if ((before.sa_flags & SA_RESETHAND) != 0) signal(located.number, SIG_DFL);
  if ((before.sa_flags & SA_SIGINFO) != 0) {
    before.sa_sigaction(located.number, info, context);
  } else {
    before.sa_handler(located.number);
  }
}

// Does what the system would have done without a handler.
void ActAsBefore(const LocatedSignal& located, bool raised) {
  const bool ignored = located.before.sa_handler == SIG_IGN;
  // Nobody can ignore what an instruction raised.
  if (ignored && !raised) return;
  sigaction(located.number, &located.before, nullptr);
  // An instruction runs again; what somebody sent would not come again.
  if (!raised) raise(located.number);
}

// Aligns its stack itself: qemu's user mode before version 8 enters handlers 8 bytes off.
__attribute__((force_align_arg_pointer)) void OnSignal(int number, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  const LocatedSignal& located = Located(number);
  const uintptr_t at = InstructionOf(context);
  // As opposed to: somebody sent it.
  const bool raised = info->si_code > 0;
  const bool carried_out_by_others = number == SIGILL && HasHandler(located.before);
  told = 0;
  if (raised && !carried_out_by_others) Tell(located, *info, at);
  if (HasHandler(located.before)) {
    CallBefore(located, info, context);
    if (raised && carried_out_by_others && InstructionOf(context) == at && told != at) Tell(located, *info, at);
  } else {
    ActAsBefore(located, raised);
  }
  errno = saved_errno;
}

absl::Status CallFailed(absl::string_view call) {
  return absl::InternalError(
      absl::StrCat("The fault locator cannot be installed: ", call, " failed: ", std::strerror(errno)));
}

// Gives the thread a stack for handlers, which it has as long as it lives.
absl::Status ProvideAlternateStack() {
  stack_t present = {};
  if (sigaltstack(nullptr, &present) != 0) return CallFailed("sigaltstack");
  if ((present.ss_flags & SS_DISABLE) == 0) return absl::OkStatus();
  constexpr long kLeastBytes = 64 * 1024;
  const auto bytes = static_cast<size_t>(std::max(sysconf(_SC_SIGSTKSZ), kLeastBytes));
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return CallFailed("mmap");
  stack_t stack = {};
  stack.ss_sp = memory;
  stack.ss_size = bytes;
  return sigaltstack(&stack, nullptr) == 0 ? absl::OkStatus() : CallFailed("sigaltstack");
}

absl::Status InstallHandler(LocatedSignal& located) {
  // Known before the handler may run.
  if (sigaction(located.number, nullptr, &located.before) != 0) return CallFailed("sigaction");
  struct sigaction action = {};
  action.sa_sigaction = &OnSignal;
  // Whoever is called finds blocked what it asked for.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | (located.before.sa_flags & (SA_NODEFER | SA_RESTART));
  action.sa_mask = located.before.sa_mask;
  return sigaction(located.number, &action, nullptr) == 0 ? absl::OkStatus() : CallFailed("sigaction");
}

absl::Status Install() {
  code_map.store(&CodeMap::Process(), std::memory_order_release);
  absl::Status status = ProvideAlternateStack();
  for (LocatedSignal& located : located_signals) {
    if (status.ok()) status = InstallHandler(located);
  }
  return status;
}

bool IsAsked() {
  const char* const value = std::getenv("BURIN_LOCATE_FAULTS");
  if (value == nullptr || *value == '\0') return false;
  const absl::string_view text = value;
  if (text != "0" && text != "1") BURIN_LOG(kWarning) << "BURIN_LOCATE_FAULTS is neither 0 nor 1: " << value;
  return text == "1";
}

}  // namespace

absl::Status InstallFaultLocator() {
  static const absl::Status& status = *new absl::Status(Install());
  return status;
}

void InstallFaultLocatorIfAsked() {
  static const bool installed = [] {
    if (!IsAsked()) return false;
    const absl::Status status = InstallFaultLocator();
    if (!status.ok()) BURIN_LOG(kWarning) << "BURIN_LOCATE_FAULTS: " << status.message();
    return status.ok();
  }();
  static_cast<void>(installed);
}

}  // namespace burin::jit
