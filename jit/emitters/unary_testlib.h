// Compiles an element-wise emitter into a kernel and compares its results with a reference.
//
// Use it in tests of emitters of one operand. Not for measuring. Functions may be called from any thread.
#ifndef BURIN_JIT_EMITTERS_UNARY_TESTLIB_H_
#define BURIN_JIT_EMITTERS_UNARY_TESTLIB_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "jit/asm/executable_code.h"
#include "jit/asm/operands.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/isa/isa.h"

namespace burin::jit {

// Says what an error is divided by.
enum class ErrorUnit : uint8_t {
  kUlp,    // The distance of floats at the exact result; in the denormal range, that of denormals.
  kInput,  // max(1, |x|).
};

// Describes a function: its emitter at each width, what it computes and how exactly.
struct UnaryFunction {
  std::string name;
  void (*avx2)(VecAvx2&, const Xmm&) = nullptr;
  void (*avx512)(VecAvx512&, const Xmm&) = nullptr;
  // Also says what infinities, NaN and zeros become: exact infinities, NaN and signed zeros are compared as such.
  // Not needed where values are given.
  long double (*reference)(long double) = nullptr;
  ErrorUnit unit = ErrorUnit::kUlp;
  // The greatest error allowed, in that unit.
  double bound = 0;
};

// Is a loaded kernel, out[i] = f(in[i]).
class UnaryKernel {
 public:
  // Compiles `function` for machines of `level`, at the width that they have. Fails as the assembler and the loader do.
  static absl::StatusOr<UnaryKernel> Create(const UnaryFunction& function, IsaLevel level);

  // Runs it: reads `count` floats and writes as many. `in` may be `out`.
  void Run(const float* in, float* out, int64_t count) const;

 private:
  explicit UnaryKernel(ExecutableCode code) : code_(std::move(code)) {}

  ExecutableCode code_;
};

// Holds the worst result of a comparison.
struct UnaryError {
  double error = 0;
  float input = 0;
  float result = 0;
  long double expected = 0;
  // The sum of errors that are finite, and how many inputs there were.
  double sum = 0;
  int64_t count = 0;

  // Returns whether the error is at most `bound`; a NaN, infinity or zero that should not be there is infinitely wrong.
  bool Within(double bound) const { return error <= bound; }

  // Describes it in a line.
  std::string ToString() const;
};

// Returns the error of `result` for `input`, in the function's unit; infinity for what is wrong in kind.
double ErrorOf(const UnaryFunction& function, float input, float result, long double expected);

// Runs the kernel on `inputs` and adds what it finds to `worst`.
void CompareAll(const UnaryFunction& function, const UnaryKernel& kernel, absl::Span<const float> inputs,
                UnaryError& worst);

// Returns every float16 and every bfloat16 number.
std::vector<float> SixteenBitInputs();

// Returns, for each sign and exponent, the numbers at its ends and in its middle.
std::vector<float> ExponentBoundaries();

// Compares over all floats whose lower 8 bits are those of a hash of the upper 24 and of `seed`: 2^24 of them.
void CompareSpread(const UnaryFunction& function, const UnaryKernel& kernel, uint32_t seed, UnaryError& worst);

// Runs the kernel on 0, 1, ... several vectors of elements, with input and output against an inaccessible page at
// either end, and returns an error where a result is not the one of a long run or other memory changes.
absl::Status CheckTails(const UnaryKernel& kernel, int lanes);

// Runs the emitters on the first of each pair at every width that this machine has, and fails the current test where a
// result is not the second, bit for bit; any NaN is as good as another.
void ExpectValues(const UnaryFunction& function, absl::Span<const std::pair<float, float>> values);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_UNARY_TESTLIB_H_
