#include "testing/emulation/tile_state.h"

#include <cstring>
#include <initializer_list>

#include "testing/emulation/tile_dot.h"

namespace burin::emulation {
namespace {

// The layout of a tile configuration in memory.
constexpr int kConfigBytes = 64;
constexpr int kStartRowOffset = 1;
constexpr int kRowBytesOffset = 16;
constexpr int kRowsOffset = 48;

bool IsReservedByte(int offset) {
  return (offset >= 2 && offset < kRowBytesOffset) || (offset >= 32 && offset < kRowsOffset) || offset >= 56;
}

bool IsAllowed(const uint8_t* config) {
  if (config[0] > 1) return false;
  for (int i = 0; i < kConfigBytes; ++i) {
    if (IsReservedByte(i) && config[i] != 0) return false;
  }
  for (int tile = 0; tile < TileState::kTiles; ++tile) {
    uint16_t row_bytes = 0;
    std::memcpy(&row_bytes, config + kRowBytesOffset + 2 * tile, sizeof(row_bytes));
    const int rows = config[kRowsOffset + tile];
    if (row_bytes > TileState::kRowBytes || rows > TileState::kMaxRows) return false;
    if ((row_bytes == 0) != (rows == 0)) return false;
  }
  return true;
}

}  // namespace

Fault TileState::LoadConfig(const uint8_t* config) {
  // Read once: the memory may be shared.
  uint8_t copy[kConfigBytes];
  std::memcpy(copy, config, kConfigBytes);
  if (copy[0] == 0) {
    Release();
    return Fault::kNone;
  }
  if (!IsAllowed(copy)) return Fault::kGeneralProtection;
  Release();
  palette_ = copy[0];
  start_row_ = copy[kStartRowOffset];
  std::memcpy(row_bytes_, copy + kRowBytesOffset, sizeof(row_bytes_));
  std::memcpy(rows_, copy + kRowsOffset, sizeof(rows_));
  return Fault::kNone;
}

void TileState::StoreConfig(uint8_t* config) const {
  uint8_t copy[kConfigBytes] = {};
  if (palette_ != 0) {
    copy[0] = palette_;
    copy[kStartRowOffset] = start_row_;
    std::memcpy(copy + kRowBytesOffset, row_bytes_, sizeof(row_bytes_));
    std::memcpy(copy + kRowsOffset, rows_, sizeof(rows_));
  }
  std::memcpy(config, copy, kConfigBytes);
}

void TileState::Release() { *this = TileState(); }

void TileState::ZeroOutside(int tile) {
  for (int row = 0; row < kMaxRows; ++row) {
    const int kept = row < rows_[tile] ? row_bytes_[tile] : 0;
    std::memset(data_[tile][row] + kept, 0, static_cast<size_t>(kRowBytes - kept));
  }
}

Fault TileState::Zero(int tile) {
  if (!IsConfigured(tile)) return Fault::kInvalidOpcode;
  std::memset(data_[tile], 0, sizeof(data_[tile]));
  start_row_ = 0;
  return Fault::kNone;
}

Fault TileState::Load(int tile, uint64_t base, int64_t stride) {
  if (!IsConfigured(tile) || !HasWholeDwords(tile) || start_row_ >= rows_[tile]) return Fault::kInvalidOpcode;
  for (int row = start_row_; row < rows_[tile]; ++row) {
    const uint64_t address = base + static_cast<uint64_t>(row * stride);
    std::memcpy(data_[tile][row], reinterpret_cast<const void*>(address), row_bytes_[tile]);
  }
  ZeroOutside(tile);
  start_row_ = 0;
  return Fault::kNone;
}

Fault TileState::Store(int tile, uint64_t base, int64_t stride) {
  if (!IsConfigured(tile) || !HasWholeDwords(tile) || start_row_ >= rows_[tile]) return Fault::kInvalidOpcode;
  for (int row = start_row_; row < rows_[tile]; ++row) {
    const uint64_t address = base + static_cast<uint64_t>(row * stride);
    std::memcpy(reinterpret_cast<void*>(address), data_[tile][row], row_bytes_[tile]);
  }
  start_row_ = 0;
  return Fault::kNone;
}

Fault TileState::Dot(DotKind kind, int c, int a, int b) {
  for (const int tile : {c, a, b}) {
    if (!IsConfigured(tile) || !HasWholeDwords(tile)) return Fault::kInvalidOpcode;
  }
  if (c == a || c == b || a == b) return Fault::kInvalidOpcode;
  const DotShape shape = {rows_[c], row_bytes_[c] / 4, row_bytes_[a] / 4};
  if (rows_[a] != shape.rows || rows_[b] != shape.depth || row_bytes_[b] != row_bytes_[c]) {
    return Fault::kInvalidOpcode;
  }
  switch (kind) {
    case DotKind::kS8S8:
      DotInt8(shape, true, true, data_[a], data_[b], data_[c]);
      break;
    case DotKind::kS8U8:
      DotInt8(shape, true, false, data_[a], data_[b], data_[c]);
      break;
    case DotKind::kU8S8:
      DotInt8(shape, false, true, data_[a], data_[b], data_[c]);
      break;
    case DotKind::kU8U8:
      DotInt8(shape, false, false, data_[a], data_[b], data_[c]);
      break;
    case DotKind::kBf16:
      DotHalf(shape, HalfType::kBf16, data_[a], data_[b], data_[c]);
      break;
    case DotKind::kF16:
      DotHalf(shape, HalfType::kF16, data_[a], data_[b], data_[c]);
      break;
  }
  ZeroOutside(c);
  start_row_ = 0;
  return Fault::kNone;
}

}  // namespace burin::emulation
