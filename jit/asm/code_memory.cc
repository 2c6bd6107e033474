#include "jit/asm/code_memory.h"

#include <linux/membarrier.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/check.h"
#include "base/status_macros.h"
#include "jit/asm/jit_symbols.h"
#include "jit/isa/cpuid.h"

namespace burin::jit {
namespace {

constexpr uint8_t kInt3 = 0xcc;

// Of Linux 6.3; older headers lack it. The file is mapped and never handed to execve(), so that its mode may say so:
// vm.memfd_noexec = 2 refuses any other.
constexpr unsigned int kMfdNoexecSeal = 0x0008U;

size_t RoundUp(size_t value, size_t unit) { return (value + unit - 1) / unit * unit; }

absl::Status SystemError(absl::string_view call, int error_number) {
  const std::string text = absl::StrCat("No executable memory: ", call, " failed: ", std::strerror(error_number),
                                        " (errno ", error_number, ")");
  switch (error_number) {
    case EPERM:
    case EACCES:
    case ENOSYS:
    case EINVAL:
      return absl::PermissionDeniedError(text);
    default:
      return absl::ResourceExhaustedError(text);
  }
}

CodeMemoryOs& RealOs() {
  static CodeMemoryOs& os = *new CodeMemoryOs();
  return os;
}

}  // namespace

int CodeMemoryOs::MemfdCreate(const char* name, unsigned int flags) { return memfd_create(name, flags); }

int CodeMemoryOs::Ftruncate(int fd, off_t size) { return ftruncate(fd, size); }

void* CodeMemoryOs::Mmap(size_t size, int protection, int fd) {
  return mmap(nullptr, size, protection, fd < 0 ? MAP_SHARED | MAP_ANONYMOUS : MAP_SHARED, fd, 0);
}

void* CodeMemoryOs::MapAgain(void* address, size_t size) {
  // An old size of 0 makes a second mapping of what is shared (mremap(2)).
  return mremap(address, 0, size, MREMAP_MAYMOVE);
}

int CodeMemoryOs::Mprotect(void* address, size_t size, int protection) { return mprotect(address, size, protection); }

int CodeMemoryOs::Munmap(void* address, size_t size) { return munmap(address, size); }

int CodeMemoryOs::Close(int fd) { return close(fd); }

void CodeMemoryOs::SynchronizeInstructionFetch() {
  static const bool registered =
      syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0) == 0;
  if (registered) syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0);
}

bool CodeMemoryOs::MayReplaceCode() {
  static const bool is_translated = [] {
    // The leaf at which hypervisors and emulators name themselves.
    const CpuidRegisters registers = CpuidSource::Host().cpuid(0x40000000, 0);
    const uint32_t name[] = {registers.ebx, registers.ecx, registers.edx};
    return std::memcmp(name, "TCGTCGTCGTCG", sizeof(name)) == 0;
  }();
  return !is_translated;
}

CodeMemory& CodeMemory::Process() {
  static CodeMemory& memory = []() -> CodeMemory& {
    const bool perf_map = JitSymbols::Process().options().perf == PerfMode::kMap;
    auto* created = new CodeMemory(nullptr, perf_map ? Backing::kAnonymous : Backing::kMemfd);
    // Fails only for want of memory; a fork() is then as unsafe as it is without any handler.
    pthread_atfork(&CodeMemory::LockForFork, &CodeMemory::UnlockAfterFork, &CodeMemory::UnlockAfterFork);
    return *created;
  }();
  return memory;
}

void CodeMemory::LockForFork() { Process().mutex_.lock(); }

void CodeMemory::UnlockAfterFork() {
  Process().SealArenasLocked();
  Process().mutex_.unlock();
}

CodeMemory::CodeMemory(CodeMemoryOs* os, Backing backing)
    : os_(os == nullptr ? &RealOs() : os), backing_(backing), may_replace_(os_->MayReplaceCode()) {}

CodeMemory::~CodeMemory() {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const std::unique_ptr<Arena>& arena : arenas_) {
    BURIN_CHECK_EQ(arena->blocks, size_t{0}) << "code memory destroyed before its blocks";
    DestroyArena(*arena);
  }
}

