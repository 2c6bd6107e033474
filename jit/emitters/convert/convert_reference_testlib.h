// States what conversions between element types and 32-bit lanes give, by base/element_access.h and
// base/float_conversion.h, and which inputs tell right ones from wrong.
//
// Use it in the tests of typed loads and stores. Functions may be called from any thread.
#ifndef BURIN_JIT_EMITTERS_CONVERT_CONVERT_REFERENCE_TESTLIB_H_
#define BURIN_JIT_EMITTERS_CONVERT_CONVERT_REFERENCE_TESTLIB_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "base/element_type.h"
#include "jit/emitters/convert/typed_store.h"
#include "jit/emitters/memory/memory_kernel_testlib.h"

namespace burin::jit {

// Returns the types that loads and stores take.
std::vector<ElementType> VectorElementTypes();

// Calls visit(elements, count) with many elements of the type, in pieces: all of 8 and 16 bits; of 32 bits those around
// the ends and the middles of exponents and around powers of two, those that lie between neighbours of narrower types,
// and 2^24 spread over all; of 64 bits likewise with 2^21 random ones, of any number of bits. `seed` changes the random
// bits. Where BURIN_EMULATED is set, fewer of the last.
void ForEachInput(ElementType type, uint32_t seed,
                  const std::function<void(const uint8_t* elements, int64_t count)>& visit);

// Convert elements of `type` to floats or integers, and those to elements.
void ReferenceLoadAsF32(ElementType type, const uint8_t* elements, int64_t count, uint8_t* lanes);
void ReferenceLoadAsI32(ElementType type, const uint8_t* elements, int64_t count, uint8_t* lanes);
void ReferenceStoreF32As(ElementType type, const StoreOptions& options, const uint8_t* lanes, int64_t count,
                         uint8_t* elements);
void ReferenceStoreI32As(ElementType type, const StoreOptions& options, const uint8_t* lanes, int64_t count,
                         uint8_t* elements);

// Converts elements; the output is large enough.
using ReferenceConversion = std::function<void(const uint8_t* in, int64_t count, uint8_t* out)>;

// Runs the kernel of the movement on all inputs of type `in`, and fails the current test where a result is not that of
// the reference. `float_lanes` says that results are floats of which a signalling NaN may be any NaN of its payload.
void ExpectConverts(const Movement& movement, ElementType in, bool float_lanes, const ReferenceConversion& reference);

// Returns elements of the type for tests that are about their places: 3 vectors of any width, from all over the type.
std::vector<uint8_t> SomeElements(ElementType type);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_CONVERT_CONVERT_REFERENCE_TESTLIB_H_
