// A compiled model of a device that computes nothing: what remains is the facade. For tests and benchmarks of the
// facade's own cost; thread-safe.
#ifndef BURIN_RUNTIME_API_IDLE_MODEL_TESTLIB_H_
#define BURIN_RUNTIME_API_IDLE_MODEL_TESTLIB_H_

#include "runtime/api/compiled_model.h"

namespace burin {

// Returns a model with inputs "x" and "mask" and outputs "y" and "z", all f32[1,3], whose inferences do nothing. Each
// input has a second name: "x:0" and "mask:0".
CompiledModel IdleModel();

}  // namespace burin

#endif  // BURIN_RUNTIME_API_IDLE_MODEL_TESTLIB_H_