absl::Status CodeMemory::MapFile(Arena& arena) {
  int fd = os_->MemfdCreate("burin-jit", MFD_CLOEXEC | kMfdNoexecSeal);
  if (fd < 0 && errno == EINVAL) fd = os_->MemfdCreate("burin-jit", MFD_CLOEXEC);
  if (fd < 0) return SystemError("memfd_create", errno);
  absl::Status status;
  if (os_->Ftruncate(fd, static_cast<off_t>(arena.size)) != 0) {
    status = SystemError("ftruncate", errno);
  } else if (void* writable = os_->Mmap(arena.size, PROT_READ | PROT_WRITE, fd); writable == MAP_FAILED) {
    status = SystemError("mmap(PROT_READ | PROT_WRITE)", errno);
  } else if (void* executable = os_->Mmap(arena.size, PROT_READ | PROT_EXEC, fd); executable == MAP_FAILED) {
    status = SystemError("mmap(PROT_READ | PROT_EXEC)", errno);
    os_->Munmap(writable, arena.size);
  } else {
    arena.writable = static_cast<uint8_t*>(writable);
    arena.executable = static_cast<uint8_t*>(executable);
  }
  // The mappings keep the file alive.
  os_->Close(fd);
  return status;
}

absl::Status CodeMemory::MapAnonymous(Arena& arena) {
  void* writable = os_->Mmap(arena.size, PROT_READ | PROT_WRITE, -1);
  if (writable == MAP_FAILED) return SystemError("mmap(PROT_READ | PROT_WRITE)", errno);
  void* executable = os_->MapAgain(writable, arena.size);
  if (executable == MAP_FAILED) {
    const absl::Status status = SystemError("mremap", errno);
    os_->Munmap(writable, arena.size);
    return status;
  }
  if (os_->Mprotect(executable, arena.size, PROT_READ | PROT_EXEC) != 0) {
    const absl::Status status = SystemError("mprotect(PROT_READ | PROT_EXEC)", errno);
    os_->Munmap(executable, arena.size);
    os_->Munmap(writable, arena.size);
    return status;
  }
  arena.writable = static_cast<uint8_t*>(writable);
  arena.executable = static_cast<uint8_t*>(executable);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<CodeMemory::Arena>> CodeMemory::CreateArena(size_t size) {
  auto arena = std::make_unique<Arena>();
  arena->size = size;
  BURIN_RETURN_IF_ERROR(backing_ == Backing::kMemfd ? MapFile(*arena) : MapAnonymous(*arena));
  std::memset(arena->writable, kInt3, size);
  arena->free.emplace(0, size);
  return arena;
}

void CodeMemory::DestroyArena(const Arena& arena) {
  os_->Munmap(arena.executable, arena.size);
  os_->Munmap(arena.writable, arena.size);
}

bool CodeMemory::TakeExtent(Arena& arena, size_t size, size_t* offset) {
  if (arena.sealed || arena.size - arena.used < size) return false;
  if (!may_replace_) {
    // What is fresh ends the arena, in one extent, perhaps behind bytes that were given back.
    if (arena.size - arena.fresh_from < size) return false;
    const auto last = std::prev(arena.free.end());
    const size_t given_back = arena.fresh_from - last->first;
    const size_t rest = last->second - given_back - size;
    *offset = arena.fresh_from;
    if (given_back != 0) {
      last->second = given_back;
    } else {
      arena.free.erase(last);
    }
    if (rest != 0) arena.free.emplace(*offset + size, rest);
    arena.used += size;
    ++arena.blocks;
    return true;
  }
  // The smallest extent that is large enough, the first of several, so that large ones stay whole.
  auto best = arena.free.end();
  for (auto extent = arena.free.begin(); extent != arena.free.end(); ++extent) {
    if (extent->second < size || (best != arena.free.end() && best->second <= extent->second)) continue;
    best = extent;
    if (best->second == size) break;
  }
  if (best == arena.free.end()) return false;
  *offset = best->first;
  const size_t rest = best->second - size;
  arena.free.erase(best);
  if (rest != 0) arena.free.emplace(*offset + size, rest);
  arena.used += size;
  ++arena.blocks;
  return true;
}

void CodeMemory::ReturnExtent(Arena& arena, size_t offset, size_t size) {
  arena.used -= size;
  --arena.blocks;
  auto next = arena.free.lower_bound(offset);
  if (next != arena.free.end() && offset + size == next->first) {
    size += next->second;
    next = arena.free.erase(next);
  }
  if (next != arena.free.begin()) {
    const auto previous = std::prev(next);
    if (previous->first + previous->second == offset) {
      previous->second += size;
      return;
    }
  }
  arena.free.emplace_hint(next, offset, size);
}

absl::StatusOr<CodeBlock> CodeMemory::Allocate(absl::Span<const uint8_t> code) {
  if (code.empty() || code.size() > kMaxBlockBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("Code must have between 1 and ", kMaxBlockBytes, " bytes; has: ", code.size()));
  }
  const size_t size = RoundUp(code.size(), kBlockAlignment);
  const std::lock_guard<std::mutex> lock(mutex_);
  Arena* arena = nullptr;
  size_t offset = 0;
  for (const std::unique_ptr<Arena>& candidate : arenas_) {
    if (TakeExtent(*candidate, size, &offset)) {
      arena = candidate.get();
      break;
    }
  }
  if (arena == nullptr) {
    BURIN_ASSIGN_OR_RETURN(std::unique_ptr<Arena> created, CreateArena(RoundUp(size, kArenaGranule)));
    arena = created.get();
    arenas_.push_back(std::move(created));
    const bool taken = TakeExtent(*arena, size, &offset);
    BURIN_CHECK(taken) << "a new arena is too small";
  }
  std::memcpy(arena->writable + offset, code.data(), code.size());
  const bool reused = offset < arena->fresh_from;
  arena->fresh_from = std::max(arena->fresh_from, offset + size);
  if (reused) os_->SynchronizeInstructionFetch();
  return CodeBlock(this, arena, offset, size);
}

