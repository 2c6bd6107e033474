// Knows which kernel, and which of its marks, an address lies in.
//
// ExecutableCode enters every kernel that is loaded and takes it out before its memory is given back; whoever has
// caught an address in generated code asks Find(), from a signal handler too. Not a cache of kernels, and not fast:
// asking takes time in proportion to the kernels there are. All methods may be called from any thread.
//
// How asking does without a lock: slots lie in chunks that are never moved or freed, and a kernel is visible while its
// slot's first address is not 0. Taking a kernel out clears that, then waits until nobody is asking, then frees what
// the slot refers to. Whoever asks copies what it finds before it stops asking.
#ifndef BURIN_JIT_DEBUG_CODE_MAP_H_
#define BURIN_JIT_DEBUG_CODE_MAP_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "jit/asm/code_blob.h"

namespace burin::jit {

// Is a place in generated code. Texts are cut to what fits, and end with a 0.
struct CodePlace {
  static constexpr size_t kMaxText = 256;

  char kernel[kMaxText] = {};
  // The last mark at or before the place; empty where there is none.
  char mark[kMaxText] = {};
  // From the beginning of the kernel, in bytes, and the bytes of instructions that the kernel has.
  size_t offset = 0;
  size_t code_bytes = 0;
};

class CodeMap;

namespace internal {
struct CodeMapSlot;
}  // namespace internal

// Keeps a kernel in the map as long as it lives. Move-only.
class CodeMapEntry {
 public:
  // Makes an entry of nothing.
  CodeMapEntry() = default;
  CodeMapEntry(CodeMapEntry&& other) noexcept
      : map_(std::exchange(other.map_, nullptr)), slot_(std::exchange(other.slot_, nullptr)) {}
  CodeMapEntry& operator=(CodeMapEntry&& other) noexcept;
  ~CodeMapEntry();

 private:
  friend class CodeMap;

  CodeMapEntry(CodeMap* map, internal::CodeMapSlot* slot) : map_(map), slot_(slot) {}

  CodeMap* map_ = nullptr;
  internal::CodeMapSlot* slot_ = nullptr;
};

// Holds what is loaded. One per process is enough; a test makes its own.
class CodeMap {
 public:
  // Returns the one that ExecutableCode uses. It is never destroyed.
  static CodeMap& Process();

  CodeMap();
  CodeMap(const CodeMap&) = delete;
  CodeMap& operator=(const CodeMap&) = delete;
  // All entries have been destroyed (BURIN_CHECK).
  ~CodeMap();

  // Enters `code`, at the address where it runs, with its name and its marks by ascending offset.
  CodeMapEntry Register(absl::string_view name, absl::Span<const uint8_t> code, std::vector<CodeMark> marks);

  // Returns whether `address` lies in the instructions of a kernel, and fills in `place` where it does.
  // Async-signal-safe: takes no lock and no memory.
  bool Find(uintptr_t address, CodePlace* place) const;

  // Returns the number of kernels.
  size_t size() const;

 private:
  friend class CodeMapEntry;
  struct Chunk;

  void Remove(internal::CodeMapSlot* slot);
  // Waits until nobody is asking. Returns false where somebody does not end, such as a thread that a fork() left
  // behind.
  bool WaitForReaders() const;

  Chunk* const first_;
  // How many are asking.
  mutable std::atomic<int> readers_{0};
  // Guards what follows, and the end of the list of chunks.
  mutable std::mutex mutex_;
  std::vector<internal::CodeMapSlot*> free_;
  size_t size_ = 0;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_DEBUG_CODE_MAP_H_
