// Compares element-wise emitters with references, at every width and for every kind of processor that the emitted code
// depends on, up to the level that jit::Target::Host() gives.
//
// Use it in tests of emitters: the suite of a family calls the two Expect...() below for every entry of its catalogue
// (it is a burin_isa_test, so that each level has its turn), and the test of one function pins special values by
// ExpectValues(). Not for measuring. Functions may be called from any thread.
#ifndef BURIN_JIT_EMITTERS_ROW_TESTLIB_H_
#define BURIN_JIT_EMITTERS_ROW_TESTLIB_H_

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "jit/emitters/catalogue_entry.h"
#include "jit/emitters/row_kernel.h"
#include "jit/isa/target.h"

namespace burin::jit {

// Holds what a function should be: one of the two is set.
struct RowReference {
  // Of floats, where the result is compared within the entry's bound: the result before it is rounded. It also says
  // what infinities, NaN and zeros become: exact infinities, NaN and signed zeros are compared as such.
  std::function<long double(absl::Span<const float> inputs)> real;
  // Of the bits of any elements, where the result is compared bit for bit, but that any float NaN is as good as
  // another.
  std::function<uint32_t(absl::Span<const uint32_t> inputs)> bits;
  // Whether the emitter is for these inputs at all; every input where it is empty.
  std::function<bool(absl::Span<const float> inputs)> domain;
};

// Return references of functions of one and two floats.
RowReference RealReference(long double (*function)(long double x));
RowReference RealReference(long double (*function)(long double x, long double y));

// Return references that compute on floats with the rounding of the machine: exact operations.
RowReference FloatReference(float (*function)(float x));
RowReference FloatReference(float (*function)(float x, float y));

// Return references of functions of integers (and truth values).
RowReference I32Reference(int32_t (*function)(int32_t x));
RowReference I32Reference(int32_t (*function)(int32_t x, int32_t y));

// Is one entry and its reference; prints its name.
struct RowCase {
  CatalogueEntry entry;
  RowReference reference;
};
std::ostream& operator<<(std::ostream& out, const RowCase& row_case);

// Joins a catalogue with references by name. Fails the current test (or aborts outside of one) where an entry has no
// reference or a reference no entry.
std::vector<RowCase> JoinReferences(absl::Span<const CatalogueEntry> catalogue,
                                    const std::vector<std::pair<std::string, RowReference>>& references);

// Returns a name that GoogleTest takes: of letters, digits and underscores.
std::string TestName(const RowCase& row_case);

// Returns the targets to test: that of Host() itself, and where it has AVX-512, one for each way to divide.
std::vector<Target> TargetsToTest();

// Runs the function on 0, 1, ... several vectors of elements with every operand against an inaccessible page at either
// end, and in place, and fails the current test where a result is not that of a long run or other memory changes.
void ExpectTouchesOnlyItsOperands(const CatalogueEntry& entry);

// Compares over many inputs, by their number. One: all float16 and bfloat16 numbers (for integers, all of 16 bits), the
// numbers at the ends and in the middle of each exponent, and 2^24 spread over all bit patterns. More: all tuples of
// such boundary values, and 2^22 random tuples of bits, of numbers of moderate size and of neighbours. Fails the
// current test where the error is above the entry's bound, and prints the worst error. Where BURIN_EMULATED is set,
// fewer spread and random inputs are taken.
void ExpectRight(const RowCase& row_case);

// Runs the function of one float on the first of each pair, and fails the current test where a result is not the
// second, bit for bit; any NaN is as good as another.
void ExpectValues(const RowFunction& function, absl::Span<const std::pair<float, float>> values);

// Does the same for any number of inputs and any kind of elements: each tuple holds the bits of the inputs, then those
// of the result. `kind` is that of the result.
void ExpectBits(const RowFunction& function, absl::Span<const std::vector<uint32_t>> tuples,
                LaneKind kind = LaneKind::kF32);

// Returns the bits of a float.
uint32_t Bits(float value);

// Returns the error of `result`, in the unit; infinity for what is wrong in kind. `input` is the first input.
double ErrorOf(ErrorUnit unit, float input, float result, long double expected);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ROW_TESTLIB_H_
