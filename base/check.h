// Terminates the process when an invariant of our own code is broken.
//
// For our bugs only: nothing that a model, an input, a file, an option or the host machine can cause may reach a check;
// those return absl::Status. A failure prints "file:line: Check failed: ..." with both operands and the streamed text
// to stderr and calls abort(). Operands are evaluated once. Usable from any thread.
//
// BURIN_DCHECK and its kin are for hot paths: they are active when BURIN_ENABLE_DCHECK is defined to 1 or NDEBUG is
// absent, and otherwise still compile but evaluate nothing.
#ifndef BURIN_BASE_CHECK_H_
#define BURIN_BASE_CHECK_H_

#include <cstddef>
#include <memory>
#include <ostream>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

// Aborts unless `cond` holds. More text may be streamed in: BURIN_CHECK(x) << "while " << y.
#define BURIN_CHECK(cond) \
  while (ABSL_PREDICT_FALSE(!(cond))) ::burin::internal::CheckFailure(__FILE__, __LINE__, #cond).stream()

// Abort unless the comparison holds; print both operands.
#define BURIN_CHECK_EQ(a, b) BURIN_INTERNAL_CHECK_OP(CheckEq, ==, a, b)
#define BURIN_CHECK_NE(a, b) BURIN_INTERNAL_CHECK_OP(CheckNe, !=, a, b)
#define BURIN_CHECK_LT(a, b) BURIN_INTERNAL_CHECK_OP(CheckLt, <, a, b)
#define BURIN_CHECK_LE(a, b) BURIN_INTERNAL_CHECK_OP(CheckLe, <=, a, b)
#define BURIN_CHECK_GT(a, b) BURIN_INTERNAL_CHECK_OP(CheckGt, >, a, b)
#define BURIN_CHECK_GE(a, b) BURIN_INTERNAL_CHECK_OP(CheckGe, >=, a, b)

// Aborts unless the absl::Status or absl::StatusOr is OK; prints it.
#define BURIN_CHECK_OK(expr)                                                                                 \
  while (const std::unique_ptr<std::string> burin_check_failure = ::burin::internal::CheckOk((expr), #expr)) \
  ::burin::internal::CheckFailure(__FILE__, __LINE__, burin_check_failure->c_str()).stream()

#if (defined(BURIN_ENABLE_DCHECK) && BURIN_ENABLE_DCHECK == 1) || !defined(NDEBUG)
#define BURIN_DCHECK_IS_ON 1
#else
#define BURIN_DCHECK_IS_ON 0
#endif

#if BURIN_DCHECK_IS_ON
#define BURIN_INTERNAL_DCHECK_GUARD
#else
#define BURIN_INTERNAL_DCHECK_GUARD while (false)
#endif

// The same checks for hot paths; see the paragraph above.
#define BURIN_DCHECK(cond) BURIN_INTERNAL_DCHECK_GUARD BURIN_CHECK(cond)
#define BURIN_DCHECK_EQ(a, b) BURIN_INTERNAL_DCHECK_GUARD BURIN_CHECK_EQ(a, b)
#define BURIN_DCHECK_NE(a, b) BURIN_INTERNAL_DCHECK_GUARD BURIN_CHECK_NE(a, b)
#define BURIN_DCHECK_LT(a, b) BURIN_INTERNAL_DCHECK_GUARD BURIN_CHECK_LT(a, b)
#define BURIN_DCHECK_LE(a, b) BURIN_INTERNAL_DCHECK_GUARD BURIN_CHECK_LE(a, b)
#define BURIN_DCHECK_GT(a, b) BURIN_INTERNAL_DCHECK_GUARD BURIN_CHECK_GT(a, b)
#define BURIN_DCHECK_GE(a, b) BURIN_INTERNAL_DCHECK_GUARD BURIN_CHECK_GE(a, b)
#define BURIN_DCHECK_OK(expr) BURIN_INTERNAL_DCHECK_GUARD BURIN_CHECK_OK(expr)

#define BURIN_INTERNAL_CHECK_OP(function, op, a, b)                    \
  while (const std::unique_ptr<std::string> burin_check_failure =      \
             ::burin::internal::function((a), (b), #a " " #op " " #b)) \
  ::burin::internal::CheckFailure(__FILE__, __LINE__, burin_check_failure->c_str()).stream()

namespace burin {
namespace internal {

// Collects the text of one failed check; its destructor prints it and aborts.
class CheckFailure {
 public:
  CheckFailure(const char* file, int line, const char* what);
  CheckFailure(const CheckFailure&) = delete;
  CheckFailure& operator=(const CheckFailure&) = delete;
  [[noreturn]] ~CheckFailure();

  // Returns the stream that further text goes to.
  std::ostream& stream() { return stream_; }

 private:
  std::ostringstream stream_;
};

template <class T, class = void>
struct IsStreamable : std::false_type {};
template <class T>
struct IsStreamable<T, std::void_t<decltype(std::declval<std::ostream&>() << std::declval<const T&>())>>
    : std::true_type {};

// Prints one operand: bytes as numbers, enumerators without operator<< by value, other unprintable types as such.
template <class T>
void PrintOperand(std::ostream& out, const T& value) {
  if constexpr (std::is_same_v<T, char> || std::is_same_v<T, signed char> || std::is_same_v<T, unsigned char>) {
    out << static_cast<int>(value);
  } else if constexpr (std::is_same_v<T, std::nullptr_t>) {
    out << "nullptr";
  } else if constexpr (IsStreamable<T>::value) {
    out << value;
  } else if constexpr (std::is_enum_v<T>) {
    out << static_cast<long long>(value);
  } else {
    out << "(unprintable)";
  }
}

// Composes "text (a vs. b)"; out of line of the comparison, which stays small.
template <class A, class B>
std::unique_ptr<std::string> DescribeOperands(const A& a, const B& b, const char* text) {
  std::ostringstream out;
  out << text << " (";
  PrintOperand(out, a);
  out << " vs. ";
  PrintOperand(out, b);
  out << ")";
  return std::make_unique<std::string>(out.str());
}

#define BURIN_INTERNAL_DEFINE_CHECK_OP(function, op)                                \
  template <class A, class B>                                                       \
  std::unique_ptr<std::string> function(const A& a, const B& b, const char* text) { \
    if (ABSL_PREDICT_TRUE(a op b)) return nullptr;                                  \
    return DescribeOperands(a, b, text);                                            \
  }
BURIN_INTERNAL_DEFINE_CHECK_OP(CheckEq, ==)
BURIN_INTERNAL_DEFINE_CHECK_OP(CheckNe, !=)
BURIN_INTERNAL_DEFINE_CHECK_OP(CheckLt, <)
BURIN_INTERNAL_DEFINE_CHECK_OP(CheckLe, <=)
BURIN_INTERNAL_DEFINE_CHECK_OP(CheckGt, >)
BURIN_INTERNAL_DEFINE_CHECK_OP(CheckGe, >=)
#undef BURIN_INTERNAL_DEFINE_CHECK_OP

// Return null for OK, else "text is OK (status)".
std::unique_ptr<std::string> CheckOk(const absl::Status& status, const char* text);
template <class T>
std::unique_ptr<std::string> CheckOk(const absl::StatusOr<T>& result, const char* text) {
  return CheckOk(result.status(), text);
}

}  // namespace internal
}  // namespace burin

#endif  // BURIN_BASE_CHECK_H_
