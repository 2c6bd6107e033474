#include "testing/emulation/recorded_cases_testlib.h"

#include <cstring>
#include <utility>

#include "absl/strings/str_format.h"

namespace burin::emulation {
namespace {

constexpr int kBufferBytes = 8192;
constexpr int kFirstHalf = 4;  // Operations from here on multiply halves.
constexpr int kBf16 = 4;

struct Buffers {
  alignas(64) uint8_t c[kBufferBytes];
  alignas(64) uint8_t a[kBufferBytes];
  alignas(64) uint8_t b[kBufferBytes];
  alignas(64) uint8_t out[kBufferBytes];
};

// Saves and restores the registers among these that a function must preserve, around what it does with them.
class Registers {
 public:
  Registers(CodeBytes* code, int base, int index) : code_(code), base_(base), index_(index) {
    for (const int reg : kPreserved) {
      if (Uses(reg)) code_->Push(reg);
    }
  }
  ~Registers() {
    for (int i = kPreservedCount; i-- > 0;) {
      if (Uses(kPreserved[i])) code_->Pop(kPreserved[i]);
    }
  }
  Registers(const Registers&) = delete;
  Registers& operator=(const Registers&) = delete;

 private:
  static constexpr int kPreservedCount = 6;
  static constexpr int kPreserved[kPreservedCount] = {3, 5, 12, 13, 14, 15};

  bool Uses(int reg) const { return reg == base_ || reg == index_; }

  CodeBytes* const code_;
  const int base_;
  const int index_;
};

// Any register but rsp.
int DrawRegister(RecordedRandom* random) {
  const int drawn = static_cast<int>(random->Below(15));
  return drawn < kRsp ? drawn : drawn + 1;
}

uint16_t DrawHalf(RecordedRandom* random, int operation, bool any_bits) {
  const auto bits = static_cast<uint16_t>(random->Next());
  if (any_bits) return bits;
  const bool is_bf16 = operation == kBf16;
  const uint32_t exponent = is_bf16 ? 120 + random->Below(12) : 10 + random->Below(10);
  const int mantissa_bits = is_bf16 ? 7 : 10;
  return static_cast<uint16_t>((bits & 0x8000U) | exponent << mantissa_bits | (bits & ((1U << mantissa_bits) - 1)));
}

void DrawOperands(RecordedRandom* random, int operation, bool any_bits, Buffers* buffers) {
  for (uint8_t* buffer : {buffers->c, buffers->a, buffers->b}) {
    for (int i = 0; i < kBufferBytes; i += 2) {
      const uint16_t value =
          operation < kFirstHalf ? static_cast<uint16_t>(random->Next()) : DrawHalf(random, operation, any_bits);
      std::memcpy(buffer + i, &value, 2);
    }
  }
  if (operation >= kFirstHalf) {
    for (int i = 0; i < kBufferBytes; i += 4) {
      uint32_t value = random->Next();
      if (!any_bits) value = (value & 0x807fffffU) | (120 + (value >> 8) % 12) << 23;
      std::memcpy(buffers->c + i, &value, 4);
    }
  }
  std::memset(buffers->out, 0xcc, kBufferBytes);
}

uint32_t ChecksumOf(const uint8_t* rows, int row_count, int columns, int64_t stride, bool is_float) {
  uint32_t crc = ~uint32_t{0};
  for (int row = 0; row < row_count; ++row) {
    for (int column = 0; column < columns; ++column) {
      uint32_t value = 0;
      std::memcpy(&value, rows + row * stride + 4 * column, 4);
      if (is_float && (value & 0x7fffffffU) > 0x7f800000U) value = 0x7fc00000;
      crc = Crc32(&value, 4, crc);
    }
  }
  return crc;
}

int BytesOutside(const uint8_t* rows, int row_count, int columns, int64_t stride) {
  int changed = 0;
  for (int64_t i = 0; i < kBufferBytes; ++i) {
    const bool inside = i / stride < row_count && i % stride < 4 * columns;
    changed += !inside && rows[i] != 0xcc ? 1 : 0;
  }
  return changed;
}

}  // namespace

uint32_t RecordedRandom::Next() {
  state_ ^= state_ << 13;
  state_ ^= state_ >> 7;
  state_ ^= state_ << 17;
  return static_cast<uint32_t>(state_ >> 24);
}

uint32_t Crc32(const void* bytes, size_t count, uint32_t crc) {
  const auto* byte = static_cast<const uint8_t*>(bytes);
  for (size_t i = 0; i < count; ++i) {
    crc ^= byte[i];
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320U : 0);
  }
  return crc;
}

void RunConfig(RecordedRandom* random, Prefix prefix, void* config) {
  const int base = DrawRegister(random);
  CodeBytes code;
  {
    const Registers registers(&code, base, -1);
    code.Move(base, reinterpret_cast<uintptr_t>(config));
    code.Memory(prefix, 0x49, 0, 0, base, kRsp, 0, 0, 0);
  }
  code.Run();
}

