// The header that violation.cc must not include. For the check of layering_check only.
#ifndef BURIN_TOOLS_CLANG_SYNTAX_INNER_H_
#define BURIN_TOOLS_CLANG_SYNTAX_INNER_H_

namespace burin::clang_syntax {

inline constexpr int kInner = 1;

}  // namespace burin::clang_syntax

#endif  // BURIN_TOOLS_CLANG_SYNTAX_INNER_H_
