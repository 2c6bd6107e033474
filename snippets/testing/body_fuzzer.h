// Draws bodies of Subgraphs at random: any graph of operations that a kernel takes, of any types, ranks and broadcasts.
//
// Use it to test kernels on what no one thought of. A body is a pure function of its seed. Stateless, thread-safe.
#ifndef BURIN_SNIPPETS_TESTING_BODY_FUZZER_H_
#define BURIN_SNIPPETS_TESTING_BODY_FUZZER_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "ir/model.h"
#include "ir/shape.h"
#include "snippets/codegen/kernel_emitter.h"
#include "snippets/testing/random_inputs.h"

namespace burin::snippets {

// Is a body, and how it is to be run.
struct DrawnBody {
  uint64_t seed = 0;
  std::unique_ptr<ir::Model> body;
  // What all its values broadcast to.
  ir::Shape space;
  // Of each parameter: its elements; of each of its dimensions, which axis of the space it is, -1 for none.
  std::vector<InputRange> ranges;
  std::vector<std::vector<int>> parameter_axes;
  // Whether the body is right for other extents of the axes that parameters have, too.
  bool dynamic = false;
  // All registers, or few, which half of the bodies are drawn with.
  RegisterLimits limits;
};

// The registers of those that are drawn with few.
inline constexpr RegisterLimits kFewRegisters = {6, 8};

// Draws the body of a seed: up to `most_operations` operations, besides what their operands need.
DrawnBody DrawBody(uint64_t seed, int most_operations = 40);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_TESTING_BODY_FUZZER_H_
