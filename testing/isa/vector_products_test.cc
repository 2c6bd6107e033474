// Products of vectors by the best instruction of each level, through the assembler: what a level stands for really runs,
// on the processor or emulated.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "base/float_conversion.h"
#include "jit/asm/abi_frame.h"
#include "jit/asm/arg_field.h"
#include "jit/asm/assembler.h"
#include "jit/asm/code_blob.h"
#include "jit/asm/executable_code.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/isa/isa.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"
#include "testing/guarded_buffer.h"

namespace burin::isa_test {
namespace {
}  // namespace
}  // namespace burin::isa_test
