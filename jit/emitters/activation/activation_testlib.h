// Computes activation functions that have parameters, as references in tests.
//
// Use it in the tests of this folder. The exact ones compute in float, the others in the extended precision of the
// processor. Thread-safe.
#ifndef BURIN_JIT_EMITTERS_ACTIVATION_ACTIVATION_TESTLIB_H_
#define BURIN_JIT_EMITTERS_ACTIVATION_ACTIVATION_TESTLIB_H_

#include <cmath>

namespace burin::jit {

// Names the type of the references.
using Real = long double;

// Return what the emitter of the name should: the parameters come in its order.
inline Real ReferenceCelu(Real x, Real alpha) { return x > 0 ? x : alpha * std::expm1(x / alpha); }
inline Real ReferenceElu(Real x, Real alpha) { return x > 0 ? x : alpha * std::expm1(x); }
inline Real ReferenceHardSigmoid(Real x, Real alpha, Real beta) {
  const Real y = alpha * x + beta;
  return y < 0 ? 0 : y > 1 ? 1 : y;
}
inline Real ReferenceSelu(Real x, Real alpha, Real gamma) { return gamma * ReferenceElu(x, alpha); }
inline Real ReferenceSwish(Real x, Real beta) { return x / (1 + std::exp(-beta * x)); }
inline float ReferenceLeakyRelu(float x, float alpha) { return x < 0 ? alpha * x : x; }
inline float ReferenceShrink(float x, float bias, float lambd) {
  return x < -lambd ? x + bias : x > lambd ? x - bias : 0;
}
inline float ReferenceThresholdedRelu(float x, float alpha) { return x > alpha ? x : 0; }

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ACTIVATION_ACTIVATION_TESTLIB_H_
