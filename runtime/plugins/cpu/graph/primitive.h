// What runs: a node's kernel for given shapes and layouts, with all that it needs.
//
// Made when a graph is prepared (runtime/plugins/cpu/graph/node.h); running it makes nothing. Immutable: any number of
// threads may execute one at a time, each with arguments of its own.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_GRAPH_PRIMITIVE_H_
#define BURIN_RUNTIME_PLUGINS_CPU_GRAPH_PRIMITIVE_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "runtime/executor/team.h"

namespace burin::cpu {

// Where a primitive says at run time that its inputs were wrong (an index beyond its axis). The first one stays.
class RunErrors {
 public:
  void Add(const absl::Status& status) {
    if (status_.ok()) status_ = status;
  }
  // Returns the first error.
  const absl::Status& status() const { return status_; }
  void Clear() { status_ = absl::OkStatus(); }

 private:
  absl::Status status_;
};

// Is the argument of one execution.
struct ExecutionArgs {
  // By input and by output of the node; null where one is absent, or has no bytes.
  absl::Span<const void* const> inputs;
  absl::Span<void* const> outputs;
  // Of Primitive::scratch_bytes().
  void* scratch = nullptr;
  executor::Team* team = nullptr;
  // Of the calling thread.
  RunErrors* errors = nullptr;
};

class Primitive {
 public:
  // What a primitive of a few tables takes that does not say more.
  static constexpr int64_t kTypicalBytes = 4096;

  virtual ~Primitive() = default;

  // Computes the outputs. No output overlaps an input, unless the node said that it may run in place.
  virtual void Execute(const ExecutionArgs& args) const = 0;

  // Returns whether Execute() reads an input. A constant that nobody reads, because all have packed it, is not kept.
  virtual bool Reads(int input) const {
    static_cast<void>(input);
    return true;
  }

  // Returns the bytes of scratch memory of one execution by `members` threads, aligned to 64.
  virtual int64_t ScratchBytes(int members) const {
    static_cast<void>(members);
    return 0;
  }

  // Returns about how many bytes it takes, with the tables and the code that it refers to; but not packed weights,
  // which the store of the process has once for all.
  virtual int64_t Bytes() const { return kTypicalBytes; }

  // Returns the name of the kernel, for profiles; "reference" where there is none.
  virtual std::string kernel_name() const = 0;
  // Returns the instruction set of the kernel, or "none".
  virtual std::string isa_name() const = 0;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_GRAPH_PRIMITIVE_H_