void CodeMemory::Free(Arena* arena, size_t offset, size_t size) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!arena->sealed) std::memset(arena->writable + offset, kInt3, size);
  ReturnExtent(*arena, offset, size);
  if (arena->blocks != 0) return;
  // One empty arena stays, so that a single kernel made and dropped in turn maps nothing; unless it has bytes that
  // may not be used again.
  const bool last_open = std::none_of(arenas_.begin(), arenas_.end(), [arena](const std::unique_ptr<Arena>& other) {
    return other.get() != arena && !other->sealed && other->size == kArenaGranule;
  });
  if (may_replace_ && !arena->sealed && arena->size == kArenaGranule && last_open) return;
  const auto position = std::find_if(arenas_.begin(), arenas_.end(),
                                     [arena](const std::unique_ptr<Arena>& other) { return other.get() == arena; });
  BURIN_CHECK(position != arenas_.end()) << "a block of an unknown arena";
  DestroyArena(*arena);
  arenas_.erase(position);
}

CodeMemory::Stats CodeMemory::GetStats() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  Stats stats;
  stats.arenas = arenas_.size();
  for (const std::unique_ptr<Arena>& arena : arenas_) {
    stats.mapped_bytes += arena->size;
    stats.used_bytes += arena->used;
    stats.blocks += arena->blocks;
  }
  return stats;
}

void CodeMemory::SealArenas() {
  const std::lock_guard<std::mutex> lock(mutex_);
  SealArenasLocked();
}

void CodeMemory::SealArenasLocked() {
  auto kept = arenas_.begin();
  for (std::unique_ptr<Arena>& arena : arenas_) {
    arena->sealed = true;
    if (arena->blocks == 0) {
      DestroyArena(*arena);
    } else {
      *kept++ = std::move(arena);
    }
  }
  arenas_.erase(kept, arenas_.end());
}

absl::Status CodeMemory::Verify() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const std::unique_ptr<Arena>& arena : arenas_) {
    size_t end = 0;
    size_t free_bytes = 0;
    for (const auto& [offset, size] : arena->free) {
      if ((offset <= end && offset != 0) || size == 0 || offset + size > arena->size) {
        return absl::InternalError(absl::StrCat("M1: free extents are out of order at offset ", offset));
      }
      end = offset + size;
      free_bytes += size;
      if (arena->sealed) continue;
      const uint8_t* first = arena->executable + offset;
      if (std::any_of(first, first + size, [](uint8_t byte) { return byte != kInt3; })) {
        return absl::InternalError(absl::StrCat("M3: free memory is not int3 at offset ", offset));
      }
    }
    if (free_bytes + arena->used != arena->size) {
      return absl::InternalError(
          absl::StrCat("M2: bytes are lost: arena ", arena->size, ", free ", free_bytes, ", used ", arena->used));
    }
  }
  return absl::OkStatus();
}

CodeBlock::CodeBlock(CodeBlock&& other) noexcept
    : memory_(std::exchange(other.memory_, nullptr)),
      arena_(std::exchange(other.arena_, nullptr)),
      offset_(std::exchange(other.offset_, 0)),
      size_(std::exchange(other.size_, 0)) {}

CodeBlock& CodeBlock::operator=(CodeBlock&& other) noexcept {
  if (this != &other) {
    Release();
    memory_ = std::exchange(other.memory_, nullptr);
    arena_ = std::exchange(other.arena_, nullptr);
    offset_ = std::exchange(other.offset_, 0);
    size_ = std::exchange(other.size_, 0);
  }
  return *this;
}

CodeBlock::~CodeBlock() { Release(); }

void CodeBlock::Release() {
  if (arena_ != nullptr) memory_->Free(arena_, offset_, size_);
  arena_ = nullptr;
}

}  // namespace burin::jit
