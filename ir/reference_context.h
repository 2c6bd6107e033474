// What a reference evaluation sees: dense input tensors, outputs to fill, scratch memory and a cancel flag.
//
// The evaluator has run the op's inference on the actual shapes (and values) before, so that every output whose shape
// follows from them is allocated already. Inputs are dense and row-major; outputs never overlap inputs unless the op
// itself shares them (ShareInput). Not thread-safe; lives for one call.
#ifndef BURIN_IR_REFERENCE_CONTEXT_H_
#define BURIN_IR_REFERENCE_CONTEXT_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/check.h"
#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/shape.h"
#include "ir/tensor.h"

namespace burin::ir {

class Model;

// Lends scratch memory to reference evaluations; blocks come back when the lease ends and are used again.
// Not thread-safe: one per evaluation.
class ScratchAllocator {
 public:
  virtual ~ScratchAllocator() = default;
  // Lends at least `bytes` bytes aligned to 64, until ReleaseAll(). ResourceExhausted where memory is denied.
  virtual absl::StatusOr<void*> Lend(size_t bytes) = 0;
  // Takes back everything lent.
  virtual void ReleaseAll() = 0;
};

// Evaluates body graphs (If, Loop, Scan) for reference evaluations: implemented by ir:evaluator.
class BodyRunner {
 public:
  virtual ~BodyRunner() = default;
  // Runs `body` on one tensor per parameter; returns one tensor per result.
  virtual absl::StatusOr<std::vector<Tensor>> Run(const Model& body, absl::Span<const Tensor> inputs) = 0;
};

// The value of each variable (ReadValue/Assign) of one request, by variable id.
class VariableStore {
 public:
  virtual ~VariableStore() = default;
  // Returns the value, or null where the variable has never been assigned since its last reset.
  virtual const Tensor* Find(absl::string_view variable_id) const = 0;
  virtual void Assign(absl::string_view variable_id, Tensor value) = 0;
};

class ReferenceContext {
 public:
  struct Environment {
    ScratchAllocator* scratch = nullptr;           // Required.
    const std::atomic<bool>* cancelled = nullptr;  // Null: cannot be cancelled.
    BodyRunner* body_runner = nullptr;             // Required by ops with bodies.
    VariableStore* variables = nullptr;            // Required by ReadValue and Assign.
  };

  // `inputs[i]` is an empty Tensor for an absent input. `outputs[i]` is allocated, or empty where its shape is not
  // known before the values are computed; `output_types` always holds the inferred types.
  ReferenceContext(const Attributes& attributes, absl::Span<const Tensor> inputs, absl::Span<Tensor> outputs,
                   absl::Span<const ElementType> output_types, const Environment& environment,
                   absl::Span<const std::unique_ptr<Model>> bodies = {});

  template <class T>
  const T& attributes() const {
    const T* typed = AttributesAs<T>(attributes_);
    BURIN_CHECK(typed != nullptr) << "attributes of another op";
    return *typed;
  }

  int64_t input_count() const { return static_cast<int64_t>(inputs_.size()); }
  bool has_input(int64_t i) const { return i < input_count() && inputs_[static_cast<size_t>(i)].has_value(); }
  const Tensor& input(int64_t i) const { return inputs_[static_cast<size_t>(i)]; }

  int64_t output_count() const { return static_cast<int64_t>(outputs_.size()); }
  ElementType output_type(int64_t i) const { return output_types_[static_cast<size_t>(i)]; }
  // Returns output `i`; requires that it is allocated.
  const Tensor& output(int64_t i) const { return outputs_[static_cast<size_t>(i)]; }
  bool has_output(int64_t i) const { return outputs_[static_cast<size_t>(i)].has_value(); }
  // Allocates output `i` with a shape that depends on values, or checks it against the one allocated before: Internal
  // where they differ. InvalidArgument for a bad shape, ResourceExhausted where the memory is denied.
  absl::Status AllocateOutput(int64_t i, const Shape& shape);
  // Makes output `i` another handle on existing bytes (a view of an input under the output's shape, a body's result).
  void SetOutput(int64_t i, Tensor tensor);

  // Returns all elements of input `i`, converted to double (floats and booleans exactly; 64-bit integers rounded).
  std::vector<double> InputAsDoubles(int64_t i) const;
  // Returns all elements of input `i`, converted to int64 (exact for every integer type but u64 from 2^63 on, which
  // wraps).
  std::vector<int64_t> InputAsInts(int64_t i) const;
  // Stores all elements of output `i`, rounding once to its type (base/element_access.h has the rules).
  void StoreDoubles(int64_t i, absl::Span<const double> values);
  void StoreInts(int64_t i, absl::Span<const int64_t> values);

  ScratchAllocator& scratch() const { return *environment_.scratch; }
  const Environment& environment() const { return environment_; }
  absl::Span<const std::unique_ptr<Model>> bodies() const { return bodies_; }
  // Returns Cancelled once the caller has asked for it; long loops ask now and then.
  absl::Status CheckCancelled() const;

 private:
  const Attributes& attributes_;
  absl::Span<const Tensor> inputs_;
  absl::Span<Tensor> outputs_;
  absl::Span<const ElementType> output_types_;
  const Environment& environment_;
  absl::Span<const std::unique_ptr<Model>> bodies_;
};

}  // namespace burin::ir

#endif  // BURIN_IR_REFERENCE_CONTEXT_H_
