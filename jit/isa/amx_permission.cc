#include "jit/isa/amx_permission.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "absl/strings/str_cat.h"

namespace burin::jit {
namespace {

// From the kernel's asm/prctl.h and its description of dynamic XSTATE; older headers lack them.
constexpr int kRequestXcompPermission = 0x1023;
constexpr int kTileDataState = 18;

absl::Status Request() {
  const long result = syscall(SYS_arch_prctl, kRequestXcompPermission, kTileDataState);
  return AmxPermissionStatus(result == 0 ? 0 : errno);
}

}  // namespace

absl::Status AmxPermissionStatus(int error_number) {
  if (error_number == 0) return absl::OkStatus();
  const std::string message =
      absl::StrCat("The operating system refuses AMX tiles to this process: ", std::strerror(error_number));
  switch (error_number) {
    case EINVAL:      // A kernel before 5.16, or a bit that it does not know.
    case EOPNOTSUPP:  // A processor without the state, or a kernel that does not enable it.
    case ENOSYS:
      return absl::UnimplementedError(message);
    case ENOSPC:
    case ENOMEM:
      return absl::ResourceExhaustedError(absl::StrCat(message, " (is an alternate signal stack too small?)"));
    default:
      return absl::PermissionDeniedError(message);
  }
}

absl::Status RequestAmxPermission() {
  static const absl::Status& answer = *new absl::Status(Request());
  return answer;
}

}  // namespace burin::jit
