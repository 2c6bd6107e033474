// Propagates absl::Status with one macro per call.
//
// Use these wherever a function returns absl::Status or absl::StatusOr and calls another one that does. They add no
// context; wrap the status with `WithContext` (base/status_context.h) where knowledge worth reporting exists. Not for
// code that must go on after an error. Stateless, hence thread-safe.
#ifndef BURIN_BASE_STATUS_MACROS_H_
#define BURIN_BASE_STATUS_MACROS_H_

#include <utility>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

#define BURIN_STATUS_MACROS_CONCAT_INNER(a, b) a##b
#define BURIN_STATUS_MACROS_CONCAT(a, b) BURIN_STATUS_MACROS_CONCAT_INNER(a, b)

// Returns the absl::Status that the expression yields from the enclosing function unless it is OK. The enclosing
// function returns absl::Status or any absl::StatusOr. The expression is evaluated once.
#define BURIN_RETURN_IF_ERROR(...)                             \
  do {                                                         \
    ::absl::Status burin_status_macro_status = (__VA_ARGS__);  \
    if (ABSL_PREDICT_FALSE(!burin_status_macro_status.ok())) { \
      return burin_status_macro_status;                        \
    }                                                          \
  } while (false)

// Assigns the value of an absl::StatusOr to `lhs` (a declaration or an existing variable), or returns its status from
// the enclosing function. The value is moved out. Expands to several statements: it cannot be the sole body of an
// unbraced `if`. A declaration with a comma in its type needs `auto` or an alias.
#define BURIN_ASSIGN_OR_RETURN(lhs, ...) \
  BURIN_STATUS_MACROS_ASSIGN(BURIN_STATUS_MACROS_CONCAT(burin_status_or_, __COUNTER__), lhs, (__VA_ARGS__))

#define BURIN_STATUS_MACROS_ASSIGN(result, lhs, rexpr) \
  auto result = rexpr;                                 \
  if (ABSL_PREDICT_FALSE(!result.ok())) {              \
    return std::move(result).status();                 \
  }                                                    \
  lhs = *std::move(result)

#endif  // BURIN_BASE_STATUS_MACROS_H_