void RunMove(RecordedRandom* random, Prefix prefix, int tile, const void* data, int64_t stride) {
  const int base = DrawRegister(random);
  int index = base;
  while (index == base) index = DrawRegister(random);
  int scale = static_cast<int>(random->Below(4));
  while (scale > 0 && stride % (int64_t{1} << scale) != 0) --scale;
  const int size = static_cast<int>(random->Below(3));
  int32_t displacement = 0;
  if (size == 1) displacement = static_cast<int32_t>(random->Below(256)) - 128;
  if (size == 2) displacement = static_cast<int32_t>(random->Below(100000)) - 50000;
  CodeBytes code;
  {
    const Registers registers(&code, base, index);
    code.Move(base, reinterpret_cast<uintptr_t>(data) - static_cast<uint64_t>(int64_t{displacement}));
    code.Move(index, static_cast<uint64_t>(stride >> scale));
    code.Memory(prefix, 0x4b, tile, 0, base, index, scale, displacement, size == 2 ? 4 : size);
  }
  code.Run();
}

std::string RunDotCase(RecordedRandom* random, int round, int operation) {
  static constexpr const char* kNames[] = {"bssd", "bsud", "busd", "buud", "bf16", "fp16"};
  static constexpr Prefix kPrefixes[] = {Prefix::kF2,   Prefix::kF3, Prefix::k66,
                                         Prefix::kNone, Prefix::kF3, Prefix::kF2};
  int tiles[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  for (uint32_t i = 7; i > 0; --i) std::swap(tiles[i], tiles[random->Below(i + 1)]);
  int rows = 1 + static_cast<int>(random->Below(16));
  int depth = 1 + static_cast<int>(random->Below(16));
  int columns = 1 + static_cast<int>(random->Below(16));
  if (round % 4 == 0) rows = depth = columns = 16;
  TileConfig config;
  const auto shape = [&config](int tile, int tile_rows, int tile_columns) {
    config.rows[tile] = static_cast<uint8_t>(tile_rows);
    config.row_bytes[tile] = static_cast<uint16_t>(4 * tile_columns);
  };
  shape(tiles[0], rows, columns);
  shape(tiles[1], rows, depth);
  shape(tiles[2], depth, columns);
  const int spare_rows = 1 + static_cast<int>(random->Below(16));
  shape(tiles[3], spare_rows, 1 + static_cast<int>(random->Below(16)));
  static Buffers buffers;
  DrawOperands(random, operation, round % 2 == 1, &buffers);

  RunConfig(random, Prefix::kNone, &config);
  TileConfig stored;
  stored.palette = 0x55;
  RunConfig(random, Prefix::k66, &stored);
  const bool config_holds = std::memcmp(&stored, &config, sizeof(config)) == 0;
  const int64_t a_stride = 64 + 4 * static_cast<int64_t>(random->Below(64));
  const int64_t b_stride = 64 + 8 * static_cast<int64_t>(random->Below(32));
  const int64_t c_stride = random->Below(3) != 0 ? 64 + static_cast<int64_t>(random->Below(200)) : 64;
  const int64_t out_stride = 64 + 16 * static_cast<int64_t>(random->Below(16));
  const bool is_a_backwards = random->Below(8) == 0;
  RunMove(random, Prefix::kF2, tiles[0], buffers.c, c_stride);
  RunMove(random, Prefix::kF2, tiles[1], is_a_backwards ? buffers.a + 15 * a_stride : buffers.a,
          is_a_backwards ? -a_stride : a_stride);
  RunMove(random, Prefix::k66, tiles[2], buffers.b, b_stride);
  CodeBytes code;
  if (round % 16 == 3) code.Registers(Prefix::kF2, 0x49, tiles[0], 0, 0);
  for (int i = 0; i < (round % 8 == 5 ? 2 : 1); ++i) {
    code.Registers(kPrefixes[operation], operation < kFirstHalf ? 0x5e : 0x5c, tiles[0], tiles[2], tiles[1]);
  }
  code.Run();
  RunMove(random, Prefix::kF3, tiles[0], buffers.out, out_stride);
  CodeBytes().Registers(Prefix::kNone, 0x49, 0, 0, 0).Run();
  return absl::StrFormat("%d %s M%d N%d K%d t%d,%d,%d cfg%d canon %08x outside %d", round, kNames[operation], rows,
                         columns, depth, tiles[0], tiles[1], tiles[2], config_holds ? 1 : 0,
                         ChecksumOf(buffers.out, rows, columns, out_stride, operation >= kFirstHalf),
                         BytesOutside(buffers.out, rows, columns, out_stride));
}

std::string RunVnniCase(RecordedRandom* random, int round, int opcode) {
  alignas(32) uint8_t operands[3][32];
  alignas(32) uint8_t out[32];
  for (auto& operand : operands) {
    for (uint8_t& byte : operand) byte = static_cast<uint8_t>(random->Next());
  }
  const bool is_256 = (random->Next() & 1) != 0;
  const bool is_memory = (random->Next() & 1) != 0;
  static constexpr int kRegisters[] = {3, 9, 14};
  CodeBytes code;
  for (int i = 0; i < 3; ++i) {
    code.Move(kRax, reinterpret_cast<uintptr_t>(operands[i])).LoadYmm(kRegisters[i]);
  }
  if (is_memory) {
    code.Memory(Prefix::k66, opcode, 3, 9, kRax, kRsp, 0, 0, 0, is_256);
  } else {
    code.Registers(Prefix::k66, opcode, 3, 9, 14, is_256);
  }
  code.Move(kRax, reinterpret_cast<uintptr_t>(out)).StoreYmm(3).Run();
  return absl::StrFormat("%d vnni %02x L%d m%d %08x", round, opcode, is_256 ? 1 : 0, is_memory ? 1 : 0,
                         Crc32(out, sizeof(out)));
}

}  // namespace burin::emulation
