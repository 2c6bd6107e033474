// Makes random models, attributes and tensors, for tests that must hold for every model.
//
// For tests only. The same generator state gives the same result. Not thread-safe.
#ifndef BURIN_IR_FORMS_RANDOM_MODEL_TESTLIB_H_
#define BURIN_IR_FORMS_RANDOM_MODEL_TESTLIB_H_

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/model.h"
#include "ir/shape.h"
#include "ir/tensor.h"

namespace burin::ir {

// Returns a string of up to 12 random bytes, quotes, backslashes and line ends among them; never empty.
std::string RandomString(std::mt19937_64& random);

// Returns a tensor whose bits are random: NaNs of any payload included.
Tensor RandomTensor(std::mt19937_64& random, ElementType type, const Shape& shape);

// Assigns a random value to each attribute; strings are taken from `strings` where that is not empty. `wild` asks for
// extreme values, which most operations refuse.
void RandomizeAttributes(std::mt19937_64& random, bool wild, const std::vector<std::string>& strings,
                         Attributes* attributes);

// Returns a valid model of about `steps` nodes of random operations with random attributes, names (output names and
// original names too), ids with gaps that are in no topological order, constants of all types, variables, sinks,
// several parameters and results in an order of their own, and bodies for operations that have them.
std::unique_ptr<Model> RandomModel(std::mt19937_64& random, int steps);

// Returns `bytes` with a few random edits: bytes changed, cut out, repeated and inserted, digits replaced by huge
// numbers.
std::string Mutated(std::mt19937_64& random, std::string bytes);

}  // namespace burin::ir

#endif  // BURIN_IR_FORMS_RANDOM_MODEL_TESTLIB_H_
