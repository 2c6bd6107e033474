// Generates the code that selects the k largest or smallest elements.
//
// Use it inside TopKKernel (jit/kernels/top_k/top_k.h), and to look at code. Elements have keys, 32-bit integers in
// whose order the first is the largest: of floats the bits, inverted where negative, of a NaN the largest key, and all
// bits inverted where the smallest are selected. What is selected is kept in order; most elements are only compared
// with the last of them. Pure functions; the code may run on any number of threads at once.
#ifndef BURIN_JIT_KERNELS_TOP_K_TOP_K_CODE_H_
#define BURIN_JIT_KERNELS_TOP_K_TOP_K_CODE_H_

#include <string>

#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "base/hash.h"
#include "jit/asm/code_blob.h"
#include "jit/isa/target.h"

namespace burin::jit {

// Is how many vectors of selections of one element are made at once: lines that follow each other.
inline constexpr int kSingleVectors = 4;

// Describes the code.
struct TopKCodeSpec {
  // f32 or i32.
  ElementType type = ElementType::kF32;
  // Whether the smallest are selected.
  bool smallest = false;
  // Whether elements lie side by side (a function of TopKRowArgs); else selections do (TopKLanesArgs).
  bool along_row = false;
  // Of selections side by side: whether k is 1. Then up to kSingleVectors whole vectors of them are made at once.
  bool is_single = false;

  // Returns a name such as "top_k_f32_row_smallest".
  std::string Name() const;

  // Returns the fingerprint of the fields.
  Hash128 ContentKey() const;
};

// Returns the code for `target`. Fails as Assembler::Finalize() does.
absl::StatusOr<CodeBlob> GenerateTopK(const TopKCodeSpec& spec, const Target& target);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_TOP_K_TOP_K_CODE_H_
