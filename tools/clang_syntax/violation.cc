#include "tools/clang_syntax/inner.h"
#include "tools/clang_syntax/outer.h"

static_assert(burin::clang_syntax::kOuter == burin::clang_syntax::kInner + 1);
