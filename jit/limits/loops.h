// Generates the loops whose speed is a machine's limit: one instruction over and over, or memory read or copied in
// sequence.
//
// Use them to measure limits (jit/limits/machine_limits.h) and as the yardstick of a benchmark. Not for warming up or
// waiting. A loop may be run by any number of threads at once.
#ifndef BURIN_JIT_LIMITS_LOOPS_H_
#define BURIN_JIT_LIMITS_LOOPS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "jit/asm/code_blob.h"
#include "jit/asm/executable_code.h"
#include "jit/isa/isa.h"

namespace burin::jit {

// Names what a register loop repeats.
enum class LoopOp : uint8_t {
  // add r64, r64, each of which needs the one before: one a cycle on every x86-64 processor. (An add of an immediate is
  // not: recent processors fold chains of those.)
  kDependentAdd,
  // vfmadd231ps.
  kFma,
  // vfmadd231ps and vaddps in turn.
  kFmaAndAdd,
  // vdpbf16ps.
  kDotBf16,
  // vpdpbusd.
  kDotInt8,
};

// Describes a register loop.
struct LoopSpec {
  LoopOp op = LoopOp::kFma;
  // Of a vector: 256 or 512. Not read for kDependentAdd.
  int bits = 256;
  // Independent chains, 1 to MaxChains(): 12 fill the pipelines of one instruction (latency 6 at two a cycle), 24 those
  // of two, 1 measures the latency. Not read for kDependentAdd, which is one chain.
  int chains = 12;

  // Returns a name such as "fma_512_x12".
  std::string Name() const;
};

// Returns the most chains that a loop may have on a machine with `isa`: all vector registers but the two factors.
int MaxChains(const IsaSet& isa);

// Runs one instruction over and over.
class RegisterLoop {
 public:
  // Generates the loop for a machine with `isa`. Unimplemented where it lacks the instruction, InvalidArgument for a
  // spec out of range; else fails as Assembler and ExecutableCode do.
  static absl::StatusOr<RegisterLoop> Create(const IsaSet& isa, const LoopSpec& spec);

  // Returns the code alone, which need not run here. Fails likewise.
  static absl::StatusOr<CodeBlob> Generate(const IsaSet& isa, const LoopSpec& spec);

  // Runs the loop `iterations` > 0 times.
  void Run(int64_t iterations) const { code_.entry<void (*)(int64_t)>()(iterations); }

  // Returns the number of instructions of the kind in one iteration, a multiple of the number of chains.
  int instructions_per_iteration() const { return instructions_per_iteration_; }

 private:
  RegisterLoop(ExecutableCode code, int instructions_per_iteration)
      : code_(std::move(code)), instructions_per_iteration_(instructions_per_iteration) {}

  ExecutableCode code_;
  int instructions_per_iteration_;
};

// Reads memory in sequence, by aligned vectors of the machine's full width.
class ReadLoop {
 public:
  // What is read is a multiple of this many bytes.
  static constexpr size_t kBlockBytes = 1024;

  // Generates the loop for a machine with `isa`. Fails as RegisterLoop::Create() does.
  static absl::StatusOr<ReadLoop> Create(const IsaSet& isa);

  // Returns the code alone, which need not run here. Fails likewise.
  static absl::StatusOr<CodeBlob> Generate(const IsaSet& isa);

  // Reads `blocks` > 0 blocks from `data` on, which is aligned to 64 bytes, `passes` > 0 times over.
  void Run(const void* data, int64_t blocks, int64_t passes) const {
    code_.entry<void (*)(const void*, int64_t, int64_t)>()(data, blocks, passes);
  }

 private:
  explicit ReadLoop(ExecutableCode code) : code_(std::move(code)) {}

  ExecutableCode code_;
};

// Reads memory and writes it elsewhere, both in sequence, by aligned vectors of the machine's full width.
class CopyLoop {
 public:
  // What is copied is a multiple of this many bytes.
  static constexpr size_t kBlockBytes = 1024;

  // Generates the loop for a machine with `isa`. Fails as RegisterLoop::Create() does.
  static absl::StatusOr<CopyLoop> Create(const IsaSet& isa);

  // Returns the code alone, which need not run here. Fails likewise.
  static absl::StatusOr<CodeBlob> Generate(const IsaSet& isa);

  // Copies `blocks` > 0 blocks, `passes` > 0 times over. Both addresses are aligned to 64 bytes, and what is read is
  // not written.
  void Run(const void* from, void* to, int64_t blocks, int64_t passes) const {
    code_.entry<void (*)(const void*, void*, int64_t, int64_t)>()(from, to, blocks, passes);
  }

 private:
  explicit CopyLoop(ExecutableCode code) : code_(std::move(code)) {}

  ExecutableCode code_;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_LIMITS_LOOPS_H_
