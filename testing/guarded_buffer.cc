#include "testing/guarded_buffer.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

namespace burin {
namespace {

// Returns how many bytes lie between the last byte and the inaccessible page. qemu 7.2 reads all of what a masked load
// of AVX2 could read, whatever the mask says, and elements of 8 bytes take two; processors do not.
size_t BytesToGuard() {
  constexpr size_t kTwoVectors = 64;
  const char* const emulator = std::getenv("BURIN_EMULATED");
  return emulator != nullptr && std::strcmp(emulator, "qemu") == 0 ? kTwoVectors : 0;
}

}  // namespace

absl::StatusOr<GuardedBuffer> GuardedBuffer::Create(size_t bytes, GuardedEnd end) {
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t behind = BytesToGuard();
  const size_t inner = (bytes + behind + page - 1) / page * page;
  const size_t mapped = inner + 2 * page;
  void* mapping = mmap(nullptr, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) {
    return absl::ResourceExhaustedError(absl::StrCat("mmap failed: ", std::strerror(errno), "; bytes: ", mapped));
  }
  uint8_t* start = static_cast<uint8_t*>(mapping) + page;
  if (inner != 0 && mprotect(start, inner, PROT_READ | PROT_WRITE) != 0) {
    const int error = errno;
    munmap(mapping, mapped);
    return absl::ResourceExhaustedError(absl::StrCat("mprotect failed: ", std::strerror(error), "; bytes: ", inner));
  }
  uint8_t* data = end == GuardedEnd::kFirstByte ? start : start + inner - behind - bytes;
  return GuardedBuffer(mapping, mapped, data, bytes);
}

GuardedBuffer::~GuardedBuffer() {
  if (mapping_ != nullptr) munmap(mapping_, mapped_bytes_);
}

}  // namespace burin
