// Describes a kernel that sums products of rows of A by vectors of B into one tile of C, kept in registers.
//
// Use it for everything dense: a product of matrices has one tap; a convolution one for each position of its window,
// with the rows of the tile being output pixels at any distances from each other in the input, which is how strides and
// dilations are said, and a tap leaving out the rows for which its position lies in the padding. Groups are calls with
// other addresses. Not for choosing the tile: jit/kernels/brgemm/brgemm_tile.h. A value.
//
// What is computed, for row r, column n, steps k from 0 to the depth, in the order of the taps and of k within them:
//   C[r][n] = start + sum over taps t that have row r, over k, of A(r, t, k) * B(t, k, n), each by one FMA
//   A(r, t, k) = *(args.a + a_rows[r] + taps[t].a_offset + k * a_step)
//   B(t, k, n) = *(args.b + taps[t].b_offset + k * b_step + 4 n)
// so that the bits of the result depend neither on the tile nor on where a sum is cut into calls, the later ones of
// which start from C. A step is 4 bytes of A and of each column: one f32.
#ifndef BURIN_JIT_KERNELS_BRGEMM_BRGEMM_SPEC_H_
#define BURIN_JIT_KERNELS_BRGEMM_BRGEMM_SPEC_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "base/enum_names.h"
#include "base/hash.h"
#include "jit/isa/isa.h"
#include "jit/isa/microarch.h"

namespace burin::jit {

// Says what the accumulators hold before the first product.
enum class BrgemmStart : uint8_t { kZero, kAddToC };

// Is a part of the sum: products of some steps from these places on.
struct BrgemmTap {
  // Every row of the tile.
  static constexpr uint32_t kAllRows = ~uint32_t{0};

  // Bytes from args.a and args.b; of any sign.
  int64_t a_offset = 0;
  int64_t b_offset = 0;
  // Bit r is set where row r takes part. A of the others is not read.
  uint32_t rows = kAllRows;
  // Steps, where they are not those of the spec.
  std::optional<int64_t> depth;
};

// Describes the kernel. Fields that are not there are read from BrgemmArgs at run time.
struct BrgemmSpec {
  // The most rows of a tile.
  static constexpr int kMaxRows = 28;
  // Steps in one pass of the loop, unless said otherwise.
  static constexpr int kUnroll = 4;

  // Of A and B. kF32; others are Unimplemented.
  ElementType type = ElementType::kF32;
  // The tile: rows by vectors of the machine's width.
  int rows = 1;
  int vectors = 1;
  // Whether the last vector has fewer columns than lanes: args.last_columns. The others of C are not touched.
  bool partial = false;
  // Whether B can be read by whole vectors even so: packed B can.
  bool b_padded = true;
  // Steps of each tap.
  std::optional<int64_t> depth;
  // Of any number; without any, the sum is what it starts from. Many that follow each other at equal distances, with
  // equal rows and steps, become a loop.
  std::vector<BrgemmTap> taps = {BrgemmTap()};
  // Bytes from args.a and args.c of each row of the tile; none of them: multiples of args.a_row_stride, c_row_stride.
  std::vector<int64_t> a_rows;
  std::vector<int64_t> c_rows;
  // Bytes from one step to the next. Packed B: 256 (jit/kernels/panels/panel_layout.h).
  std::optional<int64_t> a_step = 4;
  std::optional<int64_t> b_step = 256;
  BrgemmStart start = BrgemmStart::kZero;
  // How A gets into the products. kEmbedded is for vectors of 512 bits; narrower ones take kRegister instead.
  BroadcastForm broadcast = BroadcastForm::kRegister;
  // Steps in one pass of the loop, 1 to 16.
  int unroll = kUnroll;
  // Whether there are args.repeats tiles beside each other, each further by its vectors in B and in C: for short sums,
  // whose calls would cost as much as they do. Neither partial nor with an epilogue.
  bool repeated = false;
  // Whether the lines of C are fetched for writing before the sum begins, where it starts from zero: C that is in no
  // near cache is then there when it is stored.
  bool prefetch_c = false;
  // Lines of args.prefetch that each pass fetches; 0 to 16.
  int prefetch_lines = 0;

  // Returns OK where the kernel exists for machines with `isa`. InvalidArgument naming the field, Unimplemented naming
  // the type.
  absl::Status Validate(const IsaSet& isa) const;

  // Returns the vector registers that the loop takes on machines with `isa`.
  int VectorRegisters(const IsaSet& isa) const;

  // Returns the steps of a tap; nullopt where they are known at run time only.
  std::optional<int64_t> DepthOf(const BrgemmTap& tap) const { return tap.depth.has_value() ? tap.depth : depth; }

  // Returns a name such as "brgemm_6x4_k768_t9", for dumps.
  std::string Name() const;

  // Returns the fingerprint of all fields.
  Hash128 ContentKey() const;
};

}  // namespace burin::jit

namespace burin {

template <>
struct EnumNames<jit::BrgemmStart> {
  static constexpr EnumEntry<jit::BrgemmStart> kEntries[] = {{jit::BrgemmStart::kZero, "zero"},
                                                             {jit::BrgemmStart::kAddToC, "add_to_c"}};
};

}  // namespace burin

#endif  // BURIN_JIT_KERNELS_BRGEMM_BRGEMM_SPEC_H_
