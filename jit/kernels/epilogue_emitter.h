// Turns what a dense kernel has accumulated into what it stores.
//
// Use it as the parameter of every kernel that stores (a product of matrices, a convolution, a pooling): there is no
// list of what may follow a product. The kernel views its output as a matrix, with rows and columns of its choice,
// keeps tiles of it in registers, and calls Emit() once where it would store one. Who implements it decides what
// happens: snippets/epilogue compiles any graph of element-wise operations. Implementations are immutable: thread-safe.
#ifndef BURIN_JIT_KERNELS_EPILOGUE_EMITTER_H_
#define BURIN_JIT_KERNELS_EPILOGUE_EMITTER_H_

#include <cstdint>
#include <optional>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "base/element_type.h"
#include "base/hash.h"
#include "jit/asm/abi_frame.h"
#include "jit/asm/operands.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/isa/isa.h"

namespace burin::jit {

// Describes memory that an epilogue reads or writes beside the accumulators.
struct EpilogueOperand {
  bool is_output = false;
  ElementType type = ElementType::kF32;
  // Whether it has an element for each row, and for each column; elements of a row lie side by side.
  bool per_row = false;
  bool per_column = false;
};

// Is where the memory of an operand is, at run time.
struct EpiloguePlace {
  // Of the element of row 0 and column 0 of the whole matrix.
  void* data = nullptr;
  // Bytes from row to row; not read where there is not one for each row.
  int64_t row_stride = 0;
};

// Describes a tile of accumulators, of `rows` rows and `vectors` vectors of columns. The epilogue changes them.
struct EpilogueTile {
  int rows = 1;
  int vectors = 1;
  // Returns the register of a vector of a row.
  absl::FunctionRef<Xmm(int row, int vector)> accumulator;
  // Registers with: the address of the EpiloguePlaces, one for each operand in order; the tile's first row and column.
  // They keep their values.
  Reg64 places;
  Reg64 row;
  Reg64 column;
  // A register with the number of columns that there are of the last vector, where that is not whole.
  std::optional<Reg64> last_columns;
};

// Says what Emit() takes beyond a tile's accumulators so that nothing has to go to the stack. With more vectors,
// several rows are emitted side by side.
struct EpilogueRegisters {
  int vectors = 0;
  int general = 0;
  int masks = 0;
  // The fewest vectors with which it can be emitted at all: no kernel leaves it less.
  int least_vectors = 0;
};

// Is an epilogue.
class EpilogueEmitter {
 public:
  virtual ~EpilogueEmitter() = default;

  // Returns what it reads and writes, in the order of the places.
  virtual absl::Span<const EpilogueOperand> operands() const = 0;

  // Returns the fingerprint of what is emitted: of equal ones the code is equal. It is part of a kernel's own.
  virtual Hash128 content_key() const = 0;

  // Returns the registers for machines with `isa`, at the width that they have. A kernel chooses its tile so that there
  // are as many; with fewer, but least_vectors, values go to the stack.
  virtual EpilogueRegisters Registers(const IsaSet& isa) const = 0;

  // Emits it for a tile. Errors are those of the assembler.
  virtual void Emit(VecAvx2& v, AbiFrame& frame, const EpilogueTile& tile) const = 0;
  virtual void Emit(VecAvx512& v, AbiFrame& frame, const EpilogueTile& tile) const = 0;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_EPILOGUE_EMITTER_H_
