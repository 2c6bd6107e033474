// Owns memory for machine code: written through one mapping, executed through another, never both at one address.
//
// Use it (through jit/asm/executable_code.h) for every byte that is generated and run. Not for data. Code lies in
// arenas: memory mapped twice, readable and writable at one address, readable and executable at another. Blocks are cut
// from arenas at 64-byte boundaries; what is free holds int3, so that a stale pointer traps. All methods may be called
// from any thread.
//
// Invariants (Verify() checks them; the labels appear in its errors and in the tests):
//   M1  Free extents of an arena are sorted, do not touch or overlap, and lie inside the arena.
//   M2  Free extents and live blocks together make up the arena.
//   M3  Every byte of a free extent is int3.
//
// After fork() parent and child share the pages of every arena that existed, so neither may overwrite what the other
// may run: SealArenas(), which the process-wide memory calls at a fork, ends the reuse of those arenas in both.
#ifndef BURIN_JIT_ASM_CODE_MEMORY_H_
#define BURIN_JIT_ASM_CODE_MEMORY_H_

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace burin::jit {

// Asks the operating system for what CodeMemory needs. The methods return what the calls of the same name do, and set
// errno; a test overrides them to refuse. Overrides must be safe from any thread.
class CodeMemoryOs {
 public:
  virtual ~CodeMemoryOs() = default;

  // Returns a descriptor of a new anonymous file, or -1.
  virtual int MemfdCreate(const char* name, unsigned int flags);

  // Sets the size of a file; returns 0, or -1.
  virtual int Ftruncate(int fd, off_t size);

  // Maps `size` bytes of a file, or of new memory where `fd` is -1, shared, at an address of the system's choice;
  // returns MAP_FAILED on failure.
  virtual void* Mmap(size_t size, int protection, int fd);

  // Maps the same memory, shared, at another address too; returns MAP_FAILED on failure.
  virtual void* MapAgain(void* address, size_t size);

  // Changes the protection of a mapping; returns 0, or -1.
  virtual int Mprotect(void* address, size_t size, int protection);

  // Unmaps what Mmap returned; returns 0, or -1.
  virtual int Munmap(void* address, size_t size);

  // Closes a descriptor; returns 0, or -1.
  virtual int Close(int fd);

  // Makes every thread of the process drop instructions that it has fetched already. Does nothing on a system that
  // cannot; needed only where bytes that once ran are replaced.
  virtual void SynchronizeInstructionFetch();

  // Returns whether bytes that once ran may be replaced through another mapping. Not under qemu's translator in user
  // mode, which goes on running its translation of the old ones.
  virtual bool MayReplaceCode();
};

class CodeBlock;

// Allocates blocks of executable memory. Lives longer than its blocks.
class CodeMemory {
 public:
  // Blocks start at multiples of this many bytes and take whole multiples of it.
  static constexpr size_t kBlockAlignment = 64;
  // Arenas take multiples of this many bytes.
  static constexpr size_t kArenaGranule = 256 * 1024;
  // The largest block, in bytes: any displacement inside it fits in 32 bits.
  static constexpr size_t kMaxBlockBytes = size_t{1} << 30;

  // Tells how much is in use, in bytes; `mapped_bytes` counts each arena once.
  struct Stats {
    size_t arenas = 0;
    size_t mapped_bytes = 0;
    size_t used_bytes = 0;
    size_t blocks = 0;
  };

  // Says what arenas are made of.
  enum class Backing {
    // Anonymous files, which a process that may not make its memory executable (systemd's MemoryDenyWriteExecute) may
    // still map so.
    kMemfd,
    // Anonymous shared memory, the only kind for which perf looks names up in perf-PID.map.
    kAnonymous,
  };

  // Returns the memory that all kernels of the process share, of anonymous memory where BURIN_PERF is `map`, else of
  // files. It is never destroyed, and seals its arenas at fork().
  static CodeMemory& Process();

  // Makes a memory that asks `os`, which lives longer; null means the real system.
  explicit CodeMemory(CodeMemoryOs* os = nullptr, Backing backing = Backing::kMemfd);
  CodeMemory(const CodeMemory&) = delete;
  CodeMemory& operator=(const CodeMemory&) = delete;
  // All blocks have been given back (BURIN_CHECK).
  ~CodeMemory();

  // Copies `code` into a new block. PermissionDenied where the system refuses executable memory, ResourceExhausted
  // where there is none; both name the call and its errno. InvalidArgument where `code` is empty or larger than
  // kMaxBlockBytes.
  absl::StatusOr<CodeBlock> Allocate(absl::Span<const uint8_t> code);

  // Returns the present use.
  Stats GetStats() const;

  // Ends the reuse of all present arenas: nothing is written to them any more, and each is unmapped once it is empty.
  void SealArenas();

  // Checks M1 to M3; Internal names the one that is broken. Reads all free memory: for tests.
  absl::Status Verify() const;

 private:
  friend class CodeBlock;

  struct Arena {
    uint8_t* writable = nullptr;
    uint8_t* executable = nullptr;
    size_t size = 0;
    size_t used = 0;
    size_t blocks = 0;
    // Bytes from here on have never held code, so that nothing can have fetched them.
    size_t fresh_from = 0;
    bool sealed = false;
    // Offset to size.
    std::map<size_t, size_t> free;
  };

  static void LockForFork();
  static void UnlockAfterFork();

  absl::StatusOr<std::unique_ptr<Arena>> CreateArena(size_t size);
  // Set the arena's addresses.
  absl::Status MapFile(Arena& arena);
  absl::Status MapAnonymous(Arena& arena);
  void DestroyArena(const Arena& arena);
  // Returns whether `size` bytes were cut from the arena, and where: fresh ones where code may not be replaced.
  bool TakeExtent(Arena& arena, size_t size, size_t* offset);
  static void ReturnExtent(Arena& arena, size_t offset, size_t size);
  void SealArenasLocked();
  void Free(Arena* arena, size_t offset, size_t size);

  CodeMemoryOs* const os_;
  const Backing backing_;
  const bool may_replace_;
  // Guards arenas_ and what they hold. A std::mutex: an absl::Mutex that others wait for at a fork stays waiting in the
  // child, where those threads do not exist.
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Arena>> arenas_;
};

// Owns one block of executable memory; gives it back when destroyed. Move-only; one thread at a time may move or
// destroy it, any number may run the code.
class CodeBlock {
 public:
  // Makes an empty block: null address.
  CodeBlock() = default;
  CodeBlock(CodeBlock&& other) noexcept;
  CodeBlock& operator=(CodeBlock&& other) noexcept;
  ~CodeBlock();

  // Returns the executable address of the first byte; null in an empty block.
  const uint8_t* address() const { return arena_ == nullptr ? nullptr : arena_->executable + offset_; }

  // Returns the number of bytes that the block takes, a multiple of CodeMemory::kBlockAlignment.
  size_t size() const { return size_; }

 private:
  friend class CodeMemory;

  CodeBlock(CodeMemory* memory, CodeMemory::Arena* arena, size_t offset, size_t size)
      : memory_(memory), arena_(arena), offset_(offset), size_(size) {}
  void Release();

  CodeMemory* memory_ = nullptr;
  CodeMemory::Arena* arena_ = nullptr;
  size_t offset_ = 0;
  size_t size_ = 0;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_ASM_CODE_MEMORY_H_
