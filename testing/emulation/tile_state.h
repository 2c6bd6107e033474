// The AMX state of one thread, and what each AMX instruction does to it.
//
// Plain arithmetic and memory copies: async-signal-safe, and testable without a signal. The source for all of it is the
// Intel Architecture Instruction Set Extensions manual, chapter "AMX". Not thread-safe: each thread has its own.
#ifndef BURIN_TESTING_EMULATION_TILE_STATE_H_
#define BURIN_TESTING_EMULATION_TILE_STATE_H_

#include <cstdint>

namespace burin::emulation {

// What the processor would raise instead of completing the instruction.
enum class Fault : uint8_t { kNone, kInvalidOpcode, kGeneralProtection };

// What the elements of a dot product are.
enum class DotKind : uint8_t {
  kS8S8,  // TDPBSSD
  kS8U8,  // TDPBSUD
  kU8S8,  // TDPBUSD
  kU8U8,  // TDPBUUD
  kBf16,  // TDPBF16PS
  kF16,   // TDPFP16PS
};

class TileState {
 public:
  static constexpr int kTiles = 8;
  static constexpr int kMaxRows = 16;
  static constexpr int kRowBytes = 64;

  // LDTILECFG: takes the 64 bytes at `config`. A palette of 0 releases; a config that is not allowed faults and leaves
  // the state as it was.
  Fault LoadConfig(const uint8_t* config);
  // STTILECFG: writes 64 bytes; zeros where nothing is configured.
  void StoreConfig(uint8_t* config) const;
  // TILERELEASE
  void Release();
  // TILEZERO
  Fault Zero(int tile);
  // TILELOADD, TILELOADDT1: row i of the tile comes from base + i * stride (in bytes).
  Fault Load(int tile, uint64_t base, int64_t stride);
  // TILESTORED
  Fault Store(int tile, uint64_t base, int64_t stride);
  // TDP*: adds the product of `a` (rows x K dwords) and `b` (K rows of dwords) to `c`.
  Fault Dot(DotKind kind, int c, int a, int b);

  // The bytes of a row, for tests.
  const uint8_t* row(int tile, int row) const { return data_[tile][row]; }

 private:
  bool IsConfigured(int tile) const { return tile < kTiles && palette_ != 0 && rows_[tile] != 0; }
  // Whether elements of four bytes fill the tile's rows.
  bool HasWholeDwords(int tile) const { return row_bytes_[tile] % 4 == 0; }
  // What lies outside the configured shape reads as zero.
  void ZeroOutside(int tile);

  uint8_t palette_ = 0;
  uint8_t start_row_ = 0;
  uint16_t row_bytes_[kTiles] = {};
  uint8_t rows_[kTiles] = {};
  alignas(64) uint8_t data_[kTiles][kMaxRows][kRowBytes] = {};
};

}  // namespace burin::emulation

#endif  // BURIN_TESTING_EMULATION_TILE_STATE_H_
