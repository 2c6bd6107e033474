#include "testing/emulation/emulator.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "testing/emulation/tile_state.h"
#include "testing/emulation/trap.h"

namespace burin::emulation {
namespace {

// arch_prctl codes that older headers lack: which components may and do have permission, and the request for one.
constexpr long kGetXcompSupported = 0x1021;
constexpr long kGetXcompPermission = 0x1022;
constexpr long kRequestXcompPermission = 0x1023;
constexpr long kTileConfig = 17;
constexpr long kTileData = 18;
// What a machine with AVX-512 and AMX answers: x87, SSE, AVX, the three of AVX-512, PKRU, tile configuration and data.
constexpr uint64_t kGrantedComponents = 0x602e7;

// Initial-exec: a handler must not allocate the thread's copy at its first use.
__attribute__((tls_model("initial-exec"))) thread_local TileState tiles;

std::atomic<int64_t> amx_count{0};
std::atomic<int64_t> avx_vnni_count{0};
std::atomic<int64_t> passed_on_count{0};
struct sigaction previous_sigill;

void Call(const struct sigaction& action, int signal_number, siginfo_t* info, void* context) {
  if ((action.sa_flags & SA_SIGINFO) != 0) {
    action.sa_sigaction(signal_number, info, context);
  } else {
    action.sa_handler(signal_number);
  }
}

bool HasHandler(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 || (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
}

// A general-protection fault reaches a process as SIGSEGV.
void RaiseGeneralProtection(siginfo_t* info, void* context) {
  struct sigaction current;
  sigaction(SIGSEGV, nullptr, &current);
  if (HasHandler(current)) {
    Call(current, SIGSEGV, info, context);
    return;
  }
  signal(SIGSEGV, SIG_DFL);
  raise(SIGSEGV);
}

void PassOn(siginfo_t* info, void* context) {
  passed_on_count.fetch_add(1, std::memory_order_relaxed);
  if (HasHandler(previous_sigill)) {
    Call(previous_sigill, SIGILL, info, context);
    return;
  }
  // The instruction is run again and ends the process at its true address.
  signal(SIGILL, SIG_DFL);
}

// The handlers align their stack themselves: qemu's user mode before version 8 enters them 8 bytes off.
#define BURIN_SIGNAL_HANDLER __attribute__((force_align_arg_pointer))

BURIN_SIGNAL_HANDLER void OnSigill(int, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  const TrapOutcome outcome = CarryOut(static_cast<ucontext_t*>(context), &tiles);
  switch (outcome.fault) {
    case Fault::kNone:
      (outcome.family == Family::kAmx ? amx_count : avx_vnni_count).fetch_add(1, std::memory_order_relaxed);
      break;
    case Fault::kGeneralProtection:
      RaiseGeneralProtection(info, context);
      break;
    case Fault::kInvalidOpcode:
      PassOn(info, context);
      break;
  }
  errno = saved_errno;
}

// Answers the arch_prctl calls that the filter stopped.
BURIN_SIGNAL_HANDLER void OnSigsys(int, siginfo_t*, void* context) {
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  const auto code = static_cast<long>(registers[REG_RDI]);
  const auto argument = registers[REG_RSI];
  long answer = -ENOSYS;
  if (code == kRequestXcompPermission) {
    answer = argument == kTileConfig || argument == kTileData ? 0 : -EINVAL;
  } else if (code == kGetXcompSupported || code == kGetXcompPermission) {
    std::memcpy(reinterpret_cast<void*>(argument), &kGrantedComponents, sizeof(kGrantedComponents));
    answer = 0;
  }
  registers[REG_RAX] = answer;
}

absl::Status CallFailed(absl::string_view call) {
  return absl::InternalError(
      absl::StrCat("The emulator of instructions cannot be installed: ", call, " failed: ", std::strerror(errno)));
}

// Sends SIGSYS for the three arch_prctl calls about components, in all threads.
absl::Status InstallPermissionFilter() {
  struct sigaction action = {};
  action.sa_sigaction = &OnSigsys;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  if (sigaction(SIGSYS, &action, nullptr) != 0) return CallFailed("sigaction(SIGSYS)");
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_arch_prctl, 0, 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args)),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, kGetXcompSupported, 0, 2),
      BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, kRequestXcompPermission, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return CallFailed("prctl(PR_SET_NO_NEW_PRIVS)");
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) != 0) {
    if (errno == ENOSYS) return absl::UnimplementedError("The permission to use AMX cannot be granted without seccomp");
    return CallFailed("seccomp");
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status InstallEmulator(const EmulatorOptions& options) {
  if (__builtin_cpu_supports("avx2") == 0 || __builtin_cpu_supports("fma") == 0 ||
      __builtin_cpu_supports("f16c") == 0) {
    return absl::UnimplementedError("The emulator of instructions needs a processor with AVX2, FMA and F16C");
  }
  struct sigaction action = {};
  action.sa_sigaction = &OnSigill;
  // Not deferred: a handler that carries the instruction out may itself leave by siglongjmp from a fault.
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
  struct sigaction current;
  if (sigaction(SIGILL, nullptr, &current) != 0) return CallFailed("sigaction(SIGILL)");
  // Already on top: the handler must not become its own predecessor.
  if ((current.sa_flags & SA_SIGINFO) == 0 || current.sa_sigaction != &OnSigill) {
    if (sigaction(SIGILL, &action, &previous_sigill) != 0) return CallFailed("sigaction(SIGILL)");
  }
  return options.grant_amx_permission ? InstallPermissionFilter() : absl::OkStatus();
}

EmulatorCounts CountsOfEmulator() {
  return {amx_count.load(std::memory_order_relaxed), avx_vnni_count.load(std::memory_order_relaxed),
          passed_on_count.load(std::memory_order_relaxed)};
}

}  // namespace burin::emulation
