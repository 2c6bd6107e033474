// The header whose target violation.cc depends on. For the check of layering_check only.
#ifndef BURIN_TOOLS_CLANG_SYNTAX_OUTER_H_
#define BURIN_TOOLS_CLANG_SYNTAX_OUTER_H_

#include "tools/clang_syntax/inner.h"

namespace burin::clang_syntax {

inline constexpr int kOuter = kInner + 1;

}  // namespace burin::clang_syntax

#endif  // BURIN_TOOLS_CLANG_SYNTAX_OUTER_H_
