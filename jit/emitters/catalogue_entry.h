// Describes an element-wise function that can be emitted: what it takes, what it gives and how exactly.
//
// Use it in the catalogue of a family, which tests, benchmarks and dumps read. Not for choosing the emitter of an
// operator, which is called by its name. Values, hence thread-safe.
#ifndef BURIN_JIT_EMITTERS_CATALOGUE_ENTRY_H_
#define BURIN_JIT_EMITTERS_CATALOGUE_ENTRY_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "jit/emitters/row_kernel.h"

namespace burin::jit {

// Names what the 4 bytes of a lane hold: a float, a signed integer, or a truth value, which is the integer 0 or 1.
enum class LaneKind : uint8_t { kF32, kI32, kBool };

// Says what the error of a float is divided by.
enum class ErrorUnit : uint8_t {
  kUlp,    // The distance of floats at the exact result; in the denormal range, that of denormals.
  kInput,  // max(1, |x|) of the first input.
};

// Describes a function.
struct CatalogueEntry {
  // Its name is that of the emitter without "Emit"; where parameters are bound, they follow: "Elu(1)".
  RowFunction function;
  // Of each input, and of the result.
  std::vector<LaneKind> inputs;
  LaneKind output = LaneKind::kF32;
  // The greatest error over all inputs that the emitter is for, where the result is a float; 0 says that every bit is
  // right but for those of NaN. Integers and truth values are always exact.
  ErrorUnit unit = ErrorUnit::kUlp;
  double bound = 0;
};

// Describes a function of which every bit is right; `emit` is as for RowFunction::Of().
template <class EmitBoth>
CatalogueEntry ExactEntry(std::string name, std::vector<LaneKind> inputs, LaneKind output, EmitBoth emit) {
  const int count = static_cast<int>(inputs.size());
  return {RowFunction::Of(std::move(name), count, std::move(emit)), std::move(inputs), output, ErrorUnit::kUlp, 0};
}

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_CATALOGUE_ENTRY_H_
