// Compares emitters of elements of 8 bytes with references, bit for bit, at every width up to the level that
// jit::Target::Host() gives.
//
// Use it in tests of such emitters (each a burin_isa_test, so that each level has its turn). Elements are handed over
// as bits: of those of 4 bytes the lower half counts. Not for measuring. Functions may be called from any thread.
#ifndef BURIN_JIT_EMITTERS_WIDE_WIDE_TESTLIB_H_
#define BURIN_JIT_EMITTERS_WIDE_WIDE_TESTLIB_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/base/casts.h"
#include "absl/types/span.h"
#include "jit/emitters/wide/wide_function.h"

namespace burin::jit {

// Says how results are compared: all bits, or any NaN for any other, as doubles or as floats.
enum class WideResult : uint8_t { kBits, kF64, kF32 };

// Computes the bits of a result from the bits of the inputs.
using WideReference = std::function<uint64_t(absl::Span<const uint64_t> inputs)>;

// Runs the function on tuples (inputs[k][i] is input k of tuple i), for 1 to 4 vectors at a time, and fails the current
// test where a result is not the reference's.
void ExpectWide(const WideFunction& function, const std::vector<std::vector<uint64_t>>& inputs,
                const WideReference& reference, WideResult result = WideResult::kBits);

// Does so for values, alone or in all pairs where the function has two inputs, and for random elements of the kind.
void ExpectWideI64(const WideFunction& function, const WideReference& reference, WideResult result = WideResult::kBits);
void ExpectWideF64(const WideFunction& function, const WideReference& reference, WideResult result = WideResult::kF64);

// Runs a function of one double on values as above, and fails the current test where a result is off by more than
// `bound` units in the last place of the exact one (a long double), or is another infinity or NaN.
void ExpectWithinUlps(const WideFunction& function, const std::function<long double(long double)>& exact, double bound);

// Return numbers at borders: around powers of two, and for doubles also the special ones, those where a number of
// another type ends, and halves.
std::vector<uint64_t> I64Borders();
std::vector<uint64_t> F64Borders();

// Return the bits of a number, and the number.
inline uint64_t Bits64(double value) { return absl::bit_cast<uint64_t>(value); }
inline double AsF64(uint64_t bits) { return absl::bit_cast<double>(bits); }
inline int64_t AsI64(uint64_t bits) { return absl::bit_cast<int64_t>(bits); }

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_WIDE_WIDE_TESTLIB_H_
