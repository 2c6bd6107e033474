// Keeps generated code by content, so that equal kernels are generated once for all streams and models of a process.
//
// Use it for every kernel: the key says what the kernel depends on (jit/code_key.h), the generator is called where
// there is none yet. Not for plans or packed weights. Code is lent by CachedCode, a counted reference; code that
// somebody holds is never given up, and the rest, the longest unused first, where all code takes more than the bound.
//
//   BURIN_ASSIGN_OR_RETURN(CachedCode code, cache.GetOrGenerate(CodeKey::Of("copy", isa, spec), [&] {
//     return GenerateCopy(spec, isa);
//   }));
//   code->entry<void (*)(const CopyArgs*)>()(&args);
//
// All methods may be called from any number of threads. No lock is held while code is generated, loaded or freed.
#ifndef BURIN_JIT_CODE_CACHE_H_
#define BURIN_JIT_CODE_CACHE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/check.h"
#include "jit/asm/code_blob.h"
#include "jit/asm/code_memory.h"
#include "jit/asm/executable_code.h"
#include "jit/code_key.h"

namespace burin::jit {

class CachedCode;

// Holds code. Lives longer than the references that it hands out.
//
// Invariants (Verify() checks them; the labels appear in its errors):
//   C1  What is idle is what nobody refers to.
//   C2  `bytes` is the sum over all code.
//   C3  Where `bytes` is more than the bound, nothing is idle.
class CodeCache {
 public:
  // The bound of the process's cache, in bytes of code memory.
  static constexpr size_t kDefaultMaxBytes = size_t{128} << 20;

  // Tells what has happened so far, and what is held now.
  struct Stats {
    // Requests that found their code, and those that did not: they generated it or waited for whoever did.
    int64_t hits = 0;
    int64_t misses = 0;
    // Calls of a generator, and how many of them brought no code.
    int64_t generations = 0;
    int64_t failures = 0;
    // Kernels that were given up.
    int64_t evictions = 0;
    // Kernels, those that nobody holds, and the code memory of all, in bytes.
    size_t kernels = 0;
    size_t idle = 0;
    size_t bytes = 0;
  };

  // Generates the code of one kernel; called by the thread that asks for it.
  using Generator = absl::FunctionRef<absl::StatusOr<CodeBlob>()>;

  // Returns the cache that all compiled models of the process share. It is never destroyed.
  static CodeCache& Process();

  // Makes an empty cache that loads code into `memory`, which lives longer.
  explicit CodeCache(size_t max_bytes, CodeMemory& memory = CodeMemory::Process());
  CodeCache(const CodeCache&) = delete;
  CodeCache& operator=(const CodeCache&) = delete;
  // Nobody refers to its code or waits for any (BURIN_CHECK).
  ~CodeCache();

  // Returns the code of `key`, which `generate` makes unless it is there or under way: then this call waits for it. A
  // failure to generate or load goes to all who wait and is not kept. Where there is no code memory left, what nobody
  // holds is given up and loading is tried once more. `generate` may itself ask for other keys; Internal where a
  // kernel, through others, asks for itself. Errors else as of `generate` and ExecutableCode::Load().
  absl::StatusOr<CachedCode> GetOrGenerate(const CodeKey& key, Generator generate);

  // Returns the code of `key`, or an empty reference where there is none yet. Does not wait; counts as a request.
  CachedCode Find(const CodeKey& key);

  // Changes the bound, in bytes, and gives up what it does not allow.
  void SetMaxBytes(size_t max_bytes);

  // Returns the present figures.
  Stats GetStats() const;

  // Checks C1 to C3; Internal names the one that is broken. For tests.
  absl::Status Verify() const;

 private:
  friend class CachedCode;

  // Holds one kernel.
  struct Entry {
    Entry(const CodeKey& key_in, ExecutableCode code_in) : key(key_in), code(std::move(code_in)), idle{this} {}

    const CodeKey key;
    const ExecutableCode code;
    // Reaches and leaves 0 with mutex_ locked only.
    std::atomic<int64_t> references{1};
    // Holds this entry's node of idle_ while it is not there; `place` is the node, wherever it is.
    std::list<Entry*> idle;
    const std::list<Entry*>::iterator place = idle.begin();
  };
  struct Flight;
  using Evicted = std::vector<std::unique_ptr<Entry>>;

  // These four are called with mutex_ locked.

  // Returns a reference to the code, or an empty one; counts the request.
  CachedCode Refer(const CodeKey& key);
  // Takes idle entries out until at most `max_bytes` are left, or none is idle. They are destroyed after unlocking.
  void EvictTo(size_t max_bytes, Evicted& evicted);
  // Returns whether waiting for `flight` would be for ever: its thread waits, through others, for this one.
  bool WouldDeadlock(const Flight& flight) const;
  // Waits until `flight` has landed; unlocks meanwhile.
  absl::StatusOr<CachedCode> Wait(const std::shared_ptr<Flight>& flight, std::unique_lock<std::mutex>& lock);

  // Runs the generator and loads its code.
  absl::StatusOr<ExecutableCode> Generate(Generator generate);
  // Keeps what was generated and tells those who wait.
  absl::StatusOr<CachedCode> Land(const CodeKey& key, const std::shared_ptr<Flight>& flight,
                                  absl::StatusOr<ExecutableCode> code);
  // Gives one reference back.
  void Release(Entry* entry);

  CodeMemory& memory_;
  mutable std::mutex mutex_;
  size_t max_bytes_;
  Stats stats_;
  absl::flat_hash_map<CodeKey, std::unique_ptr<Entry>> entries_;
  // What nobody refers to, the longest unused first.
  std::list<Entry*> idle_;
  // What is being generated.
  absl::flat_hash_map<CodeKey, std::shared_ptr<Flight>> flights_;
  // What the threads that wait are waiting for.
  std::vector<std::pair<std::thread::id, const Flight*>> waiting_;
};

// Refers to code of a cache, which keeps it at least as long. A copy refers to the same code. One thread at a time may
// change a reference; any number may run the code.
class CachedCode {
 public:
  // Makes an empty reference.
  CachedCode() = default;
  CachedCode(const CachedCode& other);
  CachedCode(CachedCode&& other) noexcept;
  CachedCode& operator=(const CachedCode& other);
  CachedCode& operator=(CachedCode&& other) noexcept;
  ~CachedCode();

  // Returns whether it refers to code.
  explicit operator bool() const { return entry_ != nullptr; }

  // Return the code; not of an empty reference (BURIN_DCHECK).
  const ExecutableCode& operator*() const {
    BURIN_DCHECK(entry_ != nullptr);
    return entry_->code;
  }
  const ExecutableCode* operator->() const { return &**this; }

 private:
  friend class CodeCache;

  // Takes a reference that is counted already.
  CachedCode(CodeCache* cache, CodeCache::Entry* entry) : cache_(cache), entry_(entry) {}

  CodeCache* cache_ = nullptr;
  CodeCache::Entry* entry_ = nullptr;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_CODE_CACHE_H_
