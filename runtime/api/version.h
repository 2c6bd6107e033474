// Public header "burin/version.h": which build this is.
#ifndef BURIN_RUNTIME_API_VERSION_H_
#define BURIN_RUNTIME_API_VERSION_H_

#include "runtime/dev/version.h"

#endif  // BURIN_RUNTIME_API_VERSION_H_
