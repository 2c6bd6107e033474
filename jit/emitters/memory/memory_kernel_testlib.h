// Compiles loads and stores of vectors into kernels that move a row from one element type to another.
//
// Use it in the tests of this folder and of conversions. Functions may be called from any thread; a kernel may be run
// by any number of threads at once.
#ifndef BURIN_JIT_EMITTERS_MEMORY_MEMORY_KERNEL_TESTLIB_H_
#define BURIN_JIT_EMITTERS_MEMORY_MEMORY_KERNEL_TESTLIB_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/status_macros.h"
#include "jit/asm/executable_code.h"
#include "jit/asm/operands.h"
#include "jit/emitters/memory/raw_load.h"
#include "jit/emitters/memory/raw_store.h"
#include "jit/emitters/memory/vec_part.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"
#include "jit/isa/target.h"

namespace burin::jit {

// Describes a movement: elements of `in_bytes` bytes are loaded into 32-bit lanes, and stored as elements of
// `out_bytes`.
struct Movement {
  // Loads or stores a group whose last vector may be a part.
  template <class V>
  using Emit = std::function<void(V& v, const VecGroup& group, const Address& memory, const VecPart<V>& part)>;

  // Makes one of function objects that are templates over the vocabulary.
  template <class Load, class Store>
  static Movement Of(int in_bytes, int out_bytes, const Load& load, const Store& store) {
    return {in_bytes, out_bytes, load, store, load, store};
  }

  int in_bytes = 4;
  int out_bytes = 4;
  Emit<VecAvx2> load_avx2;
  Emit<VecAvx2> store_avx2;
  Emit<VecAvx512> load_avx512;
  Emit<VecAvx512> store_avx512;
};

// Load and store lanes as they are.
struct RawLanesLoad {
  template <class V>
  void operator()(V& v, const VecGroup& to, const Address& from, const VecPart<V>& part) const {
    internal::EmitLoadDwords(v, internal::RawSource<V>{from, part}, 4, false, to);
  }
};
struct RawLanesStore {
  template <class V>
  void operator()(V& v, const VecGroup& from, const Address& to, const VecPart<V>& part) const {
    internal::EmitStoreDwords(v, internal::RawDestination<V>{to, part}, 4, internal::Narrowing::kWrap, from);
  }
};

// Replaces lanes by emit(v, group), then stores them as they are.
template <class Emit>
struct RawLanesStoreOf {
  template <class V>
  void operator()(V& v, const VecGroup& from, const Address& to, const VecPart<V>& part) const {
    emit(v, from);
    RawLanesStore()(v, from, to, part);
  }
  Emit emit;
};

// Is a loaded kernel.
class MemoryKernel {
 public:
  // Compiles the movement for machines like `target`, at the width that they have: a loop over `vectors` vectors at a
  // time, one over single vectors, and a part, also where nothing is left for it. Where `count` has a value, the kernel
  // moves just so many elements, without a loop: as many as vectors hold, the last of them a part of constant size.
  static absl::StatusOr<MemoryKernel> Create(const Movement& movement, const Target& target, int vectors,
                                             std::optional<int> count = std::nullopt);

  // Runs it.
  void Run(const void* in, void* out, int64_t count) const;

 private:
  explicit MemoryKernel(ExecutableCode code) : code_(std::move(code)) {}

  ExecutableCode code_;
};

// Returns the lanes that replace `in`, at the width of this machine, `vectors` vectors at a time, by emit(v, group).
template <class Emit>
absl::StatusOr<std::vector<uint32_t>> MapLanes(const std::vector<uint32_t>& in, int vectors, const Emit& emit) {
  BURIN_ASSIGN_OR_RETURN(const Target target, Target::Host());
  const Movement movement = Movement::Of(4, 4, RawLanesLoad(), RawLanesStoreOf<Emit>{emit});
  BURIN_ASSIGN_OR_RETURN(const MemoryKernel kernel, MemoryKernel::Create(movement, target, vectors));
  std::vector<uint32_t> out(in.size());
  kernel.Run(in.data(), out.data(), static_cast<int64_t>(in.size()));
  return out;
}

// Returns the number of 32-bit lanes of the vectors that `target` has.
int LanesOf(const Target& target);

// Moves 0, 1, ... elements up to several vectors, with input and output against an inaccessible page at either end, by
// loops and by kernels of constant count, and returns an error where a result is not the one of a long run, of the
// elements `in`, or where other memory changes. There are at least 3 vectors of elements.
absl::Status CheckParts(const Movement& movement, const Target& target, const std::vector<uint8_t>& in);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_MEMORY_MEMORY_KERNEL_TESTLIB_H_
