// The two domains in which reference evaluations add and multiply: double for float tensors, int64 modulo 2^64 for
// integer and boolean ones.
//
// Use it to write a sum of products once for both: a template over T in {double, int64_t}, entered by
// DispatchAccumulator. Results are rounded or wrapped to the output's type once, in StoreRange. Stateless, thread-safe
// for different outputs.
#ifndef BURIN_IR_OPS_FAMILY_ACCUMULATION_H_
#define BURIN_IR_OPS_FAMILY_ACCUMULATION_H_

#include <cstdint>
#include <vector>

#include "base/element_access.h"
#include "base/element_type.h"
#include "ir/ops/family/wrapping_arithmetic.h"
#include "ir/reference_context.h"
#include "ir/tensor.h"

namespace burin::ir {

// Returns sum + a * b; integers wrap.
template <class T>
T MultiplyAdd(T sum, T a, T b) {
  return WrapAdd(sum, WrapMultiply(a, b));
}

// Adds scale * in[i * in_step] to out[i * out_step] for i in [0, count).
template <class T>
void AddScaled(T scale, const T* in, int64_t in_step, T* out, int64_t out_step, int64_t count) {
  if (in_step == 1 && out_step == 1) {
    for (int64_t i = 0; i < count; ++i) out[i] = MultiplyAdd(out[i], scale, in[i]);
  } else {
    for (int64_t i = 0; i < count; ++i) out[i * out_step] = MultiplyAdd(out[i * out_step], scale, in[i * in_step]);
  }
}

// Returns all elements of input `i` in the domain T.
template <class T>
std::vector<T> LoadInput(const ReferenceContext& context, int64_t i);
template <>
inline std::vector<double> LoadInput<double>(const ReferenceContext& context, int64_t i) {
  return context.InputAsDoubles(i);
}
template <>
inline std::vector<int64_t> LoadInput<int64_t>(const ReferenceContext& context, int64_t i) {
  return context.InputAsInts(i);
}

// Stores elements [begin, begin + count) of `output`, which is dense.
inline void StoreRange(const Tensor& output, int64_t begin, int64_t count, const double* values) {
  StoreRangeFromDouble(output.element_type(), output.mutable_data(), begin, count, values);
}
inline void StoreRange(const Tensor& output, int64_t begin, int64_t count, const int64_t* values) {
  StoreRangeFromInt64(output.element_type(), output.mutable_data(), begin, count, values);
}

// Calls `function` with a value of the type to accumulate in for tensors of `type`; returns what it returns.
template <class Function>
auto DispatchAccumulator(ElementType type, Function function) {
  return IsFloat(type) ? function(double{}) : function(int64_t{});
}

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_FAMILY_ACCUMULATION_H_
