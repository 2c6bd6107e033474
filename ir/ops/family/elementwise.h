// Shape inference, value propagation and reference evaluation shared by the element-wise operations.
//
// An element-wise operation's file states its types, its scalar function and how the function acts on intervals; the
// rest is here. Not for operations whose output element depends on more than one element of an input. Stateless,
// hence thread-safe.
//
// Scalar functions are written once for every type: a generic callable that takes double, int64_t, or (for u64)
// uint64_t. Floats are computed in double and rounded once; integers are exact and wrap at the width of their type.
#ifndef BURIN_IR_OPS_FAMILY_ELEMENTWISE_H_
#define BURIN_IR_OPS_FAMILY_ELEMENTWISE_H_

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/ops/family/broadcast_rule.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"
#include "ir/shape.h"

namespace burin::ir {

// The attributes of an element-wise operation that has a broadcast rule and nothing else.
struct BroadcastAttributes final : AttributesOf<BroadcastAttributes> {
  BroadcastRule broadcast;

  using AttributesOf::VisitAttributes;
  void VisitAttributes(AttributeVisitor& visitor) override { broadcast.VisitAttributes(visitor); }
};

// ---- Inference ----

// A set of element types that an input may have. No operation here takes strings.
enum class TypeClass : uint8_t { kAny, kNumeric, kFloat, kInteger, kIntegerOrBoolean, kBoolean };

// Fails with InvalidArgument, beginning with `label`, unless the type of the input belongs to the class.
absl::Status RequireTypeClass(const InferContext& context, absl::string_view label, int64_t input, TypeClass types);

// Says what is known of an element of the output, given what is known of those of the inputs.
using UnaryContent = Dimension (*)(const Dimension& a);
using BinaryContent = Dimension (*)(const Dimension& a, const Dimension& b);
// Says whether a comparison is certainly true (1), certainly false (0), or neither (-1).
using ComparisonContent = int (*)(const Dimension& a, const Dimension& b);

// Returns `content` as the type can hold it: exact values wrap, an interval that does not fit becomes unknown. An end
// at infinity says that nothing bounds the value, not that it may pass the type's range.
Dimension FitContent(ElementType type, const Dimension& content);

// Infers one input to an output of the same type and shape. Constraint:
//   <op>_c1: the type of the input belongs to `types`.
absl::Status InferUnary(InferContext& context, absl::string_view op, TypeClass types, UnaryContent content = nullptr);

// As InferUnary, to an output of type boolean.
absl::Status InferPredicate(InferContext& context, absl::string_view op, TypeClass types);

// Infers two inputs to an output of their type and the broadcast shape. Constraints:
//   <op>_c1: the inputs have the same type; it belongs to `types`.
//   <op>_c2: the shapes broadcast under `rule`.
absl::Status InferBinary(InferContext& context, absl::string_view op, const BroadcastRule& rule, TypeClass types,
                         BinaryContent content = nullptr);

// As InferBinary, to an output of type boolean.
absl::Status InferComparison(InferContext& context, absl::string_view op, const BroadcastRule& rule, TypeClass types,
                             ComparisonContent content = nullptr);

// Calls `set(i, elements)` for each element of an output of shape `shape`, where elements[k] is what is known of the
// element of input inputs[k] that it depends on under NumPy's broadcasting. Does nothing, and returns false, unless
// the output has rank 0 or 1, its size is known and small, and so is the content of all these inputs.
bool ForEachContent(const InferContext& context, const PartialShape& shape, absl::Span<const int64_t> inputs,
                    absl::FunctionRef<void(int64_t, absl::Span<const Dimension> elements)> set);

// ---- Reference evaluation ----

// The C++ type in which elements are handed to a scalar function: double, int64_t or uint64_t.
enum class Domain : uint8_t { kReal, kSigned, kUnsigned };

// Returns kReal for floats, kUnsigned for u64, and kSigned for all else.
Domain DomainOf(ElementType type);

// An input that takes part: its elements are converted to `domain` and broadcast from `shape`, which has the rank of
// the output and at each place the output's dimension or 1.
struct Operand {
  int64_t input = 0;
  Domain domain = Domain::kReal;
  Shape shape;
};

// Returns input `input` in the domain of its type, aligned to output 0 under `rule`.
Operand OperandOf(const ReferenceContext& context, int64_t input, const BroadcastRule& rule = BroadcastRule());

// Returns input `input`, which has one element, as an operand that broadcasts whatever its rank.
Operand ScalarOperandOf(const ReferenceContext& context, int64_t input);

// Computes output 0 block by block: `compute(in, out, count)` gets in[k], the next `count` elements of operands[k]
// after broadcasting, and writes as many of `out_domain` to `out`, which are then stored in the output's type.
// At most 8 operands.
absl::Status ComputeByBlocks(
    ReferenceContext& context, absl::Span<const Operand> operands, Domain out_domain,
    absl::FunctionRef<void(absl::Span<const void* const> in, void* out, int64_t count)> compute);

// Returns the domain whose C++ type is T.
template <class T>
constexpr Domain DomainOfCppType() {
  static_assert(std::is_same_v<T, double> || std::is_same_v<T, int64_t> || std::is_same_v<T, uint64_t>);
  if (std::is_same_v<T, double>) return Domain::kReal;
  return std::is_same_v<T, int64_t> ? Domain::kSigned : Domain::kUnsigned;
}

// Computes output = function(input), converting the input's elements to In and the results, of type Out, to the
// output's type.
template <class In, class Out, class Function>
absl::Status MapUnary(ReferenceContext& context, const Function& function) {
  Operand operand = OperandOf(context, 0);
  operand.domain = DomainOfCppType<In>();
  return ComputeByBlocks(context, {operand}, DomainOfCppType<Out>(),
                         [&function](absl::Span<const void* const> in, void* out, int64_t count) {
                           const In* a = static_cast<const In*>(in[0]);
                           Out* result = static_cast<Out*>(out);
                           for (int64_t i = 0; i < count; ++i) result[i] = function(a[i]);
                         });
}

// Computes output = function(a, b) for inputs 0 and 1, whose elements are of the domain of In.
template <class In, class Out, class Function>
absl::Status MapBinary(ReferenceContext& context, const BroadcastRule& rule, const Function& function) {
  return ComputeByBlocks(context, {OperandOf(context, 0, rule), OperandOf(context, 1, rule)}, DomainOfCppType<Out>(),
                         [&function](absl::Span<const void* const> in, void* out, int64_t count) {
                           const In* a = static_cast<const In*>(in[0]);
                           const In* b = static_cast<const In*>(in[1]);
                           Out* result = static_cast<Out*>(out);
                           for (int64_t i = 0; i < count; ++i) result[i] = function(a[i], b[i]);
                         });
}

// Computes output = function(input), the function being defined for each domain.
template <class Function>
absl::Status ReferenceUnary(ReferenceContext& context, const Function& function) {
  switch (DomainOf(context.input(0).element_type())) {
    case Domain::kReal:
      return MapUnary<double, double>(context, function);
    case Domain::kSigned:
      return MapUnary<int64_t, int64_t>(context, function);
    case Domain::kUnsigned:
      break;
  }
  return MapUnary<uint64_t, uint64_t>(context, function);
}

// Computes output = function(input) for a function of double; for integers the result is rounded to the nearest, halves
// away from zero, and saturates at the type's range (NaN gives 0).
template <class Function>
absl::Status ReferenceReal(ReferenceContext& context, const Function& function) {
  if (IsFloat(context.input(0).element_type())) {
    return MapUnary<double, double>(context, function);
  }
  return MapUnary<double, double>(context, [&function](double x) { return std::round(function(x)); });
}

// Computes the boolean output = function(input) for a function of double.
template <class Function>
absl::Status ReferencePredicate(ReferenceContext& context, const Function& function) {
  return MapUnary<double, int64_t>(context, [&function](double x) { return function(x) ? 1 : 0; });
}

// Computes output = function(a, b), the function being defined for each domain.
template <class Function>
absl::Status ReferenceBinary(ReferenceContext& context, const BroadcastRule& rule, const Function& function) {
  switch (DomainOf(context.input(0).element_type())) {
    case Domain::kReal:
      return MapBinary<double, double>(context, rule, function);
    case Domain::kSigned:
      return MapBinary<int64_t, int64_t>(context, rule, function);
    case Domain::kUnsigned:
      break;
  }
  return MapBinary<uint64_t, uint64_t>(context, rule, function);
}

// Computes output = function(a, b) for integers and booleans.
template <class Function>
absl::Status ReferenceIntegers(ReferenceContext& context, const BroadcastRule& rule, const Function& function) {
  if (DomainOf(context.input(0).element_type()) == Domain::kUnsigned) {
    return MapBinary<uint64_t, uint64_t>(context, rule, function);
  }
  return MapBinary<int64_t, int64_t>(context, rule, function);
}

// Computes the boolean output = function(a, b), the function being defined for each domain.
template <class Function>
absl::Status ReferenceComparison(ReferenceContext& context, const BroadcastRule& rule, const Function& function) {
  const auto as_integer = [&function](auto a, auto b) -> int64_t { return function(a, b) ? 1 : 0; };
  switch (DomainOf(context.input(0).element_type())) {
    case Domain::kReal:
      return MapBinary<double, int64_t>(context, rule, as_integer);
    case Domain::kSigned:
      return MapBinary<int64_t, int64_t>(context, rule, as_integer);
    case Domain::kUnsigned:
      break;
  }
  return MapBinary<uint64_t, int64_t>(context, rule, as_integer);
}

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_FAMILY_ELEMENTWISE_H_
